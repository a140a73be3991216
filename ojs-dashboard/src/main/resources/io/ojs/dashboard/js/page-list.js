// The pages: their names in URLs, their places in the navigation, and what they need.

/**
 * @typedef {object} PageEntry
 * @property {string} name the last segment of the URL; '' for the overview
 * @property {string} label
 * @property {string} icon
 * @property {string|null} group null if the navigation does not name the page
 * @property {string} [go] the key after g
 * @property {string[]} [needs] features, of which the application has one at least
 * @property {boolean} [operators] whether a caller of one tenant cannot see it
 * @property {() => Promise<{default: object}>} load
 */

/** @type {PageEntry[]} */
export const PAGE_LIST = [
  { name: '', label: 'Overview', icon: 'overview', group: 'Now', go: 'o', load: () => import('./pages/overview.js') },
  { name: 'queues', label: 'Queues', icon: 'queues', group: 'Now', go: 'q', operators: true, load: () => import('./pages/queues.js') },
  { name: 'queue', label: 'Queue', icon: 'queues', group: null, load: () => import('./pages/queue.js') },
  { name: 'jobs', label: 'Jobs', icon: 'jobs', group: 'Now', go: 'j', needs: ['store'], load: () => import('./pages/jobs.js') },
  { name: 'job', label: 'Job', icon: 'jobs', group: null, load: () => import('./pages/job.js') },
  { name: 'dead-letters', label: 'Dead letters', icon: 'dead', group: 'Now', go: 'd', load: () => import('./pages/dead-letters.js') },
  { name: 'workflows', label: 'Workflows', icon: 'workflows', group: 'Plans', go: 'f', needs: ['workflows'], load: () => import('./pages/workflows.js') },
  { name: 'workflow', label: 'Workflow', icon: 'workflows', group: null, load: () => import('./pages/workflow.js') },
  { name: 'crons', label: 'Crons', icon: 'crons', group: 'Plans', go: 'c', needs: ['cron'], operators: true, load: () => import('./pages/crons.js') },
  { name: 'operations', label: 'Operations', icon: 'operations', group: 'Plans', go: 'p', needs: ['operations'], load: () => import('./pages/operations.js') },
  { name: 'workers', label: 'Workers', icon: 'workers', group: 'System', go: 'w', operators: true, load: () => import('./pages/workers.js') },
  { name: 'limits', label: 'Limits', icon: 'limits', group: 'System', go: 'l', needs: ['rate-limits'], operators: true, load: () => import('./pages/limits.js') },
  { name: 'tenants', label: 'Tenants', icon: 'tenants', group: 'System', go: 't', needs: ['tenants'], operators: true, load: () => import('./pages/tenants.js') },
  { name: 'broker', label: 'Broker', icon: 'broker', group: 'System', go: 'b', operators: true, load: () => import('./pages/broker.js') },
];

/** The entry of a page; undefined if there is no such page. */
export function entryOf(name) {
  return PAGE_LIST.find((entry) => entry.name === name);
}

/** Whether a caller can use a key of a page in this application. */
export function isUsable({ can, needs }, me) {
  return (!can || me.rights.includes(can)) && (!needs || me.features.includes(needs));
}

/** Whether a caller can see a page in this application. */
export function isOffered(entry, me, tenant) {
  return (!entry.needs || entry.needs.some((feature) => me.features.includes(feature)))
    && !(entry.operators && (tenant || (me.tenants.enabled && !me.tenants.all)));
}
