// Calls the public HTTP API, by URLs relative to the page, so there is no base path to configure.

import { retryAfter } from './retry-after.js';

/** The directory of the pages: …/ojs/ui/. */
export const PAGES = new URL('./', document.baseURI);

/** The root of the API: …/ojs/. */
export const API = new URL('../', PAGES);

const TIMEOUT_MILLIS = 30_000;

/** A call that failed. */
export class ApiError extends Error {

  /**
   * @param {number} status the HTTP status; 0 if there was no answer
   * @param {'offline'|'timeout'|'signed-out'|'forbidden'|'missing'|'busy'|'unavailable'|'invalid'|'failed'} kind
   * @param {string} message a sentence
   * @param {{code?: string, field?: string, hint?: string, requestId?: string, details?: object, retryAfter?: number|null}} [more] with the
   * seconds after which the server wants to be asked again
   */
  constructor(status, kind, message, more = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.kind = kind;
    this.code = more.code ?? null;
    this.field = more.field ?? null;
    this.hint = more.hint ?? null;
    this.requestId = more.requestId ?? null;
    this.details = more.details ?? {};
    this.retryAfter = more.retryAfter ?? null;
  }

}

/**
 * One segment of a path, such as the name of a queue.
 * @param {string} text any text
 */
export function segment(text) {
  if (text === '.' || text === '..' || text === '') {
    throw new ApiError(404, 'missing', `There is nothing named "${text}".`);
  }
  return encodeURIComponent(text);
}

/** Creates the query of a URL; leaves out what is null, undefined or empty, and repeats lists. */
export function query(params) {
  if (params instanceof URLSearchParams) {
    return params;
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined && each !== '') {
        search.append(name, String(each));
      }
    }
  }
  return search;
}

/** The token that protects the session of the browser. */
class Csrf {

  constructor() {
    this.header = meta('ojs-csrf-header');
    this.token = meta('ojs-csrf-token');
    this.plain = cookie('XSRF-TOKEN') !== null; // Whether the application expects the value of the cookie, as csrf.spa() does.
  }

  /** @returns {Object<string, string>} */
  headers() {
    const token = this.plain ? (cookie('XSRF-TOKEN') ?? this.token) : this.token;
    return this.header && token ? { [this.header]: token } : {};
  }

  /** Gets another token after a refusal, and tries the other form of it. */
  async renew() {
    this.plain = !this.plain && cookie('XSRF-TOKEN') !== null;
    const answer = await fetch(new URL('session', PAGES), { headers: { Accept: 'application/json' }, redirect: 'manual' });
    if (answer.type === 'opaqueredirect' || answer.status === 401) {
      throw new ApiError(401, 'signed-out', 'Your session has ended.');
    }
    if (answer.ok) {
      const session = await answer.json();
      this.header = session.csrf?.header ?? '';
      this.token = session.csrf?.token ?? '';
    }
  }

}

/** The API, as one caller and one tenant. */
export class Api {

  /**
   * @param {() => (string|null)} tenant the chosen tenant
   * @param {AbortSignal} [signal] ends the calls
   * @param {Csrf} [csrf]
   */
  constructor(tenant, signal, csrf = new Csrf()) {
    this.tenant = tenant;
    this.signal = signal;
    this.csrf = csrf;
  }

  /**
   * The same API, whose calls end when the signal aborts.
   * @param {AbortSignal} signal
   */
  until(signal) {
    return new Api(this.tenant, signal, this.csrf);
  }

  /**
   * Reads.
   * @param {string} path such as v1/queues
   * @param {object|URLSearchParams} [params]
   * @param {{timeout?: number|null}} [options] milliseconds until it fails; null if the answer may take any time
   */
  get(path, params, { timeout = TIMEOUT_MILLIS } = {}) {
    return this.#call('GET', path, params, undefined, timeout);
  }

  /**
   * Reads what an application may not have.
   * @returns {Promise<any>} null if it has no such endpoint
   */
  async find(path, params) {
    try {
      return await this.get(path, params);
    }
    catch (failure) {
      if (failure instanceof ApiError && failure.kind === 'missing' && failure.code) {
        return null; // Without a code, it is a proxy that has no application.
      }
      throw failure;
    }
  }

  /**
   * Writes.
   * @param {string} path
   * @param {object} [body]
   * @param {{timeout?: number|null}} [options] milliseconds until it fails; null if the answer comes when all is done
   */
  post(path, body, { timeout = TIMEOUT_MILLIS } = {}) {
    return this.#call('POST', path, null, body ?? {}, timeout);
  }

  put(path, body) {
    return this.#call('PUT', path, null, body ?? {});
  }

  delete(path, body) {
    return this.#call('DELETE', path, null, body ?? {});
  }

  /** The absolute URL of a call. */
  url(path, params) {
    const url = new URL(path.replace(/^\/+/, ''), API);
    const search = query(params);
    if (search.size) {
      url.search = search.toString();
    }
    return url;
  }

  async #call(method, path, params, body, timeout = TIMEOUT_MILLIS) {
    const url = this.url(path, params);
    let { answer, text } = await this.#send(method, url, body, timeout);
    // The API's own refusals have this header: without it, the application refuses the token most likely.
    for (let tries = 0; tries < 2 && method !== 'GET' && answer.status === 403 && !answer.headers.has('OJS-Version'); tries++) {
      await this.csrf.renew();
      ({ answer, text } = await this.#send(method, url, body, timeout));
    }
    return this.#read(answer, text);
  }

  async #send(method, url, body, timeout) {
    const headers = { Accept: 'application/json', 'OJS-Version': '1.0' };
    const tenant = this.tenant();
    if (tenant) {
      headers['X-OJS-Tenant'] = tenant;
    }
    if (body !== undefined) {
      headers['Content-Type'] = 'application/json';
      Object.assign(headers, this.csrf.headers());
    }
    // What changes something goes on when its page is left: the server would carry it out all the same.
    const page = method === 'GET' || body?.dry_run ? this.signal : null;
    const ends = [page, timeout === null ? null : AbortSignal.timeout(timeout)].filter(Boolean);
    try {
      const answer = await fetch(url, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: 'manual',
        cache: 'no-store',
        signal: AbortSignal.any(ends),
      });
      return { answer, text: await answer.text() }; // It may break off.
    }
    catch (failure) {
      if (page?.aborted) {
        throw failure;
      }
      throw failure.name === 'TimeoutError'
        ? new ApiError(0, 'timeout', 'The application did not answer within 30 seconds.')
        : new ApiError(0, 'offline', 'The application does not answer.');
    }
  }

  #read(answer, text) {
    if (answer.type === 'opaqueredirect' || answer.status === 401) {
      throw new ApiError(401, 'signed-out', 'Your session has ended.');
    }
    if (answer.status === 204) {
      return null;
    }
    const isJson = /[/+]json\b/.test(answer.headers.get('Content-Type') ?? '');
    const json = isJson ? parse(text) : null;
    if (answer.ok && json !== null) {
      return json;
    }
    throw failure(answer, json);
  }

}

/** Parses JSON. Integers that a number of JavaScript would round are BigInt, where the browser can tell. */
export function parse(text) {
  try {
    return /\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
  }
  catch {
    return null;
  }
}

function exact(name, value, context) {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context.source) : value;
}

function failure(answer, json) {
  const error = json?.error;
  if (typeof error !== 'object' || error === null) {
    const gone = [404, 502, 503, 504].includes(answer.status);
    return new ApiError(answer.status, gone ? 'offline' : kind(answer.status), gone ? 'The application does not answer.'
      : answer.status === 403 ? 'The application refuses the request: its security configuration, or an expired token.'
        : `The application answers ${answer.status} without a reason.`, { retryAfter: retryAfter(answer) });
  }
  return new ApiError(answer.status, kind(answer.status), error.message ?? `Status ${answer.status}`, {
    code: error.code,
    field: error.details?.field,
    hint: error.hint,
    requestId: error.request_id,
    details: error.details,
    retryAfter: retryAfter(answer),
  });
}

function kind(status) {
  return { 400: 'invalid', 403: 'forbidden', 404: 'missing', 409: 'invalid', 413: 'invalid', 415: 'invalid', 422: 'invalid',
    429: 'busy', 503: 'unavailable' }[status] ?? 'failed';
}

function meta(name) {
  return document.querySelector(`meta[name="${name}"]`)?.content ?? '';
}

function cookie(name) {
  const found = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : null;
}
