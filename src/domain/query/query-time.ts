import { DAY } from '../../text/units.ts';
import { type Refusal, refuse, type TimeWindow } from './query.ts';

/**
 * A moment as written. A `clock` is a time of day whose day follows from the rest of the window, a `yearless` one a
 * day whose year does; `now` is an open end.
 */
export type Moment =
  | { kind: 'at'; time: number }
  | { kind: 'clock'; ofDay: number }
  | { kind: 'yearless'; month: number; day: number; ofDay: number }
  | { kind: 'now' };

/** Examples of moments, for somebody who wrote none. All are UTC. */
const MOMENT_EXAMPLES = '03:00, yesterday, "11-21 03:00" or -15m; UTC';

/** A now after every time that can be written, for callers that only ask whether a text is a time. */
export const END_OF_TIME = 8.64e15;

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY } as const;

/** `90s`, `15m`, `1h30m`, `2d` in ms; null when the text is no duration, is zero or cannot be counted exactly. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d+(?:ms|s|m|h|d))+$/i.test(text)) return null;
  let total = 0;
  for (const [, digits, unit] of text.matchAll(/(?<!\d)(\d+)(ms|s|m|h|d)/gi)) {
    total += Number(digits) * UNITS[(unit ?? '').toLowerCase() as keyof typeof UNITS];
  }
  return total > 0 && Number.isSafeInteger(total) ? total : null;
}

/** In the largest single unit that is exact, so that it parses to the same number. */
export function printDuration(duration: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (duration % UNITS[unit] === 0) return `${duration / UNITS[unit]}${unit}`;
  }
  return `${duration}ms`;
}

/** A moment found in a text: where it ends, and whether it names a day without a time. */
export type FoundMoment = { ok: true; moment: Moment; end: number; isDay: boolean; hasYear: boolean };

const NOW_WORD = /now/iy;
const BACK = /-((?:\d+(?:ms|s|m|h|d))+)/iy;
const UNIX = /\d{9,16}/y;
const DAY_WORD = /(?:(\d{4})-)?(\d{2})-(\d{2})|today|yesterday/iy;
const TIME_OF_DAY = /(T|\s+|)((\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)(?:Z|\s?UTC)?/iy;
const EAST = /\+\d{2}:?\d{2}/y;
const WEST = /-\d{2}:?\d{2}/y;

/**
 * `HH:MM[:SS]`; a day (`2026-11-21`, `11-21`, `today`, `yesterday`), also with a time of day behind it; `-15m` before
 * now; `now`; Unix time in ms or s. UTC, unless a whole date names another zone.
 */
export function parseMoment(text: string, now: number): { ok: true; moment: Moment } | Refusal {
  const found = momentAt(text, 0, now);
  if (found === null) return noMoment(text);
  if (!found.ok || found.end === text.length) return found;
  const west = found.hasYear && !found.isDay ? matchAt(WEST, text, found.end) : null;
  const { moment } = found;
  if (west === null || found.end + west[0].length < text.length || moment.kind !== 'at')
    return noMoment(text);
  return { ok: true, moment: { kind: 'at', time: moment.time - zoneOffset(west[0]) } };
}

/** The beginning of a whole UTC day: `2026-11-21`, `11-21`, `today`, `yesterday`; Unix ms. */
export function parseDay(text: string, now: number): { ok: true; midnight: number } | Refusal {
  const found = momentAt(text, 0, now);
  if (found?.ok === false) return found;
  const midnight = found?.isDay && found.end === text.length ? momentTime(found.moment, now, null) : null;
  return midnight === null
    ? refuse(`'${text}' is not a day`, '2026-11-21, 11-21, today or yesterday, UTC')
    : { ok: true, midnight };
}

/** The moment that begins at a place of a text; null = none does. A zone west of UTC is not in it. */
export function momentAt(text: string, at: number, now: number): FoundMoment | Refusal | null {
  const word = matchAt(NOW_WORD, text, at);
  if (word) return found({ kind: 'now' }, at + word[0].length);
  const back = matchAt(BACK, text, at);
  if (back) {
    const length = parseDuration(back[1] ?? '');
    if (length === null || length > now) return noMoment(back[0]);
    return found({ kind: 'at', time: now - length }, at + back[0].length);
  }
  const unix = matchAt(UNIX, text, at);
  if (unix) {
    // Nine to eleven digits are seconds: as ms they would lie in 1970, where no log is.
    const time = Number(unix[0]) * (unix[0].length < 12 ? 1000 : 1);
    return found({ kind: 'at', time }, at + unix[0].length);
  }
  const day = matchAt(DAY_WORD, text, at);
  const time = matchAt(TIME_OF_DAY, text, at + (day?.[0].length ?? 0));
  if (day === null) return time === null || time[1] !== '' ? null : clockOf(time, at);
  return dayOf(day, time?.[1] === '' ? null : time, { text, at, now });
}

function clockOf(time: RegExpExecArray, at: number): FoundMoment | Refusal {
  const ofDay = timeOfDay(time);
  return typeof ofDay === 'number' ? found({ kind: 'clock', ofDay }, at + time[0].length) : ofDay;
}

/** A day, with the time of day behind it. */
function dayOf(
  day: RegExpExecArray,
  time: RegExpExecArray | null,
  { text, at, now }: { text: string; at: number; now: number },
): FoundMoment | Refusal {
  const [word, year, month, dayOfMonth] = day;
  const ofDay = time === null ? 0 : timeOfDay(time);
  if (typeof ofDay !== 'number') return ofDay;
  const isDay = time === null;
  const end = at + word.length + (time?.[0].length ?? 0);
  if (month === undefined) {
    const midnight = startOfDay(now) - (/^y/i.test(word) ? DAY : 0);
    return { ...found({ kind: 'at', time: midnight + ofDay }, end), isDay };
  }
  // 2000 had a 29 February.
  const midnight = midnightOf(Number(year ?? 2000), Number(month), Number(dayOfMonth));
  if (midnight === null)
    return refuse(`there is no day ${word}`, 'a day is year-month-day or month-day: 11-21');
  if (year === undefined) {
    const moment = { kind: 'yearless', month: Number(month), day: Number(dayOfMonth), ofDay } as const;
    return { ...found(moment, end), isDay };
  }
  if (Number(year) < 1970) return refuse(`${word} lies before 1970`, MOMENT_EXAMPLES);
  const isUtc = /[ZC]$/i.test(time?.[0] ?? 'Z');
  const east = isUtc ? null : matchAt(EAST, text, end);
  const moment = { kind: 'at', time: midnight + ofDay - (east ? zoneOffset(east[0]) : 0) } as const;
  return { ...found(moment, end + (east?.[0].length ?? 0)), isDay, hasYear: true };
}

function found(moment: Moment, end: number): FoundMoment {
  return { ok: true, moment, end, isDay: false, hasYear: false };
}

function noMoment(text: string): Refusal {
  return refuse(`'${text}' is not a time`, MOMENT_EXAMPLES);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** ISO 8601 in UTC without zero parts: `2026-08-01T02:10Z`; Unix ms for years that ISO cannot write in four digits. */
export function printMoment(time: number): string {
  const iso = Math.abs(time) <= END_OF_TIME ? new Date(time).toISOString() : '';
  if (iso.length !== 24) return String(time);
  return iso.replace(/:00\.000Z$/, 'Z').replace(/\.000Z$/, 'Z');
}

/**
 * The window of `last:`, `from:` and `to:` together, or why they make none. A time of day alone is the most recent
 * one, and so is a day without a year; as the end of a window both are the first after its start. `last` with one end
 * gives the other.
 */
export function windowOf(
  written: { last: number | null; from: Moment | null; to: Moment | null },
  now: number,
): { ok: true; window: TimeWindow | null } | Refusal {
  const { last, from, to } = written;
  if (last !== null && from && to) {
    return refuse('last, from and to say the window twice', 'leave one of the three out');
  }
  if (!from && !to) return { ok: true, window: last === null ? null : { kind: 'last', duration: last } };
  if (!from) {
    if (last === null) return refuse('to: needs a start', 'add from:02:10 or last:15m');
    if (to?.kind === 'now') return { ok: true, window: { kind: 'last', duration: last } };
    const end = momentTime(to, now, null) ?? now;
    return absolute(end - last, end);
  }
  if (from.kind === 'now') return refuse('a window cannot start now', 'from:-15m, or last:15m');
  const start = momentTime(from, now, null) ?? now;
  if (last !== null) return absolute(start, start + last);
  const end = momentTime(to, now, start);
  return end !== null && isTurned({ from, to, start, end }, now)
    ? refuse(
        'the window ends before it starts',
        `it starts at ${printMoment(start)}; an end may name its day`,
      )
    : absolute(start, end);
}

/** The times that a window stands for now, less those to come; without a window they are `usual` long, ms. */
export function windowTimes(
  window: TimeWindow | null,
  now: number,
  usual: number,
): { from: number; to: number } {
  if (window?.kind === 'absolute') return { from: window.from, to: Math.min(window.to ?? now, now) };
  return { from: now - (window?.duration ?? usual), to: now };
}

/** Why a growing log has nothing of a window; null = it may have. Rows of files may be of any time. */
export function aheadOf(window: TimeWindow | null, now: number): Omit<Refusal, 'ok'> | null {
  if (window?.kind !== 'absolute' || window.from < now) return null;
  const second = Math.floor(now / UNITS.s) * UNITS.s;
  return {
    message: 'the window lies in the future',
    hint: `it starts at ${printMoment(window.from)}, and it is ${printMoment(second)}`,
  };
}

/** A moment as Unix ms, null = an open end. `after`: the start of the window that it ends. */
export function momentTime(moment: Moment | null, now: number, after: number | null): number | null {
  if (!moment || moment.kind === 'now') return null;
  if (moment.kind === 'at') return moment.time;
  if (moment.kind === 'yearless') return yearlessTime(moment, now, after);
  const sameDay = startOfDay(after ?? now) + moment.ofDay;
  if (after !== null) return sameDay > after ? sameDay : sameDay + DAY;
  return sameDay <= now ? sameDay : sameDay - DAY;
}

/**
 * True when an end put on the day or in the year after its start more likely means one before it: that day has not
 * begun, or the start named its day and most of a day lies between them.
 */
function isTurned(
  { from, to, start, end }: { from: Moment; to: Moment | null; start: number; end: number },
  now: number,
): boolean {
  if (start > now) return false;
  const isAhead = startOfDay(end - 1) > now;
  if (to?.kind === 'yearless') return isAhead && yearOf(end) > yearOf(start);
  if (to?.kind !== 'clock' || startOfDay(end) === startOfDay(start)) return false;
  return isAhead || (from.kind !== 'clock' && end - start > DAY / 2);
}

function absolute(from: number, to: number | null): ReturnType<typeof windowOf> {
  if (from < 0) return refuse('the window starts before 1970', 'shorten it');
  if (to !== null && to <= from) {
    return refuse('the window ends before it starts', `it starts at ${printMoment(from)}`);
  }
  return { ok: true, window: { kind: 'absolute', from, to } };
}

/** The day of the year that began last, or the first one after a moment. */
function yearlessTime(
  { month, day, ofDay }: Extract<Moment, { kind: 'yearless' }>,
  now: number,
  after: number | null,
): number | null {
  const year = yearOf(after ?? now);
  // 29 February comes again after eight years at the latest.
  for (let step = 0; step <= 8; step++) {
    const midnight = midnightOf(after === null ? year - step : year + step, month, day);
    if (midnight === null) continue;
    if (after === null ? midnight <= now : midnight + ofDay > after) return midnight + ofDay;
  }
  return null;
}

/** The beginning of a day, Unix ms; null when there is no such day. */
function midnightOf(year: number, month: number, day: number): number | null {
  const midnight = Date.UTC(year, month - 1, day);
  const date = new Date(midnight);
  // 31 February would pass as 3 March, and the year 26 as 1926.
  const isThatDay =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isThatDay ? midnight : null;
}

function timeOfDay(time: RegExpExecArray): number | Refusal {
  const [, , written = '', hour, minute, second = 0, fraction = ''] = time;
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 23 || m > 59 || s > 59) return refuse(`'${written}' is no time of day`, 'from 00:00 to 23:59:59');
  return h * UNITS.h + m * UNITS.m + s * UNITS.s + Number(fraction.padEnd(3, '0').slice(0, 3));
}

export function startOfDay(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

function yearOf(time: number): number {
  return new Date(time).getUTCFullYear();
}

function zoneOffset(zone: string): number {
  const digits = zone.slice(1).replace(':', '');
  const offset = Number(digits.slice(0, 2)) * UNITS.h + Number(digits.slice(2)) * UNITS.m;
  return zone.startsWith('-') ? -offset : offset;
}
