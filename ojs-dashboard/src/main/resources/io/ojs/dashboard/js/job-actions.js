// What operators do to one job or to many, with the questions before it.

import { counted, serverNow } from './format.js';
import { html } from './html.js';
import { ENDED, WAITING } from './job-states.js';
import { filterOf } from './operations.js';

export function confirmCancel(ctx, job) {
  return ctx.act({
    title: 'Cancel this job?', action: 'Cancel the job', danger: true,
    text: job.state === 'active' ? 'The job runs. Its worker is asked to stop, and its outcome is ignored.' : 'The job does not run. This cannot be undone.',
    run: () => ctx.api.post(`v1/admin/jobs/${ctx.segment(job.id)}/cancel`),
  }, 'The job is cancelled');
}

export function confirmRetry(ctx, job) {
  return ctx.act({
    title: 'Replay this dead letter?', action: 'Replay', text: 'The job becomes available and has all its attempts again.',
    run: () => ctx.api.post(`v1/admin/jobs/${ctx.segment(job.id)}/retry`),
  }, 'The job is replayed');
}

/** What many jobs can be told: the states that they must be in, and the words of the question. */
const BULK = {
  cancel: { states: [...WAITING, 'active'], title: 'Cancel', text: 'The jobs do not run; those that run are asked to stop. This cannot be undone.', done: 'The cancellation has begun' },
  delete: { states: ENDED, title: 'Delete', text: 'The jobs, their arguments and results are gone. This cannot be undone.', done: 'The deletion has begun' },
};

/** The parameters of the list that an operation on many jobs takes, too, beside the state and since. */
export const BULK_FILTERS = ['id', 'queue', 'type', 'label', 'error_type', 'error', 'tenant', 'workflow_id', 'operation', 'until'];

/**
 * Whether jobs of a list can be told so.
 * @param {'cancel'|'delete'} action
 * @param {string[]} states of the list; empty for all
 */
export const isPossible = (action, states) => !states.length || BULK[action].states.some((state) => states.includes(state));

/**
 * Cancels or deletes all jobs of a filter as an operation that the page of operations shows.
 * @param {object} ctx
 * @param {'cancel'|'delete'} action
 * @param {object} filter as that of the API, without states
 * @param {string[]} states of the list; empty for all
 */
export function confirmBulk(ctx, action, filter, states = []) {
  const { states: possible, ...words } = BULK[action];
  const meant = possible.filter((state) => !states.length || states.includes(state));
  return confirmMany(ctx, { action, filter: { ...filter, states: meant }, until: new Date(serverNow()).toISOString() }, 'job', words);
}

/**
 * Deletes the dead letters that the caller has seen, as an operation.
 * @param {object} ctx
 * @param {object} filter as that of dead letters
 * @param {string} until the end of what was counted
 */
export function confirmDeletion(ctx, filter, until) {
  return confirmMany(ctx, { action: 'delete', target: 'dead_letters', filter, until }, 'dead letter', BULK.delete);
}

async function confirmMany(ctx, request, noun, { title, text, done }) {
  let dry;
  try {
    dry = await ctx.api.post('v1/operations', { ...request, dry_run: true });
  }
  catch (failure) {
    return ctx.report(failure);
  }
  const { matched, complete, until } = dry.operation;
  if (matched === 0 && complete !== false) {
    ctx.toast(`No ${noun} matches.`);
    return null;
  }
  const number = `${complete === false ? 'more than ' : ''}${counted(matched, noun)}`;
  const values = await ctx.confirm({
    title: `${title} ${number}?`, action: `${title} ${number}`, danger: true,
    text: html`<p class="labels">${filterOf({ filter: request.filter })}</p><p>${text} Jobs that match later are left alone.</p>`,
    fields: [{ name: 'sure', label: `Type ${matched} to confirm`, mustBe: String(matched) }],
    run: () => ctx.api.post('v1/operations', { ...request, until: until ?? request.until, confirm: true }),
  });
  if (values?.answer?.operation) {
    ctx.toast(done);
    ctx.go('operations', { id: values.answer.operation.id });
  }
  return values;
}
