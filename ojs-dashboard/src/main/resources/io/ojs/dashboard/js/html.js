// The templates of all modules. Text gets into a page through these alone, so it is always text.

export { html, svg, nothing, render } from '../vendor/lit-html/lit-html.js';
export { repeat } from '../vendor/lit-html/directives/repeat.js';
export { live } from '../vendor/lit-html/directives/live.js';
