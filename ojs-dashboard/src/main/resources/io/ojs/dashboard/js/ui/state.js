// States as chips: an icon and a word, since color alone says nothing to many.

import { html, nothing } from '../html.js';
import { icon } from './icons.js';

/** The icon and the tone of each state, of jobs, queues, workers, workflows, operations and connections. */
const LOOKS = {
  scheduled: ['crons', 'quiet'],
  pending: ['dots', 'quiet'],
  available: ['ring', 'info'],
  blocked: ['hourglass', 'warning'],
  active: ['play', 'active'],
  running: ['play', 'active'],
  retryable: ['retry', 'warning'],
  completed: ['done', 'good'],
  success: ['done', 'good'],
  discarded: ['cross', 'bad'],
  failed: ['cross', 'bad'],
  cancelled: ['slash', 'quiet'],
  paused: ['pause', 'warning'],
  draining: ['drain', 'warning'],
  drained: ['drain', 'quiet'],
  deleting: ['trash', 'warning'],
  deleted: ['trash', 'quiet'],
  quiet: ['moon', 'quiet'],
  terminate: ['stop', 'warning'],
  stale: ['warning', 'bad'],
  waiting: ['hourglass', 'quiet'],
  stopping: ['stop', 'warning'],
  stopped: ['stop', 'quiet'],
  open: ['done', 'good'],
  closed: ['cross', 'bad'],
  down: ['cross', 'bad'],
  lost: ['cross', 'bad'],
  enabled: ['done', 'good'],
  disabled: ['pause', 'quiet'],
  critical: ['critical', 'bad'],
  warning: ['warning', 'warning'],
  info: ['info', 'info'],
  encrypted: ['lock', 'quiet'],
};

/**
 * @param {string|null|undefined} name a state
 * @param {string} [label] another word
 * @param {string} [title] what it means
 */
export function state(name, label, title) {
  if (!name) {
    return nothing;
  }
  const [shape, tone] = LOOKS[name] ?? ['ring', 'quiet'];
  return html`<span class="chip ${tone}" title=${title ?? nothing}>${icon(shape)}${label ?? name.replaceAll('_', ' ')}</span>`;
}

/**
 * A chip with a tone of its own.
 * @param {'good'|'bad'|'warning'|'info'|'active'|'quiet'} tone
 */
export function chip(tone, label, shape = 'ring') {
  return html`<span class="chip ${tone}">${icon(shape)}${label}</span>`;
}
