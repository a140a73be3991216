// Labels: what jobs are found by. The tags of a job, and the values of its meta that the server indexes.

import { html } from './html.js';

/** The labels of a job that comes with its meta. */
export function labelsOf({ tags = [], meta = {} }, ctx) {
  const values = (ctx.me.labels ?? []).flatMap((key) => [meta?.[key] ?? []].flat().filter((value) => typeof value !== 'object').map((value) => `${key}=${value}`));
  return [...(tags ?? []).map((tag) => `#${tag}`), ...values];
}

/** A label as a filter, where an asterisk at the end would stand for any rest. */
const exact = (label) => (label.endsWith('*') ? `${label.slice(0, -1)}\\*` : label);

/** Labels, each as a link to the jobs that have it. */
export function labelList(labels, href) {
  return html`<span class="labels">${labels.map((label) => html`<a class="label" href=${href(exact(label))}>${label}</a>`)}</span>`;
}
