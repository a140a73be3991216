// The changes, for one tab: by the shared worker if the browser has one. A hidden tab takes none.

import { EventStream } from './event-stream.js';
import { workerUrl } from './trusted.js';

const ALIVE_MILLIS = 20_000;
const MOST_UNANSWERED = 3;

export class Changes {

  /**
   * @param {string} url of the stream
   * @param {(change: object) => void} onChange
   * @param {(state: import('./event-stream.js').StreamState|'paused') => void} onState
   */
  constructor(url, onChange, onState) {
    this.url = url;
    this.onChange = onChange;
    this.onState = onState;
    this.tenant = null;
    this.caller = null;
    this.isOpen = false;
    this.unanswered = 0;
    document.addEventListener('visibilitychange', () => this.#follow());
    addEventListener('pagehide', () => this.#close());
    addEventListener('pageshow', () => this.#follow());
    this.#worker();
  }

  /** Follows the changes of a tenant, or of all, as a caller: tabs of another caller have another stream. */
  open(tenant, caller) {
    this.tenant = tenant;
    this.caller = caller;
    this.wanted = true;
    this.#close();
    this.#follow();
  }

  #follow() {
    if (!this.wanted) {
      return;
    }
    if (document.hidden) {
      this.#close();
      this.onState('paused');
    }
    else if (!this.isOpen) {
      this.isOpen = true;
      this.#open();
    }
  }

  #worker() {
    try {
      const worker = new SharedWorker(workerUrl(), { type: 'module', name: 'ojs' });
      worker.addEventListener('error', () => this.#alone());
      this.port = worker.port;
    }
    catch {
      return; // Not in this browser: this tab has a stream of its own.
    }
    this.port.addEventListener('message', ({ data }) => {
      this.unanswered = 0;
      if (this.isOpen && !data.alive) {
        data.state ? this.onState(data.state) : this.onChange(data.change);
      }
    });
    this.port.start();
    setInterval(() => this.#reportAlive(), ALIVE_MILLIS);
  }

  #reportAlive() {
    if (this.isOpen && this.port) {
      this.unanswered++ < MOST_UNANSWERED ? this.port.postMessage({ do: 'alive' }) : this.#alone();
    }
  }

  /** Without the worker: its script could not be loaded, or the browser has ended it. */
  #alone() {
    const { port } = this;
    this.port = null;
    port?.close();
    if (port && this.isOpen) {
      this.#open();
    }
  }

  #open() {
    if (this.port) {
      this.port.postMessage({ do: 'open', url: this.url, tenant: this.tenant, caller: this.caller });
    }
    else {
      this.own = new EventStream(this.url, this.tenant, this.onChange, this.onState);
    }
  }

  #close() {
    if (this.isOpen) {
      this.isOpen = false;
      this.port?.postMessage({ do: 'close' });
      this.own?.close();
      this.own = null;
    }
  }

}
