// Times that grow older by themselves: one timer for all of a page.

import { absolute, age, duration, relative, serverNow } from '../format.js';
import { html, nothing } from '../html.js';

const TICK_MILLIS = 1_000;

/** @type {Set<RelativeTime>} */
const shown = new Set();

/** Its attribute at is a time as RFC 3339; with the attribute age it says 12 s instead of 12 s ago. */
class RelativeTime extends HTMLElement {

  static observedAttributes = ['at'];

  connectedCallback() {
    shown.add(this);
    this.tell();
  }

  disconnectedCallback() {
    shown.delete(this);
  }

  attributeChangedCallback() {
    this.tell();
  }

  tell() {
    const at = this.getAttribute('at');
    const text = this.hasAttribute('age') ? duration(Math.round(age(at) / 1000) * 1000) : relative(at);
    if (this.textContent !== text) {
      this.textContent = text;
    }
  }

}

customElements.define('ojs-time', RelativeTime);

setInterval(() => !document.hidden && shown.forEach((each) => each.tell()), TICK_MILLIS);

/**
 * A time, as 3 min ago or as a date, with the date and the zone as its title.
 * @param {string|null|undefined} at RFC 3339
 */
export function time(at) {
  return at ? html`<time datetime=${at} title=${absolute(at)}><ojs-time at=${at}></ojs-time></time>` : html`<span class="muted">–</span>`;
}

/**
 * How long something has lasted, as 3 min, with the date in full as its title.
 * @param {string|null|undefined} at RFC 3339
 */
export function lasting(at) {
  return at ? html`<time datetime=${at} title="since ${absolute(at)}"><ojs-time age at=${at}></ojs-time></time>` : html`<span class="muted">–</span>`;
}

/**
 * A moment of this browser's clock, as 12 s ago.
 * @param {number|null} millis
 */
export function ago(millis) {
  return millis ? html`<ojs-time at=${new Date(millis + serverNow() - Date.now()).toISOString()}></ojs-time>` : nothing;
}
