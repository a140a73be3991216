// What surrounds every page: navigation, tenant, and how the connection is.

import { ApiError } from './api.js';
import { boundedCount } from './dead-letter-count.js';
import { counted, ZONE } from './format.js';
import { html, live, nothing, repeat } from './html.js';
import { isOffered, PAGE_LIST } from './page-list.js';
import { icon } from './ui/icons.js';
import { ago } from './ui/time.js';

export function frame(shell, body) {
  const me = shell.me;
  return html`
    <a class="skip" href="#main" @click=${skip}>Skip to the content</a>
    <header class="top">
      <button class="icon-button menu" aria-label="Pages" aria-expanded=${shell.navOpen} aria-controls="nav"
        @click=${() => { shell.navOpen = !shell.navOpen; shell.draw(); }}>${icon('menu')}</button>
      <a class="brand" href="./"><span class="brand-mark">${icon('brand')}</span><span class="brand-name">${me?.application ?? 'Jobs'}</span></a>
      <button class="search" @click=${() => shell.palette()}>${icon('search')}<span>Job id, queue, type, label</span><kbd>/</kbd></button>
      <div class="top-right">
        ${me ? tenants(shell) : nothing}
        ${connection(shell)}
        ${me?.caller ? html`<span class="caller" title="${me.caller}: ${me.rights.join(', ')}">${me.caller}</span>` : nothing}
      </div>
    </header>
    <nav id="nav" class="nav ${shell.navOpen ? 'open' : ''}" aria-label="Pages">
      ${me ? ['Now', 'Plans', 'System'].map((group) => navGroup(group, shell)) : nothing}
      ${me ? foot(me) : nothing}
    </nav>
    <main id="main" tabindex="-1" @click=${() => { if (shell.navOpen) { shell.navOpen = false; shell.draw(); } }}>
      ${banner(shell)}
      ${body}
      <p class="zone">Times: ${ZONE}</p>
    </main>`;
}

function skip(event) {
  event.preventDefault();
  document.getElementById('main').focus();
}

function navGroup(group, shell) {
  const entries = PAGE_LIST.filter((entry) => entry.group === group && isOffered(entry, shell.me, shell.tenant));
  const current = shell.page?.module?.nav ?? shell.page?.entry?.name;
  return entries.length ? html`<div class="nav-group"><h2>${group}</h2><ul>${entries.map((entry) => html`
    <li><a href=${entry.name || './'} aria-current=${current === entry.name ? 'page' : nothing}>${icon(entry.icon)}<span>${entry.label}</span>${entry.name === 'dead-letters' ? deadLetters(shell) : nothing}</a></li>`)}
    </ul></div>` : nothing;
}

/** How many dead letters await a decision. The figure is of all tenants. */
function deadLetters({ page, deadLetters: { found } }) {
  return found?.count && page?.ctx?.isOperator
    ? html`<span class="nav-count" title=${`${counted(found.count, 'dead letter')}${found.complete ? '' : ' or more'}`}>${boundedCount(found)}</span>` : nothing;
}

function foot(me) {
  const readOnly = !me.rights.some((right) => right === 'write' || right === 'admin');
  return html`<div class="nav-foot">
    ${readOnly ? html`<p class="read-only">${icon('lock')} Read only</p>` : nothing}
    ${me.application_version ? html`<p>${me.application ?? ''} ${me.application_version}</p>` : nothing}
    ${me.ojs_version ? html`<p>OJS ${me.ojs_version}</p>` : nothing}
    <p><kbd>?</kbd> keys</p>
  </div>`;
}

function tenants(shell) {
  const { enabled, all, own } = shell.me.tenants;
  if (!enabled) {
    return nothing;
  }
  const options = [...new Set([...(own ?? []), ...(shell.tenant ? [shell.tenant] : [])])];
  if (!all && options.length < 2) {
    return html`<span class="tenant" title="Tenant">${icon('tenants')} ${options[0] ?? ''}</span>`;
  }
  const pick = (event) => event.target.value === '\u0000' ? another(shell) : shell.switchTenant(event.target.value);
  return html`<label class="tenant">${icon('tenants')}<span class="sr">Tenant</span>
    <select @change=${pick}>
      ${all ? html`<option value="" .selected=${live(!shell.tenant)}>All tenants</option>` : nothing}
      ${repeat(options, (tenant) => tenant, (tenant) => html`<option value=${tenant} .selected=${live(tenant === shell.tenant)}>${tenant}</option>`)}
      ${all ? html`<option value=${'\u0000'}>Another …</option>` : nothing}
    </select></label>`;
}

async function another(shell) {
  const answer = await shell.page?.ctx.confirm({ title: 'Show one tenant', action: 'Show',
    fields: [{ name: 'tenant', label: 'Id of the tenant', required: true, maxLength: 128 }],
    run: ({ tenant }) => {
      if (!shell.isTenant(tenant)) {
        throw new ApiError(400, 'invalid', 'No tenant can have this id.', { field: 'tenant' });
      }
    } });
  answer ? shell.switchTenant(answer.tenant) : shell.draw();
}

/** How the page gets its changes. */
function connection(shell) {
  const failure = shell.page?.failure ?? shell.failure;
  const [kind, text, title] = failure && failure.status !== 404 && failure.status !== 403 && failure.kind !== 'invalid'
    ? ['lost', 'Not current', failure.message]
    : shell.page?.isSlow() ? ['polling', 'No answer yet', 'The application has not answered for some seconds.']
    : {
      live: ['live', 'Live', 'The page follows the server’s events.'],
      connecting: ['polling', 'Connecting', 'The page connects to the server’s events.'],
      paused: ['polling', 'Paused', 'A hidden page asks for nothing.'],
      lost: ['polling', 'Every 5 s', 'The stream of events broke: the page asks every 5 seconds until it is back.'],
      unavailable: ['polling', 'Every 5 s', 'The server offers no stream of events now: the page asks every 5 seconds.'],
      'signed-out': ['lost', 'Signed out', 'Your session has ended.'],
    }[shell.stream];
  return html`<button class="connection ${kind}" title="${title} Press to reload." @click=${() => shell.page?.reload(false)}>
    <i aria-hidden="true"></i><span>${text}</span>
    ${shell.page?.loadedAt ? html`<span class="age">${ago(shell.page.loadedAt)}</span>` : nothing}</button>`;
}

/** What the user has to know about the data on screen. */
function banner(shell) {
  const page = shell.page;
  const failure = page?.failure ?? shell.failure;
  const updated = shell.isOld
    ? message('info', 'The application was updated.', html`<button class="button" @click=${() => location.reload()}>Reload the page</button>`) : nothing;
  return html`${updated}${trouble(shell, page, failure)}`;
}

function trouble(shell, page, failure) {
  if (failure && page?.data) {
    const text = html`${failure.message} ${page.isOfOtherFilter ? 'The rows are those of the filter before,' : 'What you see is'} from ${ago(page.loadedAt)}.`;
    return message('warning', text, failure.kind === 'signed-out'
      ? html`<button class="button" @click=${() => location.reload()}>Sign in</button>` : nothing);
  }
  if (page?.isOfOtherFilter && page.isSlow()) {
    return message('info', 'The rows are those of the filter before.', nothing);
  }
  if (shell.stream === 'signed-out') {
    return message('warning', 'Your session has ended.', html`<button class="button" @click=${() => location.reload()}>Sign in</button>`);
  }
  return nothing;
}

function message(kind, text, action) {
  return html`<div class="banner ${kind}" role="status">${icon(kind === 'info' ? 'info' : 'warning')}<span>${text}</span>${action}</div>`;
}

