// Who works: processes of applications, and workers that fetch over HTTP.

import { html, nothing } from '../html.js';
import { count } from '../format.js';
import { curl } from '../ui/curl.js';
import { icon } from '../ui/icons.js';
import { button, card, copyable, empty, facts, fold, head, iconButton, jobsLink } from '../ui/parts.js';
import { filters } from '../ui/filters.js';
import { chip, state } from '../ui/state.js';
import { table } from '../ui/table.js';
import { time } from '../ui/time.js';

const PAGE = 100;
const SHOWN_LABELS = 4;

export default {

  nav: 'workers',

  title: (ctx) => ctx.params.get('id') ?? 'Workers',

  async load(ctx) {
    const id = ctx.params.get('id');
    const [list, one] = await Promise.all([ctx.api.get('v1/admin/workers', { per_page: PAGE }), id ? ctx.api.find(`v1/admin/workers/${ctx.segment(id)}`).catch(unaskable) : null]);
    const workers = list.items.map(known);
    return { workers, total: list.pagination?.total ?? workers.length, one: one ? known(one) : workers.find((worker) => worker.id === id) ?? null };
  },

  touches: (change) => Boolean(change.kinds?.includes('worker') || (change.jobs && Object.keys(change.jobs).length)),

  view(data, ctx) {
    const shown = data.workers.filter((worker) => matches(worker, ctx));
    const processes = shown.filter((worker) => worker.kind === 'process');
    const fetching = shown.filter((worker) => worker.kind !== 'process');
    const id = ctx.params.get('id');
    return html`<div class="page">
      ${head({ title: 'Workers', note: versions(data.workers), actions: curl(ctx, 'GET', 'v1/admin/workers') })}
      ${data.one ? one(data.one, ctx) : id ? card(null, empty(`There is no worker “${id}” now`, html`<a href="workers">Show all</a>`), { flush: true }) : nothing}
      ${filters(ctx, [{ name: 'queue', label: 'Works queue' }, { name: 'type', label: 'Works type' }, { name: 'version', label: 'Application version' }])}
      ${data.workers.length && !shown.length ? card(null, empty('No worker matches', html`<a href="workers">Show all</a>`), { flush: true }) : nothing}
      ${processes.length || !data.workers.length ? card('Processes', table({ rows: processes, key: (worker) => worker.id, caption: 'Processes', columns: columns(ctx, true),
        empty: empty('No process works', 'A process of an application with handlers appears here a few seconds after its start.') }), { flush: true, note: 'of applications with this library' }) : nothing}
      ${fetching.length ? card('Fetching workers', table({ rows: fetching, key: (worker) => worker.id, caption: 'Workers that fetch', columns: columns(ctx, false) }),
        { flush: true, note: 'over HTTP' }) : nothing}
      ${types(shown, ctx)}
      ${data.total > data.workers.length ? html`<p class="muted">The first ${count(data.workers.length)} of ${count(data.total)}.</p>` : nothing}
    </div>`;
  },

  keys: {
    q: { label: 'Quiet the fetching worker of the row', can: 'admin', run: (data, ctx, id) => {
      const worker = id ? data.workers.find((each) => each.id === id) : data.one;
      return worker && mayDirect(ctx, worker) ? confirmQuiet(ctx, worker) : ctx.toast('Choose a worker that fetches by j and k first.');
    } },
  },

};

/** Servers refuse paths with an encoded slash or percent sign, which the id of a worker that fetches may have. The list has it. */
function unaskable(failure) {
  if (failure.status === 400) {
    return null;
  }
  throw failure;
}

/** Workers that fetch may not tell their types. */
function known(worker) {
  return { ...worker, types: worker.types ?? [] };
}

function matches(worker, ctx) {
  const [queue, type, version] = ['queue', 'type', 'version'].map((name) => ctx.params.get(name)?.toLowerCase() ?? '');
  return (!queue || worker.queues.some((each) => each.toLowerCase().includes(queue)))
    && (!type || worker.types.some((each) => each.type.toLowerCase().includes(type)))
    && (!version || (worker.application_version ?? '').toLowerCase().includes(version));
}

/** Which versions of applications work: what a deployment changes. */
function versions(workers) {
  const numbers = new Map();
  for (const worker of workers) {
    const name = [worker.application, worker.application_version].filter(Boolean).join(' ');
    if (worker.kind === 'process' && name) {
      numbers.set(name, (numbers.get(name) ?? 0) + 1);
    }
  }
  return html`<span>${count(workers.length)} ${workers.length === 1 ? 'worker' : 'workers'}</span>${[...numbers].slice(0, 6).map(([name, number]) => html`<span class="label">${name} × ${count(number)}</span>`)}`;
}

/** What the state of a worker that fetches means, beside what it was told. */
const stateOf = (worker) => html`${state(worker.state)}${worker.directive && worker.directive !== 'running' && worker.directive !== worker.state
  ? html` ${chip('quiet', `told: ${worker.directive}`, 'info')}` : nothing}`;

const mayDirect = (ctx, worker) => worker.kind === 'worker' && ctx.can('admin');

function confirmQuiet(ctx, worker) {
  return ctx.act({ title: 'Quiet this worker?', text: html`<p><code>${worker.id}</code></p><p>It ends what it runs, and fetches no more jobs.</p>`, action: 'Quiet',
    run: () => ctx.api.post(`v1/admin/workers/${ctx.segment(worker.id)}/quiet`) }, 'The worker is told with its next heartbeat');
}

function confirmTerminate(ctx, worker) {
  return ctx.act({ title: 'Terminate this worker?', text: html`<p><code>${worker.id}</code></p><p>It stops when it has run what it runs now. What it has not ended when its time is over runs again elsewhere.</p>`, action: 'Terminate', danger: true,
    run: () => ctx.api.post(`v1/admin/workers/${ctx.segment(worker.id)}/terminate`) }, 'The worker is told with its next heartbeat');
}

function columns(ctx, isProcess) {
  return [
    { label: isProcess ? 'Process' : 'Worker', kind: 'primary', cell: (worker) => html`<a href=${ctx.linkWith({ id: worker.id })}>${worker.id}</a>${placeOf(worker)
      ? html`<span class="sub">${placeOf(worker)}</span>` : nothing}` },
    { label: 'State', cell: stateOf },
    { label: 'Queues', kind: 'text', cell: (worker) => labels(worker.queues, (name) => ctx.link('queue', { name })) },
    { label: 'Types', kind: 'number', hidden: (worker) => !worker.types.length, cell: (worker) => (worker.types.length ? html`<a href=${ctx.linkWith({ id: worker.id })}>${count(worker.types.length)}</a>`
      : html`<span class="muted" title="It does not say which types it works">any</span>`) },
    { label: 'Running', kind: 'number', cell: (worker) => running(worker, ctx) },
    { label: 'Application', kind: 'text', hidden: (worker) => !worker.application && !worker.application_version && !worker.version, cell: (worker) => applicationOf(worker) },
    { label: 'Started', roomy: true, cell: (worker) => time(worker.started_at) },
    { label: 'Seen', cell: (worker) => time(worker.last_seen) },
    !isProcess && ctx.can('admin') && { label: 'Actions', kind: 'actions', cell: (worker) => html`${worker.directive === 'running' || !worker.directive
      ? iconButton(`Quiet ${worker.id}`, 'moon', () => confirmQuiet(ctx, worker)) : nothing}${worker.directive === 'terminate' ? nothing
      : iconButton(`Terminate ${worker.id}`, 'stop', () => confirmTerminate(ctx, worker))}` },
  ];
}

/** How many jobs it runs, and which. */
const running = ({ id, active_jobs: number }, ctx) => (number ? jobsLink(ctx, { worker: id }, count(number)) : count(number));

const placeOf = ({ host, pid }) => [host, pid ? `pid ${pid}` : null].filter(Boolean).join(', ');

function applicationOf({ application, application_version: version, version: library }) {
  const name = [application, version].filter(Boolean).join(' ');
  return name || library ? html`${name || nothing}${library ? html`<span class="sub">OJS ${library}</span>` : nothing}` : html`<span class="muted">–</span>`;
}

function labels(names, link) {
  const shown = names.length > SHOWN_LABELS + 1 ? names.slice(0, SHOWN_LABELS) : names;
  return html`<span class="labels">${shown.map((name) => html`<a class="label" href=${link(name)}>${name}</a>`)}${names.length > shown.length
    ? html`<span class="muted" title=${names.slice(shown.length).join(', ')}>+${count(names.length - shown.length)}</span>` : nothing}${names.length ? nothing : html`<span class="muted">–</span>`}</span>`;
}

function one(worker, ctx) {
  return card(worker.id, html`${facts([
    ['State', stateOf(worker)],
    ['Running', html`${running(worker, ctx)}${worker.concurrency ? html` of ${count(worker.concurrency)} at once` : nothing}`],
    ['Application', applicationOf(worker)],
    placeOf(worker) ? ['Host', placeOf(worker)] : null,
    ['Started', time(worker.started_at)],
    ['Seen', time(worker.last_seen)],
    ['Id', copyable(ctx, worker.id)],
    Array.isArray(worker.labels) && worker.labels.length ? ['Labels', labels(worker.labels.map(String), () => ctx.linkWith({}))] : null,
  ])}
  <div class="columns spaced">
    <section><h3>Queues</h3>${worker.queues.length ? html`<ul class="rows">${worker.queues.map((name) => html`<li><a href=${ctx.link('queue', { name })}>${name}</a>${worker.consumers?.[name] ? html`<span class="muted">${count(worker.consumers[name])} at once</span>` : nothing}</li>`)}</ul>` : html`<p class="muted">None</p>`}</section>
    <section><h3>Types</h3>${worker.types.length ? html`<ul class="rows">${worker.types.map((each) => html`<li>${jobsLink(ctx, { type: each.type }, each.type)}<span class="muted">${versionsOf(each)}</span></li>`)}</ul>`
      : html`<p class="muted">It does not say which: any of its queues</p>`}</section>
  </div>`, {
    kind: 'chosen',
    actions: [
      mayDirect(ctx, worker) && worker.directive !== 'terminate' ? [worker.directive === 'quiet' ? nothing : button('Quiet', () => confirmQuiet(ctx, worker), { shape: 'moon', key: 'q' }),
        button('Terminate', () => confirmTerminate(ctx, worker), { shape: 'stop', kind: 'danger' })] : nothing,
      html`<a class="icon-button" href=${ctx.linkWith({ id: null })} aria-label="Close" title="Close">${icon('close')}</a>`,
    ],
  });
}

function versionsOf({ versions: list }) {
  const text = Array.isArray(list) ? list.join(', ') : list;
  return !text || text === '*' ? 'all versions' : text;
}

/** Which versions of each type are worked, and by how many: what a deployment may have forgotten. */
function types(workers, ctx) {
  const found = new Map();
  for (const worker of workers) {
    for (const each of worker.types) {
      const key = JSON.stringify([each.type, versionsOf(each)]);
      const row = found.get(key) ?? { key, type: each.type, versions: versionsOf(each), workers: 0, queues: new Set(), applications: new Set() };
      row.workers += 1;
      worker.queues.forEach((queue) => row.queues.add(queue));
      worker.application_version && row.applications.add(worker.application_version);
      found.set(key, row);
    }
  }
  const rows = [...found.values()].sort((a, b) => a.type.localeCompare(b.type) || a.versions.localeCompare(b.versions));
  if (!rows.length) {
    return nothing;
  }
  return card(null, fold(html`<strong>Types that are worked</strong> <span class="muted">${count(new Set(rows.map((row) => row.type)).size)}</span>`, table({ rows, key: (row) => row.key, caption: 'Types that are worked', columns: [
    { label: 'Type', kind: 'primary', cell: (row) => jobsLink(ctx, { type: row.type }, row.type) },
    { label: 'Versions', cell: (row) => row.versions },
    { label: 'Workers', kind: 'number', cell: (row) => count(row.workers) },
    { label: 'Of application versions', cell: (row) => [...row.applications].join(', ') || html`<span class="muted">–</span>` },
    { label: 'From queues', kind: 'text', cell: (row) => labels([...row.queues], (name) => ctx.link('queue', { name })) },
  ] })), { flush: true, kind: 'folded' });
}

