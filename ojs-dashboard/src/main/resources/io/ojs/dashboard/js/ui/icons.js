// Icons of 16 × 16, drawn with the color of the text. They are decoration: a word is always beside them.

import { svg } from '../html.js';

const SHAPES = {
  brand: svg`<path d="M2.5 4h11M2.5 8h11M2.5 12h5"/><circle cx="12" cy="12" r="1.8"/>`,
  menu: svg`<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11"/>`,
  search: svg`<circle cx="7" cy="7" r="4.3"/><path d="m10.3 10.3 3.4 3.4"/>`,
  overview: svg`<rect x="2" y="2.5" width="5" height="6" rx="1"/><rect x="9" y="2.5" width="5" height="3.5" rx="1"/><rect x="2" y="10.5" width="5" height="3" rx="1"/><rect x="9" y="8" width="5" height="5.5" rx="1"/>`,
  queues: svg`<path d="M2.5 4h8M2.5 8h11M2.5 12h6"/><circle cx="13" cy="4" r=".6"/>`,
  jobs: svg`<rect x="2.5" y="2.5" width="11" height="11" rx="2"/><path d="m5.3 8.2 2 2 3.5-4.2"/>`,
  dead: svg`<path d="M8 2.2 14 13H2z"/><path d="M8 6.3v3M8 11.2v.1"/>`,
  workflows: svg`<rect x="1.8" y="6" width="4" height="4" rx="1"/><rect x="10.2" y="2" width="4" height="4" rx="1"/><rect x="10.2" y="10" width="4" height="4" rx="1"/><path d="M5.8 8h2.2M10.2 4H8v8h2.2"/>`,
  crons: svg`<circle cx="8" cy="8" r="5.7"/><path d="M8 4.8V8l2.2 1.6"/>`,
  operations: svg`<path d="M3 6.5A5.2 5.2 0 0 1 12.6 5M13 9.5A5.2 5.2 0 0 1 3.4 11"/><path d="M12.8 2.2V5H10M3.2 13.8V11H6"/>`,
  workers: svg`<rect x="2" y="3" width="12" height="4" rx="1"/><rect x="2" y="9" width="12" height="4" rx="1"/><path d="M4.5 5h.1M4.5 11h.1"/>`,
  limits: svg`<path d="M2.5 11.5a5.8 5.8 0 1 1 11 0"/><path d="m8 10.5 2.6-3.6"/>`,
  tenants: svg`<circle cx="6" cy="5.5" r="2.3"/><path d="M1.8 13c.3-2.6 2-4 4.2-4s3.9 1.4 4.2 4M10.5 3.5a2.2 2.2 0 0 1 0 4.2M12 9.4c1.3.7 2 1.9 2.2 3.6"/>`,
  broker: svg`<path d="M2.5 6.5h11v6.5h-11zM4.5 6.5V3h2v3.5M9.5 6.5V3h2v3.5"/>`,
  tag: svg`<path d="M2.5 2.5h5l6 6-5 5-6-6z"/><path d="M5.3 5.3h.1"/>`,
  info: svg`<circle cx="8" cy="8" r="5.7"/><path d="M8 7.5V11M8 5.1v.1"/>`,
  warning: svg`<path d="M8 2.2 14 13H2z"/><path d="M8 6.3v3M8 11.2v.1"/>`,
  critical: svg`<path d="M5.5 2.3h5l3.2 3.2v5l-3.2 3.2h-5l-3.2-3.2v-5z"/><path d="M8 5v3.5M8 10.8v.1"/>`,
  lock: svg`<rect x="3.5" y="7" width="9" height="6.5" rx="1.2"/><path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2"/>`,
  up: svg`<path d="M8 13V3.5M4 7.3l4-4 4 4"/>`,
  down: svg`<path d="m4 6 4 4 4-4"/>`,
  right: svg`<path d="m6 4 4 4-4 4"/>`,
  close: svg`<path d="m4 4 8 8M12 4l-8 8"/>`,
  copy: svg`<rect x="5.5" y="5.5" width="8" height="8" rx="1.2"/><path d="M10.5 5.5V3.7c0-.7-.5-1.2-1.2-1.2H3.7c-.7 0-1.2.5-1.2 1.2v5.6c0 .7.5 1.2 1.2 1.2h1.8"/>`,
  check: svg`<path d="m3.5 8.5 3 3 6-7"/>`,
  play: svg`<path d="M5 3.2v9.6l7.5-4.8z"/>`,
  pause: svg`<path d="M5.5 3.5v9M10.5 3.5v9"/>`,
  stop: svg`<rect x="4" y="4" width="8" height="8" rx="1"/>`,
  retry: svg`<path d="M13 8a5 5 0 1 1-1.6-3.7"/><path d="M13 2.5v3h-3"/>`,
  cross: svg`<circle cx="8" cy="8" r="5.7"/><path d="m6 6 4 4M10 6l-4 4"/>`,
  slash: svg`<circle cx="8" cy="8" r="5.7"/><path d="m4.2 11.8 7.6-7.6"/>`,
  dots: svg`<path d="M4 8h.1M8 8h.1M12 8h.1"/>`,
  ring: svg`<circle cx="8" cy="8" r="4.5"/>`,
  done: svg`<circle cx="8" cy="8" r="5.7"/><path d="m5.5 8.2 1.8 1.8 3.2-3.9"/>`,
  hourglass: svg`<path d="M4 2.5h8M4 13.5h8M5 2.5c0 3 1.5 4 3 5.5 1.5-1.5 3-2.5 3-5.5M5 13.5c0-3 1.5-4 3-5.5 1.5 1.5 3 2.5 3 5.5"/>`,
  drain: svg`<path d="M2.5 3h11L9.5 8.2V13l-3-1.5V8.2z"/>`,
  trash: svg`<path d="M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 9h5.8l.6-9"/>`,
  settings: svg`<path d="M2.5 4.5h6M12 4.5h1.5M2.5 11.5h2M8 11.5h5.5"/><circle cx="10.2" cy="4.5" r="1.7"/><circle cx="6.2" cy="11.5" r="1.7"/>`,
  power: svg`<path d="M8 2.5v5.2"/><path d="M4.7 4.6a4.8 4.8 0 1 0 6.6 0"/>`,
  moon: svg`<path d="M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z"/>`,
};

/**
 * @param {keyof SHAPES} name
 */
export function icon(name) {
  return svg`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${SHAPES[name] ?? SHAPES.ring}</svg>`;
}
