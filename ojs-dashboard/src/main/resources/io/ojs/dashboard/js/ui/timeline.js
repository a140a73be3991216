// What happened to a job, as a list over time, with a bar for each attempt.

import { html, nothing } from '../html.js';
import { absolute, duration, shorten } from '../format.js';
import { icon } from './icons.js';

/** The icon, the tone and the words of each kind of entry. */
const KINDS = {
  created: ['ring', 'quiet', 'Enqueued'],
  scheduled: ['crons', 'quiet', 'Scheduled'],
  available: ['ring', 'info', 'Available'],
  published: ['up', 'quiet', 'Published to the broker'],
  started: ['play', 'active', 'Started'],
  completed: ['done', 'good', 'Completed'],
  failed: ['cross', 'bad', 'Failed'],
  retry_scheduled: ['retry', 'warning', 'Waits for a retry'],
  lease_lost: ['warning', 'bad', 'The worker was lost'],
  cancelled: ['slash', 'quiet', 'Cancelled'],
  discarded: ['cross', 'bad', 'Discarded'],
  dead_lettered: ['dead', 'bad', 'Became a dead letter'],
  replayed: ['retry', 'info', 'Replayed'],
  deleted: ['trash', 'quiet', 'Deleted'],
  handed_over: ['right', 'good', 'Handed over to other workers'],
};

/**
 * @param {{entries: object[], complete: boolean}} timeline
 */
export function timeline({ entries, complete }) {
  const longest = Math.max(1, ...entries.map((entry) => (entry.wait_ms ?? 0) + (entry.run_ms ?? 0)));
  return html`<ol class="timeline">${entries.map((entry) => item(entry, longest))}</ol>
    ${complete === false ? html`<p class="muted">This list is incomplete: the server deletes events after a time, and looks for those around the last ten errors and replays alone.</p>` : nothing}`;
}

function item(entry, longest) {
  const [shape, tone, words] = KINDS[entry.kind] ?? ['ring', 'quiet', entry.kind.replaceAll('_', ' ')];
  const details = [
    entry.worker ? html`by <code>${entry.worker}</code>` : null,
    entry.by ? html`by ${entry.by}` : null,
    entry.wait_ms !== undefined && entry.wait_ms !== null ? `waited ${duration(entry.wait_ms)}` : null,
    entry.run_ms !== undefined && entry.run_ms !== null ? `ran ${duration(entry.run_ms)}` : null,
    entry.reason ? entry.reason : null,
    entry.next_at ? html`due <time datetime=${entry.next_at} title=${absolute(entry.next_at)}>${clockTime(entry.next_at)}</time>` : null,
  ].filter(Boolean);
  return html`<li class=${tone}>
    <span class="timeline-dot">${icon(shape)}</span>
    <div class="timeline-what"><strong>${words}</strong>${entry.attempt ? html` <span class="muted">attempt ${entry.attempt}</span>` : nothing}
      ${details.length ? html`<span class="timeline-details">${details.map((detail, index) => html`${index ? ', ' : ''}${detail}`)}</span>` : nothing}
      ${entry.error ? html`<span class="bad-text timeline-error" title=${entry.error.message ?? ''}>${entry.error.type ?? entry.error.code}: ${shorten(entry.error.message ?? '', 160)}</span>` : nothing}
      ${entry.run_ms || entry.wait_ms ? spans(entry, longest) : nothing}</div>
    <time class="muted nowrap" datetime=${entry.at} title=${absolute(entry.at)}>${clockTime(entry.at)}</time></li>`;
}

/** How long the attempt waited and ran, beside the longest one. */
function spans({ wait_ms: wait, run_ms: run }, longest) {
  const share = (millis) => `${Math.max(millis > 0 ? 0.5 : 0, millis / longest * 100).toFixed(2)}%`;
  return html`<span class="timeline-bar" role="img" aria-label="waited ${duration(wait ?? 0)}, ran ${duration(run ?? 0)}">
    <i class="wait" .style=${`inline-size: ${share(wait ?? 0)}`}></i><i class="run" .style=${`inline-size: ${share(run ?? 0)}`}></i></span>`;
}

const clock = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' });

function clockTime(at) {
  const millis = Date.parse(at ?? '');
  return Number.isNaN(millis) ? '–' : clock.format(millis);
}
