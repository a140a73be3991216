// The list of keys.

import { isAsking } from './dialog.js';
import { html, nothing, render } from './html.js';
import { isOffered, isUsable, PAGE_LIST } from './page-list.js';

const ALWAYS = [['/', 'Find a job, queue, type or label'], ['j', 'Next row'], ['k', 'Row before'], ['Enter', 'Open the row'], ['r', 'Reload'],
  ['Esc', 'Close a dialog'], ['?', 'This list']];

/** @param {import('./page.js').OpenPage|null} page the open one */
export async function showHelp(page, me, tenant) {
  const offered = PAGE_LIST.filter((entry) => isOffered(entry, me, tenant));
  const mine = ({ keys }) => Object.entries(keys ?? {}).filter(([, key]) => isUsable(key, me));
  const others = (await Promise.all(offered.filter((entry) => entry !== page?.entry).map(async (entry) => {
    const module = await entry.load().catch(() => null); // Without an answer of the server, the help lists the rest.
    return mine(module?.default ?? {}).map(([key, { label }]) => [[key], `${entry.label}: ${label}`]);
  }))).flat();
  if (isAsking()) {
    return; // The key was pressed twice.
  }
  const own = mine(page?.module ?? {}).map(([key, { label }]) => [[key], label]);
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog wide';
  dialog.setAttribute('aria-labelledby', 'help-title');
  render(html`<form method="dialog">
    <h2 id="help-title">Keys</h2>
    <div class="help">
      <section><h3>Everywhere</h3>${list(ALWAYS.map(([key, label]) => [[key], label]))}</section>
      <section><h3>Pages</h3>${list(offered.filter((entry) => entry.go).map((entry) => [['g', entry.go], entry.label]))}</section>
      ${own.length ? html`<section class="own"><h3>This page</h3>${list(own)}</section>` : nothing}
      ${others.length ? html`<section><h3>Other pages</h3>${list(others)}</section>` : nothing}
    </div>
    <div class="dialog-buttons"><button class="button primary">Close</button></div></form>`, dialog);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0; // The focus is on the button at its end.
}

function list(entries) {
  return html`<dl class="keys">${entries.map(([keys, label]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${label}</dd></div>`)}</dl>`;
}
