// Shares one stream for each caller and tenant among all tabs. A tab that does not report for a while is gone.

import { EventStream } from './event-stream.js';

const GONE_MILLIS = 90_000; // Browsers let the timers of hidden tabs run once a minute.
const SWEEP_MILLIS = 30_000;

/** @type {Map<string, {stream: EventStream, state: string, ports: Map<MessagePort, number>}>} */
const streams = new Map();

globalThis.addEventListener('connect', (event) => {
  const port = event.ports[0];
  let key = null;
  port.addEventListener('message', ({ data }) => {
    if (data.do === 'open') {
      leave(key, port);
      key = JSON.stringify([data.url, data.tenant, data.caller]);
      join(key, port, data);
    }
    else if (data.do === 'close') {
      leave(key, port);
      key = null;
    }
    else if (data.do === 'alive') {
      streams.get(key)?.ports.set(port, Date.now());
    }
  });
  port.start();
});

function join(key, port, { url, tenant }) {
  let entry = streams.get(key);
  if (!entry) {
    entry = { state: 'connecting', ports: new Map() };
    streams.set(key, entry);
    const all = (message) => entry.ports.forEach((_, each) => each.postMessage(message));
    entry.stream = new EventStream(url, tenant, (change) => all({ change }), (state) => {
      entry.state = state;
      all({ state });
    });
  }
  entry.ports.set(port, Date.now());
  port.postMessage({ state: entry.state });
}

function leave(key, port) {
  const entry = streams.get(key);
  entry?.ports.delete(port);
  if (entry?.ports.size === 0) {
    entry.stream.close();
    streams.delete(key);
  }
}

setInterval(() => {
  for (const [key, entry] of streams) {
    for (const [port, seen] of entry.ports) {
      if (Date.now() - seen > GONE_MILLIS) {
        leave(key, port);
      }
    }
  }
}, SWEEP_MILLIS);
