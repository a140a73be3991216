// What operators do to a queue, with the questions before it.

import { counted } from './format.js';

const path = (ctx, name, action) => `v1/queues/${ctx.segment(name)}/${action}`;

export function confirmPause(ctx, name) {
  return ctx.act({
    title: `Pause ${name}?`, action: 'Pause', text: 'Workers take no further jobs of this queue until it is resumed. Running jobs end. New jobs wait.',
    run: () => ctx.api.post(path(ctx, name, 'pause')),
  }, `${name} is paused`);
}

export function confirmResume(ctx, name, state) {
  return ctx.act({
    title: `Resume ${name}?`, action: 'Resume', text: state === 'draining' ? 'It takes new jobs again, and is not deleted.' : 'Workers take its jobs again.', run: () => ctx.api.post(path(ctx, name, 'resume')),
  }, `${name} is resumed`);
}

/** Whether a queue can be paused: other workers than those of the job store take the jobs that it hands over. */
export const mayPause = ({ state, delivery }) => state === 'active' && delivery !== 'hand-over';

/** What the key does: the button that the page has. */
export function pauseOrResume(ctx, name, { state, delivery }) {
  if (mayPause({ state, delivery })) {
    return confirmPause(ctx, name);
  }
  return ['paused', 'draining'].includes(state) ? confirmResume(ctx, name, state)
    : ctx.toast(`${name} cannot be paused: ${state === 'deleted' ? 'it is deleted' : 'its jobs are handed over to other workers'}.`);
}

export function confirmDrain(ctx, name) {
  return ctx.act({
    title: `Drain ${name}?`, action: 'Drain', danger: true,
    text: 'The queue takes no new jobs. Workers run those that it has. When it is empty, it is deleted with its configuration, and refuses jobs until it is created again. Resume it before that to keep it.',
    run: () => ctx.api.post(path(ctx, name, 'drain')),
  }, `${name} drains`);
}

const PURGED = ['available', 'scheduled', 'pending', 'retryable', 'completed', 'cancelled', 'discarded'];

export function confirmPurge(ctx, name) {
  return ctx.act({
    title: `Purge ${name}?`, action: 'Purge', danger: true,
    text: 'Deletes jobs that have ended, and cancels jobs that wait. This cannot be undone.',
    fields: [
      { name: 'state', label: 'Jobs in state', type: 'select', options: PURGED, value: 'completed' },
      { name: 'name', label: `Type ${name} to confirm`, mustBe: name },
    ],
    run: ({ state }) => ctx.api.post(path(ctx, name, 'purge'), { states: [state], confirm: true }, { timeout: null }),
  }, ({ answer }) => [`${counted(answer.purged_count, 'job')} of ${name} purged`, answer.errors?.length && `${counted(answer.errors.length, 'job')} could not be cancelled`, answer.message].filter(Boolean).join('. '));
}

const NO_LIMIT = '0 for no limit.';

/** The settings that the page changes: those of one number or word. */
const SETTINGS = [
  { name: 'concurrency', label: 'Concurrency', type: 'number', min: 1, hint: 'Jobs of this queue that run at once in one process.' },
  { name: 'max_size', label: 'Largest number of jobs that have not ended', type: 'number', min: 0, hint: NO_LIMIT },
  { name: 'max_size_bytes', label: 'Their largest size in all, in bytes', type: 'number', min: 0, hint: NO_LIMIT },
  { name: 'visibility_timeout', label: 'Visibility timeout, in seconds', type: 'number', min: 1 },
  { name: 'default_timeout', label: 'Timeout of a run, in seconds', type: 'number', min: 1 },
  { name: 'dead_letter_max_size', label: 'Largest number of dead letters', type: 'number', min: 0, hint: NO_LIMIT },
];

/** Those that a queue cannot have whose delivery is hand-over: its workers do not ask the job store. */
const OF_WORKERS = ['concurrency', 'max_size', 'max_size_bytes'];

/** Changes what is set for this queue. A field that is left as it was is not sent. */
export function configure(ctx, name, config, delivery) {
  const settings = SETTINGS.filter((field) => delivery !== 'hand-over' || !OF_WORKERS.includes(field.name));
  return ctx.act({
    title: `Configure ${name}`, action: 'Save', text: 'Changes these settings of the queue for all processes, in the job store. An empty field changes nothing.',
    fields: settings.map((field) => ({ ...field, value: config[field.name] ?? '' })),
    run: (values) => {
      const changed = Object.entries(values).filter(([key, value]) => value !== null && value !== (config[key] ?? null));
      if (!changed.length) {
        throw new Error('Nothing is changed.');
      }
      return ctx.api.put(path(ctx, name, 'config'), Object.fromEntries(changed));
    },
  }, `${name} is configured`);
}
