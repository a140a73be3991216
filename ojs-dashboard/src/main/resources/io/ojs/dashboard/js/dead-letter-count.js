// How many dead letters await a decision, for the navigation. All callers of the server share the answer.

import { atLeast, serverNow } from './format.js';

const LEAST_MILLIS = 2_500; // The server's figures are some 2 seconds old.
const POLL_MILLIS = 5_000; // Without a stream.
const STALE_MILLIS = 30_000; // With a stream.
const MOST = 999;

/** 12, 999+: enough to see whether there is something to do. */
export function boundedCount({ count: found, complete }) {
  return found > MOST ? `${MOST}+` : atLeast(found, complete);
}

export class DeadLetterCount {

  #asked = 0;
  #asOf = 0;
  #changed = 0;
  #asking = false;
  #notBefore = 0;

  /**
   * @param {import('./api.js').Api} api
   * @param {() => void} draw
   */
  constructor(api, draw) {
    this.api = api;
    this.draw = draw;
    /** @type {{count: number, complete: boolean}|null} null if it is not known */
    this.found = null;
  }

  /** The number may be another one now. */
  onChange(change) {
    if (change.more || change.kinds?.includes('dead_letter') || change.jobs?.discarded || change.jobs?.failed) {
      this.#changed = serverNow();
    }
  }

  /** Asks if the number may be old. */
  async tick(isLive) {
    const age = Math.abs(Date.now() - this.#asked); // A clock may be set back.
    const isChanged = this.#asOf < this.#changed && Math.abs(serverNow() - this.#changed) < STALE_MILLIS;
    const due = age > (isLive ? STALE_MILLIS : POLL_MILLIS) || (isChanged && age > LEAST_MILLIS);
    if (!due || this.#asking || Date.now() < this.#notBefore) {
      return;
    }
    this.#asking = true;
    try {
      this.take(await this.api.find('v1/attention'));
    }
    catch (failure) {
      this.#asked = Date.now(); // The page says what is wrong.
      this.#notBefore = this.#asked + Math.max(POLL_MILLIS, (failure.retryAfter ?? 0) * 1000);
    }
    finally {
      this.#asking = false;
    }
  }

  /** An answer of the server, also one that a page has asked for. */
  take(answer) {
    this.#asked = Date.now();
    this.#notBefore = 0;
    this.#asOf = Date.parse(answer?.as_of ?? '') || this.#asked;
    this.found = answer?.dead_letters ?? null;
    this.draw();
    return answer;
  }

}
