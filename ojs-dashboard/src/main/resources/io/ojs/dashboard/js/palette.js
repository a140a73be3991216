// The palette: goes to a job, a queue, a type, a label or a page by typing.

import { html, nothing, render, repeat } from './html.js';
import { isOffered, PAGE_LIST } from './page-list.js';
import { shortId } from './format.js';
import { icon } from './ui/icons.js';
import { state } from './ui/state.js';

const PAUSE_MILLIS = 120;
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const LABEL = /^(?:meta\.)?([^\s=]+)=(.+)$/;
const PREFIX = /^(?=.*[0-9])[0-9a-f][0-9a-f-]{3,35}$/i;

/**
 * @typedef {object} Suggestion
 * @property {string} key
 * @property {string} icon
 * @property {unknown} text
 * @property {unknown} [note]
 * @property {string} page
 * @property {object} [params]
 */

/**
 * Opens the palette.
 * @param {object} ctx as that of a page
 * @param {string|null} tenant
 */
export function openPalette(ctx, tenant) {
  const dialog = document.createElement('dialog');
  dialog.className = 'palette';
  dialog.setAttribute('aria-label', 'Go to');
  const view = { text: '', at: 0, found: [], queues: null };
  let timer;
  let asked = 0;

  const all = () => [...exact(view.text.trim(), ctx), ...view.found, ...queues(view), ...pages(view.text.trim(), ctx, tenant),
    ...searches(view.text.trim(), ctx)];
  const choose = (suggestion) => {
    dialog.close();
    ctx.go(suggestion.page, suggestion.params);
  };

  function draw() {
    const suggestions = all().slice(0, 14);
    view.at = Math.max(0, Math.min(view.at, suggestions.length - 1));
    render(html`
      <div class="palette-input">${icon('search')}
        <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-label="Job id, queue, type, #tag or label"
          aria-activedescendant=${suggestions.length ? `palette-${view.at}` : nothing} placeholder="Job id, queue, type, #tag, customer=4711 …"
          autocomplete="off" spellcheck="false" @input=${onInput} @keydown=${(event) => onKey(event, suggestions)}>
      </div>
      <ul id="palette-list" role="listbox" aria-label="Suggestions">
        ${repeat(suggestions, (each) => each.key, (each, index) => html`
          <li id="palette-${index}" role="option" aria-selected=${index === view.at} @click=${() => choose(each)}
            @pointermove=${() => index !== view.at && (view.at = index, draw())}>
            ${icon(each.icon)}<span class="palette-text">${each.text}</span><span class="palette-note">${each.note ?? nothing}</span>
          </li>`)}
        ${suggestions.length ? nothing : html`<li role="option" aria-selected="false" aria-disabled="true" class="muted">Nothing matches.</li>`}
      </ul>`, dialog);
  }

  function onInput(event) {
    view.text = event.target.value;
    view.at = 0;
    view.found = [];
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE_MILLIS);
    draw();
  }

  function onKey(event, suggestions) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      view.at += step;
      draw();
    }
    else if (event.key === 'Enter' && suggestions[view.at]) {
      event.preventDefault();
      choose(suggestions[view.at]);
    }
  }

  async function search() {
    const text = view.text.trim();
    const mine = ++asked;
    if (!PREFIX.test(text) || !ctx.has('store')) {
      return;
    }
    const answer = await ctx.api.find('v1/jobs', { id: text, limit: 5 }).catch(() => null);
    if (mine === asked && dialog.open) {
      view.found = (answer?.items ?? []).map((job) => ({
        key: job.id, icon: 'jobs', text: html`<code>${shortId(job.id)}</code> ${job.type}`, note: state(job.state), page: 'job', params: { id: job.id },
      }));
      draw();
    }
  }

  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  draw();
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector('input').focus();
  ctx.api.find('v1/depths').then((answer) => {
    view.queues = answer?.queues?.map((queue) => queue.name) ?? [];
    draw();
  }).catch(() => {});
}

/** What the form of the text says. */
function exact(text, ctx) {
  const found = [];
  if (!text || !ctx.has('store')) {
    return found;
  }
  const label = LABEL.exec(text);
  if (UUID.test(text)) {
    found.push({ key: 'job', icon: 'jobs', text: 'Open the job', note: shortId(text), page: 'job', params: { id: text.toLowerCase() } });
  }
  if (text.startsWith('#') && text.length > 1) {
    found.push({ key: 'tag', icon: 'tag', text: `Jobs tagged ${text}`, page: 'jobs', params: { label: text } });
  }
  else if (label) {
    const known = ctx.me.labels?.includes(label[1]);
    found.push({ key: 'label', icon: 'tag', text: `Jobs with ${label[1]} = ${label[2]}`,
      note: known ? nothing : `not in ojs.store.labels`, page: 'jobs', params: { label: `${label[1]}=${label[2]}` } });
  }
  else if (PREFIX.test(text) && !UUID.test(text)) {
    found.push({ key: 'prefix', icon: 'search', text: `Jobs whose id begins with ${text}`, page: 'jobs', params: { id: text } });
  }
  return found;
}

/** What the text may mean. */
function searches(text, ctx) {
  if (!text || !ctx.has('store') || text.startsWith('#') || LABEL.test(text) || UUID.test(text)) {
    return [];
  }
  const type = { key: 'type', icon: 'search', text: `Jobs of type ${text}`, page: 'jobs', params: { type: text } };
  const error = { key: 'error', icon: 'dead', text: `Jobs whose error contains “${text}”`, page: 'jobs', params: { error: text } };
  return /^[a-z][\w.*-]+$/i.test(text) ? [type, error] : [error];
}

function queues(view) {
  const text = view.text.trim().toLowerCase();
  return text ? (view.queues ?? []).filter((name) => name.toLowerCase().includes(text)).slice(0, 5)
    .map((name) => ({ key: `queue ${name}`, icon: 'queues', text: name, note: 'queue', page: 'queue', params: { name } })) : [];
}

function pages(text, ctx, tenant) {
  return PAGE_LIST.filter((entry) => entry.group && isOffered(entry, ctx.me, tenant) && entry.label.toLowerCase().includes(text.toLowerCase()))
    .map((entry) => ({ key: `page ${entry.name}`, icon: entry.icon, text: entry.label, note: entry.go ? html`<kbd>g</kbd> <kbd>${entry.go}</kbd>` : '', page: entry.name }));
}
