// Messages that stay until they are read.

const MAX_NOTICES = 5;

const list = document.getElementById('notices');

export function notice(text) {
  const item = document.createElement('p');
  item.className = 'notice';
  const words = document.createElement('span');
  words.textContent = text;
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'button small quiet';
  close.textContent = 'Dismiss';
  close.addEventListener('click', () => item.remove());
  item.append(words, close);
  list.append(item);
  while (list.children.length > MAX_NOTICES) {
    list.firstElementChild.remove();
  }
}
