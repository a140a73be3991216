// One queue: what waits, how long until it is empty, its configuration, and what an operator can do to it.

import { ApiError } from '../api.js';
import { html, nothing } from '../html.js';
import { bounds, deadLettersOf, jobsOf } from '../depths.js';
import { count, counted, duration, millisOf, short } from '../format.js';
import { configure, confirmDrain, confirmPause, confirmPurge, confirmResume, mayPause, pauseOrResume } from '../queue-actions.js';
import { completedPerMinute, counts, durations, filled, RANGES, recentQuery, statsQuery, sum } from '../stats.js';
import { chart } from '../ui/chart.js';
import { curl } from '../ui/curl.js';
import { button, card, empty, facts, head, jobsLink } from '../ui/parts.js';
import { state } from '../ui/state.js';
import { table } from '../ui/table.js';
import { lasting, time } from '../ui/time.js';
import { sparkline } from '../ui/sparkline.js';

const SAMPLE = 200;

/** What the server calls the sum of all types but the largest. */
const REST = 'other';

export default {

  nav: 'queues',

  title: (ctx) => ctx.params.get('name') ?? 'Queue',

  async load(ctx) {
    const name = ctx.params.get('name') ?? '';
    const path = `v1/queues/${ctx.segment(name)}`;
    const range = ctx.params.get('range') ?? '1h';
    const { isOperator } = ctx;
    const lastMinutes = recentQuery(range, { by: 'none', queue: name });
    // The configuration alone: the queue itself comes with numbers for which the server reads all of its jobs.
    const [depths, answer, layers, stats, recent, byType, waiting] = await Promise.all([
      isOperator ? ctx.api.find('v1/depths') : null,
      ctx.has('store') ? isOperator ? ctx.api.find(`${path}/config`) : ctx.api.find(`${path}/stats`, { view: 'state' }) : null,
      isOperator && ctx.has('store') ? ctx.api.find(`${path}/config/layers`) : null,
      ctx.api.find('v1/stats', statsQuery(range, { by: 'none', queue: name })),
      lastMinutes && ctx.api.find('v1/stats', lastMinutes),
      ctx.api.find('v1/stats', statsQuery(range, { by: 'type', queue: name })),
      ctx.has('store') ? ctx.api.find('v1/jobs', { queue: name, state: 'available,scheduled,retryable,pending', limit: SAMPLE }) : null,
    ]);
    const queue = answer && isOperator ? { config: answer } : answer;
    const depth = depths?.queues.find((each) => each.name === name) ?? null;
    if (!depth && !queue) {
      throw new ApiError(404, 'missing', `There is no queue "${name}".`);
    }
    return { name, range, as_of: depths?.as_of, depths, depth, queue, layers, stats, recent: recent ?? stats, byType, waiting };
  },

  stale: 10_000, // No event tells of messages at the broker.

  touches: (change, ctx) => change.kinds?.includes('queue') || change.queues?.includes(ctx.params.get('name')),

  view(data, ctx) {
    const { name, depth, queue } = data;
    const current = stateOf(data);
    return html`<div class="page">
      ${head({
        title: name, back: ctx.isOperator ? { label: 'Queues', href: 'queues' } : { label: 'Overview', href: './' },
        note: html`${state(current)}${depth?.paused_at ? html`<span>for ${lasting(depth.paused_at)}${depth.paused_by ? ` by ${depth.paused_by}` : ''}</span>` : nothing}
          ${depth?.delivery ? html`<span>delivery ${depth.delivery}</span>` : nothing}
          ${data.as_of ? html`<span>counted ${time(data.as_of)}</span>` : nothing}`,
        actions: actions(data, current, ctx),
      })}
      ${depth ? html`<div class="columns">
        ${depth.store ? card('In the store', facts(storeFacts(data, ctx))) : nothing}
        ${depth.broker ? card('At the broker', facts(brokerFacts(depth))) : nothing}
      </div>${bounds(data.depths, [depth])}` : nothing}
      ${activity(data, ctx)}
      <div class="columns">${types(data, ctx)}${waiting(data, ctx)}</div>
      ${configuration(data, ctx)}
    </div>`;
  },

  keys: {
    p: { label: 'Pause or resume', can: 'admin', needs: 'store', run: (data, ctx) => {
      if (!ctx.isOperator) {
        return ctx.toast('The queue is of all tenants: only operators pause it.');
      }
      return pauseOrResume(ctx, data.name, { state: stateOf(data), delivery: data.depth?.delivery });
    } },
  },

};

const stateOf = ({ depth, queue }) => depth?.state ?? queue?.state ?? queue?.queue?.state ?? 'active';

function actions({ name, queue, depth }, current, ctx) {
  if (!ctx.has('store')) {
    return nothing; // The broker alone keeps no state of a queue.
  }
  const jobs = html`<a class="button" href=${ctx.link('jobs', { queue: name })}>Jobs</a>`;
  if (!ctx.can('admin')) {
    return jobs;
  }
  const purge = button('Purge', () => confirmPurge(ctx, name), { shape: 'trash', kind: 'danger' });
  if (!ctx.isOperator || current === 'deleted') {
    return [jobs, purge]; // The queue itself is of all tenants.
  }
  return [jobs,
    current !== 'active' ? button('Resume', () => confirmResume(ctx, name, current), { shape: 'play', key: 'p' })
      : mayPause({ state: current, delivery: depth?.delivery }) ? button('Pause', () => confirmPause(ctx, name), { shape: 'pause', key: 'p' }) : nothing,
    current === 'active' ? button('Drain', () => confirmDrain(ctx, name), { shape: 'drain' }) : nothing,
    button('Configure', () => configure(ctx, name, queue?.config ?? {}, depth?.delivery), { shape: 'settings' }),
    purge];
}

function storeFacts({ name, depth, depths, recent }, ctx) {
  const { store } = depth;
  const jobs = (state) => (store[state] ? html`<a href=${ctx.link('jobs', { queue: name, state })}>${jobsOf(depth, state)}</a>` : jobsOf(depth, state));
  return [
    ['Available', jobs('available')],
    ['Oldest', lasting(store.oldest_available_at)],
    ['Empty in', timeToEmpty(depth, recent)],
    ['Active', jobs('active')],
    ['Scheduled', jobs('scheduled')],
    ['Retryable', jobs('retryable')],
    store.blocked ? ['At limits', html`<a href=${ctx.link('limits')}>${jobsOf(depth, 'blocked')}</a>`] : null,
    depth.dead_letters !== null ? ['Dead letters', html`<a href=${ctx.link('dead-letters', { dead_letter_queue: name })}>${deadLettersOf(depth, depths)}</a>`] : null,
  ];
}

function timeToEmpty({ state: mode, store: { available, complete } }, recent) {
  if (!available) {
    return complete === false ? '–' : 'empty now';
  }
  if (mode === 'paused') {
    return html`<span class="warning-text">paused</span>`;
  }
  const rate = recent ? completedPerMinute(recent, 10) : 0;
  return rate > 0 ? html`<span title="${rate.toFixed(1)} completed in a minute, over the last 10 minutes; without new jobs">${complete === false ? 'at least ' : ''}${duration(available / rate * 60_000)}</span>`
    : html`<span class="warning-text">nothing completes</span>`;
}

function brokerFacts({ state: mode, broker, unacked, retry_queues: retryQueues, difference, dead_letters: dead, store }) {
  return [
    ['Ready', broker.exists === false ? 'no such queue' : count(broker.ready)],
    ['Unacked', html`<span title="Messages that workers have received and not acked; from the management API, if ojs.http.management-url names it">${count(unacked)}</span>`],
    ['Consumers', broker.consumers === 0 && mode !== 'paused' ? html`<span class="warning-text">0: no process takes its jobs</span>` : count(broker.consumers)],
    ['In retry queues', count(retryQueues)],
    store ? ['Ready and available', html`<span title="Ready messages of the broker beside available jobs of the store. They are not as many for moments while jobs are on their way.">${comparison(difference)}</span>`] : null,
    store ? null : ['Dead letters', count(dead)],
  ];
}

/** Ready messages of the broker beside available jobs of the store. */
function comparison(difference) {
  return difference === null ? '–' : difference === 0 ? 'as many messages as jobs'
    : difference > 0 ? `${counted(difference, 'message')} more than jobs` : `${counted(-difference, 'job')} more than messages`;
}

function activity({ stats, range }, ctx) {
  if (!stats) {
    return nothing;
  }
  const { times, points } = filled(stats, stats.series[0]?.points);
  const minutes = stats.step_seconds / 60;
  const rate = (field) => counts(points, field).map((value) => value / minutes);
  const perMin = (value) => `${value < 10 ? +value.toFixed(1) : short(Math.round(value))}/min`;
  const tabs = html`<nav class="segments" aria-label="Time">${Object.keys(RANGES).map((key) => html`
    <a href=${ctx.linkWith({ range: key === '1h' ? null : key })} aria-current=${key === range ? 'true' : nothing}>${key}</a>`)}</nav>`;
  return html`<div class="columns">
    ${card('Throughput', chart({ times, unit: perMin, label: `Jobs in a minute over ${range}`, series: [
      { label: 'Completed', values: rate('completed'), color: '--good', fill: true },
      { label: 'Retried', values: rate('retried'), color: '--warning' },
      { label: 'Discarded', values: rate('discarded'), color: '--bad' },
    ] }), { actions: tabs })}
    ${card('Durations', chart({ times, unit: duration, label: `Times to wait and to run over ${range}`, series: [
      { label: 'Wait p95', values: durations(points, 'wait_p95_ms'), color: '--warning' },
      { label: 'Run p50', values: durations(points, 'run_p50_ms'), color: '--accent' },
      { label: 'Run p95', values: durations(points, 'run_p95_ms'), color: '--active' },
    ] }))}</div>`;
}

function types({ name, byType, range }, ctx) {
  if (!byType?.series.length) {
    return nothing;
  }
  const rows = byType.series.map((series) => {
    const { points } = filled(byType, series.points);
    const completed = counts(points, 'completed');
    return { type: series.key, completed, done: sum(completed), failed: sum(counts(points, 'discarded')) + sum(counts(points, 'retried')) };
  }).sort((a, b) => b.done - a.done);
  return card(`Types, ${range}`, table({ rows, key: (row) => row.type, caption: 'Types of jobs', columns: [
    { label: 'Type', kind: 'primary', cell: (row) => (row.type === REST ? html`<span title="All types but the 100 with the most jobs">others</span>` : jobsLink(ctx, { queue: name, type: row.type }, row.type)) },
    { label: 'Completed', kind: 'number', cell: (row) => count(row.done) },
    { label: 'Failed attempts', kind: 'number', cell: (row) => (row.failed ? html`<span class="bad-text">${count(row.failed)}</span>` : '0') },
    { label: '', kind: 'end', cell: (row) => sparkline(row.completed, { label: `${row.done} completed`, tone: 'good' }) },
  ] }), { flush: true });
}

/** Groups the newest waiting jobs: the server does not count by type. */
function waiting({ name, waiting: answer }, ctx) {
  const items = answer?.items ?? [];
  if (!items.length) {
    return nothing;
  }
  const groups = new Map();
  for (const job of items) {
    const key = JSON.stringify([job.type, job.tenant ?? null]);
    groups.set(key, { key, type: job.type, tenant: job.tenant, number: (groups.get(key)?.number ?? 0) + 1 });
  }
  const rows = [...groups.values()].sort((a, b) => b.number - a.number);
  const hasTenants = rows.some((row) => row.tenant);
  return card('What waits', table({ rows, key: (row) => row.key, caption: 'Waiting jobs by type', columns: [
    { label: 'Type', kind: 'primary', cell: (row) => html`<a href=${ctx.link('jobs', { queue: name, type: row.type, tenant: row.tenant, state: 'available,scheduled,retryable,pending' })}>${row.type}</a>` },
    hasTenants && { label: 'Tenant', cell: (row) => row.tenant ?? '–' },
    { label: 'Jobs', kind: 'number', cell: (row) => count(row.number) },
  ] }), { flush: true, note: answer.pagination?.has_more ? `of the newest ${items.length}` : nothing });
}

const LIBRARY = 'library';

const NAMES = { queue: 'this queue, at run time', default_policy: 'all queues, at run time', queue_properties: 'property of the queue', default_properties: 'ojs.queue-defaults', library: 'default' };

function configuration({ name, queue, layers }, ctx) {
  if (!queue?.config && !layers) {
    return nothing;
  }
  const list = (layers?.layers ?? [{ layer: 'queue', config: queue.config }]).map(({ layer, config }) => ({ layer, config: flat(config) }));
  const rows = [...new Set(list.flatMap((layer) => Object.keys(layer.config)))].sort().map((setting) => {
    const at = list.findIndex((layer) => setting in layer.config);
    return { setting, value: list[at].config[setting], layer: list[at].layer, others: list.slice(at + 1).filter((layer) => setting in layer.config) };
  }).sort((one, other) => (one.layer === LIBRARY) - (other.layer === LIBRARY));
  return card('Configuration', table({ rows, key: (row) => row.setting, caption: 'Settings', tone: (row) => (row.layer === LIBRARY ? 'dim' : ''), empty: empty('Nothing is set', 'The queue has the defaults of the library.'), columns: [
    { label: 'Setting', kind: 'primary', cell: (row) => html`<code class="nowrap">${row.setting}</code>` },
    { label: 'Value', cell: (row) => html`<code title=${title(row.value)}>${text(row.value)}</code>` },
    { label: 'Set by', cell: (row) => html`<span class="nowrap">${NAMES[row.layer] ?? row.layer}</span>` },
    { label: 'Overrides', kind: 'wide', hidden: (row) => !row.others.length, cell: (row) => (row.others.length ? html`<span class="muted">${row.others.map((layer) =>
      `${text(layer.config[row.setting])} (${NAMES[layer.layer] ?? layer.layer})`).join(', ')}</span>` : nothing) },
  ] }), { flush: true, actions: curl(ctx, 'GET', `v1/queues/${ctx.segment(name)}/config`) });
}

/** {retention: {completed: 'P7D'}} → {'retention.completed': 'P7D'}: a layer may set a part. */
function flat(config, prefix = '') {
  return Object.assign({}, ...Object.entries(config).map(([name, value]) => (value !== null && typeof value === 'object' && !Array.isArray(value)
    ? flat(value, `${prefix}${name}.`) : { [prefix + name]: value })));
}

function text(value) {
  const millis = millisOf(value);
  return millis !== null ? duration(millis) : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** As the API writes it. */
function title(value) {
  return millisOf(value) !== null ? value : nothing;
}
