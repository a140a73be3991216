// Questions before a change, as <dialog>: the browser keeps the focus inside and closes it with Escape.

import { html, nothing, render } from './html.js';
import { ApiError } from './api.js';

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {'text'|'number'|'textarea'|'checkbox'|'select'} [type]
 * @property {string|number|boolean} [value]
 * @property {(string|{value: string, label: string})[]} [options] of a select
 * @property {boolean} [required]
 * @property {string|((values: object) => string)} [hint] from what the fields have now
 * @property {string} [placeholder]
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [maxLength]
 * @property {string} [mustBe] the text that has to be typed, for what cannot be undone
 */

/** Whether a dialog is open: pages stand still then. */
export function isAsking() {
  return document.querySelector('dialog[open]') !== null;
}

/**
 * Asks, and does what is asked for.
 * @param {object} question
 * @param {string} question.title
 * @param {unknown} [question.text] text or a template
 * @param {Field[]} [question.fields]
 * @param {string} [question.action] what the button says
 * @param {boolean} [question.danger]
 * @param {(values: object) => Promise<any>} [question.run] is called while the dialog stays open; it shows a failure beside
 * the field that the API names
 * @returns {Promise<object|null>} the values; null if cancelled, or if another question is open
 */
export function ask({ title, text, fields = [], action = 'OK', danger = false, run }) {
  if (document.querySelector('dialog[data-question][open]')) {
    return Promise.resolve(null); // A key was pressed twice before the first question was there.
  }
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.className = 'dialog';
    dialog.dataset.question = '';
    const state = { busy: false, failure: null };
    let result = null;

    const draw = () => {
      dialog.ariaBusy = String(state.busy);
      render(template(), dialog);
    };
    const values = () => {
      const form = dialog.querySelector('form');
      return Object.fromEntries(fields.map((field) => [field.name, form?.elements[field.name] ? valueOf(field, form.elements[field.name]) : field.value ?? null]));
    };
    const template = () => html`
      <form method="dialog" novalidate @submit=${submit} @input=${draw}>
        <h2 id="dialog-title">${title}</h2>
        ${text ? html`<div class="dialog-text">${text}</div>` : nothing}
        ${fields.map((field) => fieldView(field, state.failure, values))}
        ${state.failure && !fields.some((field) => field.name === state.failure.field) ? html`
          <p class="problem" role="alert">${state.failure.message}</p>` : nothing}
        <div class="dialog-buttons">
          <button class="button" type="button" ?disabled=${state.busy} @click=${() => dialog.close()}>Cancel</button>
          <button class="button ${danger ? 'danger' : 'primary'}" ?disabled=${state.busy}>${state.busy ? 'Working…' : action}</button>
        </div>
      </form>`;

    async function submit(event) {
      event.preventDefault();
      const form = dialog.querySelector('form');
      const wrong = fields.find((field) => problemOf(field, form.elements[field.name]));
      if (wrong) {
        state.failure = { field: wrong.name, message: problemOf(wrong, form.elements[wrong.name]) };
        draw();
        form.elements[wrong.name].focus();
        return;
      }
      const given = values();
      state.failure = null;
      if (run) {
        state.busy = true;
        draw();
        try {
          result = { ...given, answer: await run(given) };
        }
        catch (failure) {
          // The API names overrides.retry.max_attempts; the field is max_attempts.
          state.failure = { field: failure instanceof ApiError ? failure.field?.split('.').at(-1) ?? null : null, message: String(failure.message ?? failure) };
          return;
        }
        finally {
          state.busy = false;
          draw();
        }
      }
      else {
        result = given;
      }
      dialog.close();
    }

    dialog.setAttribute('aria-labelledby', 'dialog-title');
    // What has been asked for goes on: its result is shown here.
    dialog.addEventListener('cancel', (event) => state.busy && event.preventDefault());
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(result);
    });
    dialog.addEventListener('click', (event) => event.target === dialog && !state.busy && fields.length === 0 && dialog.close());
    draw();
    document.body.append(dialog);
    dialog.showModal();
    (dialog.querySelector('input, select, textarea') ?? dialog.querySelector('.primary, .danger'))?.focus();
  });
}

function fieldView(field, failure, values) {
  const isWrong = failure?.field === field.name;
  const id = `field-${field.name}`;
  const described = `${id}-hint`;
  const control = () => {
    switch (field.type) {
      case 'textarea':
        return html`<textarea id=${id} name=${field.name} rows="4" maxlength=${field.maxLength ?? 100_000} .value=${field.value ?? ''}
          aria-describedby=${described} aria-invalid=${isWrong} spellcheck="false"></textarea>`;
      case 'select':
        return html`<select id=${id} name=${field.name} aria-describedby=${described}>
          ${(field.options ?? []).map((option) => {
            const { value, label } = typeof option === 'string' ? { value: option, label: option } : option;
            return html`<option value=${value} ?selected=${value === field.value}>${label}</option>`;
          })}</select>`;
      default:
        return html`<input id=${id} name=${field.name} type=${field.type === 'number' ? 'number' : 'text'} .value=${String(field.value ?? '')}
          placeholder=${field.placeholder ?? ''} min=${field.min ?? nothing} max=${field.max ?? nothing} step="any"
          maxlength=${field.maxLength ?? 1000} aria-describedby=${described} aria-invalid=${isWrong} autocomplete="off"
          spellcheck="false">`;
    }
  };
  const below = isWrong ? html`<p class="problem" id=${described} role="alert">${failure.message}</p>`
    : html`<p class="hint" id=${described}>${typeof field.hint === 'function' ? field.hint(values()) : field.hint ?? ''}</p>`;
  return field.type === 'checkbox'
    ? html`<div class="field"><label class="check"><input id=${id} name=${field.name} type="checkbox" .checked=${Boolean(field.value)}
        aria-describedby=${described}> ${field.label}</label>${below}</div>`
    : html`<div class="field"><label for=${id}>${field.label}</label>${control()}${below}</div>`;
}

function valueOf(field, control) {
  if (field.type === 'checkbox') {
    return control.checked;
  }
  const text = control.value.trim();
  return field.type === 'number' ? (text === '' ? null : Number(text)) : text;
}

function problemOf(field, control) {
  if (control.validity?.badInput) {
    return 'This must be a number.'; // The browser tells no value of what is typed, as if the field were empty.
  }
  const text = field.type === 'checkbox' ? '' : control.value.trim();
  if (field.mustBe && text !== field.mustBe) {
    return `Type ${field.mustBe} to confirm.`;
  }
  if (field.required && (field.type === 'checkbox' ? !control.checked : text === '')) {
    return 'This is required.';
  }
  if (field.type === 'number' && text !== '') {
    const number = Number(text);
    if (!Number.isFinite(number) || (field.min !== undefined && number < field.min) || (field.max !== undefined && number > field.max)) {
      return `This must be a number${field.min !== undefined ? ` from ${field.min}` : ''}${field.max !== undefined ? ` to ${field.max}` : ''}.`;
    }
  }
  return null;
}
