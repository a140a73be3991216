// The calls of a page as commands: whatever it shows, programs can have.

import { html } from '../html.js';
import { icon } from './icons.js';

/**
 * A button that copies a call.
 * @param {object} ctx
 * @param {string} method
 * @param {string} path such as v1/jobs
 * @param {{params?: object|URLSearchParams, body?: object}} [more]
 */
export function curl(ctx, method, path, { params, body } = {}) {
  return html`<button class="button quiet" type="button" title="Copies the call of the HTTP API that this page makes"
    @click=${() => ctx.copy(command(ctx, method, path, params, body))}>${icon('copy')}<span>as curl</span></button>`;
}

function command(ctx, method, path, params, body) {
  const parts = ['curl'];
  if (method !== 'GET') {
    parts.push('-X', method);
  }
  if (ctx.tenant) {
    parts.push('-H', quote(`X-OJS-Tenant: ${ctx.tenant}`));
  }
  if (body) {
    parts.push('-H', quote('Content-Type: application/json'), '-d', quote(JSON.stringify(body)));
  }
  parts.push(quote(ctx.api.url(path, params).href));
  return parts.join(' ');
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
