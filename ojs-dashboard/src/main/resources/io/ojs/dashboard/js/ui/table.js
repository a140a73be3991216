// Tables. On narrow screens each row becomes a card, with the names of the columns beside the values.

import { html, nothing, repeat } from '../html.js';

/**
 * @template T
 * @typedef {object} Column
 * @property {string} label the heading
 * @property {(row: T) => unknown} cell
 * @property {'number'|'end'|'wide'|'actions'|'primary'} [kind] numbers stand right; a wide column takes the rest; the primary one
 * heads the card
 * @property {boolean} [begins] whether a line separates it from the column before
 * @property {string} [title] what the heading means
 * @property {(row: T) => boolean} [hidden] whether the card leaves it out
 */

/**
 * @template T
 * @param {object} options
 * @param {T[]} options.rows
 * @param {(row: T) => string} options.key identifies a row
 * @param {(Column<T>|false|null|undefined)[]} options.columns
 * @param {string} options.caption for screen readers
 * @param {unknown} [options.empty] instead of a table without rows
 * @param {(row: T) => string} [options.tone] a class of the row
 */
export function table({ rows, key, columns, caption, empty, tone }) {
  const shown = columns.filter(Boolean);
  if (!rows.length && empty !== undefined) {
    return empty;
  }
  return html`<div class="table-box"><table role="table" data-rows>
    <caption class="sr">${caption}</caption>
    <thead role="rowgroup"><tr role="row">${shown.map((column) => html`<th role="columnheader" scope="col" class="${column.kind ?? ''} ${column.begins ? 'begins' : ''}" title=${column.title ?? nothing}>
      ${column.kind === 'actions' ? html`<span class="sr">${column.label}</span>` : column.label}</th>`)}</tr></thead>
    <tbody role="rowgroup">${repeat(rows, key, (row) => html`<tr role="row" data-key=${key(row)} class=${tone?.(row) ?? ''}>
      ${shown.map((column) => html`<td role="cell" class="${column.kind ?? ''} ${column.begins ? 'begins' : ''} ${column.hidden?.(row) ? 'spare' : ''}" data-label=${column.label}>${column.cell(row)}</td>`)}</tr>`)}
    </tbody></table></div>`;
}
