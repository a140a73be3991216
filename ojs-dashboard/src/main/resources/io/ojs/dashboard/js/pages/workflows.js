// Workflows by state, newest first.

import { html } from '../html.js';
import { count, shortId } from '../format.js';
import { kindOf, lastingOf, meter } from '../workflows.js';
import { curl } from '../ui/curl.js';
import { filters } from '../ui/filters.js';
import { card, empty, head, pager } from '../ui/parts.js';
import { state } from '../ui/state.js';
import { table } from '../ui/table.js';
import { time } from '../ui/time.js';

const FILTERS = ['state', 'type', 'name', 'cursor'];

export default {

  nav: 'workflows',

  title: () => 'Workflows',

  load: (ctx) => ctx.api.get('v1/workflows', parameters(ctx)),

  touches: (change) => Boolean(change.kinds?.includes('workflow') || (change.jobs && Object.keys(change.jobs).length)),

  list: { items: (data) => data.workflows, key: (workflow) => workflow.id },

  view(data, ctx) {
    return html`<div class="page">
      ${head({ title: 'Workflows', note: 'Newest first', actions: curl(ctx, 'GET', 'v1/workflows', { params: parameters(ctx) }) })}
      ${filters(ctx, [
        { name: 'state', label: 'State', type: 'select', options: ['', 'pending', 'running', 'completed', 'failed', 'cancelled'] },
        { name: 'type', label: 'Kind', type: 'select', options: ['', 'chain', 'group', 'batch'] },
        { name: 'name', label: 'Name', wide: true },
      ])}
      ${card(null, table({ rows: data.workflows, key: (workflow) => workflow.id, caption: 'Workflows', columns: columns(ctx), empty: none(ctx) }), { flush: true })}
      ${pager(ctx, data.pagination)}
    </div>`;
  },

};

function parameters(ctx) {
  return { ...Object.fromEntries(FILTERS.map((name) => [name, ctx.params.get(name)])), limit: 50, view: 'summary' };
}

function columns(ctx) {
  return [
    { label: 'Workflow', kind: 'primary', cell: (workflow) => html`<a href=${ctx.link('workflow', { id: workflow.id })}>${workflow.name ?? kindOf(workflow)}</a>
      <span class="sub"><code title=${workflow.id}>${shortId(workflow.id)}</code></span>` },
    { label: 'State', cell: (workflow) => state(workflow.state) },
    { label: 'Kind', cell: (workflow) => workflow.type },
    { label: 'Jobs done', kind: 'text', cell: (workflow) => meter(workflow) },
    { label: 'Failed', kind: 'number', hidden: ({ metadata }) => !metadata.failed_count, cell: ({ metadata }) => (metadata.failed_count
      ? html`<span class="bad-text">${count(metadata.failed_count)}</span>` : html`<span class="muted">0</span>`) },
    { label: 'Created', cell: ({ metadata }) => time(metadata.created_at) },
    { label: 'Took', kind: 'number', cell: (workflow) => lastingOf(workflow) },
  ];
}

function none(ctx) {
  return FILTERS.some((name) => ctx.params.get(name)) ? empty('No workflow matches', html`<a href="workflows">Show all</a>`)
    : empty('No workflows yet', 'A chain, a group or a batch of jobs appears here as soon as an application starts one.');
}
