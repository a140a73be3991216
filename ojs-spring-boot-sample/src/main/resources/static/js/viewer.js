// A closer look at a photo and what was made of it.

const dialog = document.getElementById('viewer');
const image = document.getElementById('viewer-image');
const tabs = document.getElementById('viewer-tabs');
const palette = document.getElementById('viewer-palette');

const VIEWS = [
  { name: 'original', label: 'Original' },
  { name: 'watermark', label: 'Watermark' },
  { name: 'painting', label: 'Painting' },
];

export function view(photo) {
  document.getElementById('viewer-title').textContent = photo.name;
  const buttons = VIEWS.map(({ name, label }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.disabled = name !== 'original' && !photo.renditions.includes(name);
    button.title = button.disabled ? 'Its job is not done' : '';
    button.addEventListener('click', () => show(name));
    return { name, label, button };
  });
  tabs.replaceChildren(...buttons.map(({ button }) => button));

  function show(name) {
    for (const other of buttons) {
      other.button.setAttribute('aria-pressed', String(other.name === name));
    }
    const { label } = buttons.find((other) => other.name === name);
    dialog.classList.add('is-loading');
    image.src = `api/photos/${photo.id}/${name}`;
    image.alt = `${label} of ${photo.name}`;
  }

  palette.replaceChildren(...photo.palette.map((swatch) => {
    const item = document.createElement('li');
    const colour = document.createElement('span');
    colour.style.background = swatch.hex;
    const words = document.createElement('code');
    words.textContent = `${swatch.hex} ${Math.round(swatch.share * 100)} %`;
    item.append(colour, words);
    return item;
  }));
  show('original');
  dialog.showModal();
}

image.addEventListener('load', () => dialog.classList.remove('is-loading'));
image.addEventListener('error', () => dialog.classList.remove('is-loading'));
document.getElementById('viewer-close').addEventListener('click', () => dialog.close());
dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
dialog.addEventListener('close', () => image.removeAttribute('src'));
