// Arguments of jobs: as JSON, or encrypted, to be decoded by callers with that right alone.

import { parse } from './api.js';
import { textIn } from './format.js';
import { html, nothing } from './html.js';
import { icon } from './ui/icons.js';
import { json } from './ui/json.js';
import { button } from './ui/parts.js';

const ENCODINGS = 'ojs.codec.encodings';
const KEY = 'ojs.codec.key_id';
const BOUND_TO = 'ojs.codec.aad';

/** Whether the arguments are encoded (OJS Encryption §5.2). */
export function isEncoded(job) {
  return job.args?.length === 1 && job.args[0]?.ojs_encoded === true;
}

function keyOf(job) {
  return textIn(job.meta?.[KEY]);
}

/** The payload that the codec server takes. */
function payloadOf(job) {
  const [only] = job.args;
  const values = { id: job.id, type: job.type, tenant_id: job.meta?.tenant_id ?? '', cron: job.meta?.['ojs.cron'] ?? '' };
  const fields = [job.meta?.[BOUND_TO] ?? []].flat();
  const encodings = job.meta?.[ENCODINGS];
  return {
    data: only.data,
    metadata: {
      encoding: only.encoding,
      ...(Array.isArray(encodings) && encodings.length ? { encodings } : {}),
      ...(keyOf(job) ? { encryption_key_id: keyOf(job) } : {}),
      ...(fields.length ? { aad: Object.fromEntries(fields.map((field) => [field, values[field] ?? ''])) } : {}),
    },
  };
}

/**
 * @param {object} ctx what it decodes stays in ctx.state until the page is left
 * @param {object} job
 */
export function argumentsOf(ctx, job) {
  if (!isEncoded(job)) {
    return json(job.args ?? []);
  }
  const decoded = ctx.state.decoded?.id === job.id ? ctx.state.decoded : null;
  if (decoded) {
    return html`<p class="muted">${icon('lock')} Decoded for you. The audit log has your name and the reason.
      ${button('Hide', () => hide(ctx), { kind: 'quiet' })}</p>${json(decoded.args)}`;
  }
  return html`<div class="sealed"><p>${icon('lock')} Encrypted${keyOf(job) ? html` with the key <code>${keyOf(job)}</code>` : nothing}.</p>
    ${ctx.can('codec') && ctx.has('codec') ? button('Decode…', () => decode(ctx, job), { shape: 'lock', key: 'a' })
      : html`<p class="muted">${ctx.has('codec') ? 'To read them takes the right codec.' : 'This application does not decode arguments (ojs.encryption.codec-server.enabled).'}</p>`}</div>`;
}

export async function decode(ctx, job) {
  const values = await ctx.confirm({
    title: 'Decode the arguments?', action: 'Decode',
    text: 'You see what the job was given, which may be personal data. The audit log gets your name, the id of the job and the reason.',
    fields: [{ name: 'reason', label: 'Reason', required: true, maxLength: 500, placeholder: 'Ticket 4711: the customer got no invoice' }],
    run: async ({ reason }) => {
      const answer = await ctx.api.post('v1/codec/decode', { payloads: [payloadOf(job)], job_id: job.id, reason });
      return parse(new TextDecoder().decode(bytesOf(answer.payloads[0].data)));
    },
  });
  if (values) {
    ctx.state.decoded = { id: job.id, args: values.answer };
    ctx.update();
  }
}

function hide(ctx) {
  ctx.state.decoded = null;
  ctx.update();
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
