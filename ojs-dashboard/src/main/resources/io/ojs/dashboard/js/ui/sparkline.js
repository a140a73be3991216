// Small lines without axes, as SVG. The numbers are in the label.

import { html, nothing, svg } from '../html.js';

const WIDTH = 120;
const HEIGHT = 28;

/**
 * @param {(number|null)[]} values
 * @param {{label: string, tone?: string, max?: number}} options label: what a reader hears
 */
export function sparkline(values, { label, tone = '', max }) {
  const known = values.filter((value) => value !== null && value !== undefined);
  if (known.length < 2) {
    return html`<span class="spark none" role="img" aria-label="${label}: no data yet"></span>`;
  }
  const top = Math.max(max ?? 0, ...known) || 1;
  const x = (index) => (index / (values.length - 1) * WIDTH).toFixed(1);
  const y = (value) => (HEIGHT - 2 - value / top * (HEIGHT - 4)).toFixed(1);
  const runs = [];
  let run = [];
  values.forEach((value, index) => {
    if (value === null || value === undefined) {
      run = [];
    }
    else {
      if (!run.length) {
        runs.push(run);
      }
      run.push([x(index), y(value)]);
    }
  });
  return html`<svg class="spark ${tone}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${runs.map((points) => points.length > 1 ? svg`
      <polygon points="${points[0][0]},${HEIGHT} ${points.map((point) => point.join(',')).join(' ')} ${points.at(-1)[0]},${HEIGHT}"/>
      <polyline points=${points.map((point) => point.join(',')).join(' ')}/>` : svg`<polyline points="${points[0].join(',')} ${points[0].join(',')}"/>`)}</svg>`;
}
