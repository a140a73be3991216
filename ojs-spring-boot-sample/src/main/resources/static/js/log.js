// The newest events, as the server's log has them.

const MAX_LINES = 150;

const list = document.getElementById('log');

export function showLog(entries, nameOf) {
  list.replaceChildren(...entries.map((entry) => line(entry, nameOf)));
}

export function addToLog(entry, nameOf) {
  const added = line(entry, nameOf);
  added.classList.add('is-new');
  list.prepend(added);
  while (list.children.length > MAX_LINES) {
    list.lastElementChild.remove();
  }
}

function line(entry, nameOf) {
  const item = document.createElement('li');
  item.dataset.event = entry.event;
  const head = document.createElement('p');
  head.append(part('b', entry.event), part('time', clock(entry.at)));
  const about = document.createElement('p');
  about.append(part('code', entry.type), part('span', nameOf(entry.photoId)), part('i', entry.detail));
  item.title = `Job ${entry.jobId}`;
  item.append(head, about);
  return item;
}

function part(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function clock(iso) {
  return new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
}
