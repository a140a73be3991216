// Small parts of pages.

import { html, nothing } from '../html.js';
import { icon } from './icons.js';

/**
 * The head of a page.
 * @param {object} options
 * @param {unknown} options.title
 * @param {unknown} [options.note] below the title
 * @param {unknown} [options.actions] buttons
 * @param {{label: string, href: string}} [options.back]
 */
export function head({ title, note, actions, back }) {
  return html`<header class="page-head">
    <div class="page-title">
      ${back ? html`<a class="back" href=${back.href}>${back.label}</a>` : nothing}
      <h1 tabindex="-1">${title}</h1>${note ? html`<div class="page-note">${note}</div>` : nothing}
    </div>
    ${actions ? html`<div class="actions">${actions}</div>` : nothing}</header>`;
}

/**
 * A part of a page with a heading.
 * @param {unknown} title
 * @param {unknown} content
 * @param {{note?: unknown, actions?: unknown, flush?: boolean, kind?: string}} [options] flush: without padding, for a table
 */
export function card(title, content, { note, actions, flush, kind } = {}) {
  return html`<section class="card ${flush ? 'flush' : ''} ${kind ?? ''}">
    ${title ? html`<header><h2>${title}</h2>${note ? html`<span class="muted">${note}</span>` : nothing}
      ${actions ? html`<div class="actions">${actions}</div>` : nothing}</header>` : nothing}
    <div class="card-body">${content}</div></section>`;
}

/**
 * Names and values.
 * @param {([string, unknown]|false|null|undefined)[]} entries
 */
export function facts(entries) {
  return html`<dl class="facts">${entries.filter(Boolean).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value ?? '–'}</dd></div>`)}</dl>`;
}

/**
 * Instead of rows.
 * @param {string} title
 * @param {unknown} [text] what to do, or what would be here
 */
export function empty(title, text) {
  return html`<div class="empty"><p>${title}</p>${text ? html`<p class="muted">${text}</p>` : nothing}</div>`;
}

/**
 * A button.
 * @param {string} label
 * @param {() => void} onClick
 * @param {{shape?: string, kind?: 'primary'|'danger'|'quiet', disabled?: boolean, title?: string, key?: string}} [options]
 */
export function button(label, onClick, { shape, kind, disabled, title, key } = {}) {
  return html`<button class="button ${kind ?? ''}" type="button" ?disabled=${disabled ?? false} title=${title ?? nothing} @click=${onClick}>
    ${shape ? icon(shape) : nothing}<span>${label}</span>${key ? html`<kbd>${key}</kbd>` : nothing}</button>`;
}

/** A button of an icon alone, for rows of a table. */
export function iconButton(label, shape, onClick) {
  return html`<button class="icon-button" type="button" aria-label=${label} title=${label} @click=${onClick}>${icon(shape)}</button>`;
}

/** An id or a name that is often copied. */
export function copyable(ctx, text, shown = text) {
  return html`<span class="copyable"><code title=${text}>${shown}</code><button class="icon-button" type="button" aria-label="Copy ${text}"
    @click=${() => ctx.copy(text)}>${icon('copy')}</button></span>`;
}

/** A link to a search of jobs. Without a store, which has them, the text alone. */
export function jobsLink(ctx, params, text) {
  return ctx.has('store') ? html`<a href=${ctx.link('jobs', params)}>${text}</a>` : text;
}

/**
 * A part of a whole, with the numbers beside it.
 * @param {number} part
 * @param {number} whole
 * @param {{label?: string, tone?: string}} [options]
 */
export function bar(part, whole, { label, tone } = {}) {
  const share = whole > 0 ? Math.min(1, part / whole) : 0;
  return html`<span class="bar ${tone ?? (share >= 1 ? 'full' : '')}" role="img" aria-label=${label ?? `${part} of ${whole}`}>
    <i .style=${`inline-size: ${(share * 100).toFixed(1)}%`}></i></span>`;
}

/**
 * Pages of a list by cursor: the next one, and back to the first.
 * @param {object} ctx
 * @param {{has_more?: boolean, next_cursor?: string}|null|undefined} pagination
 * @param {unknown} [note]
 * @param {string} [next] what the link to the next page says
 */
export function pager(ctx, pagination, note, next = 'Older') {
  const isFirst = !ctx.params.get('cursor');
  return html`<nav class="pager" aria-label="Pages of the list"><span class="muted">${note ?? nothing}</span>
    ${isFirst ? nothing : html`<a class="button" href=${ctx.linkWith({ cursor: null })}>First page</a>`}
    ${pagination?.has_more && pagination.next_cursor ? html`<a class="button" rel="next" href=${ctx.linkWith({ cursor: pagination.next_cursor })}>${next} ${icon('right')}</a>` : nothing}</nav>`;
}

/** A text that folds, closed at first. */
export function fold(summary, content, isOpen = false) {
  return html`<details class="fold" ?open=${isOpen}><summary>${icon('right')}<span>${summary}</span></summary><div>${content}</div></details>`;
}
