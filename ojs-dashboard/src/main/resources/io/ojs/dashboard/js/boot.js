// The page's only script. It imports the rest while it runs, so that a page whose other files are gone, because the
// application was deployed again, says so instead of staying blank. The server answers this file for any version.

import { reloadOnce, showReload } from './reload.js';

try {
  const { start } = await import('./app.js');
  await start(document.getElementById('app'));
}
catch (failure) {
  console.error(failure);
  if (!reloadOnce()) {
    showReload(document.getElementById('app'));
  }
}
