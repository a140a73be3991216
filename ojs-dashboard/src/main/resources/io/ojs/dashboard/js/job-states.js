// The states of jobs, as words for people and as filters.

export const WAITING = ['available', 'scheduled', 'pending', 'retryable'];

export const ENDED = ['completed', 'cancelled', 'discarded'];

export const STATES = ['active', ...WAITING, ...ENDED, 'handed_over'];

/** What each state means, for the pointer over it. */
export const MEANINGS = {
  available: 'It may run now, as soon as a worker takes it and no limit, pause or turn holds it back',
  scheduled: 'It runs at its time, not before',
  pending: 'It waits until a caller activates it',
  retryable: 'It has failed and runs again after a delay',
  active: 'A worker runs it',
  completed: 'It has ended with success',
  cancelled: 'It was cancelled and does not run',
  discarded: 'It has failed for good: a dead letter until it is replayed or deleted',
  handed_over: 'The broker has it, for programs that report nothing to the store',
};

/** The choices of a filter by state. */
export const STATE_OPTIONS = [
  { value: '', label: 'any' },
  { value: 'active' },
  { value: WAITING.join(','), label: 'waiting (all)', title: `It neither runs nor has ended: ${WAITING.join(', ')}` },
  ...WAITING.map((value) => ({ value })),
  ...ENDED.map((value) => ({ value })),
  { value: 'handed_over', label: 'handed over' },
].map(({ value, label = value, title = MEANINGS[value] }) => ({ value, label, title }));

export const isEnded = (job) => ENDED.includes(job.state) || job.state === 'handed_over';
