// Replays, cancellations and deletions of many jobs: how far each is, and stop.

import { html, nothing } from '../html.js';
import { count, percent, shortId } from '../format.js';
import { ACTIONS, confirmStop, filterOf, isRunning, nameOf } from '../operations.js';
import { bar, button, card, copyable, empty, facts, head, iconButton, pager } from '../ui/parts.js';
import { curl } from '../ui/curl.js';
import { icon } from '../ui/icons.js';
import { state } from '../ui/state.js';
import { table } from '../ui/table.js';
import { time } from '../ui/time.js';

export default {

  nav: 'operations',

  title: () => 'Operations',

  async load(ctx) {
    const id = ctx.params.get('id');
    const [list, one] = await Promise.all([
      ctx.api.get('v1/operations', { cursor: ctx.params.get('cursor'), state: ctx.params.get('state') }),
      id ? ctx.api.find(`v1/operations/${ctx.segment(id)}`) : null,
    ]);
    const shown = one?.operation;
    const row = list.items.find((each) => each.id === shown?.id);
    const newest = row && row.updated_at > shown.updated_at ? { ...shown, ...row } : shown; // Both were read at once, and differ if it went on in between.
    return { items: list.items.map((each) => (each === row ? newest : each)), pagination: list.pagination, one: newest };
  },

  touches: (change) => change.kinds?.includes('operation') || Boolean(change.jobs),

  view(data, ctx) {
    return html`<div class="page">
      ${head({ title: 'Operations', note: 'Changes of many jobs. Each goes on if its process ends.', actions: curl(ctx, 'GET', 'v1/operations') })}
      ${data.one ? one(data.one, ctx) : nothing}
      ${ctx.params.get('id') && !data.one ? card(null, empty('There is no such operation', 'It may be pruned.'), { flush: true }) : nothing}
      ${card(null, table({ rows: data.items, key: (row) => row.id, caption: 'Operations', columns: columns(ctx),
        empty: empty('No operations yet', html`Replay <a href="dead-letters">dead letters</a>, or cancel or delete many <a href="jobs">jobs</a> at once.`) }), { flush: true })}
      ${pager(ctx, data.pagination)}
    </div>`;
  },

  keys: {
    s: { label: 'Stop the operation', can: 'admin', run: (data, ctx, key) => {
      const operation = key ? data.items.find((row) => row.id === key) : data.one;
      return operation && isRunning(operation) ? confirmStop(ctx, operation) : ctx.toast('Choose an operation that runs.');
    } },
  },

};

function one(operation, ctx) {
  return card(nameOf(operation), html`
    <p class="progress lead">${state(operation.state)}${meter(operation)}
      ${operation.failed ? html`<span class="bad-text">${count(operation.failed)} failed</span>` : nothing}</p>
    ${operation.problem ? html`<p class="bad-text">${operation.problem}</p>` : nothing}
    ${facts([
      ['Of', html`<span class="labels">${filterOf(operation)}</span>`],
      ['By', operation.by ?? 'unknown'],
      ['Begun', time(operation.started_at ?? operation.created_at)],
      operation.ended_at ? ['Ended', time(operation.ended_at)] : operation.process && ['Process', html`<code>${operation.process}</code>`],
      ['Id', copyable(ctx, operation.id, shortId(operation.id))],
      leftOf(operation) > 0 && ['Left as they are', count(leftOf(operation))],
      ...Object.entries(operation.skipped ?? {}).map(([reason, number]) => [`Skipped: ${reason.replaceAll('_', ' ')}`, count(number)]),
    ])}
    ${outcome(operation, ctx)}
    ${operation.errors?.length ? html`<h3 class="spaced">Errors</h3><ul class="rows loose">${operation.errors.map((error) => html`<li><a href=${ctx.link('job', { id: error.job_id })}><code>${shortId(error.job_id)}</code></a>
      <span class="clamp bad-text" title=${error.error}>${error.error}</span></li>`)}</ul>` : nothing}`,
  { kind: 'chosen', actions: [ctx.can('admin') && isRunning(operation) ? button('Stop', () => confirmStop(ctx, operation), { shape: 'stop', key: 's' }) : nothing,
    html`<a class="icon-button" href=${ctx.linkWith({ id: null })} aria-label="Close" title="Close">${icon('close')}</a>`] });
}

/** How many jobs an operation that was stopped has not come to. */
function leftOf({ state: current, complete, matched, done, failed = 0, skipped = {} }) {
  return current === 'stopped' && complete !== false ? matched - done - failed - Object.values(skipped).reduce((sum, each) => sum + each, 0) : 0;
}

/** What became of the replayed jobs. */
function outcome({ id, action, done, outcome: counted }, ctx) {
  if (action !== 'replay' || !done || !counted) {
    return nothing;
  }
  const { completed = 0, discarded = 0, cancelled = 0, ...others } = counted.states;
  const open = Object.values(others).reduce((sum, each) => sum + each, 0);
  const found = completed + discarded + cancelled + open;
  const link = (number, word, states) => number > 0 && html`<a href=${ctx.link('jobs', { operation: id, state: states.join(',') })}>${count(number)} ${word}</a>`;
  return html`<h3 class="spaced">${counted.complete ? 'What became of them' : `What became of the first ${count(found)}`}</h3>
    <p class="outcome">${[link(completed, 'completed', ['completed']), link(open, 'run or wait', Object.keys(others)), link(discarded, 'failed again', ['discarded']), link(cancelled, 'cancelled', ['cancelled']),
      counted.complete && done > found ? html`<span>${count(done - found)} are deleted, or were replayed again</span>` : null].filter(Boolean).map((part, i) => html`${i ? ' · ' : nothing}${part}`)}</p>
    <p><a href=${ctx.link('jobs', { operation: id })}>All jobs of this replay</a></p>`;
}

function meter({ done, matched: found, limit, complete, state: current }) {
  const matched = Math.min(found ?? 0, limit ?? found ?? 0);
  if (!matched || complete === false) { // It was counted up to a bound alone.
    return html`<span>${count(done)} done${complete === false ? ` of more than ${count(matched)}` : ''}</span>`;
  }
  return html`${bar(done, matched, { tone: current === 'failed' ? 'bad' : current === 'completed' ? 'good' : '' })}<span>${count(done)} of ${count(matched)}, ${percent(done / matched)}</span>`;
}

function columns(ctx) {
  return [
    { label: 'Operation', kind: 'primary', cell: (row) => html`<a href=${ctx.linkWith({ id: row.id })}>${ACTIONS[row.action] ?? row.action}</a><span class="sub"><code title=${row.id}>${shortId(row.id)}</code></span>` },
    { label: 'State', cell: (row) => state(row.state) },
    { label: 'Progress', kind: 'text', cell: (row) => html`<span class="progress">${meter(row)}</span>` },
    { label: 'Failed', kind: 'number', hidden: (row) => !row.failed, cell: (row) => (row.failed ? html`<span class="bad-text">${count(row.failed)}</span>` : '0') },
    { label: 'Of', kind: 'text', cell: (row) => html`<span class="labels">${filterOf(row)}</span>` },
    { label: 'By', cell: (row) => row.by ?? '–' },
    { label: 'Begun', cell: (row) => time(row.started_at ?? row.created_at) },
    ctx.can('admin') && { label: 'Actions', kind: 'actions', cell: (row) => (isRunning(row) ? iconButton('Stop', 'stop', () => confirmStop(ctx, row)) : nothing) },
  ];
}
