// Operations on many jobs: their words, and the dialog of a replay.

import { absolute, count, dayAndTime } from './format.js';
import { html, nothing } from './html.js';

export const isRunning = (operation) => ['waiting', 'running', 'stopping'].includes(operation.state);

/** The filter of an operation in a line. */
export function filterOf({ filter: { until: same, ...filter } = {}, until = same, rate, limit }) {
  const parts = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined && value.length !== 0)
    .map(([name, value]) => html`<span class="label">${name.replaceAll('_', ' ')} ${Array.isArray(value) ? (value.length > 3 ? `${count(value.length)} values` : value.join(', ')) : String(value)}</span> `);
  return html`${parts.length ? parts : html`<span class="muted">all</span> `}${limit ? html`<span class="label">at most ${count(limit)}</span> ` : nothing}${rate
    ? html`<span class="label">${rate} a second</span> ` : nothing}${until ? html`<span class="label" title=${absolute(until)}>until ${dayAndTime(until)}</span>` : nothing}`;
}

export function confirmStop(ctx, operation) {
  return ctx.act({
    title: 'Stop this operation?', action: 'Stop', text: `${count(operation.done)} jobs are done, and stay so. The others are left as they are.`,
    run: () => ctx.api.post(`v1/operations/${ctx.segment(operation.id)}/stop`),
  }, 'The operation stops after its batch');
}

/**
 * Replays what the caller has seen: dry run, rate, changes, then an operation that survives restarts.
 * @param {object} ctx
 * @param {object} filter as that of dead letters
 * @param {string} until the end of what was counted
 */
export async function confirmReplay(ctx, filter, until) {
  const request = { action: 'replay', filter, until };
  let dry;
  try {
    dry = (await ctx.api.post('v1/operations', { ...request, dry_run: true })).operation;
  }
  catch (failure) {
    return ctx.toast(failure.message, 'problem');
  }
  const skipped = Object.entries(dry.skipped ?? {});
  const values = await ctx.confirm({
    title: `Replay ${count(dry.matched)} dead letters?`, action: `Replay ${count(dry.matched)}`,
    text: html`<p>They become available again, the oldest first. A dead letter that arrives after this page was counted stays where it is.</p>
      ${skipped.length ? html`<p>${skipped.map(([reason, number]) => `${count(number)} are skipped: ${reason.replaceAll('_', ' ')}`).join('; ')}.</p>` : nothing}`,
    fields: [
      { name: 'rate', label: 'Jobs a second', type: 'number', min: 0.001, max: 100000, placeholder: 'as fast as the broker takes them', hint: 'Start slowly if what they call has just recovered.' },
      { name: 'limit', label: 'At most', type: 'number', min: 1, placeholder: 'all' },
      { name: 'queue', label: 'Into another queue', placeholder: 'the queue that each failed in' },
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
