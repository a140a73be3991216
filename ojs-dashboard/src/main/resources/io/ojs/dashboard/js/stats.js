// Series of GET v1/stats, as the charts want them.

import { serverNow } from './format.js';

const MINUTE = 60;
const RECENT_SECONDS = 900;

/** How far a page looks back, and the step of its points. */
export const RANGES = { '1h': [3_600, 60], '6h': [21_600, 600], '24h': [86_400, 1_200], '7d': [604_800, 3_600] };

/**
 * The parameters of a call.
 * @param {string} range a key of RANGES
 * @param {object} [more]
 */
export function statsQuery(range, more) {
  return queryOf(...stepsOf(range), more);
}

/** The parameters of a call for the last minutes; null if the range has each minute already. */
export function recentQuery(range, more) {
  return stepsOf(range)[1] === MINUTE ? null : queryOf(RECENT_SECONDS, MINUTE, more);
}

const stepsOf = (range) => RANGES[range] ?? RANGES['1h'];

const queryOf = (seconds, step, more) => ({ since: new Date(serverNow() - seconds * 1000).toISOString(), step, ...more });

/**
 * The points of all steps of the time asked for: what has no point is 0 jobs, and no duration.
 * @param {{step_seconds: number, since: string, until: string}|null} stats
 * @param {object[]|undefined} points
 */
export function filled(stats, points) {
  if (!stats) {
    return { times: [], points: [] };
  }
  const step = stats.step_seconds;
  const first = Math.floor(Date.parse(stats.since) / 1000 / step) * step;
  const last = Math.floor(Date.parse(stats.until) / 1000 / step) * step;
  const known = new Map((points ?? []).map((point) => [Math.floor(Date.parse(point.at) / 1000 / step) * step, point]));
  const times = [];
  for (let at = first; at <= last && times.length < 2_000; at += step) {
    times.push(at);
  }
  return { times, points: times.map((at) => known.get(at) ?? null) };
}

/** The numbers of one field; 0 where nothing ended. */
export function counts(points, field) {
  return points.map((point) => point?.[field] ?? 0);
}

/** The durations of one field; null where nothing ended. */
export function durations(points, field) {
  return points.map((point) => point?.[field] ?? null);
}

export function sum(values) {
  return values.reduce((total, value) => total + (value ?? 0), 0);
}

/** The last value that there is. */
export function latest(values) {
  return values.findLast((value) => value !== null && value !== undefined) ?? null;
}

/**
 * The jobs that are completed in a minute, over the last minutes and the one that has begun.
 * @param {object} stats of each minute
 * @param {number} minutes
 */
export function completedPerMinute(stats, minutes) {
  const { times, points } = filled(stats, stats.series[0]?.points);
  const steps = 1 + minutes;
  const since = times.at(-steps) ?? times[0];
  return sum(counts(points.slice(-steps), 'completed')) / Math.max(1, (Date.parse(stats.until) / 1000 - since) / 60);
}
