// Jobs by search. Every filter is in the URL, and every row leads to its job.

import { html, nothing } from '../html.js';
import { absolute, shorten, shortId, timeOfDay } from '../format.js';
import { BULK_FILTERS, confirmBulk, isPossible } from '../job-actions.js';
import { MEANINGS, STATE_OPTIONS } from '../job-states.js';
import { labelList } from '../labels.js';
import { curl } from '../ui/curl.js';
import { filters, refusalOf, sinceOf, timeFilters } from '../ui/filters.js';
import { icon } from '../ui/icons.js';
import { button, card, empty, head, pager } from '../ui/parts.js';
import { state } from '../ui/state.js';
import { table } from '../ui/table.js';
import { time } from '../ui/time.js';
import { versionStarts } from '../versions.js';

const LABEL_FORM = 'A label is written key=value, for example customer=4711; customer=47* finds all that begin so. A tag is written #urgent.';

const FILTERS = ['id', 'type', 'queue', 'state', 'label', 'error_type', 'error', 'tenant', 'workflow_id', 'worker', 'operation', 'until', 'cursor'];

export default {

  nav: 'jobs',

  title: () => 'Jobs',

  async load(ctx) {
    const [starts, found] = await Promise.all([versionStarts(ctx), ctx.api.get('v1/jobs', parameters(ctx)).catch(refused)]);
    return { ...found, starts };
  },

  touches: (change, ctx) => Boolean(change.jobs && Object.keys(change.jobs).length)
    && (!ctx.params.get('queue') || change.queues?.includes(ctx.params.get('queue'))),

  list: { items: (data) => data.items, key: (job) => job.id },

  view(data, ctx) {
    const tags = ctx.params.getAll('label');
    return html`<div class="page">
      ${head({ title: 'Jobs', note: 'Newest first', actions: [...bulk(data, ctx), curl(ctx, 'GET', 'v1/jobs', { params: parameters(ctx) })] })}
      ${filters(ctx, [
        { name: 'state', label: 'State', type: 'select', options: STATE_OPTIONS },
        { name: 'queue', label: 'Queue' },
        { name: 'type', label: 'Type', placeholder: 'mail.*' },
        { name: 'label', label: 'Tag or label', placeholder: `#tag${ctx.me.labels?.length ? `, ${ctx.me.labels[0]}=…` : ''}`, title: LABEL_FORM,
          suggestions: ctx.me.labels?.map((key) => `${key}=`) },
        { name: 'error', label: 'Error contains', wide: true },
        { name: 'id', label: 'Id begins with', title: 'The beginning of an id, or its short form: 0191e4c8…4f5a6b' },
        ctx.params.get('workflow_id') && { name: 'workflow_id', label: 'Workflow', wide: true },
        ctx.params.get('error_type') && { name: 'error_type', label: 'Error type', wide: true },
        ctx.isOperator && ctx.params.get('worker') && { name: 'worker', label: 'Run by', wide: true },
        ctx.me.tenants.enabled && ctx.isOperator && { name: 'tenant', label: 'Tenant' },
        ...timeFilters(ctx, 'Created', data.starts),
      ])}
      ${tags.length > 1 ? html`<p class="muted">Jobs with all of: ${tags.map((tag) => html`<span class="label">${tag}</span> `)}</p>` : nothing}
      ${ctx.params.get('operation') ? html`<p class="muted">Jobs that <a href=${ctx.link('operations', { id: ctx.params.get('operation') })}>this operation</a> has replayed last.
        <a href=${ctx.linkWith({ operation: null, cursor: null })}>Show all</a></p>` : nothing}
      ${card(null, table({
        rows: data.items, key: (job) => job.id, caption: 'Jobs', columns: columns(ctx), empty: none(data, ctx),
        tone: (job) => (job.state === 'completed' || job.state === 'cancelled' ? 'dim' : ''),
      }), { flush: true })}
      ${searched(data, ctx)}
      ${pager(ctx, data.pagination, data.items.length ? html`from ${time(data.items[0].created_at)} back to ${time(data.items.at(-1).created_at)}` : nothing)}
    </div>`;
  },

};

function refused(failure) {
  const { field, message } = refusalOf(failure);
  return { items: [], refusal: field === 'label' ? LABEL_FORM : message };
}

function parameters(ctx) {
  const params = new URLSearchParams();
  for (const name of FILTERS) {
    ctx.params.getAll(name).filter(Boolean).forEach((value) => params.append(name, value));
  }
  const since = sinceOf(ctx.params.get('since'));
  if (since) {
    params.set('since', since);
  }
  return params;
}

function bulk(data, ctx) {
  if (!ctx.can('admin') || !ctx.has('operations') || !data.items.length) {
    return [];
  }
  const known = [...BULK_FILTERS, 'state', 'since'];
  if (!known.some((name) => ctx.params.get(name))) {
    return []; // All jobs of all queues are never meant.
  }
  const others = [...new Set(ctx.params.keys())].filter((name) => ![...known, 'cursor'].includes(name) && ctx.params.get(name));
  const why = others.length ? `Remove the filter ${others.join(', ')} first: it cannot be applied to many jobs at once` : ctx.whyNotAll;
  const options = { disabled: Boolean(why), title: why };
  const states = (ctx.params.get('state') ?? '').split(',').filter(Boolean);
  const filter = {};
  for (const name of BULK_FILTERS) {
    const values = ctx.params.getAll(name).filter(Boolean);
    if (values.length) {
      filter[name] = name === 'label' ? values : values[0];
    }
  }
  const since = sinceOf(ctx.params.get('since'));
  if (since) {
    filter.since = since;
  }
  return [
    isPossible('cancel', states) ? button('Cancel all…', () => confirmBulk(ctx, 'cancel', filter, states), { shape: 'slash', ...options }) : nothing,
    isPossible('delete', states) ? button('Delete all…', () => confirmBulk(ctx, 'delete', filter, states), { shape: 'trash', kind: 'danger', ...options }) : nothing,
  ];
}

function columns(ctx) {
  return [
    { label: 'Job', kind: 'primary', cell: (job) => html`<a href=${ctx.link('job', { id: job.id })}>${job.type}</a>
      <span class="sub"><code title=${job.id}>${shortId(job.id)}</code>${job.encrypted ? html` <span title="Its arguments are encrypted">${icon('lock')}</span>` : nothing}</span>` },
    { label: 'State', cell: (job) => state(job.state, undefined, MEANINGS[job.state]) },
    { label: 'Process', title: 'The process, or the worker that fetches, that runs the job', hidden: (job) => !job.worker, cell: (job) => (job.worker
      ? html`<a href=${ctx.link('workers', { id: job.worker })} title=${job.worker}>${shorten(job.worker, 24)}</a>` : nothing) },
    { label: 'Queue', cell: (job) => html`<a href=${ctx.link('queue', { name: job.queue })}>${job.queue}</a>` },
    ctx.me.tenants.enabled && ctx.isOperator && { label: 'Tenant', hidden: (job) => !job.tenant, cell: (job) => job.tenant ?? html`<span class="muted">–</span>` },
    { label: 'Attempt', kind: 'number', cell: (job) => `${job.attempt} of ${job.max_attempts}` },
    { label: 'Created', cell: (job) => time(job.created_at) },
    { label: 'When', title: 'When it runs next, or when it started or ended', cell: (job) => when(job) },
    { label: 'Error, labels', kind: 'wide', hidden: (job) => !job.error && !job.labels?.length, cell: (job) => html`
      ${job.error ? html`<span class="bad-text" title=${`${job.error.type}: ${job.error.message ?? ''}`}>${shorten(`${job.error.type?.split('.').at(-1) ?? ''} ${job.error.message ?? ''}`.trim(), 90)}</span>` : nothing}
      ${job.labels?.length ? labelList(job.labels, (label) => ctx.linkWith({ label, cursor: null })) : nothing}` },
  ];
}

/** The time that matters in its state. */
function when(job) {
  const [at, word] = job.ended_at ? [job.ended_at, 'ended'] : job.state === 'active' ? [job.started_at, 'started']
    : job.next_attempt_at ? [job.next_attempt_at, 'runs'] : job.scheduled_at && job.state === 'scheduled' ? [job.scheduled_at, 'runs'] : [null, ''];
  return at ? html`${time(at)}<span class="sub">${word}</span>` : html`<span class="muted">–</span>`;
}

function none(data, ctx) {
  if (data.refusal) {
    return empty('No job can match', data.refusal);
  }
  if (data.searched?.complete === false) {
    return empty('No job matches so far', 'The search goes on below.');
  }
  const isFiltered = [...ctx.params.keys()].some((name) => ctx.params.get(name));
  const label = ctx.params.getAll('label').find((each) => !each.endsWith('*'));
  if (label) {
    return empty('No job matches', html`No job has the ${label.startsWith('#') ? 'tag' : 'label'} <code>${label}</code> and meets the other filters.
      <a href=${ctx.linkWith({ label: `${label}*`, cursor: null })}>Show those that begin with it</a>. ${LABEL_FORM}`);
  }
  return isFiltered ? empty('No job matches', html`<a href="jobs">Show all jobs</a>`) : empty('No jobs yet', 'Enqueue one: ojs.enqueue("email.send", …)');
}

/** A search that no index helps stops after a while, and says where. */
function searched({ searched: far, pagination }, ctx) {
  if (!far || far.complete !== false) {
    return nothing;
  }
  return html`<p class="notice-line" role="status">${icon('search')} Searched back to <time datetime=${far.back_to ?? ''} title=${absolute(far.back_to)}>${timeOfDay(far.back_to)}</time> so far.
    ${pagination?.next_cursor ? html`<a href=${ctx.linkWith({ cursor: pagination.next_cursor })}>Go on searching</a>` : nothing}</p>`;
}
