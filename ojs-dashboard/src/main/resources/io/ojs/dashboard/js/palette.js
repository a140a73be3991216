// The palette: goes to a job, a queue, a type, a label or a page by typing.

import { html, nothing, render, repeat } from './html.js';
import { isOffered, PAGE_LIST } from './page-list.js';
import { isUuid, shortId } from './format.js';
import { statsQuery } from './stats.js';
import { icon } from './ui/icons.js';
import { state } from './ui/state.js';

const PAUSE_MILLIS = 120;
const MOST = 14;
const MOST_SERIES = 100; // Where there are more types, the last series is that of all others.
const LABEL = /^(?:meta\.)?([^\s=]+)=(.*)$/;
const PREFIX = /^(?=.*[0-9])[0-9a-f][0-9a-f-]{3,35}$/i;
const SHORT = /^[0-9a-f-]{4,35}(?:…|\.\.\.)[0-9a-f-]{1,35}$/i;
const isPart = (text) => PREFIX.test(text) || SHORT.test(text);

/**
 * @typedef {object} Suggestion
 * @property {string} key
 * @property {string} icon
 * @property {unknown} text
 * @property {unknown} [note]
 * @property {string} [page]
 * @property {object} [params]
 * @property {string} [type] what it types, instead of going to a page
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
  // What the user has chosen is a key: answers that come later move its place in the list.
  const view = { text: '', chosen: null, found: [], queues: [], types: [] };
  let timer;
  let asked = 0;

  const all = () => {
    const text = view.text.trim();
    const last = searches(text, ctx);
    const found = isUuid(text) ? [] : view.found; // What the whole id names is offered already.
    return [...[...exact(text, ctx), ...found, ...keys(text, ctx), ...queues(view), ...types(view, ctx), ...pages(text, ctx, tenant)].slice(0, MOST - last.length), ...last];
  };
  const choose = (suggestion) => {
    if (suggestion.type) {
      type(suggestion.type);
      return;
    }
    dialog.close();
    ctx.go(suggestion.page, suggestion.params);
  };

  function draw() {
    const suggestions = all();
    const at = Math.max(0, suggestions.findIndex((each) => each.key === view.chosen));
    render(html`
      <div class="palette-input">${icon('search')}
        <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-label="Job id, queue, type, #tag or label"
          aria-activedescendant=${suggestions.length ? `palette-${at}` : nothing} placeholder="Job id, queue, type, #tag, customer=4711 …"
          autocomplete="off" spellcheck="false" @input=${onInput} @keydown=${(event) => onKey(event, suggestions, at)}>
      </div>
      <ul id="palette-list" role="listbox" aria-label="Suggestions">
        ${repeat(suggestions, (each) => each.key, (each, index) => html`
          <li id="palette-${index}" role="option" aria-selected=${index === at} @click=${() => choose(each)}
            @pointermove=${() => index !== at && (view.chosen = each.key, draw())}>
            ${icon(each.icon)}<span class="palette-text">${each.text}</span><span class="palette-note">${each.note ?? nothing}</span>
          </li>`)}
        ${suggestions.length ? nothing : html`<li role="option" aria-selected="false" aria-disabled="true" class="muted">Nothing matches.</li>`}
      </ul>`, dialog);
  }

  function type(text) {
    dialog.querySelector('input').value = text;
    onInput({ target: { value: text } });
  }

  function onInput(event) {
    view.text = event.target.value;
    view.chosen = null;
    view.found = [];
    asked++; // What is under way answers another text.
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE_MILLIS);
    draw();
  }

  function onKey(event, suggestions, at) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      view.chosen = (suggestions[at + step] ?? suggestions[at])?.key;
      draw();
    }
    else if (event.key === 'Enter' && suggestions[at]) {
      event.preventDefault();
      choose(suggestions[at]);
    }
  }

  async function search() {
    const text = view.text.trim();
    const mine = ++asked;
    const isLabel = LABEL.test(text) || /^#./.test(text);
    if (!(isPart(text) || isLabel) || !ctx.has('store')) {
      return;
    }
    const answer = await ctx.api.find('v1/jobs', { ...(isLabel ? { label: `${labelOf(text)}*` } : { id: text }), limit: 5 }).catch(() => null);
    if (mine === asked && dialog.open) {
      view.found = (answer?.items ?? []).map((job) => ({
        key: job.id, icon: 'jobs', text: html`<code>${shortId(job.id)}</code> ${job.type}${isLabel
          ? html` <span class="muted">${job.labels?.find((label) => label.startsWith(labelOf(text)))}</span>` : nothing}`, note: state(job.state), page: 'job', params: { id: job.id },
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
  names(ctx).then((known) => {
    Object.assign(view, known);
    draw();
  }).catch(() => {});
}

/** The queues and types that there are: of the broker and the store, of processes, and of jobs that ended in the last day. */
async function names(ctx) {
  const [depths, workers, stats] = await Promise.all([
    ctx.isOperator ? ctx.api.find('v1/depths').catch(() => null) : null,
    ctx.isOperator ? ctx.api.find('v1/admin/workers', { per_page: 100 }).catch(() => null) : null,
    ctx.api.find('v1/stats', statsQuery('24h', { by: 'type', step: 3_600 })).catch(() => null),
  ]);
  const ofWorkers = (workers?.items ?? []).flatMap((worker) => worker.types ?? []).map((each) => each.type ?? each);
  return {
    queues: depths?.queues?.map((queue) => queue.name) ?? [],
    types: [...new Set([...ofWorkers, ...(stats?.series ?? []).map((series) => series.key).filter((key, index) => key && !(key === 'other' && index === MOST_SERIES - 1))])].sort(),
  };
}

const labelOf = (text) => text.replace(/^meta\./, '');

/** What the form of the text says. */
function exact(text, ctx) {
  const found = [];
  if (!text || !ctx.has('store')) {
    return found;
  }
  const label = LABEL.exec(text);
  if (isUuid(text)) {
    found.push({ key: 'job', icon: 'jobs', text: 'Open the job', note: shortId(text), page: 'job', params: { id: text.toLowerCase() } });
  }
  if (text.startsWith('#') && text.length > 1) {
    found.push({ key: 'tag', icon: 'tag', text: `Jobs tagged ${text}`, page: 'jobs', params: { label: text } });
  }
  else if (label) {
    const [, key, value] = label;
    const note = ctx.me.labels?.includes(key) ? nothing : 'not in ojs.store.labels';
    value && found.push({ key: 'label', icon: 'tag', text: `Jobs with ${key} = ${value}`, note, page: 'jobs', params: { label: `${key}=${value}` } });
    found.push({ key: 'labels', icon: 'tag', text: value ? `Jobs whose ${key} begins with ${value}` : `Jobs with any ${key}`, note, page: 'jobs', params: { label: `${key}=${value}*` } });
  }
  else if (isPart(text) && !isUuid(text)) {
    found.push({ key: 'prefix', icon: 'search', text: SHORT.test(text) ? `Jobs with the id ${text}` : `Jobs whose id begins with ${text}`, page: 'jobs', params: { id: text } });
  }
  return found;
}

/** A search for any text, behind all that is known. */
function searches(text, ctx) {
  if (!text || !ctx.has('store') || text.startsWith('#') || LABEL.test(text) || isUuid(text) || SHORT.test(text)) {
    return [];
  }
  return [{ key: 'error', icon: 'search', text: `Search for “${text}” in the errors of jobs`, page: 'jobs', params: { error: text } }];
}

/** Keys of labels, whose values are typed next. */
function keys(text, ctx) {
  return text && ctx.has('store') ? (ctx.me.labels ?? []).filter((key) => key.startsWith(labelOf(text)) && !text.includes('='))
    .map((key) => ({ key: `key ${key}`, icon: 'tag', text: `${key}=…`, note: 'label', type: `${key}=` })) : [];
}

function types(view, ctx) {
  const text = view.text.trim().toLowerCase();
  return text && ctx.has('store') ? view.types.filter((name) => name.toLowerCase().includes(text)).slice(0, 5)
    .map((name) => ({ key: `type ${name}`, icon: 'jobs', text: name, note: 'type', page: 'jobs', params: { type: name } })) : [];
}

function queues(view) {
  const text = view.text.trim().toLowerCase();
  return text ? view.queues.filter((name) => name.toLowerCase().includes(text)).slice(0, 5)
    .map((name) => ({ key: `queue ${name}`, icon: 'queues', text: name, note: 'queue', page: 'queue', params: { name } })) : [];
}

function pages(text, ctx, tenant) {
  return PAGE_LIST.filter((entry) => entry.group && isOffered(entry, ctx.me, tenant) && entry.label.toLowerCase().includes(text.toLowerCase()))
    .map((entry) => ({ key: `page ${entry.name}`, icon: entry.icon, text: entry.label, note: entry.go ? html`<kbd>g</kbd> <kbd>${entry.go}</kbd>` : '', page: entry.name }));
}
