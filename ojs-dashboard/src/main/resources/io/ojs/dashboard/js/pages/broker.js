// The broker: connections, what blocks them, and what differs from the declared topology.

import { html, nothing } from '../html.js';
import { count } from '../format.js';
import { curl } from '../ui/curl.js';
import { icon } from '../ui/icons.js';
import { card, empty, facts, head } from '../ui/parts.js';
import { chip, state } from '../ui/state.js';
import { table } from '../ui/table.js';
import { lasting, time } from '../ui/time.js';

export default {

  nav: 'broker',

  title: () => 'Broker',

  load: (ctx) => ctx.api.get('v1/broker'),

  touches: () => true,

  stale: 5_000, // No event tells of a connection.

  view(data, ctx) {
    const drift = data.topology?.drift ?? [];
    const connections = data.connections ?? [];
    return html`<div class="page">
      ${head({
        title: 'Broker', note: html`${data.reachable ? chip('good', 'connected', 'done') : chip('bad', 'not connected', 'critical')}
          ${data.product ? html`<span>${data.product} ${data.version ?? ''}</span>` : nothing}`,
        actions: curl(ctx, 'GET', 'v1/broker'),
      })}
      ${data.reachable ? nothing : held('critical', 'The application is not connected to the broker.', data.problem ?? (ctx.has('store') ? 'Jobs are still accepted, and published as soon as it is back.' : nothing))}
      ${connections.filter((each) => each.state === 'blocked').map((each) => held('warning', html`The broker blocks the connection “${each.name}”${each.blocked_since ? html` for ${lasting(each.blocked_since)}` : nothing}.`, each.reason))}
      ${card('What it is', facts([
        ['Product', data.product ? `${data.product} ${data.version ?? ''}` : '–'],
        data.cluster ? ['Cluster', html`<code>${data.cluster}</code>`] : null,
        ['Addresses', (data.addresses ?? []).length ? html`<span class="labels">${data.addresses.map((address) => html`<code>${address}</code>`)}</span>` : '–'],
        ['Seen by', processes(data, ctx)],
      ]))}
      ${card('Connections', table({ rows: connections, key: (each) => each.name, caption: 'Connections', empty: empty('No connection', 'The process has not connected yet.'), columns: [
        { label: 'Connection', kind: 'primary', cell: (each) => html`<span class="clamp" title=${each.name}>${each.name}</span>` },
        { label: 'State', cell: (each) => state(each.state) },
        { label: 'Reason', kind: 'text', hidden: (each) => !each.reason, cell: (each) => (each.reason ? html`<span class="warning-text">${each.reason}</span>` : html`<span class="muted">–</span>`) },
        { label: 'Since', cell: (each) => time(each.since) },
        { label: 'Blocked for', hidden: (each) => !each.blocked_since, cell: (each) => lasting(each.blocked_since) },
        { label: 'Reconnects', kind: 'number', title: 'Since the process started', cell: (each) => count(each.reconnects) },
      ] }), { flush: true, note: 'of the process that answered' })}
      ${card('Queues that are not as declared', table({ rows: drift, key: (each) => `${each.queue} ${each.what}`, caption: 'Queues that are not as declared', columns: [
        { label: 'Queue', kind: 'primary', cell: (each) => html`<code>${each.queue}</code>` },
        { label: 'Property', cell: (each) => each.what },
        { label: 'Declared', cell: (each) => html`<code>${text(each.declared)}</code>` },
        { label: 'At the broker', cell: (each) => html`<code class="warning-text">${text(each.found)}</code>` },
      ], empty: data.reachable ? html`<p class="calm">${icon('done')} The broker has the queues as the application declares them.</p>`
        : empty('Not known', 'The application is not connected to the broker.') }), { flush: true })}
      ${data.as_of ? html`<p class="muted">The broker was asked ${time(data.as_of)}.</p>` : nothing}
    </div>`;
  },

};

function held(severity, sentence, reason) {
  return html`<section class="why ${severity === 'critical' ? 'bad' : 'held'}" role="status"><p class="why-sentence">${icon(severity)}<strong>${sentence}</strong></p>
    ${reason ? html`<p class="muted">${reason}</p>` : nothing}</section>`;
}

function processes({ processes: list }, ctx) {
  const names = (list ?? []).map((each) => (typeof each === 'string' ? each : each.id ?? each.name));
  return names.length ? html`<span class="labels">${names.map((name) => html`<a href=${ctx.link('workers', { id: name })}>${name}</a>`)}</span>` : ctx.me.process ?? '–';
}

function text(value) {
  return value === null || value === undefined ? 'nothing' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}
