// Filters of a list. Each is a parameter of the URL, so a view is a link.

import { ApiError } from '../api.js';
import { serverNow } from '../format.js';
import { html, live, nothing } from '../html.js';
import { icon } from './icons.js';

const PAUSE_MILLIS = 400;

/**
 * @typedef {object} Filter
 * @property {string} name of the parameter
 * @property {string} label
 * @property {'text'|'select'|'since'|'time'} [type]
 * @property {(string|{value: string, label: string, title?: string})[]} [options]
 * @property {string} [placeholder]
 * @property {string} [title] what the filter means
 * @property {string[]} [suggestions] beginnings of what can be typed
 * @property {boolean} [wide]
 */

const SINCE = Object.entries({ '': 'any time', '15m': 'the last 15 minutes', '1h': 'the last hour', '6h': 'the last 6 hours', today: 'today', '1d': 'the last day',
  '7d': 'the last 7 days' }).map(([value, label]) => ({ value, label }));

/** The choice of a time that is typed. */
const AT = 'at';

/** What is typed and not in the URL yet, of all fields. */
const typed = new Map();

let timer;

/**
 * @param {object} ctx
 * @param {(Filter|false|null)[]} filters
 * @param {string[]} [others] parameters that are filters of the page too, such as those of facets
 */
export function filters(ctx, filters, others = []) {
  const shown = filters.filter(Boolean);
  const all = [...shown.map(({ name }) => name), ...others];
  const isSet = all.some((name) => ctx.params.get(name));
  const change = (name, value) => {
    clearTimeout(timer);
    const others = Object.fromEntries(typed);
    typed.clear();
    ctx.goWith({ ...others, [name]: value, cursor: null });
  };
  const later = (name, value) => {
    typed.set(name, value.trim());
    clearTimeout(timer);
    timer = setTimeout(() => (ctx.isOpen() ? change(name, typed.get(name)) : typed.clear()), PAUSE_MILLIS);
  };
  return html`<form class="filters" role="search" @submit=${(event) => event.preventDefault()}>
    ${shown.map((filter) => html`<label class=${filter.wide ? 'wide' : filter.type === 'time' ? 'time' : ''} title=${filter.title ?? nothing}><span>${filter.label}</span>${control(filter, ctx, change, later)}</label>`)}
    ${isSet ? html`<a class="button quiet" href=${ctx.linkWith(Object.fromEntries([...all, 'cursor'].map((name) => [name, null])))}>
      ${icon('close')} Clear</a>` : nothing}</form>`;
}

function control({ name, type, options = [], placeholder, suggestions }, ctx, change, later) {
  const value = ctx.params.get(name) ?? '';
  if (type === 'time') {
    return html`<input name=${name} type="datetime-local" step="1" .value=${live(localTime(value))}
      @change=${(event) => later(name, event.target.value && new Date(event.target.value).toISOString())}>`;
  }
  if (type === 'select' || type === 'since') {
    const choices = type === 'since' ? [...SINCE, ...options, { value: AT, label: 'since a time…' }] : options.map((option) => (typeof option === 'string' ? { value: option, label: option || 'any' } : option));
    const chosen = type === 'since' && isTime(value) && !choices.some((choice) => choice.value === value) ? AT : value;
    const all = choices.some((choice) => choice.value === chosen) ? choices : [...choices, { value, label: value }];
    return html`<select name=${name} @change=${(event) => change(name, event.target.value === AT ? anHourAgo() : event.target.value)} .value=${live(chosen)}>
      ${all.map((choice) => html`<option value=${choice.value} title=${choice.title ?? nothing} ?selected=${choice.value === chosen}>${choice.label}</option>`)}</select>`;
  }
  const field = document.activeElement;
  // The user goes on typing: the space at the end stays.
  const text = field?.name === name && field.value.trim() === value ? field.value : value;
  const list = suggestions?.length ? `${name}-suggestions` : nothing;
  return html`<input name=${name} type="search" .value=${text} placeholder=${placeholder ?? ''} list=${list} autocomplete="off" spellcheck="false"
    @input=${(event) => later(name, event.target.value)}
    @keydown=${(event) => event.key === 'Enter' && change(name, event.target.value.trim())}>${list === nothing ? nothing
    : html`<datalist id=${list}>${suggestions.map((each) => html`<option value=${each}></option>`)}</datalist>`}`;
}

/**
 * What the server says of a filter that nothing can meet, such as half a label: the page can show it.
 * @param {unknown} failure thrown again if it is another one
 * @returns {ApiError}
 */
export function refusalOf(failure) {
  if (!(failure instanceof ApiError && failure.kind === 'invalid' && failure.field)) {
    throw failure;
  }
  return failure;
}

/**
 * Filters by time: a span, or a time that is typed, and then also its end.
 * @param {object} ctx
 * @param {string} label
 * @param {{value: string, label: string}[]} [starts] more choices
 * @returns {(Filter|false)[]}
 */
export function timeFilters(ctx, label, starts = []) {
  const since = ctx.params.get('since');
  const isTyped = isTime(since) && !starts.some((start) => start.value === since);
  return [
    { name: 'since', label, type: 'since', options: starts },
    isTyped && { name: 'since', label: 'From', type: 'time' },
    (isTyped || ctx.params.get('until')) && { name: 'until', label: 'Until', type: 'time' },
  ];
}

const isTime = (text) => /^\d{4}-/.test(text ?? '');

const anHourAgo = () => new Date(Math.floor(serverNow() / 60_000 - 60) * 60_000).toISOString();

/** A time as its field has it: that of the browser's clock. */
function localTime(text) {
  const time = Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/**
 * The time that a filter names.
 * @param {string|null} text 15m, 1h, 7d, today, or a time as RFC 3339
 * @returns {string|null} RFC 3339
 */
export function sinceOf(text) {
  if (text === 'today') {
    return new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
  }
  const match = /^(\d+)([mhd])$/.exec(text ?? '');
  return match ? new Date(serverNow() - Number(match[1]) * { m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2]]).toISOString() : text || null;
}
