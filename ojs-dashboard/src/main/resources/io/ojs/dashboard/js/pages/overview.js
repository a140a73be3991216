// What is stuck, and how much is done.

import { html, nothing } from '../html.js';
import { boundedCount } from '../dead-letter-count.js';
import { jobsOf } from '../depths.js';
import { atLeast, count, counted, duration, percent, short } from '../format.js';
import { completedPerMinute, counts, durations, filled, latest, RANGES, recentQuery, statsQuery, sum } from '../stats.js';
import { chart } from '../ui/chart.js';
import { icon } from '../ui/icons.js';
import { card, empty, head } from '../ui/parts.js';
import { sparkline } from '../ui/sparkline.js';
import { state } from '../ui/state.js';
import { table } from '../ui/table.js';
import { lasting, time } from '../ui/time.js';

const MOST_QUEUES = 8;

export default {

  nav: '',

  title: () => 'Overview',

  async load(ctx) {
    const range = ctx.params.get('range') ?? '1h';
    const { isOperator } = ctx;
    const lastMinutes = recentQuery(range, { by: 'none' });
    const [stats, recent, byQueue, depths, attention] = await Promise.all([
      ctx.api.find('v1/stats', statsQuery(range, { by: 'none' })),
      lastMinutes && ctx.api.find('v1/stats', lastMinutes),
      ctx.api.find('v1/stats', statsQuery('1h', { by: 'queue' })),
      isOperator ? ctx.api.find('v1/depths') : null,
      isOperator ? ctx.attention() : null,
    ]);
    return { range, stats, recent: recent ?? stats, byQueue, depths, attention };
  },

  touches: () => true,

  stale: 10_000, // No event tells of ages, nor of messages at the broker.

  view(data, ctx) {
    return html`<div class="page">
      ${head({ title: 'Overview', note: noteOf(data, ctx), actions: ranges(data.range, ctx) })}
      ${attention(data.attention, ctx)}
      ${data.stats ? [tiles(data), charts(data)] : card('Throughput', empty('No figures yet', 'The server has none for this time.'))}
      ${data.depths ? queues(data, ctx) : nothing}
    </div>`;
  },

};

function noteOf({ stats }, ctx) {
  return [ctx.tenant ? html`<span>Tenant ${ctx.tenant}</span>` : nothing,
    stats?.source === 'process' ? html`<span>Figures of process ${ctx.me.process ?? ''} since ${time(stats.since)}: there is no job store</span>` : nothing];
}

function ranges(range, ctx) {
  return html`<nav class="segments" aria-label="Time">${Object.keys(RANGES).map((key) => html`
    <a href=${ctx.linkWith({ range: key === '1h' ? null : key })} aria-current=${key === range ? 'true' : nothing}>${key}</a>`)}</nav>`;
}

function attention(answer, ctx) {
  if (!answer) {
    return nothing;
  }
  if (!answer.items.length) {
    return card(null, html`<div class="calm">${icon('done')}<span>Nothing needs attention.</span></div>`, { flush: true });
  }
  const row = (item) => html`${state(item.severity)}<span class="sentence">${item.sentence}</span>
    <span class="since">${item.since ? html`for ${lasting(item.since)}` : nothing}</span>`;
  return card('Needs attention', html`<div class="attention" data-rows>${answer.items.map((item) => (item.link
    ? html`<a data-key=${item.code} href=${ctx.link(item.link.page, item.link.params)}>${row(item)}</a>` : html`<div>${row(item)}</div>`))}</div>`,
  { flush: true, note: count(answer.items.length) });
}

function tiles({ stats, recent, range, depths, attention: figures }) {
  const { waiting, dead_letters: letters } = figures ?? {};
  const atLimits = sum((depths?.queues ?? []).map((queue) => queue.store?.blocked ?? 0));
  const { points } = filled(stats, stats.series[0]?.points);
  const completed = counts(points, 'completed');
  const failed = points.map((point) => (point ? (point.discarded ?? 0) + (point.retried ?? 0) : 0));
  const attempts = sum(completed) + sum(failed);
  const waits = durations(points, 'wait_p95_ms');
  const runs = durations(points, 'run_p95_ms');
  const rate = completedPerMinute(recent, 5);
  return html`<div class="tiles">
    ${waiting ? tile('Waiting for a worker', `${short(waiting.count)}${waiting.complete ? '' : '+'}`, depths ? `${waiting.count === 1 ? 'job' : 'jobs'}, in ${count(depths.queues.filter((queue) => queue.waiting).length)} of ${counted(depths.queues.length, 'queue')}${atLimits ? `; ${atLeast(atLimits, depths.queues.every((queue) => queue.store?.complete !== false))} more at limits` : ''}` : nothing, nothing) : nothing}
    ${letters ? html`<a class="tile" href="dead-letters"><span class="tile-label">Dead letters</span>
      <span class="tile-value ${letters.count ? 'bad-text' : ''}">${boundedCount(letters)} <small>${letters.count ? 'await a decision' : ''}</small></span></a>` : nothing}
    ${tile('Completed', rate < 10 ? +rate.toFixed(1) : short(Math.round(rate)), '/ min', sparkline(completed, { label: `Completed: ${sum(completed)} in ${range}`, tone: 'good' }))}
    ${tile('Failed attempts', attempts ? percent(sum(failed) / attempts) : '–', `${short(sum(failed))} in ${range}`, sparkline(failed, { label: `Failed attempts: ${sum(failed)} in ${range}`, tone: 'bad' }))}
    ${tile('Wait, p95', duration(latest(waits)), '', sparkline(waits, { label: `95 of 100 jobs wait at most ${duration(latest(waits))}`, tone: 'warning' }))}
    ${tile('Run, p95', duration(latest(runs)), '', sparkline(runs, { label: `95 of 100 jobs run at most ${duration(latest(runs))}`, tone: 'active' }))}
  </div>`;
}

function tile(label, value, unit, line) {
  return html`<div class="tile"><span class="tile-label">${label}</span><span class="tile-value">${value} <small>${unit}</small></span>${line}</div>`;
}

function charts({ stats, range }) {
  const { times, points } = filled(stats, stats.series[0]?.points);
  const minutes = stats.step_seconds / 60;
  const rate = (field) => counts(points, field).map((value) => value / minutes);
  const perMin = (value) => `${value < 10 ? +value.toFixed(1) : short(Math.round(value))}/min`;
  return html`<div class="columns">
    ${card('Throughput', chart({ times, unit: perMin, label: `Jobs in a minute over ${range}`, series: [
      { label: 'Completed', values: rate('completed'), color: '--good', fill: true },
      { label: 'Retried', values: rate('retried'), color: '--warning' },
      { label: 'Discarded', values: rate('discarded'), color: '--bad' },
    ] }))}
    ${card('Durations', chart({ times, unit: duration, label: `Times to wait and to run over ${range}`, series: [
      { label: 'Wait p50', values: durations(points, 'wait_p50_ms'), color: '--info' },
      { label: 'Wait p95', values: durations(points, 'wait_p95_ms'), color: '--warning' },
      { label: 'Run p50', values: durations(points, 'run_p50_ms'), color: '--accent' },
      { label: 'Run p95', values: durations(points, 'run_p95_ms'), color: '--active' },
    ] }))}</div>`;
}

function queues({ depths, byQueue }, ctx) {
  const rows = [...depths.queues].sort((a, b) => b.waiting - a.waiting || a.name.localeCompare(b.name)).slice(0, MOST_QUEUES);
  const series = new Map((byQueue?.series ?? []).map((each) => [each.key, each.points]));
  return card('Busiest queues', table({
    rows, key: (queue) => queue.name, caption: 'The queues in which most jobs wait for a worker', empty: empty('No queues yet'),
    columns: [
      { label: 'Queue', kind: 'primary', cell: (queue) => html`<a href=${ctx.link('queue', { name: queue.name })}>${queue.name}</a>` },
      { label: 'State', cell: (queue) => state(queue.state) },
      { label: 'Waiting', kind: 'number', title: 'Available jobs of the store, or messages at the broker if they are more', cell: (queue) => atLeast(queue.waiting, queue.store?.complete) },
      { label: 'Running', kind: 'number', cell: (queue) => (queue.store ? jobsOf(queue, 'active') : count(queue.unacked)) },
      { label: 'Oldest', kind: 'number', cell: (queue) => (queue.store?.oldest_available_at ? lasting(queue.store.oldest_available_at) : html`<span class="muted">–</span>`) },
      { label: 'Completed, 1 h', kind: 'end', cell: (queue) => {
        const values = counts(filled(byQueue, series.get(queue.name)).points, 'completed');
        return sparkline(values, { label: `${sum(values)} completed in an hour`, tone: 'good' });
      } },
    ],
  }), { flush: true, note: html`counted ${time(depths.as_of)}`, actions: html`<a href="queues">${depths.queues.length > MOST_QUEUES ? `All ${counted(depths.queues.length, 'queue')}` : 'More about them'}</a>` });
}
