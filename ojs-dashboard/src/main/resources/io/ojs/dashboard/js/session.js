// What the server says to a page that has been open for long.

import { PAGES } from './api.js';

const TIMEOUT_MILLIS = 10_000;

/**
 * @typedef {object} Session
 * @property {boolean} isKnown whether the server knows the caller
 * @property {boolean} isRefused whether the caller may see nothing
 * @property {boolean} isOld whether the server has other files than this page
 */

/**
 * Asks the server.
 * @returns {Promise<Session|null>} null if it does not answer
 */
export async function askSession() {
  const own = document.querySelector('meta[name="ojs-version"]')?.content;
  try {
    const answer = await fetch(new URL('session', PAGES), {
      headers: { Accept: 'application/json' }, // A login does not lead here then.
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MILLIS),
    });
    const session = answer.ok ? await answer.json() : null;
    return { isKnown: answer.ok, isRefused: answer.status === 403, isOld: Boolean(own && session?.version && session.version !== own) };
  }
  catch {
    return null;
  }
}
