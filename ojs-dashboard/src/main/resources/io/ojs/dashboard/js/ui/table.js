// Tables. On narrow screens each row becomes a card, with the names of the columns beside the values.

import { html, nothing, repeat } from '../html.js';

/**
 * @template T
 * @typedef {object} Column
 * @property {string} label the heading
 * @property {(row: T) => unknown} cell
 * @property {'number'|'end'|'wide'|'text'|'actions'|'primary'} [kind] numbers stand right; a wide column takes the rest; text wraps, and has
 * a line of the card; the primary one heads the card
 * @property {string} [group] a heading above this column and its neighbours with the same
 * @property {boolean} [begins] whether a line separates it from the column before
 * @property {boolean} [roomy] whether only wide screens have it
 * @property {string} [title] what the heading means
 * @property {(row: T) => boolean} [hidden] whether the card leaves it out; a column that all rows leave out is in no table
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
  const shown = columns.filter((column) => column && !(rows.length && column.hidden && rows.every(column.hidden)));
  if (!rows.length && empty !== undefined) {
    return empty;
  }
  const classes = (column, more = '') => `${column.kind ?? ''} ${column.begins ? 'begins' : ''} ${column.roomy ? 'roomy' : ''} ${more}`;
  return html`<div class="table-box"><table role="table" data-rows>
    <caption class="sr">${caption}</caption>
    <thead role="rowgroup">${shown.some((column) => column.group) ? groups(shown, classes) : nothing}<tr role="row">${shown.map((column) => html`<th role="columnheader" scope="col" class=${classes(column)} title=${column.title ?? nothing}>
      ${column.kind === 'actions' ? html`<span class="sr">${column.label}</span>` : column.label}</th>`)}</tr></thead>
    <tbody role="rowgroup">${repeat(rows, key, (row) => html`<tr role="row" data-key=${key(row)} class=${tone?.(row) ?? ''}>
      ${shown.map((column) => html`<td role="cell" class=${classes(column, column.hidden?.(row) ? 'spare' : '')} data-label=${column.label}><div class="value">${column.cell(row)}</div></td>`)}</tr>`)}
    </tbody></table></div>`;
}

/** The headings above several columns. */
function groups(columns, classes) {
  const runs = [];
  for (const column of columns) {
    if (runs.length && runs.at(-1).group === column.group && !column.roomy) {
      runs.at(-1).span++;
    }
    else {
      runs.push({ group: column.group, span: 1, column });
    }
  }
  return html`<tr role="row" class="groups" aria-hidden="true">${runs.map(({ group, span, column }) => html`
    <td colspan=${span} class=${classes({ begins: column.begins, roomy: column.roomy })}>${group ?? nothing}</td>`)}</tr>`;
}
