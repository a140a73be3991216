// The versions of applications that work now, and since when: what a deployment changes.

import { dayAndTime, serverNow, timeOfDay } from './format.js';

const MOST = 3;
const KEPT_MILLIS = 60_000;

/**
 * The starts of versions, as choices of a filter by time: the newest first. The start of a version is that of its oldest process that runs.
 * @param {object} ctx
 * @returns {Promise<{value: string, label: string}[]>} empty if the caller may not see processes
 */
export async function versionStarts(ctx) {
  if (!ctx.isOperator) {
    return [];
  }
  const kept = ctx.state.versionStarts;
  if (kept && Math.abs(Date.now() - kept.at) < KEPT_MILLIS) {
    return kept.starts;
  }
  const starts = await read(ctx);
  if (starts) {
    ctx.state.versionStarts = { at: Date.now(), starts };
  }
  return starts ?? kept?.starts ?? [];
}

/** Null if the server does not tell: the next reload asks again. */
async function read(ctx) {
  const answer = await ctx.api.find('v1/admin/workers', { per_page: 100 }).catch(() => null);
  if (!answer) {
    return null;
  }
  const processes = (answer.items ?? []).filter((each) => each.kind === 'process' && each.state === 'running' && each.started_at);
  const starts = new Map();
  const names = new Set(processes.map((each) => each.application));
  for (const { application, application_version: version, started_at: at } of processes) {
    const name = [names.size > 1 || !version ? application ?? 'the application' : null, version].filter(Boolean).join(' ');
    starts.set(name, starts.has(name) && starts.get(name) < at ? starts.get(name) : at);
  }
  return [...starts].sort(([, a], [, b]) => b.localeCompare(a)).slice(0, MOST)
    .map(([name, at]) => ({ value: at, label: `since ${name} started (${serverNow() - Date.parse(at) < 86_400_000 ? timeOfDay(at) : dayAndTime(at)})` }));
}
