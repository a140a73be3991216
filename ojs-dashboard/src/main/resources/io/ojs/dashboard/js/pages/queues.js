// Each queue with what the broker has beside what the store has.

import { html, nothing } from '../html.js';
import { bounds, deadLettersOf, jobsOf } from '../depths.js';
import { age, count, counted } from '../format.js';
import { counts, filled, statsQuery, sum } from '../stats.js';
import { confirmPause, confirmResume, mayPause, pauseOrResume } from '../queue-actions.js';
import { curl } from '../ui/curl.js';
import { icon } from '../ui/icons.js';
import { card, empty, head, iconButton } from '../ui/parts.js';
import { sparkline } from '../ui/sparkline.js';
import { state } from '../ui/state.js';
import { table } from '../ui/table.js';
import { lasting, time } from '../ui/time.js';

const OLD_MILLIS = 300_000;

export default {

  nav: 'queues',

  title: () => 'Queues',

  async load(ctx) {
    const [depths, stats] = await Promise.all([ctx.api.get('v1/depths'), ctx.api.find('v1/stats', statsQuery('1h', { by: 'queue' }))]);
    return { ...depths, stats };
  },

  stale: 10_000, // No event tells of messages at the broker.

  touches: (change) => change.queues?.length > 0 || change.kinds?.includes('queue') || Boolean(change.jobs),

  view(data, ctx) {
    const needle = ctx.params.get('name')?.toLowerCase() ?? '';
    const rows = data.queues.filter((queue) => queue.name.toLowerCase().includes(needle));
    return html`<div class="page">
      ${head({ title: 'Queues', note: noteOf(data), actions: [search(ctx), curl(ctx, 'GET', 'v1/depths')] })}
      ${card(null, table({
        rows, key: (queue) => queue.name, caption: 'Queues', columns: columns(data, ctx),
        empty: needle ? empty('No queue matches', html`<a href="queues">Show all</a>`)
          : empty('No queues yet', 'A queue appears when an application works it or enqueues to it.'),
      }), { flush: true })}
      ${bounds(data)}
    </div>`;
  },

  keys: {
    p: { label: 'Pause or resume the queue of the row', can: 'admin', needs: 'store', run: (data, ctx, name) => {
      const queue = data.queues.find((each) => each.name === name);
      if (!queue) {
        return ctx.toast('Choose a row by j and k first.');
      }
      return queue.state === 'draining' ? ctx.toast(`${name} drains. Resume it on its page.`) : pauseOrResume(ctx, name, queue);
    } },
  },

};

function noteOf({ outbox, queues, as_of: countedAt }) {
  const paused = queues.filter((queue) => queue.state === 'paused').length;
  return html`<span>${counted(queues.length, 'queue')}${paused ? `, ${paused} paused` : ''}</span>
    <span>counted ${time(countedAt)}</span>
    ${outbox ? html`<span class=${age(outbox.oldest_at) > OLD_MILLIS ? 'warning-text' : ''}>${counted(outbox.waiting, 'job')} not published yet${outbox.oldest_at
      ? html`, the oldest for ${lasting(outbox.oldest_at)}` : nothing}</span>` : nothing}`;
}

function search(ctx) {
  return html`<form class="filters" role="search" @submit=${(event) => event.preventDefault()}><label><span class="sr">Name</span>
    <input type="search" placeholder="Name" .value=${ctx.params.get('name') ?? ''} @input=${(event) => ctx.goWith({ name: event.target.value })}></label></form>`;
}

function columns(data, ctx) {
  const { queues, stats } = data;
  const hasStore = queues.some((queue) => queue.store);
  const hasBroker = queues.some((queue) => queue.broker);
  const series = new Map((stats?.series ?? []).map((each) => [each.key, each.points]));
  const number = (value, text = count(value)) => (value ? text : html`<span class="muted">${text}</span>`);
  const inStore = (state) => (queue) => number(queue.store?.[state], jobsOf(queue, state));
  return [
    { label: 'Queue', kind: 'primary', cell: (queue) => html`<a href=${ctx.link('queue', { name: queue.name })}>${queue.name}</a>` },
    { label: 'State', cell: (queue) => html`${state(queue.state)}${queue.paused_at ? html`<span class="sub">for ${lasting(queue.paused_at)}${queue.paused_by ? ` by ${queue.paused_by}` : ''}</span>` : nothing}` },
    hasBroker && { label: 'Ready', kind: 'number', group: 'At the broker', begins: true, title: 'Messages in the queue of the broker', cell: (queue) => (queue.broker?.exists === false
      ? html`<span class="muted" title="The broker has no such queue">none</span>` : number(queue.broker?.ready)) },
    hasBroker && { label: 'Unacked', kind: 'number', group: 'At the broker', title: 'Messages that workers have received and not acked, from the management API', hidden: (queue) => queue.unacked === null,
      cell: (queue) => number(queue.unacked) },
    hasBroker && { label: 'Consumers', kind: 'number', group: 'At the broker', title: 'Consumers at the broker', cell: (queue) => (queue.state === 'active' && queue.broker?.consumers === 0 && queue.broker.ready > 0
      ? html`<span class="bad-text" title="Jobs wait, and no process takes them">${icon('warning')} 0</span>` : number(queue.broker?.consumers)) },
    hasStore && { label: 'Available', kind: 'number', group: 'In the store', begins: true, title: 'Jobs of the store that may run now', cell: inStore('available') },
    hasStore && { label: 'Active', kind: 'number', group: 'In the store', title: 'Jobs of the store that run', cell: inStore('active') },
    hasStore && { label: 'Scheduled', kind: 'number', group: 'In the store', hidden: (queue) => !queue.store?.scheduled, cell: inStore('scheduled') },
    hasStore && { label: 'Retryable', kind: 'number', group: 'In the store', hidden: (queue) => !queue.store?.retryable, cell: inStore('retryable') },
    hasStore && { label: 'At limits', kind: 'number', group: 'In the store', title: 'Jobs that wait for a limit', hidden: (queue) => !queue.store?.blocked, cell: inStore('blocked') },
    hasStore && { label: 'Oldest', kind: 'number', group: 'In the store', title: 'How long the oldest available job has waited', cell: (queue) => oldest(queue) },
    hasStore && hasBroker && { label: 'Ready − available', kind: 'number', begins: true, title: 'Ready messages of the broker, less available jobs of the store. It is not 0 for moments while jobs are on their way.',
      cell: (queue) => (queue.difference ? html`<span class="warning-text">${queue.difference > 0 ? '+' : ''}${count(queue.difference)}</span>` : number(queue.difference)) },
    { label: 'Dead letters', kind: 'number', hidden: (queue) => !queue.dead_letters, cell: (queue) => (queue.dead_letters
      ? html`<a href=${ctx.link('dead-letters', { dead_letter_queue: queue.name })}>${deadLettersOf(queue, data)}</a>` : number(queue.dead_letters)) },
    stats && { label: 'Completed, 1 h', kind: 'end', roomy: true, cell: (queue) => {
      const values = counts(filled(stats, series.get(queue.name)).points, 'completed');
      return sparkline(values, { label: `${sum(values)} completed in an hour`, tone: 'good' });
    } },
    ctx.can('admin') && ctx.has('store') && { label: 'Actions', kind: 'actions', cell: (queue) => (queue.state === 'paused'
      ? iconButton(`Resume ${queue.name}`, 'play', () => confirmResume(ctx, queue.name))
      : mayPause(queue) ? iconButton(`Pause ${queue.name}`, 'pause', () => confirmPause(ctx, queue.name)) : nothing) },
  ];
}

function oldest(queue) {
  const at = queue.store?.oldest_available_at;
  const millis = age(at);
  return millis === null ? html`<span class="muted">–</span>` : html`<span class=${millis > OLD_MILLIS ? 'warning-text' : ''}>${lasting(at)}</span>`;
}
