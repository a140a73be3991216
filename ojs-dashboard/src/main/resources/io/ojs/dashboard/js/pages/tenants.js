// Tenants: their jobs that are there now, and how much of their limits they use.

import { html, nothing } from '../html.js';
import { count, periodOf } from '../format.js';
import { curl } from '../ui/curl.js';
import { icon } from '../ui/icons.js';
import { bar, button, card, empty, facts, head, pager } from '../ui/parts.js';
import { table } from '../ui/table.js';

const STATES = [['active', 'Active'], ['available', 'Available'], ['scheduled', 'Scheduled'], ['retryable', 'Retryable']];

/** The limits of tenants, in words. */
const LIMITS = { max_concurrency: 'Jobs at once', max_enqueue_rate: 'Jobs enqueued', max_queue_depth: 'Jobs that wait', max_scheduled: 'Jobs scheduled' };

export default {

  nav: 'tenants',

  title: (ctx) => ctx.params.get('id') ?? 'Tenants',

  async load(ctx) {
    const id = ctx.params.get('id');
    const [list, one] = await Promise.all([
      ctx.api.get('v1/admin/tenants', { view: 'unfinished', cursor: ctx.params.get('cursor'), limit: 100 }), id ? ctx.api.find(`v1/admin/tenants/${ctx.segment(id)}/stats`, { view: 'unfinished' }) : null,
    ]);
    return { ...list, one };
  },

  touches: () => false, // It counts: every half minute is enough.

  view(data, ctx) {
    const id = ctx.params.get('id');
    return html`<div class="page">
      ${head({ title: 'Tenants', note: 'With jobs in the store', actions: curl(ctx, 'GET', 'v1/admin/tenants', { params: { view: 'unfinished' } }) })}
      ${data.one ? one(data.one, ctx) : id ? card(null, empty(`There is no tenant “${id}”`, html`<a href="tenants">Show all</a>`), { flush: true }) : nothing}
      ${card(null, table({ rows: data.items, key: (tenant) => tenant.tenant_id, caption: 'Tenants', columns: columns(ctx),
        empty: empty('No tenants yet', 'A tenant appears here with its first job.') }), { flush: true })}
      ${data.pagination?.has_more || ctx.params.get('cursor') ? pager(ctx, data.pagination, nothing, 'Next') : nothing}
    </div>`;
  },

  keys: {
    s: { label: 'Show only the tenant of the row, or the one that is open', run: (data, ctx, id) => (id ?? data.one ? ctx.switchTenant(id ?? data.one.tenant_id) : ctx.toast('Choose a row by j and k first.')) },
  },

};

function columns(ctx) {
  return [
    { label: 'Tenant', kind: 'primary', cell: (tenant) => html`<a href=${ctx.linkWith({ id: tenant.tenant_id })}>${tenant.tenant_id}</a>` },
    ...STATES.map(([name, label]) => ({ label, kind: 'number', hidden: ({ jobs }) => !jobs[name], cell: ({ tenant_id: id, jobs, complete }) => number(jobs[name], ctx.link('jobs', { tenant: id, state: name }), complete) })),
    { label: 'Dead letters', kind: 'number', hidden: (tenant) => !tenant.dead_letters, cell: ({ tenant_id: id, dead_letters: dead, complete }) => number(dead, ctx.link('dead-letters', { tenant: id }), complete) },
    { label: 'Actions', kind: 'actions', cell: ({ tenant_id: id }) => button('Show only it', () => ctx.switchTenant(id), { shape: 'tenants', kind: 'quiet', title: 'All pages show this tenant, until you choose all again above' }) },
  ];
}

/** More may exist than were counted. */
function number(value, href, isComplete = true) {
  return value ? html`<a href=${href} title=${isComplete ? '' : 'At least'}>${count(value)}${isComplete ? '' : '+'}</a>` : html`<span class="muted">${isComplete ? '0' : '–'}</span>`;
}

function one(tenant, ctx) {
  const id = tenant.tenant_id;
  const limits = Object.entries(tenant.limits ?? {});
  const queues = Object.entries(tenant.queues ?? {});
  const plus = tenant.complete === false ? '+' : ''; // More than were counted may be there.
  return card(id, html`
    ${facts([...STATES.map(([name, label]) => [label, number(tenant.jobs[name], ctx.link('jobs', { tenant: id, state: name }), tenant.complete)]),
      ['All', html`<a href=${ctx.link('jobs', { tenant: id })}>Show</a>`]])}
    <div class="columns spaced">
      <section><h3>Limits</h3>${limits.length ? html`<ul class="rows">${limits.map(([name, { limit, current, period }]) => html`<li><span>${LIMITS[name] ?? name.replaceAll('_', ' ')}</span>
        <span class="progress">${bar(current, limit)}<span>${count(current)}${plus} of ${count(limit)}${period ? ` each ${periodOf(period)}` : ''}</span></span></li>`)}</ul>` : html`<p class="muted">None</p>`}</section>
      <section><h3>Queues</h3>${queues.length ? html`<ul class="rows">${queues.map(([name, jobs]) => html`<li><a href=${ctx.link('jobs', { tenant: id, queue: name })}>${name}</a>
        <span class="muted">${STATES.filter(([each]) => jobs[each]).map(([each]) => `${count(jobs[each])}${plus} ${each}`).join(', ') || 'nothing waits'}</span></li>`)}</ul>` : html`<p class="muted">None</p>`}</section>
    </div>`, {
    kind: 'chosen',
    actions: [button('Show only it', () => ctx.switchTenant(id), { shape: 'tenants', key: 's' }),
      html`<a class="icon-button" href=${ctx.linkWith({ id: null })} aria-label="Close" title="Close">${icon('close')}</a>`],
  });
}
