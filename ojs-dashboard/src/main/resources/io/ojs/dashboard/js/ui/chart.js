// Charts over time. uPlot is loaded with the first one.

import { html } from '../html.js';
import { dayAndTime, timeOfDay } from '../format.js';

const HEIGHT = 190;

/**
 * @typedef {object} Series
 * @property {string} label
 * @property {(number|null)[]} values
 * @property {string} color the name of a custom property, such as --good
 * @property {boolean} [fill]
 */

/** Its property model is {times: seconds[], series: Series[], unit: (value) => string}. */
class Chart extends HTMLElement {

  #model = null;
  #plot = null;
  #shape = '';

  set model(model) {
    this.#model = model;
    this.isConnected && this.#draw();
  }

  connectedCallback() {
    this.scheme = matchMedia('(prefers-color-scheme: dark)');
    this.onScheme = () => this.#rebuild();
    this.scheme.addEventListener('change', this.onScheme);
    this.resize = new ResizeObserver(() => this.#plot?.setSize({ width: this.clientWidth, height: HEIGHT }));
    this.resize.observe(this);
    this.#draw();
  }

  disconnectedCallback() {
    this.scheme.removeEventListener('change', this.onScheme);
    this.resize.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
  }

  #rebuild() {
    this.#shape = '';
    this.#draw();
  }

  async #draw() {
    const model = this.#model;
    if (!model) {
      return;
    }
    let Plot;
    try {
      Plot = (await import('../../vendor/uplot/uPlot.js')).default;
      addStyle();
    }
    catch {
      this.textContent = 'The chart could not be loaded: reload the page.';
      return;
    }
    if (!this.isConnected || model !== this.#model) {
      return;
    }
    const data = [model.times, ...model.series.map((series) => series.values)];
    const shape = model.series.map((series) => series.label).join();
    if (this.#plot && shape === this.#shape) {
      this.#plot.setData(data);
      return;
    }
    this.#shape = shape;
    this.#plot?.destroy();
    this.#plot = new Plot(options(this, model), data, this);
  }

}

customElements.define('ojs-chart', Chart);

function options(element, model) {
  const style = getComputedStyle(element);
  const color = (name) => resolved(element, name);
  const axis = { stroke: color('--text-2'), font: `11px ${style.fontFamily}`, grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } };
  const span = model.times.length > 1 ? model.times.at(-1) - model.times[0] : 0;
  return {
    width: element.clientWidth || 600,
    height: HEIGHT,
    padding: [8, 26, 0, 0],
    legend: { show: true, live: true },
    hooks: { setLegend: [(plot) => element.classList.toggle('pointed', plot.legend.idx != null)] },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: { y: { range: (_, low, high) => [0, high > 0 ? high * 1.1 : 1] } },
    axes: [
      { ...axis, size: 26, space: 64, values: (_, ticks) => ticks.map((tick) => (span > 86_400 * 1.5 ? dayAndTime(tick * 1000) : timeOfDay(tick * 1000))) },
      { ...axis, size: widthOf, space: 34, values: (_, ticks) => once(ticks.map((tick) => model.unit(tick))) },
    ],
    series: [
      { label: 'Time', value: (_, value) => (value === null ? '–' : dayAndTime(value * 1000)) },
      ...model.series.map((series) => ({
        label: series.label,
        stroke: color(series.color),
        fill: series.fill ? transparent(color(series.color)) : undefined,
        width: 1.5,
        points: { show: true, size: 4, filter: lonely, fill: color(series.color) },
        value: (_, value) => (value === null || value === undefined ? '–' : model.unit(value)),
      })),
    ],
  };
}

/** How wide the labels of an axis are. */
function widthOf(plot, texts, axis, cycle) {
  if (cycle > 1) {
    return plot.axes[axis]._size; // Otherwise it might never come to rest.
  }
  plot.ctx.font = plot.axes[axis].font[0];
  return Math.max(46, ...(texts ?? []).map((text) => Math.ceil(plot.ctx.measureText(text).width / devicePixelRatio) + 16));
}

/** Steps that are smaller than the unit shows have the same text. */
function once(texts) {
  return texts.map((text, at) => (text === texts[at - 1] ? '' : text));
}

/** The points without a neighbour: no line shows them. */
function lonely(plot, index) {
  const values = plot.data[index];
  return values.flatMap((value, at) => (value !== null && values[at - 1] == null && values[at + 1] == null ? [at] : []));
}

/** A canvas knows no custom properties: the browser resolves them for text. */
function resolved(element, name) {
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
}

function transparent(color) {
  return color.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.14)');
}

function addStyle() {
  const href = new URL('../../vendor/uplot/uPlot.css', import.meta.url).href;
  if (![...document.styleSheets].some((sheet) => sheet.href === href) && !document.querySelector(`link[href="${href}"]`)) {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    document.head.append(link);
  }
}

/**
 * @param {{times: number[], series: Series[], unit: (value: number) => string, label: string}} model
 */
export function chart(model) {
  return html`<ojs-chart class="chart" role="img" aria-label=${model.label} .model=${model}></ojs-chart>`;
}
