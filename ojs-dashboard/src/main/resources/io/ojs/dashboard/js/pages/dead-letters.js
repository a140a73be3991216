// Dead letters by facets: what fails, where in the code, since when; and the replay of what is on screen.

import { html, nothing } from '../html.js';
import { count, counted, dayAndTime, serverNow, shorten, shortId, textIn } from '../format.js';
import { confirmDeletion, confirmRetry } from '../job-actions.js';
import { labelList, labelsOf } from '../labels.js';
import { confirmReplay } from '../operations.js';
import { curl } from '../ui/curl.js';
import { facet } from '../ui/facets.js';
import { filters, refusalOf, sinceOf, timeFilters } from '../ui/filters.js';
import { button, card, empty, fold, head, iconButton, pager } from '../ui/parts.js';
import { table } from '../ui/table.js';
import { time } from '../ui/time.js';
import { versionStarts } from '../versions.js';

const NAMES = ['queue', 'origin', 'dead_letter_queue', 'type', 'error_type', 'error_hash', 'tenant'];
const AGES = { '1h': 'the last hour', '1d': 'the last day', '7d': 'the last week', older: 'older' };

export default {

  nav: 'dead-letters',

  title: () => 'Dead letters',

  async load(ctx) {
    if (!ctx.has('store')) {
      const { look } = ctx.state;
      ctx.state.look = false; // A look moves messages: the next load does not look again by itself.
      const stats = await ctx.api.get('v1/dead-letter/stats', { look: look ? 'true' : null }, look ? { timeout: null } : {});
      if (stats.kinds) {
        ctx.state.kinds = stats.kinds;
        ctx.state.lookedAt = new Date(serverNow()).toISOString();
      }
      return { atBroker: stats };
    }
    const filter = filterOf(ctx);
    const [starts, list, facets] = await Promise.all([
      versionStarts(ctx),
      ctx.api.get('v1/dead-letter', { ...filter, cursor: ctx.params.get('cursor'), limit: 50, total: false })
        .catch((failure) => ({ jobs: [], refusal: refusalOf(failure).message })),
      ctx.api.find('v1/dead-letter/facets', filter).catch((failure) => refusalOf(failure) && null),
    ]);
    return { items: list.jobs, refusal: list.refusal, pagination: list.pagination, facets, starts };
  },

  touches: (change) => change.kinds?.includes('dead_letter') || Boolean(change.jobs?.discarded || change.jobs?.failed),

  list: { items: (data) => data.items ?? [], key: (job) => job.id },

  view(data, ctx) {
    return data.atBroker ? atBroker(data.atBroker, ctx) : html`<div class="page">
      ${head({ title: 'Dead letters', note: noteOf(data, ctx), actions: actions(data, ctx) })}
      ${filters(ctx, [
        { name: 'type', label: 'Type', placeholder: 'mail.*' },
        { name: 'queue', label: 'Queue' },
        { name: 'error_type', label: 'Error type', wide: true },
        ...timeFilters(ctx, 'Failed', data.starts),
        ctx.me.tenants.enabled && ctx.isOperator && { name: 'tenant', label: 'Tenant' },
      ], [...NAMES, 'until'])}
      <div class=${hasFacets(data.facets, ctx) ? 'faceted' : ''}>
        ${hasFacets(data.facets, ctx) ? facets(data.facets, ctx) : nothing}
        <div class="page">${card(null, table({ rows: data.items, key: (job) => job.id, caption: 'Dead letters', columns: columns(ctx), empty: none(data, ctx) }), { flush: true })}
          ${pager(ctx, data.pagination)}</div>
      </div></div>`;
  },

  keys: {
    t: { label: 'Replay what matches', can: 'admin', needs: 'operations', run: (data, ctx) => replay(data, ctx) },
  },

};

function filterOf(ctx) {
  const filter = {};
  for (const name of NAMES) {
    filter[name] = ctx.params.get(name);
  }
  filter.since = sinceOf(ctx.params.get('since'));
  filter.until = ctx.params.get('until');
  return filter;
}

function noteOf({ facets: answer }, ctx) {
  if (!answer?.counted) {
    return nothing;
  }
  const isFiltered = NAMES.some((name) => ctx.params.get(name)) || ctx.params.get('since');
  return html`<span>${answer.complete ? '' : 'the newest '}${count(answer.counted)}${isFiltered ? ' match' : ''}</span>`;
}

function actions(data, ctx) {
  const options = { disabled: Boolean(ctx.whyNotAll), title: ctx.whyNotAll };
  return [
    ctx.can('admin') && ctx.has('operations') && data.items.length ? button('Replay…', () => replay(data, ctx), { shape: 'retry', kind: 'primary', key: 't', ...options }) : nothing,
    ctx.can('admin') && ctx.has('operations') && data.items.length ? button('Delete…', () => confirmDeletion(ctx, ...shown(data, ctx)), { shape: 'trash', kind: 'danger', ...options }) : nothing,
    curl(ctx, 'GET', 'v1/dead-letter', { params: filterOf(ctx) }),
  ];
}

const given = (filter) => Object.fromEntries(Object.entries(filter).filter(([, value]) => value));

function replay(data, ctx) {
  return ctx.whyNotAll || !data.items.length ? ctx.toast(`${ctx.whyNotAll ?? 'There is nothing to replay'}.`) : confirmReplay(ctx, ...shown(data, ctx));
}

/** The filter of the page, and the end of what it shows. */
function shown({ facets: answer }, ctx) {
  const { until, ...filter } = given(filterOf(ctx));
  return [filter, until ?? answer?.until ?? new Date(serverNow()).toISOString()];
}

const hasFacets = (answer, ctx) => answer && (answer.counted > 0 || NAMES.some((name) => ctx.params.get(name)));

function facets(answer, ctx) {
  const { queue, type, error_type: errorType, error_hash: hash, age } = answer.facets;
  const seen = (value) => html`first ${time(value.first_at)}, last ${time(value.last_at)}`;
  const content = html`<aside class="facets" aria-label="Facets">
    ${facet(ctx, { name: 'error_hash', label: 'Place in the code', values: hash, text: (value) => html`<span title=${value.value}>${value.sample?.type?.split('.').at(-1) ?? value.value}</span>`,
      note: (value) => html`${shorten(value.sample?.message ?? '', 90)}${value.sample?.frame ? html`<br><code>${shorten(value.sample.frame, 80)}</code>` : nothing}<br>${value.sample?.job_type ? html`in ${value.sample.job_type}, ` : nothing}${seen(value)}` })}
    ${facet(ctx, { name: 'error_type', label: 'Error', values: errorType, text: ({ value }) => html`<span title=${value}>${value?.endsWith('.*') ? value : value?.split('.').at(-1)}</span>` })}
    ${facet(ctx, { name: 'type', label: 'Type', values: type })}
    ${facet(ctx, { name: 'queue', label: 'Queue', values: queue })}
    ${facet(ctx, { name: 'since', label: 'Failed in', values: withinOf(age), text: (value) => AGES[value.value] ?? (Date.parse(value.value) ? `since ${dayAndTime(value.value)}` : value.value) })}
  </aside>`;
  return fold('What they have in common', content, !matchMedia('(max-width: 960px)').matches);
}

/** The server counts each dead letter in one age; who chooses the last day wants those of the last hour, too. */
function withinOf(ages) {
  let sum = 0;
  return (ages ?? []).filter((age) => age.value !== 'older').map((age) => ({ ...age, count: sum += age.count }));
}

function columns(ctx) {
  return [
    { label: 'Job', kind: 'primary', cell: (job) => html`<a href=${ctx.link('job', { id: job.id })}>${job.type}</a><span class="sub"><code title=${job.id}>${shortId(job.id)}</code></span>` },
    { label: 'Queue', cell: (job) => html`<a href=${ctx.link('queue', { name: job.queue })}>${job.queue}</a>` },
    ctx.me.tenants.enabled && ctx.isOperator && { label: 'Tenant', hidden: (job) => !tenantOf(job), cell: (job) => tenantOf(job) ?? html`<span class="muted">–</span>` },
    { label: 'Error, labels', kind: 'wide', cell: (job) => {
      const error = job.error ?? job.errors?.at(-1);
      const labels = labelsOf(job, ctx);
      return html`${error ? html`<span class="bad-text" title=${`${error.type ?? error.code}: ${error.message ?? ''}`}>${shorten(`${(error.type ?? error.code ?? '').split('.').at(-1)} ${error.message ?? ''}`, 120)}</span>` : '–'}
        ${labels.length ? labelList(labels, (label) => ctx.link('jobs', { label, state: 'discarded' })) : nothing}`;
    } },
    { label: 'Attempts', kind: 'number', cell: (job) => count(job.attempt) },
    { label: 'Since', cell: (job) => time(job.dead_lettered_at) },
    ctx.can('admin') && { label: 'Actions', kind: 'actions', cell: (job) => iconButton(`Replay ${job.id}`, 'retry', () => confirmRetry(ctx, job)) },
  ];
}

const tenantOf = (job) => textIn(job.tenant) ?? textIn(job.meta?.tenant_id);

function none({ refusal }, ctx) {
  if (refusal) {
    return empty('No dead letter can match', refusal);
  }
  return [...ctx.params.keys()].some((name) => ctx.params.get(name)) ? empty('No dead letter matches', html`<a href="dead-letters">Show all</a>`)
    : empty('No dead letters', 'A job that fails for good comes here, with its error, until you replay or delete it.');
}

/** Without a store, the broker has them, and to look at them moves messages: it counts until it is asked for more. */
function atBroker(stats, ctx) {
  const queues = Object.entries(stats.by_queue).map(([name, number]) => ({ name, number }));
  const { kinds, lookedAt } = ctx.state;
  return html`<div class="page">
    ${head({ title: 'Dead letters', note: 'In queues of the broker', actions: curl(ctx, 'GET', 'v1/dead-letter/stats') })}
    ${card('By queue', table({ rows: queues, key: (row) => row.name, caption: 'Dead letters by queue', empty: empty('No dead letters'), columns: [
      { label: 'Queue', kind: 'primary', cell: (row) => row.name },
      { label: 'Dead letters', kind: 'number', cell: (row) => count(row.number) },
      ctx.can('admin') && { label: 'Actions', kind: 'actions', cell: (row) => button('Replay…', () => replayAtBroker(ctx, row.name), { shape: 'retry', kind: 'quiet' }) },
    ] }), { flush: true })}
    ${kinds ? card('By type and error', table({ rows: kinds, key: (row) => `${row.type} ${row.error_type}`, caption: 'Kinds', empty: empty('Nothing found'), columns: [
      { label: 'Type', kind: 'primary', cell: (row) => row.type ?? '–' },
      { label: 'Error', kind: 'wide', cell: (row) => row.error_type ?? '–' },
      { label: 'Dead letters', kind: 'number', cell: (row) => count(row.count) },
    ] }), { flush: true, note: html`as of ${time(lookedAt)}` }) : nothing}
    ${ctx.can('admin') && queues.length ? html`<p>${button(kinds ? 'Look again' : 'Look at types and errors', () => { ctx.state.look = true; ctx.refresh(); }, { shape: 'search' })}
        <span class="muted">Reads the messages and puts them back: their order may change.</span></p>` : nothing}
  </div>`;
}

function replayAtBroker(ctx, queue) {
  return ctx.act({
    title: `Replay the dead letters of ${queue}?`, action: 'Replay', text: 'They are published again, the oldest first. This waits until the last one is published.',
    fields: [{ name: 'rate', label: 'Jobs a second', type: 'number', min: 0.001, placeholder: 'as fast as the broker takes them' }, { name: 'limit', label: 'At most', type: 'number', min: 1, placeholder: 'all' }],
    run: ({ rate, limit }) => ctx.api.post('v1/dead-letter/retry', { filter: { queue }, confirm: true, ...(rate ? { rate } : {}), ...(limit ? { limit } : {}) }, { timeout: null }),
  }, ({ answer }) => `${counted(answer.succeeded, 'dead letter')} ${answer.succeeded === 1 ? 'is' : 'are'} replayed${answer.problem ? `. ${answer.problem}` : answer.left ? `, ${count(answer.left)} ${answer.left === 1 ? 'is' : 'are'} left` : ''}`);
}
