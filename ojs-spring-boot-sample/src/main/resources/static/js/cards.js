// One card for each photo. Text from outside is only ever set as text.

import { serverNow } from './feed.js';
import { createHistory } from './history.js';

/** What is made of a photo, in the order of the rows. */
export const RENDITIONS = [
  { name: 'thumbnail', type: 'photo.thumbnail', label: 'Thumbnail' },
  { name: 'palette', type: 'photo.palette', label: 'Colours' },
  { name: 'watermark', type: 'photo.watermark', label: 'Watermark' },
  { name: 'painting', type: 'photo.painting', label: 'Painting' },
];

const cardTemplate = document.getElementById('card-template');
const jobTemplate = document.getElementById('job-template');
const settled = (job) => !job || ['done', 'dead', 'discarded'].includes(job.state);

/**
 * @param {object} photo as the server sends it
 * @param {object} actions open, again, remove: functions that take the photo
 */
export function createCard(photo, actions) {
  const root = cardTemplate.content.firstElementChild.cloneNode(true);
  const find = (selector) => root.querySelector(selector);
  const rows = new Map();
  const history = createHistory(find('.history'), photo, labelOf);
  let latest = photo;
  let jobs = new Map();

  find('h3').textContent = photo.name;
  find('.title').title = `${photo.name}, added ${new Date(photo.addedAt).toLocaleString()}`;
  find('.facts').textContent = size(photo.bytes);
  find('.picture').addEventListener('click', () => actions.open(latest));
  find('.again').addEventListener('click', () => actions.again(latest));
  find('.again').setAttribute('aria-label', `Run what failed of ${photo.name} again`);
  find('.delete').addEventListener('click', () => actions.remove(latest));
  find('.delete').setAttribute('aria-label', `Delete ${photo.name}`);
  for (const rendition of RENDITIONS) {
    const row = jobTemplate.content.firstElementChild.cloneNode(true);
    row.querySelector('.label').textContent = rendition.label;
    row.title = rendition.type;
    rows.set(rendition.type, row);
    find('.jobs').append(row);
  }

  function showPhoto(changed) {
    latest = changed;
    const image = find('.picture img');
    if (changed.renditions.includes('thumbnail') && !image.hasAttribute('src')) {
      image.addEventListener('load', () => root.classList.add('has-thumbnail'), { once: true });
      image.src = `api/photos/${changed.id}/thumbnail`;
      image.alt = changed.name;
    }
    find('.picture').setAttribute('aria-label', `Look at ${changed.name}`);
    root.classList.toggle('is-published', changed.renditions.includes('published'));
    showPalette(find('.palette'), find('.placeholder'), changed.palette);
    showJobs(jobs);
  }

  function showJobs(changed) {
    jobs = changed;
    for (const rendition of RENDITIONS) {
      showJob(rows.get(rendition.type), jobs.get(rendition.type), latest.renditions.includes(rendition.name));
    }
    const dead = jobs.get('photo.thumbnail')?.state === 'dead';
    root.classList.toggle('is-dead', dead && !latest.renditions.includes('thumbnail'));
    showErrors(find('.errors'), [...jobs.values()]);
    history.showJobs(jobs);
    const missing = RENDITIONS.filter((rendition) => !latest.renditions.includes(rendition.name));
    find('.again').hidden = missing.length === 0 || !missing.every((rendition) => settled(jobs.get(rendition.type)))
      || missing.some((rendition) => jobs.get(rendition.type)?.state === 'done');
  }

  function tick() {
    for (const [type, job] of jobs) {
      if (job.state === 'retrying') {
        showCountdown(rows.get(type), job);
      }
    }
  }

  showPhoto(photo);
  return { root, showPhoto, showJobs, tick };
}

function showPalette(bar, placeholder, palette) {
  if (palette.length === 0 || bar.children.length > 0) {
    return;
  }
  bar.setAttribute('aria-label', `Main colours: ${palette.map((swatch) => swatch.hex).join(', ')}`);
  for (const swatch of palette) {
    const part = document.createElement('span');
    part.style.background = swatch.hex;
    part.style.flexGrow = swatch.share;
    part.title = `${swatch.hex} · ${Math.round(swatch.share * 100)} %`;
    bar.append(part);
  }
  // Often known before the thumbnail is there.
  placeholder.style.background = `linear-gradient(160deg, ${palette.map((swatch) => swatch.hex).join(', ')})`;
}

function showJob(row, job, made) {
  const state = job?.state ?? (made ? 'kept' : 'none');
  row.dataset.state = state;
  const bar = row.querySelector('.bar span');
  bar.style.transform = `scaleX(${state === 'running' ? job.progress : 0})`;
  const status = row.querySelector('.status');
  switch (state) {
    case 'queued':
      status.textContent = 'queued';
      break;
    case 'running':
      status.textContent = [attempt(job, 2), job.message.toLowerCase() || 'started',
        job.attempt < 2 && percent(job.progress)].filter(Boolean).join(' · ');
      break;
    case 'retrying':
      showCountdown(row, job);
      break;
    case 'done':
      status.textContent = [attempt(job, 2), job.tookMillis != null && duration(job.tookMillis)].filter(Boolean).join(' · ');
      break;
    case 'dead':
      status.textContent = `dead letter after ${numberOf(job.attempt, job)}`;
      break;
    case 'discarded':
      status.textContent = 'discarded';
      break;
    case 'kept':
      status.textContent = 'from an earlier run';
      break;
    default:
      status.textContent = 'no job';
  }
}

function showCountdown(row, job) {
  const next = `attempt ${numberOf(job.attempt + 1, job)}`;
  if (!job.retryAt) {
    row.querySelector('.status').textContent = `${next} is to come`;
    return;
  }
  const left = Date.parse(job.retryAt) - serverNow();
  // The first sight of it tells how long the wait is in all.
  if (row.dataset.wait !== `${job.id} ${job.attempt}`) {
    row.dataset.wait = `${job.id} ${job.attempt}`;
    row.dataset.waitMillis = Math.max(1, left);
  }
  row.querySelector('.status').textContent = left > 50 ? `${next} in ${(left / 1000).toFixed(1)} s` : `${next} is due`;
  row.querySelector('.bar span').style.transform =
    `scaleX(${Math.min(1, Math.max(0, left / Number(row.dataset.waitMillis)))})`;
}

/** Jobs of one photo tend to fail of the same thing, which is worth saying once. */
function showErrors(box, jobs) {
  const groups = new Map();
  for (const job of jobs) {
    if (job.error && (job.state === 'dead' || job.state === 'retrying' || job.state === 'discarded')) {
      const key = `${job.state} ${job.error.message}`;
      groups.set(key, [...(groups.get(key) ?? []), job]);
    }
  }
  const key = JSON.stringify([...groups].map(([name, members]) => [name, members.map((job) => job.id)]));
  if (box.dataset.key === key) {
    return;
  }
  box.dataset.key = key;
  box.replaceChildren(...[...groups.values()].map((members) => {
    const item = document.createElement('div');
    item.className = 'error';
    item.dataset.state = members[0].state;
    const head = document.createElement('strong');
    const what = { dead: 'Dead-lettered', retrying: 'Failed, will be tried again', discarded: 'Discarded' };
    head.textContent = `${what[members[0].state]}: ${members.map((job) => labelOf(job.type)).join(', ')}`;
    const text = document.createElement('p');
    text.textContent = members[0].error.message;
    const codes = [members[0].error.code, members[0].error.type].map((value) => {
      const code = document.createElement('code');
      code.textContent = value;
      return code;
    });
    item.append(head, text, ...codes);
    return item;
  }));
}

export function labelOf(type) {
  return RENDITIONS.find((rendition) => rendition.type === type)?.label ?? type;
}

function attempt(job, from) {
  return job.attempt >= from ? `attempt ${numberOf(job.attempt, job)}` : '';
}

/** How many there are at most, nobody has told yet of a job from before a restart. */
function numberOf(attempt, job) {
  return job.maxAttempts > 0 ? `${attempt} of ${job.maxAttempts}` : `${attempt}`;
}

function percent(progress) {
  return progress > 0 ? `${Math.round(progress * 100)} %` : '';
}

function duration(millis) {
  return millis < 1000 ? `${millis} ms` : `${(millis / 1000).toFixed(1)} s`;
}

function size(bytes) {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
