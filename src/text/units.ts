type ClockOptions = { zone: 'utc' | 'local'; date?: boolean; millis?: boolean };

const BYTE_STEPS = ['B', 'K', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'] as const;
const NO_NUMBER = '-';
/** Lengths of time, ms. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The furthest instant, in ms either side of 1970, that a JavaScript date can name. */
const FURTHEST_TIME = 8.64e15;

const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));

/** Bytes in powers of 1000, in at most five cells: `512B`, `1.2K`, `34M`, `999G`. */
export function bytes(n: number): string {
  if (!Number.isFinite(n)) return NO_NUMBER;
  if (n < 0) return n > -1e27 ? shortNegative(-n) : NO_NUMBER;
  if (n >= 999.5e24) return '>999Y';
  let value = Math.round(n);
  let step = 0;
  // 999.5 would round to four digits, so it belongs to the next step.
  while (value >= 999.5) {
    value /= 1000;
    step++;
  }
  const digits = step > 0 && value < 9.95 ? value.toFixed(1) : String(Math.round(value));
  return digits + (BYTE_STEPS[step] ?? '');
}

/** A whole number with thousands separated: `1,204`. */
export function count(n: number): string {
  if (!Number.isFinite(n)) return NO_NUMBER;
  const whole = Math.round(n);
  if (Math.abs(whole) >= 1e21) return String(whole);
  return (whole === 0 ? '0' : String(whole)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A number and what it counts: `1 row`, `1,204 rows`, `2 searches`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** A rate, with a tenth where it is small. */
export function rateText(rate: number): string {
  return rate >= 10 ? count(Math.round(rate)) : rate.toFixed(1);
}

/** A count in few cells: `1.2k`, `3.4M`; exact below ten thousand. */
export function shortCount(n: number): string {
  if (n < 10_000) return count(n);
  return n < 1_000_000 ? `${(n / 1000).toFixed(n < 100_000 ? 1 : 0)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}

/** A round number of at most three digits in four cells: `950`, `1.2k`, `150k`, `3M`. */
export function roundCount(n: number): string {
  const [unit, size] = n < 1000 ? ['', 1] : n < 1e6 ? ['k', 1000] : n < 1e9 ? ['M', 1e6] : ['G', 1e9];
  return `${Number((n / (size as number)).toFixed(1))}${unit}`;
}

/** A span in its two largest units, rounded down: `340ms`, `41s`, `12m5s`, `1h12m`, `3d4h`. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return NO_NUMBER;
  if (ms < 0) return ms > -1 ? '0s' : `-${duration(-ms)}`;
  if (ms < 1) return '0s';
  if (ms < SECOND) return `${Math.floor(ms)}ms`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < HOUR) return twoUnits(ms, MINUTE, 'm', SECOND, 's');
  if (ms < DAY) return twoUnits(ms, HOUR, 'h', MINUTE, 'm');
  return twoUnits(ms, DAY, 'd', HOUR, 'h');
}

/** An instant (Unix ms) as `02:14:10`, with the date before it and the milliseconds after it where asked. */
export function timeOfDay(t: number, o: ClockOptions): string {
  if (!(Math.abs(t) <= FURTHEST_TIME)) return dashes(o);
  const shifted = t + clockShift(t, o.zone);
  const inDay = ((Math.floor(shifted) % DAY) + DAY) % DAY;
  const seconds = Math.floor(inDay / SECOND);
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const exact = o.millis ? `${time}.${String(inDay % SECOND).padStart(3, '0')}` : time;
  return o.date ? `${calendarDay(shifted)} ${exact}` : exact;
}

/** An instant in UTC to the second, as `2026-11-21T02:14:10Z`. */
export function isoSecond(t: number): string {
  return `${new Date(t).toISOString().slice(0, 19)}Z`;
}

/** An instant in UTC as data, `2026-11-21T02:14:10.250Z`; null where it is none. */
export function isoOf(t: number | null | undefined): string | null {
  return t === null || t === undefined || !(Math.abs(t) <= FURTHEST_TIME) ? null : new Date(t).toISOString();
}

/** The day of an instant, as `2026-11-21`. */
export function dayOf(t: number, zone: ClockOptions['zone']): string {
  return calendarDay(t + clockShift(t, zone));
}

/** How far a zone's clock is ahead of UTC at a time, ms. */
export function clockShift(t: number, zone: ClockOptions['zone']): number {
  return zone === 'utc' ? 0 : -new Date(t).getTimezoneOffset() * MINUTE;
}

/** An instant as `11-21 02:14:10`, for text that may be read on another day of a known year. */
export function dayClock(t: number, zone: ClockOptions['zone']): string {
  return timeOfDay(t, { zone, date: true }).slice(-14);
}

/** An instant as `02:14`, in UTC, for a list or a sentence that says so. */
export function clockMinute(t: number): string {
  return timeOfDay(t, { zone: 'utc' }).slice(0, 5);
}

/** An instant as `11-21 02:14`, UTC. */
export function dayMinute(t: number): string {
  return dayClock(t, 'utc').slice(0, -3);
}

/**
 * A ratio as a percentage of at most one decimal: `0%`, `4.2%`, `100%`; `-` for none. `0%` and `100%` are said only of
 * exactly nothing and exactly all: an on-call reader must not take one failure in a million for none.
 */
export function percent(ratio: number | null): string {
  if (ratio === null || !Number.isFinite(ratio)) return NO_NUMBER;
  if (ratio === 0) return '0%';
  if (ratio === 1) return '100%';
  if (ratio > 0 && ratio < 0.001) return '<0.1%';
  if (ratio > 0.999 && ratio < 1) return '99.9%';
  const hundredfold = ratio * 100;
  return `${Math.abs(hundredfold) >= 100 ? Math.round(hundredfold) : hundredfold.toFixed(1)}%`;
}

function shortNegative(n: number): string {
  const positive = bytes(n);
  return positive.length > 4 ? NO_NUMBER : positive === '0B' ? positive : `-${positive}`;
}

function twoUnits(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)}${largeName}${rest > 0 ? `${rest}${smallName}` : ''}`;
}

function two(n: number): string {
  return TWO_DIGITS[n] ?? '--';
}

function calendarDay(shifted: number): string {
  if (!(Math.abs(shifted) <= FURTHEST_TIME)) return '----------';
  const date = new Date(shifted);
  const year = date.getUTCFullYear();
  // Of the years of four digits the parts, which are asked for in every frame: the text of the whole costs 20 times as much.
  if (year >= 1000 && year <= 9999) return `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const iso = date.toISOString();
  return iso.slice(0, iso.indexOf('T'));
}

function dashes(o: ClockOptions): string {
  return `${o.date ? '---------- ' : ''}--:--:--${o.millis ? '.---' : ''}`;
}

/** The parts that are not empty, with this between them. */
export function joined(parts: readonly string[], between = '; '): string {
  return parts.filter((part) => part !== '').join(between);
}
