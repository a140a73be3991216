// The keyboard: g and a letter goes to a page, j and k move through rows, a page has keys of its own.

import { isAsking } from './dialog.js';

const SECOND_KEY_MILLIS = 1_500;

/** The key of the row that has the focus; null if none has. */
export function focusedRow() {
  return document.activeElement?.closest('[data-rows] [data-key]')?.dataset.key ?? null;
}

/**
 * @param {object} actions
 * @param {() => void} actions.palette
 * @param {() => void} actions.help
 * @param {() => boolean} actions.refresh
 * @param {(letter: string) => void} actions.go
 * @param {(key: string) => boolean} actions.page returns whether the page has the key
 */
export function listenForKeys(actions) {
  let went = 0;
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isAsking() || isTyping(event.target)) {
      return;
    }
    const afterG = Date.now() - went < SECOND_KEY_MILLIS;
    went = 0;
    if (afterG) {
      event.preventDefault();
      actions.go(event.key);
    }
    else if (event.key === 'g') {
      went = Date.now();
    }
    else if (act(event.key, actions)) {
      event.preventDefault();
    }
  });
}

function act(key, actions) {
  switch (key) {
    case '/':
      actions.palette();
      return true;
    case '?':
      actions.help();
      return true;
    case 'r':
      return actions.page(key) || actions.refresh();
    case 'j':
    case 'k':
      return moveFocus(key === 'j' ? 1 : -1);
    default:
      return actions.page(key);
  }
}

/** Moves the focus to the first link of the next row. Enter opens it then. */
function moveFocus(step) {
  const rows = [...document.querySelectorAll('[data-rows] [data-key]')].filter((row) => target(row));
  if (!rows.length) {
    return false;
  }
  const now = rows.findIndex((row) => row.contains(document.activeElement));
  const next = now < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, now + step));
  target(rows[next]).focus({ preventScroll: true });
  rows[next].scrollIntoView({ block: 'nearest' });
  return true;
}

function target(row) {
  return row.matches('a[href]') ? row : row.querySelector('a[href], button:not([disabled])');
}

function isTyping(element) {
  return element instanceof HTMLElement
    && (element.isContentEditable || (element.matches('input, textarea, select') && !element.matches('[type=checkbox], [type=radio]')));
}
