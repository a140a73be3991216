// Numbers, times and sizes as text, in the language of the browser.

const integers = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const day = { month: 'short', day: 'numeric', ...minute };
const clock = new Intl.DateTimeFormat(undefined, minute);
const days = new Intl.DateTimeFormat(undefined, day);
const years = new Intl.DateTimeFormat(undefined, { year: 'numeric', ...day });
const dates = new Intl.DateTimeFormat(undefined, { year: 'numeric', ...day, second: '2-digit', timeZoneName: 'short' });

const RECENT_MILLIS = 86_400_000; // A time that is further away is shown as a date.

/** The zone of all times that do not name another. */
export const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** By how many milliseconds the server's clock is ahead of the browser's. */
let ahead = 0;

/** Remembers the server's time, so that ages are right where the browser's clock is not. */
export function setServerTime(now) {
  const at = Date.parse(now ?? '');
  ahead = Number.isNaN(at) || Math.abs(at - Date.now()) < 2_000 ? 0 : at - Date.now();
}

export function serverNow() {
  return Date.now() + ahead;
}

/** 12345 → 12,345; null → –. */
export function count(number) {
  return number === null || number === undefined ? '–' : integers.format(number);
}

/** 1000 → 1,000, or 1,000+ if not all were counted. */
export function atLeast(number, complete) {
  return `${count(number)}${complete === false ? '+' : ''}`;
}

/** 1 → 1 queue, 2 → 2 queues. */
export function counted(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** 12345 → 12.3K. */
export function short(number) {
  return number === null || number === undefined ? '–' : Math.abs(number) < 10_000 ? integers.format(number) : compact.format(number);
}

/** 0.125 → 12.5 %. */
export function percent(part) {
  return Number.isFinite(part) ? `${(part * 100).toFixed(part > 0 && part < 0.1 ? 1 : 0)} %` : '–';
}

/** Milliseconds → 12 ms, 1.2 s, 3 min 20 s, 2 h 5 min, 3 d 4 h. */
export function duration(millis) {
  if (millis === null || millis === undefined || !Number.isFinite(millis)) {
    return '–';
  }
  const value = Math.abs(millis);
  if (value >= 0.5 && value < 1000) {
    return `${Math.round(value)} ms`;
  }
  return value < 9_950 ? `${Math.round(value / 100) / 10} s` : parts(Math.round(value / 1000));
}

function parts(seconds) {
  if (seconds < 60) {
    return `${seconds} s`;
  }
  if (seconds < 3600) {
    return two(Math.floor(seconds / 60), 'min', seconds % 60, 's', seconds < 600);
  }
  if (seconds < 86_400) {
    return two(Math.floor(seconds / 3600), 'h', Math.floor((seconds % 3600) / 60), 'min', true);
  }
  return two(Math.floor(seconds / 86_400), 'd', Math.floor((seconds % 86_400) / 3600), 'h', seconds < 864_000);
}

function two(large, unit, small, smaller, both) {
  return both && small > 0 ? `${large} ${unit} ${small} ${smaller}` : `${large} ${unit}`;
}

/** PT1M30S → 90000: a period of ISO 8601 in milliseconds; null if it is none, or one of months. */
export function millisOf(period) {
  const match = /^P(?!$)(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(period ?? '');
  if (!match) {
    return null;
  }
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** PT1M → minute, PT30S → 30 s: a period of ISO 8601 after the word each. */
export function periodOf(text) {
  const millis = millisOf(text);
  return { 1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day' }[millis / 1000] ?? (millis === null ? String(text ?? '–') : duration(millis));
}

/** The time from an instant until now: 12 s, or null if it is no time. */
export function age(at) {
  const time = Date.parse(at ?? '');
  return Number.isNaN(time) ? null : Math.max(0, serverNow() - time);
}

/** just now, 12 s ago, in 3 min, and the date of what is more than a day away. */
export function relative(at) {
  const time = Date.parse(at ?? '');
  if (Number.isNaN(time)) {
    return '–';
  }
  const difference = time - serverNow();
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (seconds < 1) {
    return difference > 0 ? 'now' : 'just now';
  }
  if (Math.abs(difference) > RECENT_MILLIS) {
    return dayAndTime(time);
  }
  return difference > 0 ? `in ${parts(seconds)}` : `${parts(seconds)} ago`;
}

/** Nov 26, 2026, 14:02:03 GMT+1: in full, for titles. */
export function absolute(at) {
  const time = Date.parse(at ?? '');
  return Number.isNaN(time) ? '' : dates.format(time);
}

/** 14:02 */
export function timeOfDay(at) {
  const time = typeof at === 'number' ? at : Date.parse(at ?? '');
  return Number.isNaN(time) ? '–' : clock.format(time);
}

/** Nov 26, 14:02, with the year if it is another. */
export function dayAndTime(at) {
  const time = typeof at === 'number' ? at : Date.parse(at ?? '');
  return Number.isNaN(time) ? '–' : (isThisYear(time) ? days : years).format(time);
}

function isThisYear(time) {
  return new Date(time).getFullYear() === new Date(serverNow()).getFullYear();
}

/** Fri, Nov 27, 03:00, on the clock of another zone. */
export function inZone(at, zone) {
  try {
    return new Intl.DateTimeFormat(undefined, { weekday: 'short', ...day, timeZone: zone }).format(Date.parse(at));
  }
  catch {
    return dayAndTime(at); // The browser does not know the zone.
  }
}

/** 1536 → 1.5 kB. */
export function bytes(number) {
  if (number === null || number === undefined) {
    return '–';
  }
  if (number < 1000) {
    return `${number} B`;
  }
  const exponent = Math.min(3, Math.floor(Math.log10(number) / 3));
  return `${(number / 1000 ** exponent).toFixed(1)} ${['B', 'kB', 'MB', 'GB'][exponent]}`;
}

/** Text from a field that producers fill in as they like; null if they wrote something else. */
export function textIn(value) {
  return typeof value === 'string' ? value : null;
}

export function isUuid(text) {
  return /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}

/** The first words of a long text. */
export function shorten(text, length = 120) {
  const value = String(text ?? '');
  return value.length > length ? `${value.slice(0, length - 1)}…` : value;
}

/** 0191e4c8-…: enough of an id to recognize it. The beginning of a UUIDv7 is a time, its end is random. */
export function shortId(id) {
  const text = String(id ?? '');
  return text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text;
}
