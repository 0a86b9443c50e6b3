import { DAY } from '../../text/units.ts';
import { EMPTY_QUERY, type Refusal, refuse, type TimeWindow } from './query.ts';
import { parseQuery, printQuery, type QueryError } from './query-text.ts';
import {
  type FoundMoment,
  type Moment,
  momentAt,
  momentTime,
  parseDuration,
  startOfDay,
  windowOf,
} from './query-time.ts';

/** Examples of windows, for somebody who wrote none. All times are UTC. */
const WINDOW_EXAMPLES = '30m, yesterday, 03:00-04:00, 11-21 03:00-04:00, UTC';

const DIRECTIVE = /(?:^|\s)(?:last|from|to):/i;
const LAST = /^(?:last\s+)?(\S+)$/i;
/** A dash, two dots, `to` or a space separates two times; the minus of `-90m` belongs to the time. */
const BETWEEN = /\s+(?=-\d+(?:ms|s|m|h|d))|\s*(?:\.\.|[-\u2013\u2014]|to\b|until\b)\s*|\s+/iy;
const ZONE = /-\d{2}:\d{2}$/y;

export type ParsedWindow = { ok: true; window: TimeWindow } | { ok: false; error: QueryError };

/**
 * A window as a person types it: `30m`, `yesterday`, `11-21 03:00-04:00`, `03:00` (from then on), or as a query has
 * it, `from:… to:…`. A day is the whole of it, even as the end. Times of day and days without a year are the most
 * recent ones. What `printWindow` writes is the same window again.
 */
export function parseWindow(text: string, now: number): ParsedWindow {
  const start = text.length - text.trimStart().length;
  const line = text.trim();
  if (DIRECTIVE.test(line)) return ofQuery(text, now);
  const duration = parseDuration(LAST.exec(line)?.[1] ?? '');
  if (duration !== null) return { ok: true, window: { kind: 'last', duration } };
  const read = readTimes(line, now);
  if (read.ok) return read;
  const { at = 0, length = line.length, message, hint } = read;
  return { ok: false, error: { column: start + at, length: Math.max(1, length), message, hint } };
}

/** The text of a window, in a query as in its prompt. */
export function windowText(window: TimeWindow | null): string {
  return printQuery({ ...EMPTY_QUERY, window });
}

/** `at` and `length`: the part of the text that is meant, where it is not all of it. */
type PlacedRefusal = Refusal & { at?: number; length?: number };

function ofQuery(text: string, now: number): ParsedWindow {
  const parsed = parseQuery(text, 'logs', now);
  if (!parsed.ok) return parsed;
  const { window, terms, groupBy } = parsed.query;
  if (window !== null && terms.length === 0 && groupBy.length === 0) return { ok: true, window };
  const error = {
    column: 0,
    length: text.length,
    message: 'only a time stands here',
    hint: 'i edits the query',
  };
  return { ok: false, error };
}

/** One time, or two. */
function readTimes(line: string, now: number): { ok: true; window: TimeWindow } | PlacedRefusal {
  const first = timeAt(line, 0, now);
  if (!first.ok) return first;
  if (first.end === line.length) return windowFrom(first, null, now);
  BETWEEN.lastIndex = first.end;
  const between = BETWEEN.exec(line)?.[0];
  if (between === undefined) return noWindow(line);
  ZONE.lastIndex = first.end;
  if (first.hasYear && !first.isDay && ZONE.test(line)) {
    const zone = line.slice(first.end);
    const hint = `write ..${zone.slice(1)} for the end, or the time in UTC`;
    return { ...refuse(`'${zone}' may be an end or a zone`, hint), at: first.end, length: zone.length };
  }
  const second = timeAt(line, first.end + between.length, now);
  if (!second.ok) return second;
  if (second.end < line.length) return noWindow(line);
  const isClock = ({ moment }: FoundMoment) => moment.kind === 'clock';
  if (first.isDay && isClock(second))
    return refuse('the end has a time and the start has none', 'yesterday 00:00-03:00');
  if (isClock(first) && second.isDay && between.trim() === '')
    return refuse('the day stands before its time', 'yesterday 03:00');
  return windowFrom(first, second, now);
}

function timeAt(line: string, at: number, now: number): FoundMoment | PlacedRefusal {
  const read = momentAt(line, at, now);
  if (read === null) return noWindow(line);
  return read.ok ? read : { ...read, at, length: line.length - at };
}

function windowFrom(
  first: FoundMoment,
  second: FoundMoment | null,
  now: number,
): { ok: true; window: TimeWindow } | PlacedRefusal {
  const last = second ?? (first.isDay ? first : null);
  const to = last?.isDay ? endOfDay(last.moment) : (last?.moment ?? null);
  const start = momentTime(first.moment, now, null);
  // Today is not over, and neither is its window.
  const isOpen = last?.isDay && momentTime(to, now, start) === startOfDay(now) + DAY;
  const read = windowOf({ last: null, from: first.moment, to: isOpen ? null : to }, now);
  if (!read.ok || read.window === null) return read.ok ? noWindow('') : read;
  return { ok: true, window: read.window };
}

function endOfDay(moment: Moment): Moment {
  if (moment.kind === 'at') return { kind: 'at', time: moment.time + DAY };
  return moment.kind === 'yearless' ? { ...moment, ofDay: DAY } : moment;
}

function noWindow(line: string): PlacedRefusal {
  return refuse(line === '' ? 'no time is written' : `'${line}' is no window`, WINDOW_EXAMPLES);
}
