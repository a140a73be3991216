// Crons: when each runs next, and what became of its last runs.

import { html, nothing } from '../html.js';
import { absolute, count, counted, duration, inZone, shortId } from '../format.js';
import { curl } from '../ui/curl.js';
import { isEnded } from '../job-states.js';
import { icon } from '../ui/icons.js';
import { json } from '../ui/json.js';
import { button, card, empty, facts, fold, head, iconButton, pager } from '../ui/parts.js';
import { chip, state } from '../ui/state.js';
import { table } from '../ui/table.js';
import { lasting, time } from '../ui/time.js';

const RUNS = 10;

/** The icon, the tone and the word of each outcome. */
const OUTCOMES = { triggered: ['done', 'good', 'enqueued'], waiting: ['hourglass', 'info', 'waits'], skipped: ['slash', 'warning', 'skipped'] };

const OVERLAPS = { skip: 'skip the run', allow: 'run beside it', cancel_previous: 'cancel the job before', enqueue: 'wait for it' };

const pathOf = (ctx, name, rest = '') => `v1/cron/${ctx.segment(name)}${rest}`;

export default {

  nav: 'crons',

  title: (ctx) => ctx.params.get('name') ?? 'Crons',

  async load(ctx) {
    const name = ctx.params.get('name');
    const [list, one, runs] = await Promise.all([
      ctx.api.get('v1/cron', { runs: RUNS, cursor: ctx.params.get('cursor'), limit: 100 }),
      name ? ctx.api.find(pathOf(ctx, name)) : null,
      name ? ctx.api.find(pathOf(ctx, name, '/runs'), { limit: RUNS }) : null,
    ]);
    return { ...list, one: one ? { ...one.cron, runs: runs?.runs ?? one.cron.runs ?? [] } : null };
  },

  touches: (change) => Boolean(change.kinds?.includes('cron') || change.jobs?.completed || change.jobs?.discarded),

  view(data, ctx) {
    const off = data.crons.filter((cron) => !cron.enabled).length;
    return html`<div class="page">
      ${head({ title: 'Crons', note: html`<span>${counted(data.pagination?.total ?? data.crons.length, 'cron')}${off ? `, ${off} disabled` : ''}</span>`,
        actions: curl(ctx, 'GET', 'v1/cron', { params: { runs: RUNS } }) })}
      ${data.one ? one(data.one, ctx) : nothing}
      ${ctx.params.get('name') && !data.one ? card(null, empty(`There is no cron “${ctx.params.get('name')}”`, html`<a href="crons">Show all</a>`), { flush: true }) : nothing}
      ${card(null, table({ rows: data.crons, key: (cron) => cron.name, caption: 'Crons', columns: columns(ctx), tone: (cron) => (cron.enabled ? '' : 'dim'),
        empty: empty('No crons yet', html`A method with <code>@OjsCron</code>, or <code>POST /ojs/v1/cron</code>, adds one.`) }), { flush: true })}
      ${data.pagination?.has_more || ctx.params.get('cursor') ? pager(ctx, data.pagination, nothing, 'Next') : nothing}
    </div>`;
  },

  keys: {
    t: { label: 'Run the cron of the row now', can: 'write', run: (data, ctx, name) => withCron(data, ctx, name, confirmRun) },
    p: { label: 'Enable or disable the cron of the row', can: 'write', run: (data, ctx, name) => withCron(data, ctx, name, (each, cron) => (mayChange(each, cron)
      ? turn(each, cron) : each.toast('The application declares this cron: to change it takes the right admin.'))) },
  },

};

function withCron(data, ctx, name, run) {
  const cron = data.crons.find((each) => each.name === name) ?? data.one;
  return cron ? run(ctx, cron) : ctx.toast('Choose a row by j and k first.');
}

/** Whether the caller may change it: what an application declares is the administrators'. */
const mayChange = (ctx, cron) => ctx.can('write') && (cron.source === 'api' || ctx.can('admin'));

function confirmRun(ctx, cron) {
  return ctx.act({
    title: `Run “${cron.name}” now?`, action: 'Run now', text: `Enqueues its job, ${cron.job_template.type}, beside its schedule.`,
    run: () => ctx.api.post(pathOf(ctx, cron.name, '/trigger')),
  }, ({ answer }) => `${cron.name}: ${sentenceOf(answer.run)}`);
}

function turn(ctx, cron) {
  return cron.enabled ? ctx.act({
    title: `Disable “${cron.name}”?`, action: 'Disable', danger: true, text: `It enqueues no more jobs until it is enabled again${cron.source === 'api' ? '' : ', or the application declares it differently'}. Its jobs that wait still run.`,
    run: () => ctx.api.post(pathOf(ctx, cron.name, '/disable')),
  }, `${cron.name} is disabled`) : ctx.act({
    title: `Enable “${cron.name}”?`, action: 'Enable', text: 'It runs at its next time. Times that passed meanwhile are not made up for.',
    run: () => ctx.api.post(pathOf(ctx, cron.name, '/enable')),
  }, `${cron.name} is enabled`);
}

/** The state of the job that a run has enqueued; the jobs of other runs are not theirs. */
const stateOf = (run) => (run.outcome === 'triggered' ? run.job_state ?? null : null);

/** What became of a run, in words. */
function sentenceOf(run) {
  const why = run.detail ?? run.reason?.replaceAll('_', ' ');
  return `${stateOf(run)?.replaceAll('_', ' ') ?? OUTCOMES[run.outcome]?.[2] ?? run.outcome}${why ? `: ${why}` : ''}`;
}

/** How a run looks: the job may have failed, or may not have ended. */
function kindOf(run) {
  const job = stateOf(run);
  return ['discarded', 'retryable'].includes(job) ? 'failed' : job && !isEnded({ state: job }) ? 'open' : OUTCOMES[run.outcome] ? run.outcome : '';
}

function columns(ctx) {
  return [
    { label: 'Cron', kind: 'primary', cell: (cron) => html`<a href=${ctx.linkWith({ name: cron.name })}>${cron.name}</a>
      ${cron.description ? html`<span class="sub"><span class="clamp" title=${cron.description}>${cron.description}</span></span>` : nothing}` },
    { label: 'Schedule', kind: 'text', cell: (cron) => html`<code class="nowrap">${cron.expression}</code><span class="sub">${cron.timezone}</span>` },
    { label: 'State', cell: (cron) => state(cron.enabled ? 'enabled' : 'disabled') },
    { label: 'Next', cell: (cron) => (cron.enabled ? time(cron.next_run_at) : html`<span class="muted">–</span>`) },
    { label: 'Runs', title: 'The last ten, the newest to the right', cell: (cron) => marks(cron.runs ?? [], ctx) },
    { label: 'Last', kind: 'text', cell: (cron) => last(cron, ctx) },
    ctx.can('write') && { label: 'Actions', kind: 'actions', cell: (cron) => html`<span class="nowrap">${iconButton(`Run ${cron.name} now`, 'play', () => confirmRun(ctx, cron))}${mayChange(ctx, cron)
      ? iconButton(`${cron.enabled ? 'Disable' : 'Enable'} ${cron.name}`, cron.enabled ? 'pause' : 'power', () => turn(ctx, cron)) : nothing}</span>` },
  ];
}

/** The last runs, the newest to the right. Their heights tell outcomes apart, too. */
function marks(runs, ctx) {
  return runs.length ? html`<span class="marks">${runs.slice(0, RUNS).reverse().map((run) => {
    const text = `${absolute(run.scheduled_at)}: ${sentenceOf(run)}`;
    const kind = `mark ${kindOf(run)}`;
    return run.job_id ? html`<a class=${kind} href=${ctx.link('job', { id: run.job_id })} title=${text} aria-label=${text}></a>`
      : html`<span class=${kind} role="img" title=${text} aria-label=${text}></span>`;
  })}</span>` : html`<span class="muted">–</span>`;
}

function last(cron, ctx) {
  const run = cron.runs?.[0];
  if (!run) {
    return cron.last_run_at ? html`${time(cron.last_run_at)}` : html`<span class="muted">not yet</span>`;
  }
  const words = html`${time(run.scheduled_at)}`;
  return html`${run.outcome === 'triggered' && run.job_id ? html`<a href=${ctx.link('job', { id: run.job_id })}>${words}</a>` : words}
    <span class="sub"><span class="clamp ${{ skipped: 'warning-text', failed: 'bad-text' }[kindOf(run)] ?? ''}" title=${sentenceOf(run)}>${sentenceOf(run)}</span></span>`;
}

function one(cron, ctx) {
  const next = cron.next_runs ?? (cron.next_run_at ? [cron.next_run_at] : []);
  return card(cron.name, html`
    ${cron.description ? html`<p class="lead">${cron.description}</p>` : nothing}
    ${facts([
      ['Schedule', html`<code>${cron.expression}</code> ${cron.timezone}`],
      ['Job', html`<a href=${ctx.link('jobs', { type: cron.job_template.type })}>${cron.job_template.type}</a>`],
      ['If the job before still runs', OVERLAPS[cron.overlap_policy] ?? cron.overlap_policy],
      ['Declared by', cron.source === 'api' ? 'the HTTP API' : cron.source],
      ['Runs so far', count(cron.run_count)],
    ])}
    <section class="spaced"><h3>Next ${next.length > 1 ? `${next.length} times` : 'time'} <span class="muted">${cron.timezone}</span></h3>
      ${cron.enabled && next.length ? html`<p class="labels">${next.map((at) => html`<time class="label" datetime=${at} title=${absolute(at)}>${inZone(at, cron.timezone)}</time>`)}</p>`
        : html`<p class="muted">${cron.enabled ? 'None' : 'None: it is disabled'}</p>`}</section>
    <section class="spaced"><h3>Last runs</h3>
      ${table({ rows: cron.runs, key: (run) => run.scheduled_at, caption: 'Last runs', columns: runColumns(ctx), empty: html`<p class="muted">None yet</p>` })}</section>
    ${fold('The job that it enqueues', json(cron.job_template))}`, {
    kind: 'chosen', note: state(cron.enabled ? 'enabled' : 'disabled'),
    actions: [
      ctx.can('write') ? button('Run now', () => confirmRun(ctx, cron), { shape: 'play', key: 't' }) : nothing,
      mayChange(ctx, cron) ? button(cron.enabled ? 'Disable' : 'Enable', () => turn(ctx, cron), { shape: cron.enabled ? 'pause' : 'power', key: 'p' }) : nothing,
      html`<a class="icon-button" href=${ctx.linkWith({ name: null })} aria-label="Close" title="Close">${icon('close')}</a>`,
    ],
  });
}

function runColumns(ctx) {
  const none = html`<span class="muted">–</span>`;
  return [
    { label: 'Due', cell: (run) => time(run.scheduled_at) },
    { label: 'Outcome', kind: 'text', cell: (run) => outcome(run) },
    { label: 'Triggered by', cell: (run) => run.triggered_by ?? html`<span class="muted">its schedule</span>` },
    { label: 'Job', cell: (run) => (run.job_id ? html`<a href=${ctx.link('job', { id: run.job_id })}>${shortId(run.job_id)}</a>` : none) },
    { label: 'Started', cell: (run) => (stateOf(run) ? time(run.job_started_at) : none) },
    { label: 'Took', kind: 'number', title: 'The last attempt of the job', cell: (run) => took(run) ?? none },
  ];
}

function outcome(run) {
  const [shape, tone, word] = OUTCOMES[run.outcome] ?? ['ring', 'quiet', run.outcome];
  const why = run.detail ?? run.reason?.replaceAll('_', ' ');
  return html`${stateOf(run) ? state(stateOf(run)) : chip(tone, word, shape)}${why ? html`<span class="sub">${why}</span>` : nothing}`;
}

function took(run) {
  const { job_started_at: started, job_ended_at: ended } = run;
  return !stateOf(run) || !started ? null : ended ? duration(Date.parse(ended) - Date.parse(started)) : stateOf(run) === 'active' ? lasting(started) : null;
}
