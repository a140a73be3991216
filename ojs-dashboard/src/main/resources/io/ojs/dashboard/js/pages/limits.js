// Limits: how much of each is used, and how many jobs wait for it.

import { html, nothing } from '../html.js';
import { count, counted, periodOf, shortId } from '../format.js';
import { curl } from '../ui/curl.js';
import { icon } from '../ui/icons.js';
import { bar, card, copyable, empty, facts, head, pager } from '../ui/parts.js';
import { table } from '../ui/table.js';
import { lasting, time } from '../ui/time.js';

export default {

  nav: 'limits',

  title: (ctx) => ctx.params.get('key') ?? 'Limits',

  async load(ctx) {
    const key = ctx.params.get('key');
    const [list, one] = await Promise.all([
      ctx.api.get('v1/rate-limits', { cursor: ctx.params.get('cursor'), limit: 100 }), key ? ctx.api.find(`v1/rate-limits/${ctx.segment(key)}`) : null,
    ]);
    return { ...list, one };
  },

  touches: (change) => Boolean(change.jobs && Object.keys(change.jobs).length),

  view(data, ctx) {
    const full = data.items.filter(isFull).length;
    const key = ctx.params.get('key');
    return html`<div class="page">
      ${head({ title: 'Limits', note: html`<span>${full ? html`<span class="warning-text">${counted(full, 'limit')} ${full === 1 ? 'is' : 'are'} full</span>` : data.items.length ? 'None is full' : ''}</span>`, actions: curl(ctx, 'GET', 'v1/rate-limits') })}
      ${data.one ? one(data.one, ctx) : key ? card(null, empty(`The limit “${key}” is not in use`, html`No job with it runs or waits. <a href="limits">Show all</a>`), { flush: true }) : nothing}
      ${card(null, table({ rows: data.items, key: (limit) => limit.key, caption: 'Limits', columns: columns(ctx),
        empty: empty('No limit is in use', html`Jobs with a <code>rate_limit</code>, and queues with one, appear here while they run or wait.`) }), { flush: true })}
      ${data.pagination?.has_more || ctx.params.get('cursor') ? pager(ctx, data.pagination, nothing, 'Next') : nothing}
    </div>`;
  },

};

/** 0 lets no job start. */
const isSet = (limit) => limit !== null && limit !== undefined;

const isFull = ({ concurrency, rate }) => (isSet(concurrency?.limit) && concurrency.active >= concurrency.limit) || (rate?.limit && rate.current_count >= rate.limit);

function columns(ctx) {
  return [
    { label: 'Limit', kind: 'primary', cell: (limit) => html`<a href=${ctx.linkWith({ key: limit.key })}>${limit.key}</a>` },
    { label: 'Running', kind: 'text', cell: running },
    { label: 'Starts', kind: 'text', hidden: (limit) => !limit.rate, cell: starts },
    { label: 'One start per', hidden: (limit) => !limit.throttle, cell: throttle },
    { label: 'Waiting', kind: 'number', cell: ({ waiting_count: waiting }) => (waiting ? html`<span class="warning-text">${icon('hourglass')} ${count(waiting)}</span>` : html`<span class="muted">0</span>`) },
  ];
}

function running({ concurrency }) {
  if (!isSet(concurrency?.limit)) {
    return html`<span>${count(concurrency?.active ?? 0)}</span> <span class="muted">no limit</span>`;
  }
  return html`<span class="progress">${bar(concurrency.active, concurrency.limit)}<span>${count(concurrency.active)} of ${count(concurrency.limit)}</span></span>`;
}

function starts({ rate }) {
  return rate ? html`<span class="progress">${bar(rate.current_count ?? 0, rate.limit)}<span>${count(rate.current_count ?? 0)} of ${count(rate.limit)} each ${periodOf(rate.period)}</span></span>
    ${rate.window_resets_at ? html`<span class="sub">again ${time(rate.window_resets_at)}</span>` : nothing}` : html`<span class="muted">–</span>`;
}

function throttle({ throttle: known }) {
  return known ? html`${known.limit > 1 ? `${count(known.limit)} each ` : ''}${periodOf(known.period)}${known.next_allowed_at ? html`<span class="sub">next ${time(known.next_allowed_at)}</span>` : nothing}` : html`<span class="muted">–</span>`;
}

function one(limit, ctx) {
  return card(limit.key, html`${facts([
    ['Running', running(limit)],
    limit.rate ? ['Starts', starts(limit)] : null,
    limit.throttle ? ['One start per', throttle(limit)] : null,
    ['Waiting', limit.waiting_count ? html`<span class="warning-text">${count(limit.waiting_count)}</span>` : '0'],
    ['Key', copyable(ctx, limit.key)],
  ])}
  ${limit.running_jobs || limit.waiting_jobs ? html`<div class="columns spaced">
    ${jobs('Who runs', limit.running_jobs, limit.concurrency?.active, ctx)}${jobs('Who waits', limit.waiting_jobs, limit.waiting_count, ctx)}</div>` : nothing}`, {
    kind: 'chosen',
    actions: html`<a class="icon-button" href=${ctx.linkWith({ key: null })} aria-label="Close" title="Close">${icon('close')}</a>`,
  });
}

function jobs(title, list = [], all, ctx) {
  return html`<section><h3>${title}${all > list.length ? html` <span class="muted">the first ${count(list.length)} of ${count(all)}</span>` : nothing}</h3>
    ${list.length ? html`<ol class="rows">${list.map((job) => html`<li><span><a href=${ctx.link('job', { id: job.id })}>${job.type}</a> <code class="muted">${shortId(job.id)}</code>
      ${job.tenant ? html`<span class="label">${job.tenant}</span>` : nothing}</span>${job.since ? lasting(job.since) : nothing}</li>`)}</ol>` : html`<p class="muted">None</p>`}</section>`;
}
