// One job: its state and why, what happened to it, its errors, arguments and result, and the workflow around it.

import { html, nothing } from '../html.js';
import { bytes, count, counted, dayAndTime, isUuid, percent, shorten, shortId, textIn } from '../format.js';
import { argumentsOf, decode, isEncoded } from '../arguments.js';
import { confirmCancel, confirmRetry } from '../job-actions.js';
import { isEnded } from '../job-states.js';
import { labelList, labelsOf } from '../labels.js';
import { boxes } from '../ui/boxes.js';
import { curl } from '../ui/curl.js';
import { icon } from '../ui/icons.js';
import { json, textOf } from '../ui/json.js';
import { bar, button, card, copyable, empty, facts, fold, head, iconButton } from '../ui/parts.js';
import { stack } from '../ui/stack.js';
import { state } from '../ui/state.js';
import { lasting, time } from '../ui/time.js';
import { timeline } from '../ui/timeline.js';

const path = (ctx, id, rest = '') => `v1/jobs/${ctx.segment(id)}${rest}`;

export default {

  nav: 'jobs',

  title: (ctx, data) => (data ? `${data.job.type} ${shortId(data.job.id)}` : 'Job'),

  async load(ctx) {
    const id = ctx.params.get('id') ?? '';
    const [answer, why, line] = await Promise.all([
      ctx.api.get(path(ctx, id)), ctx.api.find(path(ctx, id, '/why')), ctx.api.find(path(ctx, id, '/timeline')),
    ]);
    const job = answer.job ?? answer;
    const [progress, workflow] = await Promise.all([
      job.state === 'active' || job.progress !== undefined ? ctx.api.find(path(ctx, id, '/progress')) : null,
      // A producer may have written any workflow_id.
      isUuid(job.workflow_id) && ctx.has('workflows') ? ctx.api.find(`v1/workflows/${job.workflow_id}`).catch(() => null) : null,
    ]);
    return { job, why, timeline: line, progress, workflow: workflow?.workflow ?? workflow };
  },

  touches: (change, ctx) => change.job_ids?.includes(ctx.params.get('id')),

  view(data, ctx) {
    const { job } = data;
    return html`<div class="page">
      ${head({
        title: job.type, back: { label: 'Jobs', href: 'jobs' },
        note: html`${state(job.state)}${copyable(ctx, job.id)}<a href=${ctx.link('queue', { name: job.queue })}>${job.queue}</a>
          <span>${job.attempt ? `attempt ${job.attempt} of ${job.max_attempts}` : `not started, ${counted(job.max_attempts, 'attempt')}`}</span>`,
        actions: actions(data, ctx),
      })}
      ${why(data, ctx)}
      ${progress(data)}
      <div class="columns wide-first">
        <div class="page">${['discarded', 'retryable'].includes(job.state) ? [errors(data, ctx), timelineCard(data)] : [timelineCard(data), errors(data, ctx)]}</div>
        <div class="page">${input(job, ctx)}${output(job, ctx)}${about(job, ctx)}${around(data, ctx)}</div>
      </div>
    </div>`;
  },

  keys: {
    x: { label: 'Cancel the job', can: 'admin', run: ({ job }, ctx) => (isEnded(job) ? ctx.toast('The job has ended.') : confirmCancel(ctx, job)) },
    t: { label: 'Replay the dead letter', can: 'admin', run: ({ job }, ctx) => (job.dead_lettered_at ? confirmRetry(ctx, job) : ctx.toast('The job is no dead letter.')) },
    a: { label: 'Decode the arguments', can: 'codec', needs: 'codec', run: ({ job }, ctx) => (isEncoded(job) ? decode(ctx, job) : ctx.toast('The arguments are not encrypted.')) },
    c: { label: 'Copy the job’s id', run: ({ job }, ctx) => ctx.copy(job.id) },
  },

};

function actions({ job }, ctx) {
  return [
    ctx.can('admin') && job.dead_lettered_at ? button('Replay', () => confirmRetry(ctx, job), { shape: 'retry', kind: 'primary', key: 't' }) : nothing,
    ctx.can('admin') && !isEnded(job) ? button('Cancel', () => confirmCancel(ctx, job), { shape: 'slash', key: 'x' }) : nothing,
    isEncoded(job) ? nothing : button('as code', () => ctx.copy(code(job)), { shape: 'copy', kind: 'quiet', title: 'Copies the call of Java that enqueues a job with the same type, queue, arguments, meta, tags and priority' }),
    curl(ctx, 'GET', path(ctx, job.id)),
  ];
}

/** The call that enqueues a job like this one. What the library itself writes into meta is not part of it. */
function code(job) {
  const args = listOf(job.args ?? []);
  const options = [
    `.queue(${literal(job.queue)})`,
    job.priority ? `.priority(${job.priority})` : '',
    ...Object.entries(job.meta ?? {}).filter(([name, value]) => !OWN_META.includes(name) && !name.startsWith('ojs.') && value !== null).map(([name, value]) => `.meta(${literal(name)}, ${literal(value)})`),
    job.tags?.length ? `.tags(${job.tags.map(literal).join(', ')})` : '',
  ].join('');
  return `ojs.enqueue(JobRequest.of(${literal(job.type)}${args ? `, ${args}` : ''})${options});`;
}

/** What a call has for varargs. */
const listOf = (values) => (values.length === 1 && values[0] === null ? '(Object) null' : values.map(literal).join(', '));

const OWN_META = ['traceparent', 'tracestate', 'tags', 'cron_name', 'cron_triggered_at'];

function literal(value) {
  if (value === null || typeof value === 'boolean') {
    return String(value);
  }
  if (typeof value === 'bigint') {
    return BigInt.asIntN(64, value) === value ? `${value}L` : `new BigInteger("${value}")`;
  }
  if (typeof value === 'number') {
    return !Number.isInteger(value) || Math.abs(value) <= 2 ** 31 - 1 ? String(value) : Number.isSafeInteger(value) ? `${value}L` : value.toExponential();
  }
  if (typeof value === 'string') {
    return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
  if (Array.isArray(value)) {
    return `Arrays.asList(${listOf(value)})`;
  }
  // Java's maps of entries have no null, which a handler reads as it reads what is not there.
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  return `Map.ofEntries(${entries.map(([name, each]) => `Map.entry(${literal(name)}, ${literal(each)})`).join(', ')})`;
}

/** The first reason is the main one. */
function why({ why: answer, job }, ctx) {
  const reasons = answer?.reasons ?? [];
  if (!reasons.length || (isEnded(job) && !job.dead_lettered_at && job.state === 'completed')) {
    return nothing;
  }
  const [first, ...others] = reasons;
  const calm = ['running', 'ended', 'scheduled', 'at_broker', 'retry_waits'].includes(first.code);
  const failed = job.state === 'discarded';
  return html`<section class="why ${failed ? 'bad' : calm ? '' : 'held'}" aria-label="Why">
    <p class="why-sentence">${icon(failed ? 'cross' : calm ? 'info' : 'warning')}<strong>${first.sentence}</strong></p>
    <p class="why-more">${when(first)}${links(first, job, ctx)}</p>
    ${others.length ? html`<ul>${others.map((reason) => html`<li>${reason.sentence} ${links(reason, job, ctx)}</li>`)}</ul>` : nothing}</section>`;
}

function when({ code: reason, since, until }) {
  const end = { running: 'times out', ended: 'kept until' }[reason] ?? 'until';
  return html`${since ? html`<span>${reason === 'ended' ? time(since) : html`for ${lasting(since)}`}</span>` : nothing}
    ${until ? html`<span>${end} ${reason === 'running' ? time(until) : dayAndTime(until)}</span>` : nothing}`;
}

/** Where to look for more. */
function links({ code: reason, facts: known = {} }, job, ctx) {
  switch (reason) {
    case 'limit_full': return limit(known, job, ctx);
    case 'queue_paused': return html`<a href=${ctx.link('queue', { name: job.queue })}>See the queue</a>`;
    case 'no_worker': case 'no_version': return ctx.isOperator ? html`<a href=${ctx.link('workers')}>See the workers</a>` : nothing;
    case 'broker_down': case 'broker_blocked': return ctx.isOperator ? html`<a href=${ctx.link('broker')}>See the broker</a>` : nothing;
    case 'workflow_waits': return known.workflow_id ? html`<a href=${ctx.link('workflow', { id: known.workflow_id })}>See the workflow</a>` : nothing;
    default: return nothing;
  }
}

function limit({ scope, limit: name }, job, ctx) {
  if (scope === 'queue') {
    return html`<a href=${ctx.link('queue', { name: job.queue })}>See the queue</a>`;
  }
  if (!ctx.isOperator) {
    return nothing;
  }
  return scope === 'tenant' ? html`<a href=${ctx.link('tenants', { id: name })}>See the tenant</a>` : html`<a href=${ctx.link('limits', { key: name })}>See the limit</a>`;
}

function progress({ progress: answer, job }) {
  const value = answer?.progress ?? null;
  if (value === null || (value === 0 && !answer.message)) {
    return nothing;
  }
  return card('Progress', html`<p class="progress">${bar(value, 1, { label: percent(value), tone: job.state === 'completed' ? 'good' : '' })} <strong>${percent(value)}</strong>
    ${answer.message ? html`<span>${answer.message}</span>` : nothing}${answer.updated_at ? html`<span class="muted">${time(answer.updated_at)}</span>` : nothing}</p>`);
}

function timelineCard({ timeline: answer }) {
  return answer ? card('What happened', answer.entries.length ? timeline(answer) : empty('Nothing yet')) : nothing;
}

/** The error of each failed attempt, the newest first. */
function errors({ job, timeline: line }, ctx) {
  const replays = (line?.entries ?? []).filter((entry) => entry.kind === 'replayed').map((entry) => Date.parse(entry.at));
  const list = (job.errors ?? []).map((error, index) => {
    const at = error.occurred_at;
    const replay = replays.filter((each) => each <= Date.parse(at)).length;
    return { error, at, name: `attempt ${error.attempt ?? index + 1}${replay ? ` after replay ${replay}` : ''}` };
  });
  if (!list.length) {
    return nothing;
  }
  const first = new Map();
  list.forEach((each) => first.has(likeness(each.error)) || first.set(likeness(each.error), each));
  return card('Errors', html`<div class="errors">${list.map((each) => [each, first.get(likeness(each.error))]).reverse().map(([each, same], index) =>
    fold(failure(each, same), stack(ctx, each.error), index === 0))}</div>`, { note: `${count(list.length)}${list.length >= 25 ? ', the newest' : ''}` });
}

function failure({ error, at, name }, same) {
  return html`<strong>${name.replace(/^a/, 'A')}</strong> <span class="muted">${time(at)}</span>
    <span class="bad-text" title=${error.type ?? error.code}>${shorten(`${(error.type ?? error.code ?? 'Error').split('.').at(-1)}: ${error.message ?? ''}`, 120)}</span>
    ${same.error === error ? nothing : html`<span class="muted">same as ${same.name}</span>`}`;
}

/** What equal errors have in common. The server keeps stack traces of the newest errors only. */
function likeness({ type, code, message, backtrace }) {
  return JSON.stringify([type ?? code, message, backtrace?.[0] ?? null]);
}

function input(job, ctx) {
  return card('Arguments', argumentsOf(ctx, job), { note: Number.isFinite(job.size_bytes) ? bytes(job.size_bytes) : nothing, actions: isEncoded(job) ? nothing : copyOf(ctx, 'the arguments', job.args ?? []) });
}

function copyOf(ctx, what, value) {
  return iconButton(`Copy ${what}`, 'copy', () => ctx.copy(textOf(value)));
}

function output(job, ctx) {
  return job.result === undefined || job.result === null ? nothing : card('Result', json(job.result), { actions: copyOf(ctx, 'the result', job.result) });
}

const SHOWN = ['id', 'type', 'queue', 'state', 'args', 'meta', 'errors', 'error', 'result', 'attempt', 'max_attempts', 'tags', 'labels', 'progress', 'retry', 'unique', 'rate_limit', 'specversion'];

const isTime = (name, value) => name.endsWith('_at') && !Number.isNaN(Date.parse(textIn(value)));

function about(job, ctx) {
  const trace = textIn(job.meta?.traceparent)?.split('-')[1];
  const tenant = textIn(job.meta?.tenant_id);
  const worker = textIn(job.worker);
  const labels = labelsOf(job, ctx);
  const rest = Object.fromEntries(Object.entries(job).filter(([name, value]) => !SHOWN.includes(name) && !isTime(name, value) && value !== null));
  const times = Object.entries(job).filter(([name, value]) => isTime(name, value) && (name !== 'completed_at' || job.state === 'completed'));
  return card('About', html`${facts([
    ['Priority', count(job.priority ?? 0)],
    tenant ? ['Tenant', tenant] : null,
    worker ? ['Worker', html`<code>${worker}</code>`] : null,
    ...times.map(([name, value]) => [name.slice(0, -3).replaceAll('_', ' ').replace(/^./, (char) => char.toUpperCase()), time(value)]),
    trace ? ['Trace', copyable(ctx, trace, shortId(trace))] : null,
    labels.length ? ['Labels', labelList(labels, (label) => ctx.link('jobs', { label }))] : null,
    job.unique ? ['Unique', fold('policy', json(job.unique))] : null,
    job.retry ? ['Retry', fold('policy', json(job.retry))] : null,
    job.rate_limit ? ['Limit', fold('policy', json(job.rate_limit))] : null,
  ])}
  ${Object.keys(job.meta ?? {}).length ? fold('Meta', json(job.meta), Object.keys(job.meta).length < 6) : nothing}
  ${Object.keys(rest).length ? fold('All other fields', json(rest)) : nothing}`);
}

function around({ workflow, job }, ctx) {
  return workflow ? card('Workflow', boxes(ctx, workflow, { current: job.id }), {
    actions: html`<a class="button quiet" href=${ctx.link('workflow', { id: workflow.id })}>${shorten(workflow.name ?? 'Open', 32)} ${icon('right')}</a>`,
  }) : nothing;
}
