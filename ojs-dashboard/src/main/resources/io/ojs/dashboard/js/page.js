// One page that is open, and what its module gets.

import { ApiError, segment } from './api.js';
import { ask } from './dialog.js';
import { html, nothing } from './html.js';
import { isOffered } from './page-list.js';
import { reloadOnce } from './reload.js';
import { hrefOf } from './router.js';
import { askSession } from './session.js';
import { copy, toast } from './toast.js';
import { icon } from './ui/icons.js';

const SLOW_MILLIS = 4_000;
const LEAST_PAUSE_MILLIS = 2_000; // Between two reloads for changes.
const LONGEST_PAUSE_MILLIS = 60_000; // The same of a slow server, unless it asks for more.

let opened = 0;

export class OpenPage {

  /** @param {import('./page-list.js').PageEntry|undefined} entry undefined if there is no such page */
  constructor(entry, name, params, draw) {
    this.entry = entry;
    this.name = name;
    this.params = params;
    this.draw = draw;
    this.key = ++opened;
    this.controller = new AbortController();
    this.module = null;
    this.data = null;
    this.failure = null;
    this.broken = false;
    /** Why the data could not be drawn. */
    this.unshown = null;
    this.loading = false;
    /** Whether the user has asked for a reload during another one. */
    this.again = false;
    this.askedAt = null;
    this.loadedAt = null;
    this.triedAt = null;
    /** When the next reload that the user does not ask for may begin. */
    this.notBefore = 0;
    this.fresh = null;
    this.isKept = false;
    /** Of the module, as long as the page is open: what is unfolded, chosen, … */
    this.state = {};
    this.ctx = null;
  }

  /** Takes over what is on screen. */
  keep(other) {
    this.key = other.key;
    this.module = other.module;
    this.data = other.data;
    this.isKept = true; // What is asked next is not more of the same.
    this.loadedAt = other.loadedAt;
    this.state = other.state;
  }

  close() {
    this.controller.abort();
  }

  async open() {
    if (!this.entry) {
      return;
    }
    try {
      this.module = (await this.entry.load()).default;
    }
    catch (failure) {
      console.error(failure);
      if (!(await askSession())?.isOld || !reloadOnce()) {
        this.broken = true;
        this.draw();
      }
      return;
    }
    await this.reload(false);
  }

  /**
   * Loads the data again. The last good data stays on screen if that fails.
   * @param {boolean} inBackground whether rows have to stay where they are
   */
  async reload(inBackground) {
    if (!this.module || this.loading) {
      this.again ||= !inBackground;
      return;
    }
    this.again = false;
    const begun = performance.now();
    this.loading = true;
    this.askedAt = Date.now();
    this.draw();
    try {
      const data = await this.module.load(this.ctx);
      if (this.controller.signal.aborted) {
        return;
      }
      this.#take(data, inBackground && this.module.list && this.data !== null && !this.isKept);
      this.failure = null;
      this.loadedAt = Date.now();
    }
    catch (failure) {
      if (this.controller.signal.aborted) {
        return;
      }
      if (!(failure instanceof ApiError)) {
        console.error(failure);
      }
      this.failure = failure;
    }
    finally {
      this.loading = false;
      this.triedAt = Date.now();
      this.notBefore = this.triedAt + pauseAfter(performance.now() - begun, this.failure);
    }
    this.draw();
    if (this.again) {
      this.reload(false); // What waits for this reload need not wait for the next.
    }
  }

  /** Shows why, in place of what was half drawn, until other data comes. */
  cannotShow(failure) {
    console.error(failure);
    this.unshown = failure;
    this.key = ++opened;
  }

  /** Whether the server has not answered for a while. */
  isSlow() {
    return this.loading && Date.now() - this.askedAt > SLOW_MILLIS;
  }

  /** In the background, rows change but do not move: new ones wait until the user asks for them, and those that no longer match stay as long. */
  #take(data, held) {
    const wasUnshown = this.unshown !== null;
    this.unshown = null;
    if (!held || wasUnshown) {
      this.isKept = false;
      this.data = data;
      this.fresh = null;
      return;
    }
    const { items, key } = this.module.list;
    const shown = items(this.data);
    const news = new Map(items(data).map((row) => [key(row), row]));
    const isShown = new Set(shown.map(key));
    // Behind the last row that stays, others come from the next page of the list, or have gone there.
    const keys = [...news.keys()];
    const last = keys.findLastIndex((each) => isShown.has(each));
    const added = keys.filter((each, index) => !isShown.has(each) && (last < 0 || index < last)).length;
    const stays = shown.findLastIndex((row) => news.has(key(row)));
    const gone = shown.filter((row, index) => !news.has(key(row)) && (index < stays || !data.pagination?.has_more)).length;
    const rows = shown.map((row) => news.get(key(row)) ?? row);
    shown.splice(0, shown.length, ...rows);
    this.fresh = added || gone ? { data, added, gone } : null;
    if (!this.fresh) {
      this.data = data;
    }
  }

  /** Whether the rows are still those of the filter before: the server has not answered for this one. */
  get isOfOtherFilter() {
    return this.isKept && this.data !== null && Boolean(this.module.list);
  }

  showFresh() {
    this.data = this.fresh?.data ?? this.data;
    this.fresh = null;
    this.draw();
  }

  title() {
    try {
      return this.module?.title?.(this.ctx, this.data) ?? this.entry?.label ?? '';
    }
    catch {
      return this.entry?.label ?? '';
    }
  }

  view() {
    if (!this.entry) {
      return notice('There is no such page', html`<a href="./">Go to the overview</a>`);
    }
    if (this.broken) {
      return notice('A part of the dashboard could not be loaded',
        html`The application was updated, or it does not answer.
          <p><button class="button primary" @click=${() => location.reload()}>Reload the page</button></p>`);
    }
    if (this.data === null) {
      return this.failure ? this.#refused() : html`<div class="page"><h1 tabindex="-1">${this.entry.label}</h1>
        <div class="skeleton" role="status"><span class="sr">Loading</span><i></i><i></i><i></i></div></div>`;
    }
    if (this.unshown) {
      return unshowable(this.unshown);
    }
    let content;
    try {
      content = this.module.view(this.data, this.ctx);
    }
    catch (failure) {
      console.error(failure);
      content = unshowable(failure);
    }
    return html`${this.fresh ? html`<button class="fresh" @click=${() => this.showFresh()}>${icon('up')} ${freshOf(this.fresh)}</button>`
      : nothing}${content}`;
  }

  #refused() {
    const titles = { missing: 'Not found', forbidden: 'You may not see this', 'signed-out': 'Your session has ended',
      offline: 'The application does not answer', timeout: 'The application does not answer', unavailable: 'Not available now' };
    return notice(titles[this.failure.kind] ?? 'This could not be loaded', html`
      <p>${this.failure.message}</p>${this.failure.hint ? html`<p class="muted">${this.failure.hint}</p>` : nothing}
      <p>${this.failure.kind === 'signed-out'
        ? html`<button class="button primary" @click=${() => location.reload()}>Sign in</button>`
        : html`<button class="button" @click=${() => this.reload(false)}>Try again</button>`}</p>`);
  }

}

/** In milliseconds: a slow server is asked less often, and one that names a time is asked then. */
function pauseAfter(millis, failure) {
  return failure ? (failure.retryAfter ?? 0) * 1000 : Math.min(Math.max(LEAST_PAUSE_MILLIS, millis * 3), LONGEST_PAUSE_MILLIS);
}

/** 12 new, 1 gone */
function freshOf({ added, gone }) {
  return [added ? `${added} new` : '', gone ? `${gone} gone` : ''].filter(Boolean).join(', ');
}

function unshowable(failure) {
  return notice('The page cannot show this', html`<code>${failure.message}</code>`);
}

function notice(title, text) {
  return html`<div class="page"><div class="notice"><h1 tabindex="-1">${title}</h1><div>${text}</div></div></div>`;
}

/** What the module of a page gets. */
export class Context {

  constructor(shell, page) {
    this.shell = shell;
    this.page = page;
    this.api = shell.api.until(page.controller.signal);
  }

  /** The parameters of the URL. */
  get params() {
    return this.page.params;
  }

  /** The answer of GET v1/me. */
  get me() {
    return this.shell.me;
  }

  /** The tenant that the pages show; null for all. */
  get tenant() {
    return this.shell.tenant;
  }

  /** An object of the module's own, as long as the page is open. */
  get state() {
    return this.page.state;
  }

  can(right) {
    return this.shell.me.rights.includes(right);
  }

  has(feature) {
    return this.shell.me.features.includes(feature);
  }

  /** Whether the navigation offers a page to this caller. */
  offers(entry) {
    return isOffered(entry, this.shell.me, this.shell.tenant);
  }

  /** Whether the caller sees what is of no tenant: the broker, workers, crons, limits. */
  get isOperator() {
    const { enabled, all } = this.shell.me.tenants;
    return !this.shell.tenant && (!enabled || all);
  }

  /** What needs attention, and how many dead letters there are; null if the server does not tell. */
  async attention() {
    return this.shell.deadLetters.take(await this.api.find('v1/attention'));
  }

  /** Shows one tenant from now on; null for all. */
  switchTenant(tenant) {
    return this.shell.switchTenant(tenant);
  }

  segment(text) {
    return segment(text);
  }

  go(name, params, options) {
    return this.shell.go(name, params, options);
  }

  link(name, params) {
    return hrefOf(name, params);
  }

  /** A link to this page with some parameters changed; null removes one. */
  linkWith(changes) {
    return hrefOf(this.page.name, this.#changed(changes));
  }

  /** Why actions on all that matches the filter are off: not until the page shows what matches; null if they are on. */
  get whyNotAll() {
    return this.page.isOfOtherFilter ? 'The page does not show yet what matches this filter' : null;
  }

  /** Whether the page is on screen, perhaps with other parameters by now. */
  isOpen() {
    return this.shell.page?.name === this.page.name;
  }

  /** Changes parameters of this page. The data on screen stays until the new data is there. */
  goWith(changes) {
    const page = this.isOpen() ? this.shell.page : this.page; // Its other parameters may have changed meanwhile.
    return this.shell.go(page.name, this.#changed(changes, page.params), { replace: true });
  }

  #changed(changes, from = this.page.params) {
    const params = new URLSearchParams(from);
    for (const [name, value] of Object.entries(changes)) {
      params.delete(name);
      for (const each of Array.isArray(value) ? value : [value]) {
        if (each !== null && each !== undefined && each !== '') {
          params.append(name, String(each));
        }
      }
    }
    return params;
  }

  refresh() {
    this.shell.reloadAgain();
    return this.page.reload(false);
  }

  /** Draws the page again, after a change of the state. */
  update() {
    this.page.draw();
  }

  confirm(question) {
    return ask(question);
  }

  /**
   * Asks, does it, says that it is done, and refreshes.
   * @param {object} question as that of confirm, with run
   * @param {string|((values: object) => string)} done
   * @returns {Promise<object|null>}
   */
  async act(question, done) {
    const values = await ask(question);
    if (values) {
      toast(typeof done === 'function' ? done(values) : done);
      this.refresh();
    }
    return values;
  }

  toast(text, kind) {
    toast(text, kind);
  }

  /** Tells the user of a failure, unless the call ended with its page. */
  report(failure) {
    this.shell.report(failure);
  }

  copy(text) {
    return copy(text);
  }

}
