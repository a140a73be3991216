// Counts of GET v1/depths. If there are many jobs or dead letters, the server counts a part of each queue.

import { atLeast, count } from './format.js';
import { html, nothing } from './html.js';

/** A queue's jobs in a state: 1,000, or 1,000+ if there may be more. */
export const jobsOf = ({ store }, state) => atLeast(store?.[state], store?.complete);

/** A queue's dead letters, the same way. */
export const deadLettersOf = (queue, depths) => atLeast(queue.dead_letters, queue.dead_letters < deadBound(depths));

/** How many dead letters of each queue are counted: a queue that has more has the largest count. */
const deadBound = ({ counted, queues }) => (counted?.dead_letters_complete === false ? Math.max(...queues.map((queue) => queue.dead_letters)) : Infinity);

/** Where the counts of some queues end. */
export function bounds(depths, queues = depths.queues) {
  const jobs = Math.max(...queues.filter(({ store }) => store?.complete === false)
    .map(({ store }) => store.scheduled + store.available + store.pending + store.active + store.retryable + store.blocked));
  const dead = deadBound(depths);
  const most = [jobs > 0 && `${count(jobs)} jobs`, queues.some((queue) => queue.dead_letters >= dead) && `${count(dead)} dead letters`].filter(Boolean);
  return most.length ? html`<p class="muted">Of each queue, ${most.join(' and ')} are counted. A count with + ended there: there may be more.</p>` : nothing;
}
