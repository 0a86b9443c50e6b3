import type { TimeWindow } from './query.ts';

/**
 * A moment as it was written. A `clock` is a time of day whose day follows from the rest of the window; `now` is an
 * open end.
 */
export type Moment = { kind: 'at'; time: number } | { kind: 'clock'; ofDay: number } | { kind: 'now' };

const DAY = 86_400_000;
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

/** The shortest single unit that says it exactly, so that it parses to the same number. */
export function printDuration(duration: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (duration % UNITS[unit] === 0) return `${duration / UNITS[unit]}${unit}`;
  }
  return `${duration}ms`;
}

/**
 * ISO 8601 (UTC unless it names a zone; seconds and time may be left out), `HH:MM[:SS]`, `-15m` before now, `now`,
 * or Unix time in ms or s. Null when the text is none of them or names a day that does not exist.
 */
export function parseMoment(text: string, now: number): Moment | null {
  if (/^now$/i.test(text)) return { kind: 'now' };
  if (text.startsWith('-')) {
    const back = parseDuration(text.slice(1));
    return back === null || back > now ? null : { kind: 'at', time: now - back };
  }
  // Nine to eleven digits are seconds: read as ms they would lie in 1970, where no log is.
  if (/^\d{9,11}$/.test(text)) return { kind: 'at', time: Number(text) * 1000 };
  if (/^\d{12,16}$/.test(text)) return { kind: 'at', time: Number(text) };
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?z?$/i.exec(text);
  if (clock) {
    const ofDay = timeOfDay(clock[1], clock[2], clock[3]);
    return ofDay === null ? null : { kind: 'clock', ofDay };
  }
  return isoMoment(text);
}

/** ISO 8601 in UTC without what is zero: `2026-08-01T02:10Z`; Unix ms for years that ISO cannot write in four digits. */
export function printMoment(time: number): string {
  const iso = Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : '';
  if (iso.length !== 24) return String(time);
  return iso.replace(/:00\.000Z$/, 'Z').replace(/\.000Z$/, 'Z');
}

/**
 * The window that `last:`, `from:` and `to:` make together, or why they make none. A time of day alone is the most
 * recent one; as the end of a window it is the first one after its start. `last` with one end gives the other.
 */
export function windowOf(
  written: { last: number | null; from: Moment | null; to: Moment | null },
  now: number,
): { ok: true; window: TimeWindow | null } | { ok: false; message: string; hint: string } {
  const { last, from, to } = written;
  if (last !== null && from && to) {
    return refuse('last, from and to say the window twice', 'leave one of the three out');
  }
  if (!from && !to) return { ok: true, window: last === null ? null : { kind: 'last', duration: last } };
  if (!from) {
    if (last === null) return refuse('to: needs a start', 'add from:02:10 or last:15m');
    if (to?.kind === 'now') return { ok: true, window: { kind: 'last', duration: last } };
    const end = resolve(to, now, null) ?? now;
    return absolute(end - last, end);
  }
  if (from.kind === 'now') return refuse('a window cannot start now', 'from:-15m, or last:15m');
  const start = resolve(from, now, null) ?? now;
  return absolute(start, last === null ? resolve(to, now, start) : start + last);
}

function absolute(from: number, to: number | null): ReturnType<typeof windowOf> {
  if (from < 0) return refuse('the window starts before 1970', 'shorten it');
  if (to !== null && to <= from) {
    return refuse('the window ends before it starts', `it starts at ${printMoment(from)}`);
  }
  return { ok: true, window: { kind: 'absolute', from, to } };
}

function resolve(moment: Moment | null, now: number, after: number | null): number | null {
  if (!moment || moment.kind === 'now') return null;
  if (moment.kind === 'at') return moment.time;
  const base = after ?? now;
  const sameDay = Math.floor(base / DAY) * DAY + moment.ofDay;
  if (after !== null) return sameDay > after ? sameDay : sameDay + DAY;
  return sameDay <= now ? sameDay : sameDay - DAY;
}

function isoMoment(text: string): Moment | null {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
      text,
    );
  if (!match) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const ofDay = timeOfDay(hour, minute, second);
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  if (ofDay === null || Number.isNaN(midnight)) return null;
  // Date.parse lets 31 February pass as 3 March.
  if (new Date(midnight).getUTCDate() !== Number(day)) return null;
  const time = midnight + ofDay + Number(fraction.padEnd(3, '0').slice(0, 3)) - zoneOffset(zone);
  return time < 0 ? null : { kind: 'at', time };
}

function timeOfDay(hour = '0', minute = '0', second = '0'): number | null {
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  return h > 23 || m > 59 || s > 59 ? null : h * UNITS.h + m * UNITS.m + s * UNITS.s;
}

function zoneOffset(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const digits = zone.slice(1).replace(':', '');
  const offset = Number(digits.slice(0, 2)) * UNITS.h + Number(digits.slice(2)) * UNITS.m;
  return zone.startsWith('-') ? -offset : offset;
}

function refuse(message: string, hint: string): { ok: false; message: string; hint: string } {
  return { ok: false, message, hint };
}
