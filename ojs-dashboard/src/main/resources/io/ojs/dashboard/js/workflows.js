// Workflows: their words, and how far each is.

import { html } from './html.js';
import { count, duration } from './format.js';
import { bar } from './ui/parts.js';
import { lasting } from './ui/time.js';

export const isRunning = (workflow) => ['pending', 'running'].includes(workflow.state);

export const endOf = ({ metadata }) => metadata.completed_at ?? metadata.cancelled_at ?? null;

/** A name for a workflow without one. */
export function kindOf({ type, metadata }) {
  return `${{ chain: 'Chain', group: 'Group', batch: 'Batch' }[type] ?? type} of ${count(metadata.job_count)} jobs`;
}

export function meter({ metadata, state }) {
  const { completed_count: done, job_count: all } = metadata;
  return html`<span class="progress">${bar(done, all, { tone: { completed: 'good', failed: 'bad' }[state] ?? '' })}<span>${count(done)} of ${count(all)}</span></span>`;
}

/** How long it has lasted, or lasted until its end. */
export function lastingOf(workflow) {
  const begun = workflow.metadata.started_at ?? workflow.metadata.created_at;
  const end = endOf(workflow);
  return end ? duration(Date.parse(end) - Date.parse(begun)) : lasting(begun);
}
