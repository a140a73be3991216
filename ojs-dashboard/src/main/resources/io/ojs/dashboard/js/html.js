// The templates of all modules. Text gets into a page through these alone, so it is always text.

import { html as plainHtml } from '../vendor/lit-html/lit-html.js';

export { svg, nothing, render } from '../vendor/lit-html/lit-html.js';
export { repeat } from '../vendor/lit-html/directives/repeat.js';
export { live } from '../vendor/lit-html/directives/live.js';

/** Characters that turn the direction of what follows, or that cannot be seen: gnp.exe must not look like exe.png. */
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Marks that are piled on one character cover what is around it, and no line breaks between them. */
const PILED = /(\p{M}{8})\p{M}+/gu;

/** @type {WeakMap<TemplateStringsArray, boolean[]>} of each template, which values are text and not attributes */
const texts = new WeakMap();

/**
 * A template of lit-html that shows control characters.
 * @param {TemplateStringsArray} strings
 * @param {...unknown} values
 */
export function html(strings, ...values) {
  let isText = texts.get(strings);
  if (!isText) {
    let open = false;
    isText = strings.map((part) => {
      open = part.lastIndexOf('<') > part.lastIndexOf('>') || (open && !part.includes('>'));
      return !open;
    });
    texts.set(strings, isText);
  }
  return plainHtml(strings, ...values.map((value, index) => (isText[index] && typeof value === 'string' ? visible(value) : value)));
}

/** Text with its control characters as their numbers, and at most eight marks on a character. */
export function visible(text) {
  return text.replace(PILED, '$1').replace(HIDDEN, (each) => `[U+${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);
}
