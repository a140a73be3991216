// Stack traces: the first frames, the rest folded, causes below.

import { html, nothing } from '../html.js';
import { button, fold } from './parts.js';

const FIRST_FRAMES = 8;

/**
 * @param {object} ctx
 * @param {{type?: string, code?: string, message?: string, backtrace?: string[]|string, causes?: {type: string, message: string, frames?: string[]}[]}} error
 * @param {{titled?: boolean}} [options] whether it says which error it is
 */
export function stack(ctx, error, { titled = true } = {}) {
  const lines = linesOf(error.backtrace ?? error.frames);
  return html`<div class="stack">
    <p class="stack-head">${titled ? html`<strong>${error.type ?? error.code ?? 'Error'}</strong> ` : nothing}${error.message ? html`<span class="stack-message">${error.message}</span>` : nothing}</p>
    ${frames(lines)}
    ${(error.causes ?? []).map((cause, index) => fold(html`Caused by <strong>${cause.type}</strong> ${cause.message ?? ''}`, frames(linesOf(cause.frames)),
      index === error.causes.length - 1))}
    ${lines.length && ctx ? html`<p>${button('Copy', () => ctx.copy(text(error, lines)), { shape: 'copy', kind: 'quiet', title: 'Copies the error with its causes as text' })}</p>` : nothing}</div>`;
}

function frames(lines) {
  if (!lines.length) {
    return nothing;
  }
  const rest = lines.slice(FIRST_FRAMES);
  return html`<pre class="frames" tabindex="0">${lines.slice(0, FIRST_FRAMES).join('\n')}</pre>
    ${rest.length ? fold(`${rest.length} more frames`, html`<pre class="frames" tabindex="0">${rest.join('\n')}</pre>`) : nothing}`;
}

function linesOf(backtrace) {
  return Array.isArray(backtrace) ? backtrace.map(String) : typeof backtrace === 'string' ? backtrace.split('\n') : [];
}

function text(error, lines) {
  const causes = (error.causes ?? []).map((cause) => [`Caused by: ${cause.type}: ${cause.message ?? ''}`, ...linesOf(cause.frames)].join('\n'));
  return [`${error.type ?? error.code ?? 'Error'}: ${error.message ?? ''}`, ...lines, ...causes].join('\n');
}
