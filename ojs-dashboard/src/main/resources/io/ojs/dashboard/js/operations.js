// Operations on many jobs: their words, and the dialog of a replay.

import { absolute, count, counted, dayAndTime, duration } from './format.js';
import { html, nothing } from './html.js';
import { icon } from './ui/icons.js';
import { facts } from './ui/parts.js';
import { time } from './ui/time.js';

const PATIENCE_MILLIS = 2_000;

export const ACTIONS = { replay: 'Replay', cancel: 'Cancellation', delete: 'Deletion' };

/** Replay of dead letters */
export const nameOf = ({ action, target }) => `${ACTIONS[action] ?? action} of ${target === 'dead_letters' ? 'dead letters' : 'jobs'}`;

export const isRunning = (operation) => ['waiting', 'running', 'stopping'].includes(operation.state);

/** The filter of an operation in a line. */
export function filterOf({ filter: { until: same, ...filter } = {}, until = same, rate, limit }) {
  const parts = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined && value.length !== 0)
    .map(([name, value]) => html`<span class="label">${name.replaceAll('_', ' ')} ${Array.isArray(value) ? (value.length > 3 ? `${count(value.length)} values` : value.join(', ')) : String(value)}</span> `);
  return html`${parts.length ? parts : html`<span class="muted">all</span> `}${limit ? html`<span class="label">at most ${count(limit)}</span> ` : nothing}${rate
    ? html`<span class="label">${rate} a second</span> ` : nothing}${until ? html`<span class="label" title=${absolute(until)}>until ${dayAndTime(until)}</span>` : nothing}`;
}

/** Names the operation: rows move when another one begins. */
export function confirmStop(ctx, operation) {
  return ctx.act({
    title: `Stop the ${nameOf(operation).toLowerCase()}?`, action: 'Stop',
    text: html`<p class="labels">${filterOf(operation)}</p><p>By ${operation.by ?? 'unknown'}, begun ${time(operation.started_at ?? operation.created_at)}.</p>
      <p>${counted(operation.done, 'job')} ${operation.done === 1 ? 'is' : 'are'} done, and will stay so. The others are left as they are${operation.action === 'replay' ? ': dead letters' : ''}.</p>`,
    run: () => ctx.api.post(`v1/operations/${ctx.segment(operation.id)}/stop`),
  }, ({ answer }) => (answer.operation.state === 'stopped' ? 'The operation is stopped' : 'The operation stops after its batch'));
}

/** What a dry run has counted. */
export const matchedOf = ({ matched, complete }) => (complete === false ? `more than ${count(matched)}` : count(matched));

/**
 * Replays what the caller has seen: dry run, rate, changes, then an operation that survives restarts.
 * @param {object} ctx
 * @param {object} filter as that of dead letters
 * @param {string} until the end of what was counted
 */
export async function confirmReplay(ctx, filter, until) {
  const request = { action: 'replay', filter, until };
  let dry;
  let paused;
  try {
    [dry, paused] = await Promise.all([
      ctx.api.post('v1/operations', { ...request, dry_run: true }).then((answer) => answer.operation),
      pausedQueues(ctx),
    ]);
  }
  catch (failure) {
    return ctx.report(failure);
  }
  const number = matchedOf(dry);
  if (dry.matched === 0 && dry.complete !== false) {
    return ctx.toast('No dead letter matches.');
  }
  const values = await ctx.confirm({
    title: `Replay ${number} dead letter${dry.matched === 1 ? '' : 's'}?`, action: `Replay ${number}`,
    text: html`${extent(ctx, request, number)}${halted((dry.by_queue ?? []).map((each) => each.value).filter((name) => paused.includes(name)))}
      <p>They become available again, the oldest first. A dead letter that arrives after this page was counted stays where it is.</p>
      ${most('Type', dry.by_type)}${most('Error', dry.by_error_type)}`,
    fields: [
      { name: 'rate', label: 'Jobs a second', type: 'number', min: 0.001, max: 100000, placeholder: 'as fast as the broker takes them', hint: (given) => hintOf(dry, given) },
      { name: 'limit', label: 'At most', type: 'number', min: 1, placeholder: 'all' },
      { name: 'queue', label: 'Into another queue', placeholder: 'the queue that each failed in', hint: (given) => (paused.includes(given.queue) ? `${given.queue} is paused: its jobs wait until you resume it.` : '') },
      { name: 'max_attempts', label: 'Attempts of each', type: 'number', min: 1, placeholder: 'as before' },
    ],
    run: ({ rate, limit, queue, max_attempts: attempts }) => {
      const overrides = { ...(queue ? { queue } : {}), ...(attempts ? { retry: { max_attempts: attempts } } : {}) };
      return ctx.api.post('v1/operations', {
        ...request, confirm: true, ...(rate ? { rate } : {}), ...(limit ? { limit } : {}), ...(Object.keys(overrides).length ? { overrides } : {}),
      });
    },
  });
  if (values) {
    ctx.toast('The replay has begun');
    ctx.go('operations', { id: values.answer.operation.id });
  }
  return values;
}

/** Which dead letters are meant. */
function extent(ctx, request, number) {
  const { tenant = ctx.tenant, ...filter } = request.filter;
  return Object.keys(filter).length ? html`<p class="labels">${filterOf(request)}</p>`
    : html`<p class="warning-text">${icon('warning')} This replays all ${number} dead letters of all queues${tenant ? ` of the tenant ${tenant}` : ''}.</p>`;
}

/** The names of paused queues; none if the server does not tell them soon, since a replay needs them only for a warning. */
function pausedQueues(ctx) {
  const told = ctx.isOperator ? ctx.api.find('v1/depths').then((depths) => (depths?.queues ?? []).filter((each) => each.paused_at).map((each) => each.name)) : [];
  return Promise.race([told, new Promise((done) => setTimeout(done, PATIENCE_MILLIS, []))]).catch(() => []);
}

/** Where replayed jobs would wait. */
function halted(queues) {
  return queues.length ? html`<p class="warning-text">${icon('warning')} Paused: ${queues.slice(0, 3).join(', ')}${queues.length > 3 ? ` and ${queues.length - 3} more queues` : ''}.
    Jobs that go there wait until you resume ${queues.length > 1 ? 'them' : 'it'}.</p>` : nothing;
}

/** The most frequent values. */
function most(name, values) {
  return values?.length ? facts(values.map((each) => [html`<span title=${each.value}>${name} ${each.value.split('.').slice(-2).join('.')}</span>`, count(each.count)])) : nothing;
}

function hintOf({ matched }, { rate, limit }) {
  const jobs = Math.min(matched, limit || matched);
  return rate > 0 ? `About ${duration(jobs / rate * 1000)} for ${count(jobs)} jobs. Those that wait for their turn stay dead letters, and you can stop.`
    : 'Start slowly if what they call has just recovered.';
}
