// When a server that refuses wants to be asked again. The shared worker needs it too, which has no document.

const LONGEST_SECONDS = 600; // A wrong header stops no page for good.

/**
 * @param {Response} answer
 * @returns {number|null} seconds; null if the server does not say so
 */
export function retryAfter(answer) {
  const seconds = Number(answer.headers.get('Retry-After') ?? '');
  return seconds > 0 ? Math.min(seconds, LONGEST_SECONDS) : null;
}
