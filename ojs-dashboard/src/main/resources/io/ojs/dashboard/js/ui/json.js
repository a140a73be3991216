// JSON as text that folds. Deep and long values stay closed until they are opened.

import { html, nothing, render } from '../html.js';
import { count } from '../format.js';
import { icon } from './icons.js';

const LONGEST_STRING = 600;
const MOST_ENTRIES = 200;

/** A value as indented text, for the clipboard. */
export function textOf(value) {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? JSON.rawJSON(String(each)) : each), 2);
}

/**
 * @param {unknown} value as parsed
 * @param {{depth?: number}} [options] how many levels are open
 */
export function json(value, { depth = 2 } = {}) {
  return html`<div class="json" tabindex="0" role="group" aria-label="JSON">${node(value, depth, '')}</div>`;
}

function node(value, depth, end) {
  if (Array.isArray(value) || (value !== null && typeof value === 'object')) {
    return container(value, depth, end);
  }
  return html`${scalar(value)}${end}`;
}

function scalar(value) {
  if (typeof value === 'string') {
    const isLong = value.length > LONGEST_STRING;
    return html`<span class="json-string">${JSON.stringify(isLong ? value.slice(0, LONGEST_STRING) : value)}</span>${isLong
      ? html`<span class="muted"> … ${count(value.length - LONGEST_STRING)} more characters</span>` : nothing}`;
  }
  const kind = value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value;
  return html`<span class="json-${kind}">${String(value)}</span>`;
}

function container(value, depth, end) {
  const isList = Array.isArray(value);
  const entries = isList ? value.map((each) => [null, each]) : Object.entries(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (!entries.length) {
    return html`${open}${close}${end}`;
  }
  const isOpen = depth > 0;
  const content = () => items(entries, isList, depth);
  // What is closed has no elements yet: arguments may be large.
  const draw = (event) => event.target.open && render(content(), event.target.querySelector(':scope > ul'));
  return html`<details ?open=${isOpen} @toggle=${isOpen ? null : draw}><summary>${icon('right')}${open}<span class="json-rest"> ${count(entries.length)} ${isList ? 'values' : 'fields'} ${close}${end}</span></summary>${isOpen
    ? html`<ul>${content()}</ul>` : html`<ul></ul>`}<span class="json-close">${close}${end}</span></details>`;
}

function items(entries, isList, depth) {
  return html`${entries.slice(0, MOST_ENTRIES).map(([name, each], index) => html`<li>${isList ? nothing : html`<span class="json-name">${JSON.stringify(name)}</span>: `}${
    node(each, depth - 1, index < entries.length - 1 ? ',' : '')}</li>`)}${entries.length > MOST_ENTRIES
    ? html`<li class="muted">… ${count(entries.length - MOST_ENTRIES)} more</li>` : nothing}`;
}
