// Facets: the values that occur, how often, and links that choose one.

import { count } from '../format.js';
import { html, nothing } from '../html.js';
import { icon } from './icons.js';

/**
 * @param {object} ctx
 * @param {object} options
 * @param {string} options.name of the parameter of the URL
 * @param {string} options.label
 * @param {{value: string, count: number}[]|undefined} options.values
 * @param {(value: object) => unknown} [options.text] what is shown for a value
 * @param {(value: object) => unknown} [options.note] below it
 */
export function facet(ctx, { name, label, values, text, note }) {
  const chosen = ctx.params.get(name);
  const most = Math.max(1, ...(values ?? []).map((value) => value.count));
  if (!values?.length && !chosen) {
    return nothing;
  }
  return html`<section class="facet"><h2>${label}</h2><ul>
    ${(values ?? []).map((value) => {
      const isChosen = chosen === value.value;
      return html`<li><a href=${ctx.linkWith({ [name]: isChosen ? null : value.value, cursor: null })} aria-current=${isChosen ? 'true' : nothing}>
        <span class="facet-bar" .style=${`inline-size: ${(value.count / most * 100).toFixed(1)}%`}></span>
        <span class="facet-text">${isChosen ? icon('check') : nothing}${text?.(value) ?? value.value ?? '–'}</span>
        <span class="facet-count">${count(value.count)}</span>
        ${note ? html`<span class="facet-note">${note(value)}</span>` : nothing}</a></li>`;
    })}
    ${chosen && !values?.some((value) => value.value === chosen) ? html`<li><a href=${ctx.linkWith({ [name]: null, cursor: null })} aria-current="true">
      <span class="facet-text">${icon('check')}${text?.({ value: chosen }) ?? chosen}</span></a></li>` : nothing}</ul></section>`;
}
