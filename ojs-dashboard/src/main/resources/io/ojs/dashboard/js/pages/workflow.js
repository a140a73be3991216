// One workflow as nested boxes, with its errors.

import { html, nothing } from '../html.js';
import { count, counted, shortId } from '../format.js';
import { endOf, isRunning, kindOf, lastingOf, meter } from '../workflows.js';
import { boxes } from '../ui/boxes.js';
import { curl } from '../ui/curl.js';
import { button, card, copyable, facts, head } from '../ui/parts.js';
import { state } from '../ui/state.js';
import { table } from '../ui/table.js';
import { time } from '../ui/time.js';

const pathOf = (ctx) => `v1/workflows/${ctx.segment(ctx.params.get('id') ?? '')}`;

export default {

  nav: 'workflows',

  title: (ctx, data) => data?.workflow.name ?? 'Workflow',

  load: (ctx) => ctx.api.get(pathOf(ctx)),

  touches: (change) => Boolean(change.kinds?.includes('workflow') || (change.jobs && Object.keys(change.jobs).length)),

  view({ workflow }, ctx) {
    return html`<div class="page">
      ${head({
        title: workflow.name ?? kindOf(workflow), back: { label: 'Workflows', href: 'workflows' },
        note: html`${state(workflow.state)}${copyable(ctx, workflow.id, shortId(workflow.id))}<span>${workflow.type} of ${counted(workflow.metadata.job_count, 'job')}</span>`,
        actions: [
          html`<a class="button" href=${ctx.link('jobs', { workflow_id: workflow.id })}>Jobs</a>`,
          ctx.can('write') && isRunning(workflow) ? button('Cancel', () => confirmCancel(workflow, ctx), { shape: 'slash', key: 'x' }) : nothing,
          curl(ctx, 'GET', pathOf(ctx)),
        ],
      })}
      ${card('Progress', facts(progress(workflow)))}
      ${card('Jobs', boxes(ctx, { ...workflow, name: undefined }))}
      ${errors(workflow, ctx)}
    </div>`;
  },

  keys: {
    x: { label: 'Cancel the workflow', can: 'write', run: ({ workflow }, ctx) => (isRunning(workflow) ? confirmCancel(workflow, ctx) : ctx.toast('The workflow has ended.')) },
  },

};

function confirmCancel(workflow, ctx) {
  return ctx.act({
    title: 'Cancel this workflow?', action: 'Cancel the workflow', danger: true,
    text: 'Its jobs that wait do not run, and those that run are asked to stop. What is done stays done. This cannot be undone.',
    run: () => ctx.api.delete(pathOf(ctx)),
  }, 'The workflow is cancelled');
}

function progress(workflow) {
  const { metadata } = workflow;
  return [
    ['Jobs done', meter(workflow)],
    ['Failed', metadata.failed_count ? html`<span class="bad-text">${count(metadata.failed_count)}</span>` : '0'],
    metadata.started_at ? ['Started', time(metadata.started_at)] : ['Created', time(metadata.created_at)],
    endOf(workflow) ? ['Ended', time(endOf(workflow))] : null,
    [isRunning(workflow) ? 'Lasts' : 'Took', lastingOf(workflow)],
  ];
}

function errors({ metadata }, ctx) {
  const rows = metadata.errors ?? [];
  return rows.length ? card('Errors', table({ rows, key: (row) => row.job_id, caption: 'Errors of jobs', columns: [
    { label: 'Job', kind: 'primary', cell: (row) => html`<a href=${ctx.link('job', { id: row.job_id })}>${row.job_type}</a><span class="sub"><code title=${row.job_id}>${shortId(row.job_id)}</code></span>` },
    { label: 'Error', kind: 'text', cell: (row) => html`<span class="bad-text">${row.code}</span>${row.message ? html` <span class="clamp" title=${row.message}>${row.message}</span>` : nothing}` },
    { label: 'Callback', hidden: (row) => !row.callback, cell: (row) => row.callback?.replaceAll('_', ' ') ?? html`<span class="muted">–</span>` },
    { label: 'Attempt', kind: 'number', cell: (row) => count(row.attempt) },
  ] }), { flush: true, note: count(rows.length) }) : nothing;
}
