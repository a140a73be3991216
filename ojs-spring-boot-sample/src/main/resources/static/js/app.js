// Puts the parts together: what the server tells becomes cards, counters and a log.

import { createCard, labelOf } from './cards.js';
import { connect } from './feed.js';
import { addToLog, showLog } from './log.js';
import { notice } from './notices.js';
import { problem, shipped, upload } from './upload.js';
import { view } from './viewer.js';

const OUR_PHOTOS = ['evening-ridges.jpg', 'northern-lights.jpg', 'misty-forest.jpg', 'seahorse-valley.jpg',
  'wind-and-sand.jpg', 'morning-window.jpg'];
const TICK_MILLIS = 100;
const CARD_GAP = 20;
const CONNECTION = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost, trying again' };

const photos = new Map();
const jobs = new Map();
const cards = new Map();
const list = document.getElementById('cards');
const announcer = document.getElementById('announcer');

// Cards differ in height, so each takes as many of the grid's small rows as it needs.
const heights = new ResizeObserver((entries) => {
  const row = parseFloat(getComputedStyle(list).gridAutoRows);
  for (const { target } of entries) {
    target.style.gridRowEnd = `span ${Math.ceil((target.offsetHeight + CARD_GAP) / row)}`;
  }
});

connect({
  snapshot(snapshot) {
    jobs.clear();
    snapshot.jobs.forEach((job) => jobs.set(job.id, job));
    const there = new Set(snapshot.photos.map((photo) => photo.id));
    [...cards.keys()].filter((id) => !there.has(id)).forEach(forget);
    [...snapshot.photos].reverse().forEach(showPhoto);
    cards.forEach((card, id) => card.showJobs(jobsOf(id)));
    countPhotos();
    showLog(snapshot.log, nameOf);
    count();
  },
  job({ job, entry }) {
    jobs.set(job.id, job);
    cards.get(job.photoId)?.showJobs(jobsOf(job.photoId));
    if (entry) {
      addToLog(entry, nameOf);
      announce(entry, job);
    }
    count();
  },
  photo: showPhoto,
  'photo-removed': ({ photoId }) => {
    forget(photoId);
    countPhotos();
  },
}, (state) => {
  document.body.dataset.connection = state;
  document.getElementById('connection-text').textContent = CONNECTION[state];
});

setInterval(() => cards.forEach((card) => card.tick()), TICK_MILLIS);

function showPhoto(photo) {
  photos.set(photo.id, photo);
  if (cards.has(photo.id)) {
    cards.get(photo.id).showPhoto(photo);
  } else {
    const card = createCard(photo, { open: view, again, remove });
    cards.set(photo.id, card);
    card.showJobs(jobsOf(photo.id));
    list.prepend(card.root);
    heights.observe(card.root);
  }
  countPhotos();
}

function forget(photoId) {
  photos.delete(photoId);
  const root = cards.get(photoId)?.root;
  if (root) {
    heights.unobserve(root);
    root.remove();
  }
  cards.delete(photoId);
}

/** The latest job of each type. Ids are UUIDv7, so the latest is the greatest. */
function jobsOf(photoId) {
  const latest = new Map();
  for (const job of jobs.values()) {
    if (job.photoId === photoId && !(latest.get(job.type)?.id > job.id)) {
      latest.set(job.type, job);
    }
  }
  return latest;
}

function nameOf(photoId) {
  return photos.get(photoId)?.name ?? 'a deleted photo';
}

function count() {
  const counts = { queued: 0, running: 0, retrying: 0, done: 0, dead: 0 };
  jobs.forEach((job) => counts[job.state]++);
  for (const state of ['queued', 'running', 'retrying', 'done', 'dead']) {
    const element = document.getElementById(`count-${state}`);
    element.textContent = counts[state];
    element.parentElement.classList.toggle('is-zero', counts[state] === 0);
  }
}

function countPhotos() {
  document.body.dataset.photos = photos.size > 0 ? 'some' : 'none';
}

/** Only what somebody who does not see the page would want to be interrupted for. */
function announce(entry, job) {
  const what = `${labelOf(job.type)} of ${nameOf(job.photoId)}`;
  if (entry.event === 'job.retrying') {
    announcer.textContent = `${what} failed and will be tried again.`;
  } else if (entry.event === 'job.dead_lettered') {
    announcer.textContent = `${what} was dead-lettered: ${job.error.message}`;
  } else if (entry.event === 'job.completed' && [...jobsOf(job.photoId).values()].every((j) => j.state === 'done')) {
    announcer.textContent = `All jobs of ${nameOf(job.photoId)} are done.`;
  }
}

async function again(photo) {
  await ask(`api/photos/${photo.id}/jobs`, 'POST', `${photo.name} could not be queued again.`);
}

async function remove(photo) {
  await ask(`api/photos/${photo.id}`, 'DELETE', `${photo.name} could not be deleted.`);
}

async function ask(url, method, otherwise) {
  try {
    const response = await fetch(url, { method });
    if (!response.ok) {
      notice(await problem(response, otherwise));
    }
  } catch (error) {
    notice(`${otherwise} ${error.message}.`);
  }
}

// Three ways in: our photos, a dialog, dropping.

function uploadOurs(button, names) {
  const label = button.textContent;
  button.addEventListener('click', async () => {
    button.disabled = true;
    await upload(names.map(shipped), (sent, all) => {
      button.textContent = `Uploading ${Math.min(sent + 1, all)} of ${all}`;
    });
    button.textContent = label;
    button.disabled = false;
  });
}
uploadOurs(document.getElementById('try'), OUR_PHOTOS);
uploadOurs(document.getElementById('try-broken'), ['broken.jpg']);

const input = document.getElementById('files');
document.getElementById('choose').addEventListener('click', () => input.click());
input.addEventListener('change', () => {
  uploadFiles(input.files);
  input.value = '';
});

function uploadFiles(files) {
  return upload([...files].map((file) => async () => file));
}

// The whole page takes photos. Events come from every element that is crossed, so they are counted.
let depth = 0;
const carriesFiles = (event) => event.dataTransfer?.types.includes('Files');
const veil = (shown) => document.body.classList.toggle('is-dragging', shown);
window.addEventListener('dragenter', (event) => carriesFiles(event) && veil(++depth > 0));
window.addEventListener('dragleave', (event) => carriesFiles(event) && veil(--depth > 0));
window.addEventListener('dragover', (event) => carriesFiles(event) && event.preventDefault());
window.addEventListener('drop', (event) => {
  if (carriesFiles(event)) {
    event.preventDefault();
    depth = 0;
    veil(false);
    uploadFiles(event.dataTransfer.files);
  }
});
