// A workflow as nested boxes: a chain from left to right, a group from top to bottom.

import { html, nothing } from '../html.js';
import { count } from '../format.js';
import { icon } from './icons.js';
import { fold } from './parts.js';
import { state } from './state.js';

const MOST_SHOWN = 50;

/** More than these do not stand in one column. */
const FEW = 10;

/** How the states of steps are called on this page. */
const STEP = { pending: 'pending', waiting: 'pending', active: 'active', running: 'active', completed: 'completed', failed: 'failed', cancelled: 'cancelled', skipped: 'cancelled' };

/** A job of a workflow is pending from when it is enqueued; elsewhere, a pending job is one that a caller activates. */
const NAMES = { pending: 'enqueued' };

/**
 * @param {object} ctx
 * @param {object} step the workflow, or a step of it
 * @param {{current?: string}} [options] the id of the job that is marked
 */
export function boxes(ctx, step, options = {}) {
  return html`<div class="boxes" tabindex="0" role="group" aria-label="The jobs of the workflow">${box(ctx, step, options)}</div>`;
}

function box(ctx, step, options) {
  const inner = step.steps ?? step.jobs;
  if (!inner) {
    return leaf(ctx, step, options);
  }
  const isChain = Boolean(step.steps);
  const ordered = isChain || inner.length <= MOST_SHOWN ? inner : [...inner].sort((a, b) => (b.state === 'failed') - (a.state === 'failed'));
  const shown = ordered.slice(0, MOST_SHOWN);
  const rest = ordered.slice(MOST_SHOWN);
  const last = ordered.at(-1);
  const draw = (each) => (isChain && each !== last ? html`<div class="box-step">${box(ctx, each, options)}<span class="box-arrow">${icon('right')}</span></div>` : box(ctx, each, options));
  return html`<section class="box ${isChain ? 'chain' : 'group'} ${inner.length > FEW ? 'many' : ''}">
    <p class="box-title">${step.name ?? (isChain ? 'one after another' : step.type === 'batch' ? 'batch' : 'at the same time')} <span class="muted">${tally(inner)}</span></p>
    <div class="box-inner">${shown.map(draw)}</div>
    ${rest.length ? fold(`${count(rest.length)} more`, html`<div class="box-inner">${rest.map(draw)}</div>`) : nothing}
    ${Object.entries(step.callbacks ?? {}).map(([name, each]) => html`<div class="box-callback"><span class="muted">${name.replaceAll('_', ' ')}</span>${box(ctx, each, options)}</div>`)}
  </section>`;
}

function leaf(ctx, step, { current }) {
  const label = html`${state(STEP[step.state] ?? step.state, NAMES[step.state] ?? step.state)}<span class="box-name">${step.name ?? step.type}</span>`;
  return step.job_id ? html`<a class="box leaf" href=${ctx.link('job', { id: step.job_id })} aria-current=${step.job_id === current ? 'true' : nothing}>${label}</a>`
    : html`<span class="box leaf">${label}</span>`;
}

function tally(steps) {
  const done = steps.filter((step) => step.state === 'completed').length;
  const failed = steps.filter((step) => step.state === 'failed').length;
  return `${count(done)} of ${count(steps.length)} done${failed ? `, ${count(failed)} failed` : ''}`;
}
