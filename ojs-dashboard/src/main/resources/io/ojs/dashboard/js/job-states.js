// The states of jobs, as words for people and as filters.

export const WAITING = ['available', 'scheduled', 'pending', 'retryable'];

export const ENDED = ['completed', 'cancelled', 'discarded'];

export const STATES = ['active', ...WAITING, ...ENDED, 'handed_over'];

/** The choices of a filter by state. */
export const STATE_OPTIONS = [
  { value: '', label: 'any' },
  { value: 'active', label: 'active' },
  { value: WAITING.join(','), label: 'waiting (all)' },
  ...WAITING.map((value) => ({ value, label: value })),
  ...ENDED.map((value) => ({ value, label: value })),
  { value: 'handed_over', label: 'handed over' },
];

export const isWaiting = (job) => WAITING.includes(job.state);

export const isEnded = (job) => ENDED.includes(job.state) || job.state === 'handed_over';
