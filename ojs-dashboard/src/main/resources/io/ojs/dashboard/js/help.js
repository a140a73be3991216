// The list of keys.

import { html, nothing, render } from './html.js';
import { isOffered, PAGE_LIST } from './page-list.js';

const ALWAYS = [['/', 'Find a job, queue, type or label'], ['j', 'Next row'], ['k', 'Row before'], ['Enter', 'Open the row'], ['r', 'Reload'],
  ['Esc', 'Close a dialog'], ['?', 'This list']];

export function showHelp(pageKeys, me, tenant) {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog wide';
  dialog.setAttribute('aria-labelledby', 'help-title');
  const own = Object.entries(pageKeys).filter(([, key]) => !key.can || me.rights.includes(key.can));
  render(html`<form method="dialog">
    <h2 id="help-title">Keys</h2>
    <div class="help">
      <section><h3>Everywhere</h3>${list(ALWAYS.map(([key, label]) => [[key], label]))}</section>
      <section><h3>Pages</h3>${list(PAGE_LIST.filter((entry) => entry.go && isOffered(entry, me, tenant)).map((entry) => [['g', entry.go], entry.label]))}</section>
      ${own.length ? html`<section><h3>This page</h3>${list(own.map(([key, { label }]) => [[key], label]))}</section>` : nothing}
    </div>
    <div class="dialog-buttons"><button class="button primary">Close</button></div></form>`, dialog);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

function list(entries) {
  return html`<dl class="keys">${entries.map(([keys, label]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${label}</dd></div>`)}</dl>`;
}
