// What a page does whose files are no longer on the server. Imports nothing: the server answers it for any version.

const KEY = 'ojs.reloaded';

const LONG_AGO_MILLIS = 60_000;

/**
 * Reloads the page, unless it was reloaded for the same reason a minute ago.
 * @returns {boolean} whether it does
 */
export function reloadOnce() {
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < LONG_AGO_MILLIS) {
      return false;
    }
    sessionStorage.setItem(KEY, String(Date.now()));
  }
  catch {
    return false; // Without storage it could reload forever.
  }
  location.reload();
  return true;
}

/**
 * Says that the page has to be reloaded, with a button that does it.
 * @param {HTMLElement} root what it replaces the content of
 */
export function showReload(root) {
  const text = document.createElement('p');
  text.textContent = 'A part of the dashboard could not be loaded: the application was updated, or it does not answer.';
  const button = document.createElement('button');
  button.className = 'button primary';
  button.textContent = 'Reload the page';
  button.addEventListener('click', () => location.reload());
  const box = document.createElement('div');
  box.className = 'boot';
  box.setAttribute('role', 'alert');
  box.append(text, button);
  root.replaceChildren(box);
}
