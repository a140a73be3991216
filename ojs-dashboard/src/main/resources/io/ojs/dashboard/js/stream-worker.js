// Shares one stream for each caller and tenant among all tabs. A tab that does not report for a while is gone.

import { EventStream } from './event-stream.js';

const GONE_MILLIS = 90_000; // Browsers let the timers of hidden tabs run once a minute.
const SWEEP_MILLIS = 30_000;

/** @type {Map<string, {stream: EventStream, state: string, ports: Map<MessagePort, number>}>} */
const streams = new Map();

globalThis.addEventListener('connect', (event) => {
  const port = event.ports[0];
  let opened = null;
  port.addEventListener('message', ({ data }) => {
    if (data.do === 'open') {
      leave(keyOf(opened), port);
      opened = data;
      join(opened, port);
    }
    else if (data.do === 'close') {
      leave(keyOf(opened), port);
      opened = null;
    }
    else if (data.do === 'alive' && opened) {
      const entry = streams.get(keyOf(opened));
      if (entry?.ports.has(port)) {
        entry.ports.set(port, Date.now());
      }
      else {
        // The machine slept: the tab was taken for gone.
        port.postMessage({ state: 'lost' });
        join(opened, port);
      }
      port.postMessage({ alive: true });
    }
  });
  port.start();
});

function keyOf(opened) {
  return opened && JSON.stringify([opened.url, opened.tenant, opened.caller]);
}

function join(opened, port) {
  const key = keyOf(opened);
  const entry = streams.get(key);
  if (entry) {
    entry.ports.set(port, Date.now());
    port.postMessage({ state: entry.state });
    if (entry.state === 'lost' || entry.state === 'signed-out') {
      entry.stream.hurry(); // The user has just opened a page, and so is signed in.
    }
    return;
  }
  const created = { state: 'connecting', ports: new Map([[port, Date.now()]]) };
  const all = (message) => created.ports.forEach((_, each) => each.postMessage(message));
  streams.set(key, created);
  created.stream = new EventStream(opened.url, opened.tenant, (change) => all({ change }), (state) => {
    created.state = state;
    all({ state });
  });
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
