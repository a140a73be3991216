// Filters of a list. Each is a parameter of the URL, so a view is a link.

import { html, live, nothing } from '../html.js';
import { icon } from './icons.js';

const PAUSE_MILLIS = 400;

/**
 * @typedef {object} Filter
 * @property {string} name of the parameter
 * @property {string} label
 * @property {'text'|'select'|'since'} [type]
 * @property {(string|{value: string, label: string})[]} [options]
 * @property {string} [placeholder]
 * @property {boolean} [wide]
 */

const SINCE = [['', 'any time'], ['15m', '15 minutes'], ['1h', '1 hour'], ['6h', '6 hours'], ['1d', '1 day'], ['7d', '7 days']];

let timer;

/**
 * @param {object} ctx
 * @param {(Filter|false|null)[]} filters
 */
export function filters(ctx, filters) {
  const shown = filters.filter(Boolean);
  const isSet = shown.some(({ name }) => ctx.params.get(name));
  const change = (name, value) => ctx.goWith({ [name]: value, cursor: null });
  const later = (name, value) => {
    clearTimeout(timer);
    timer = setTimeout(() => change(name, value.trim()), PAUSE_MILLIS);
  };
  return html`<form class="filters" role="search" @submit=${(event) => event.preventDefault()}>
    ${shown.map((filter) => html`<label class=${filter.wide ? 'wide' : ''}><span>${filter.label}</span>${control(filter, ctx, change, later)}</label>`)}
    ${isSet ? html`<a class="button quiet" href=${ctx.linkWith(Object.fromEntries([...shown.map(({ name }) => [name, null]), ['cursor', null]]))}>
      ${icon('close')} Clear</a>` : nothing}</form>`;
}

function control({ name, type, options = [], placeholder }, ctx, change, later) {
  const value = ctx.params.get(name) ?? '';
  if (type === 'select' || type === 'since') {
    const choices = type === 'since' ? SINCE.map(([key, label]) => ({ value: key, label }))
      : options.map((option) => (typeof option === 'string' ? { value: option, label: option || 'any' } : option));
    const all = choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: value }];
    return html`<select name=${name} @change=${(event) => change(name, event.target.value)} .value=${live(value)}>
      ${all.map((choice) => html`<option value=${choice.value} ?selected=${choice.value === value}>${choice.label}</option>`)}</select>`;
  }
  return html`<input name=${name} type="search" .value=${value} placeholder=${placeholder ?? ''} autocomplete="off" spellcheck="false"
    @input=${(event) => later(name, event.target.value)}
    @keydown=${(event) => event.key === 'Enter' && (clearTimeout(timer), change(name, event.target.value.trim()))}>`;
}

/**
 * The time that a filter names.
 * @param {string|null} text 15m, 1h, 7d, or a time as RFC 3339
 * @returns {string|null} RFC 3339
 */
export function sinceOf(text) {
  const match = /^(\d+)([mhd])$/.exec(text ?? '');
  return match ? new Date(Date.now() - Number(match[1]) * { m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2]]).toISOString() : text || null;
}
