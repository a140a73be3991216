// Short messages about what was done. Screen readers hear them.

import { visible } from './html.js';

const SHOWN_MILLIS = 6_000;

let region = null;

/**
 * @param {string} text
 * @param {'done'|'problem'} [kind]
 */
export function toast(text, kind = 'done') {
  if (!region) {
    region = document.createElement('div');
    region.className = 'toasts';
    region.setAttribute('role', 'status');
    document.body.append(region);
  }
  const message = document.createElement('div');
  message.className = `toast ${kind}`;
  message.textContent = visible(text);
  region.append(message);
  setTimeout(() => message.remove(), SHOWN_MILLIS);
}

/** Copies text, and says so. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied');
  }
  catch {
    toast('The browser does not let the page copy: select the text and copy it.', 'problem');
  }
}
