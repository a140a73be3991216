// The shell: opens pages, keeps their data fresh, and says how old the data is.

import { API, Api, ApiError, PAGES } from './api.js';
import { DeadLetterCount } from './dead-letter-count.js';
import { isAsking } from './dialog.js';
import { serverNow, setServerTime } from './format.js';
import { nothing, render, repeat, visible } from './html.js';
import { showHelp } from './help.js';
import { focusedRow, listenForKeys } from './keys.js';
import { entryOf, isOffered, isUsable, PAGE_LIST } from './page-list.js';
import { Context, OpenPage } from './page.js';
import { openPalette } from './palette.js';
import { followLinks, hrefOf, placeOf } from './router.js';
import { frame } from './frame.js';
import { askSession } from './session.js';
import { Changes } from './stream.js';
import { toast } from './toast.js';

const POLL_MILLIS = 5_000; // Without a stream.
const STALE_MILLIS = 30_000; // With a stream, unless the page says otherwise: ages and what no event tells.
const SHARED_MILLIS = 2_500; // The server answers all pages from figures that are some 2 seconds old.
const SESSION_MILLIS = 60_000;
const MISSED_MILLIS = 1_000; // How old a page may be when its stream begins.
const EDITING_MILLIS = 3_000; // After a key, in which a page stands still.
const TENANT_KEY = `ojs.tenant ${PAGES.pathname}`;
const TENANT_PARAM = 'as';
const TENANT = /^[a-zA-Z0-9][a-zA-Z0-9._:-]{0,127}$/; // The API refuses others, and a header cannot have them.

/** Of an application without the endpoint that tells. */
const UNKNOWN_CALLER = { caller: null, rights: ['read'], tenants: { enabled: false, current: null, own: [], all: true },
  features: [], labels: [], application: 'Jobs' };

export async function start(root) {
  const shell = new Shell(root);
  await shell.start();
}

class Shell {

  constructor(root) {
    this.root = root;
    this.tenant = null;
    this.opening = 0;
    this.identifying = 0;
    this.checking = false;
    this.api = new Api(() => this.tenant);
    this.me = null;
    this.failure = null;
    this.stream = 'connecting';
    this.hasBeenLive = false;
    this.isOld = false;
    this.navOpen = false;
    /** @type {OpenPage|null} */
    this.page = null;
    this.touched = false;
    this.isPlaced = false;
    this.reloadAgainAt = null;
    this.changedAt = 0;
    this.tickedAt = Date.now();
    this.deadLetters = new DeadLetterCount(this.api, () => this.draw());
  }

  async start() {
    const last = tenantOf(stored(TENANT_KEY));
    this.tenant = tenantOf(placeOf(location.href).params.get(TENANT_PARAM)) ?? last;
    await this.identify(last);
    this.choose(this.tenant);
    this.root.replaceChildren();
    history.scrollRestoration = 'manual'; // The browser goes to the old place before the rows are there.
    addEventListener('pagehide', () => this.keepPlace());
    addEventListener('scrollend', () => this.keepPlace());
    followLinks(document, (url) => this.open(url, false, url === null));
    listenForKeys({
      palette: () => this.palette(),
      help: () => showHelp(this.page, this.me, this.tenant),
      refresh: () => {
        this.page?.reload(false);
        return true;
      },
      go: (letter) => this.goByKey(letter),
      page: (key) => this.pageKey(key),
    });
    this.changes = new Changes(new URL('v1/events/stream', API).href, (change) => this.onChange(change), (state) => this.onStream(state));
    this.follow();
    setInterval(() => this.tick(), 1000);
    setInterval(() => this.checkSession(), SESSION_MILLIS);
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) {
        this.tick();
        this.checkSession(); // The user may come from another tab, as another caller.
      }
    });
    await this.open(null);
  }

  /**
   * Learns who the caller is.
   * @param {string|null} [fallback] the tenant of before, if the caller may not see the one that is chosen now
   * @returns {Promise<boolean>} false if another call has begun meanwhile
   */
  async identify(fallback = null) {
    const mine = ++this.identifying;
    try {
      const me = await this.api.find('v1/me') ?? UNKNOWN_CALLER;
      if (mine !== this.identifying) {
        return false; // It is about the tenant of before.
      }
      this.me = me;
      this.failure = null;
      setServerTime(this.me.now);
    }
    catch (failure) {
      if (mine !== this.identifying) {
        return false;
      }
      if (this.tenant && failure instanceof ApiError && ['forbidden', 'invalid'].includes(failure.kind)) {
        this.choose(fallback === this.tenant ? null : fallback);
        return this.identify();
      }
      this.me ??= UNKNOWN_CALLER;
      this.failure = failure;
    }
    const { enabled, all, own } = this.me.tenants;
    if (enabled && !all && !this.tenant && own.length > 1) {
      this.choose(own[0]); // The API wants one named.
    }
    return true;
  }

  /** Follows the changes that the caller may see. */
  follow() {
    this.changes.open(this.tenant, this.me.caller);
  }

  choose(tenant) {
    this.tenant = tenant;
    try {
      tenant ? localStorage.setItem(TENANT_KEY, tenant) : localStorage.removeItem(TENANT_KEY);
    }
    catch {
      // Then the next visit chooses again.
    }
  }

  /** Whether a tenant can have this id. */
  isTenant(text) {
    return tenantOf(text) !== null;
  }

  async switchTenant(tenant) {
    this.page?.close(); // It asks for nothing in the name of the other tenant.
    this.choose(tenantOf(tenant));
    const { name, params } = placeOf(location.href);
    params.delete(TENANT_PARAM);
    history.replaceState(null, '', hrefOf(name, params));
    await this.identify();
    this.follow();
    const entry = this.page?.entry;
    if (entry && isOffered(entry, this.me, this.tenant)) {
      await this.open(null);
    }
    else {
      this.go('');
    }
  }

  /**
   * The address names the tenant that is chosen, so that a link shows others the same.
   * @param {boolean} isBack whether the browser went back to the address: then it tells also that none was chosen
   * @returns {Promise<boolean>} false if another page was opened meanwhile
   */
  async agreeOnTenant({ name, params }, isBack) {
    const mine = ++this.opening;
    const named = tenantOf(params.get(TENANT_PARAM));
    if (named !== this.tenant && (named || isBack)) {
      const before = this.tenant;
      this.page?.close();
      this.choose(named);
      await this.identify(before);
      this.follow();
      if (mine !== this.opening) {
        return false;
      }
    }
    if (params.get(TENANT_PARAM) !== this.tenant) {
      this.tenant ? params.set(TENANT_PARAM, this.tenant) : params.delete(TENANT_PARAM);
      history.replaceState(history.state, '', hrefOf(name, params));
    }
    params.delete(TENANT_PARAM);
    return true;
  }

  /** Whether the address of the browser is that of a link, which need not name the tenant. */
  isShown(url) {
    const shown = new URL(url);
    if (this.tenant && !shown.searchParams.has(TENANT_PARAM)) {
      shown.searchParams.set(TENANT_PARAM, this.tenant);
    }
    return shown.href === location.href;
  }

  go(name, params, { replace = false } = {}) {
    const place = new URL(name || './', PAGES);
    place.search = new URLSearchParams(this.api.url('', params).search).toString();
    return this.open(place, replace);
  }

  /** Opens the page of a URL; null for the URL that the browser shows already. */
  async open(url, replace = false, isBack = false) {
    if (url) {
      if (replace || this.isShown(url)) {
        history.replaceState(history.state, '', url);
      }
      else {
        this.keepPlace();
        history.pushState(null, '', url);
      }
    }
    this.isPlaced = false;
    const place = placeOf(location.href);
    if (!(await this.agreeOnTenant(place, isBack))) {
      return;
    }
    const { name, params } = place;
    if (!replace) {
      // They ask about the page that is left; one that works on an answer tells it.
      document.querySelectorAll('dialog[open]:not([aria-busy=true])').forEach((dialog) => dialog.close());
    }
    const last = this.page;
    const openedAt = serverNow(); // Figures from before may lack what another page has heard of, or caused.
    const isSame = last?.entry?.name === name && url !== null && replace;
    last?.close();
    this.navOpen = false;
    const page = new OpenPage(entryOf(name), name, params, () => this.draw());
    this.page = page;
    if (isSame) {
      page.keep(last); // What is on screen stays until the new data is there.
    }
    page.ctx = new Context(this, page);
    this.draw();
    this.touched = false;
    await page.open();
    if (this.page === page) {
      this.changedAt = Math.max(this.changedAt, openedAt);
      this.reloadIfOlder(page);
      if (url && !replace) {
        scrollTo(0, 0);
        document.querySelector('main h1')?.focus({ preventScroll: true });
      }
      else if (isBack || !last) {
        scrollTo(0, history.state?.place ?? 0);
      }
      this.isPlaced = true;
    }
  }

  /** Keeps how far the page is scrolled, for when the browser comes back to it. */
  keepPlace() {
    if (this.isPlaced) {
      history.replaceState({ place: scrollY }, '');
    }
  }

  onChange(change) {
    const page = this.page;
    this.deadLetters.onChange(change);
    if (!page?.module) {
      return;
    }
    let touches = true;
    try {
      touches = change.more || !page.module.touches || page.module.touches(change, page.ctx);
    }
    catch (failure) {
      console.error(failure);
    }
    if (touches) {
      this.touched = true;
      this.reloadAgain(Date.parse(change.at));
    }
    this.tick();
  }

  onStream(state) {
    if (state === 'live') {
      this.checkSession(); // After a deployment, the stream comes back first.
    }
    if (state === 'live' && this.stream !== 'live') {
      // Changes were missed.
      this.touched ||= this.hasBeenLive || Math.abs(Date.now() - (this.page?.askedAt ?? Date.now())) > MISSED_MILLIS;
      this.hasBeenLive = true;
    }
    this.stream = state;
    this.draw();
  }

  /** What the next answer says may be from before the change. */
  reloadAgain(changedAt) {
    this.changedAt = changedAt || serverNow();
    this.reloadAgainAt = Date.now() + SHARED_MILLIS;
  }

  /** A busy server makes figures less often. */
  reloadIfOlder(page) {
    if (asOf(page.data) < this.changedAt && Math.abs(serverNow() - this.changedAt) < STALE_MILLIS) {
      this.reloadAgainAt = Date.now() + SHARED_MILLIS;
    }
  }

  /** Reloads what is due. */
  tick() {
    const page = this.page;
    if (document.hidden || !page?.module) {
      return;
    }
    if (page.isSlow()) {
      this.draw(); // The top of the page says so.
    }
    if (page.ctx.isOperator) {
      this.deadLetters.tick(this.stream === 'live');
    }
    const now = Date.now();
    if (now < this.tickedAt) {
      this.onClockSetBack(page);
    }
    this.tickedAt = now;
    const age = now - (page.triedAt ?? 0);
    const again = this.reloadAgainAt !== null && now >= this.reloadAgainAt;
    const due = now >= page.notBefore && (this.stream === 'live' && !page.failure
      ? again || this.touched || age > (page.module.stale ?? STALE_MILLIS) : age > POLL_MILLIS);
    if (due && !page.loading && !isAsking() && !isSelecting() && !isEditing()) {
      this.touched = false;
      this.reloadAgainAt = again ? null : this.reloadAgainAt;
      page.reload(true).then(() => again && this.reloadIfOlder(page));
    }
  }

  /** Nothing would be due until the clock has come so far again. */
  onClockSetBack(page) {
    page.notBefore = 0;
    page.triedAt = 0;
    this.reloadAgainAt = null;
    this.touched = true;
    this.checkSession(); // It tells the time of the server again.
  }

  /**
   * Sees whether the application was deployed again, whether the caller is still signed in, or another one is,
   * and what the caller may do now.
   */
  async checkSession() {
    if (document.hidden || this.checking) {
      return;
    }
    this.checking = true;
    try {
      const session = await askSession();
      if (session?.isRefused) {
        location.reload(); // The server says so; what another caller saw goes.
      }
      this.isOld ||= session?.isOld ?? false;
      if (session?.isKnown) {
        await this.renewCaller();
      }
    }
    finally {
      this.checking = false;
    }
    this.draw();
  }

  async renewCaller() {
    if (this.page?.controller.signal.aborted) {
      return; // A page is being opened for another tenant, which asks by itself.
    }
    const { me: { caller }, tenant, failure } = this;
    if (!(await this.identify())) {
      return;
    }
    if (!failure) {
      this.failure = null; // What the caller was stands.
    }
    if (this.me.caller !== caller || this.tenant !== tenant) {
      this.follow();
      await this.open(null); // What the other one saw goes.
    }
    else if (failure && !this.failure) {
      this.follow();
    }
  }

  goByKey(letter) {
    const entry = PAGE_LIST.find((each) => each.go === letter && isOffered(each, this.me, this.tenant));
    if (entry) {
      this.go(entry.name);
    }
  }

  pageKey(key) {
    const found = this.page?.module?.keys?.[key];
    if (!found || !this.page.data || !isUsable(found, this.me)) {
      return false;
    }
    Promise.resolve().then(() => found.run(this.page.data, this.page.ctx, focusedRow())).catch((failure) => this.report(failure));
    return true;
  }

  palette() {
    if (!isAsking() && this.page) {
      openPalette(this.page.ctx, this.tenant);
    }
  }

  report(failure) {
    if (failure?.name !== 'AbortError') {
      console.error(failure);
      toast(failure?.message ?? String(failure), 'problem');
    }
  }

  draw() {
    try {
      render(frame(this, this.body()), this.root);
    }
    catch (failure) {
      if (!this.page || this.page.unshown) {
        throw failure;
      }
      // A cell of a table threw, whose templates are called only now.
      this.page.cannotShow(failure);
      this.draw();
    }
    const title = [visible(String(this.page?.title() ?? '')), this.me?.application ?? 'Jobs'].filter(Boolean).join(' · ');
    if (document.title !== title) {
      document.title = title;
    }
  }

  body() {
    const page = this.page;
    // Another page, or the same with other parameters, has DOM of its own.
    return page ? repeat([page], (each) => each.key, (each) => each.view()) : nothing;
  }

}

/** When the server made the figures of a page, in milliseconds; infinite if they are no older than the answer. */
function asOf(data) {
  const at = data?.as_of ?? data?.depths?.as_of;
  return at ? Date.parse(at) : Infinity;
}

/** The id of a tenant, or null if it cannot be one. */
function tenantOf(text) {
  return TENANT.test(text ?? '') ? text : null;
}

function stored(key) {
  try {
    return localStorage.getItem(key);
  }
  catch {
    return null;
  }
}

/** Whether the user has selected text: a reload would take it away. */
function isSelecting() {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.toString().trim() !== '';
}

let typedAt = 0;
addEventListener('input', () => (typedAt = Date.now()), true);

/** Whether the user is filling in a form of the page just now. */
function isEditing() {
  const field = document.activeElement;
  return field?.matches('main [type=datetime-local]') || (field?.matches('main input, main textarea, main select') && Math.abs(Date.now() - typedAt) < EDITING_MILLIS) || false;
}

