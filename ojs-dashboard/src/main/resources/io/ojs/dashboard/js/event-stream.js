// The server's stream of changes, read by fetch: an EventSource cannot send the header that names the tenant.

import { retryAfter } from './retry-after.js';

const FIRST_PAUSE_MILLIS = 1_000;
const LONGEST_PAUSE_MILLIS = 30_000;
const SILENCE_MILLIS = 45_000; // The server sends a ping each 15 seconds.
const STEADY_MILLIS = 10_000; // A stream that lasts so long is a good one.
const LONGEST_MESSAGE = 1_000_000;

/**
 * @typedef {'connecting'|'live'|'unavailable'|'signed-out'|'lost'} StreamState
 */
export class EventStream {

  /**
   * @param {string} url
   * @param {string|null} tenant
   * @param {(change: object) => void} onChange
   * @param {(state: StreamState) => void} onState
   */
  constructor(url, tenant, onChange, onState) {
    this.url = url;
    this.tenant = tenant;
    this.onChange = onChange;
    this.onState = onState;
    this.pause = FIRST_PAUSE_MILLIS;
    this.closed = false;
    this.#run();
  }

  close() {
    this.closed = true;
    clearTimeout(this.silence);
    clearTimeout(this.retry);
    this.abort?.abort();
  }

  /** Tries again now, if it waits after a loss or for the user to sign in. */
  hurry() {
    if (this.retry && !this.closed) {
      clearTimeout(this.retry);
      this.#run();
    }
  }

  async #run() {
    this.retry = null;
    this.liveSince = null;
    this.onState('connecting');
    this.abort = new AbortController();
    let wait = null;
    try {
      wait = await this.#read();
    }
    catch {
      // The connection broke: say so below.
    }
    clearTimeout(this.silence);
    if (this.closed) {
      return;
    }
    if (wait === null) {
      if (this.liveSince !== null && performance.now() - this.liveSince > STEADY_MILLIS) {
        this.pause = FIRST_PAUSE_MILLIS;
      }
      this.onState('lost');
      wait = this.pause;
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MILLIS);
    }
    // All pages come back after a restart: not in the same millisecond, and not before the time that the server named.
    this.retry = setTimeout(() => this.#run(), wait * (1 + Math.random() / 2));
  }

  /** @returns {Promise<number|null>} milliseconds to wait, if the server said so; null if the stream ended */
  async #read() {
    const headers = { Accept: 'text/event-stream' };
    if (this.tenant) {
      headers['X-OJS-Tenant'] = this.tenant;
    }
    this.#awaitSound();
    const answer = await fetch(this.url, { headers, redirect: 'manual', cache: 'no-store', signal: this.abort.signal });
    if (answer.type === 'opaqueredirect' || answer.status === 401) {
      this.onState('signed-out');
      return LONGEST_PAUSE_MILLIS;
    }
    const isStream = (answer.headers.get('Content-Type') ?? '').startsWith('text/event-stream');
    if (!answer.ok || !answer.body || !isStream) {
      await answer.body?.cancel();
      this.onState('unavailable');
      return Math.max(LONGEST_PAUSE_MILLIS, (retryAfter(answer) ?? 0) * 1000);
    }
    this.liveSince = performance.now();
    this.onState('live');
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      this.#awaitSound();
      const { value, done } = await reader.read();
      if (done) {
        return null;
      }
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      if (rest.length > LONGEST_MESSAGE) {
        return null;
      }
      blocks.forEach((block) => this.#message(block));
    }
  }

  #message(block) {
    const data = block.split(/\r?\n/).filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
    if (data.length) {
      try {
        this.onChange(JSON.parse(data.join('\n')));
      }
      catch {
        this.onChange({ more: true }); // Something changed; the page cannot tell what.
      }
    }
  }

  #awaitSound() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.abort.abort(), SILENCE_MILLIS);
  }

}
