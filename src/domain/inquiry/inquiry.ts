import type { Side } from '../differing.ts';
import type { ChangePage } from '../evidence/change.ts';
import type { OriginErrorDay, StatHour } from '../evidence/origin-error.ts';
import type { Failure } from '../failure.ts';
import type { LogRecord } from '../log.ts';
import type { Cut } from '../log-retention.ts';
import type { CountsAsked } from '../logs/counts.ts';
import type { OfPart, StoredCounts } from '../logs/log-history.ts';
import type { ServerLogFilter } from '../query/push-down.ts';
import { LARGEST_SHIELD_PAGE, type ShieldAnswer, type ShieldSearchRequest } from '../shield/shield.ts';
import type { ShieldPlan } from '../shield/shield-question.ts';
import type { Strays } from '../strays.ts';
import { isLacking, type TimeRange, without } from '../tail/coverage.ts';
import type { AnswerTable } from './answer-table.ts';

export type LogNeed = {
  kind: 'logs';
  side: Side;
  zoneId: string;
  range: TimeRange;
  filter: ServerLogFilter;
  /** Rows wanted of the beginning of the range, once; unless told all, in as many answers as they come in. */
  rows?: number;
  /** What is to be known of all rows of the range, which whoever keeps it counts. */
  counts?: CountsAsked;
};

export type ShieldNeed = { kind: 'shield'; side: Side; shieldZoneId: string; ask: ShieldSearchRequest };

/** A page of a search: the largest there is. */
export function shieldNeed(o: {
  shieldZoneId: string;
  range: TimeRange;
  plan: Pick<ShieldPlan, 'query' | 'filters' | 'groupBy'>;
  side?: Side;
  page?: number;
}): ShieldNeed {
  const { query, filters, groupBy } = o.plan;
  const { from, to } = o.range;
  return {
    kind: 'shield',
    side: o.side ?? 'now',
    shieldZoneId: o.shieldZoneId,
    ask: { from, to, query, filters, groupBy, page: o.page ?? 0, pageSize: LARGEST_SHIELD_PAGE },
  };
}

/** What is told of one UTC day, `YYYY-MM-DD`: the origin errors of a zone, or the changes of the account (the newest of many). */
export type DayNeed =
  | { kind: 'originErrors'; zoneId: string; day: string }
  | { kind: 'changes'; day: string };

/** What the platform tells besides its two logs; statistics of the hours of a range. */
export type EvidenceNeed = DayNeed | { kind: 'statistics'; zoneId: string; range: TimeRange };

/** Exactly one request each, so that the price of an inquiry is the number of its needs. */
export type Need = LogNeed | ShieldNeed | EvidenceNeed;

export type EvidenceMet =
  | { kind: 'originErrors'; value: OriginErrorDay }
  | { kind: 'changes'; value: ChangePage }
  | { kind: 'statistics'; value: readonly StatHour[] };

/** The counts of the part of a time that is covered; of the rest not all rows are there, and none can be had. */
export type CountsMet = { kind: 'counts' } & Pick<StoredCounts, 'counts' | 'covered' | 'imported'>;

export type Met =
  /** `imported`: the times of rows in memory that came from files. */
  | (Cut &
      OfPart & {
        kind: 'logs';
        records: readonly LogRecord[];
        hasMore: boolean;
        strays?: Strays;
        imported?: readonly TimeRange[];
      })
  | CountsMet
  /** Whoever keeps the rows cannot count them as the program does: they have to be read. */
  | { kind: 'uncounted'; why: string }
  | { kind: 'shield'; answer: ShieldAnswer }
  | EvidenceMet
  | { kind: 'failed'; failure: Failure };

/**
 * Requests that only other answers name, told once; `most`: what all cost together, as the price is said; `beside`: how many of
 * them are no requests to a log, and wait for none of these; `ofStore`: how many are asked of whoever counts rows, besides what is
 * needed first.
 */
export type Follow = { most: number; beside?: number; ofStore?: number; next: () => readonly Need[] };

/** What an answer about rows may take besides the platform's log. */
export type Besides = {
  /** Set where origin errors may be asked for, should rows say that the origin fails. */
  withCauses?: boolean;
  /** Up to when a store has the rows, and counts all of them, Unix ms; without it there is none. */
  storedUntil?: number | undefined;
};

/**
 * A question to the API with its price and its answer so far. `add` takes the answers in any order and keeps what it
 * needs of them; `table` may be asked for at any time and says what it covers.
 */
export type Inquiry = {
  needs: readonly Need[];
  /** Asked for when `needs` were answered. */
  follow?: Follow | null;
  /** Set where nobody can be asked: whether something that was asked about is not in memory either. */
  lacks?: () => boolean;
  /** Whether a row counts, where a need wants the first rows that do. */
  counts?: (record: LogRecord) => boolean;
  add: (need: Need, met: Met) => void;
  table: () => AnswerTable;
  /** What is still to be asked for the parts that no answer covered; empty = nothing, or nothing that can be asked. */
  rest: () => readonly Need[];
};

/** A part of an inquiry, which knows what of its own is to be asked for. */
export type Reading = {
  readonly needs: readonly Need[];
  add(need: Need, met: Met): unknown;
  rest(): readonly Need[];
};

/** An inquiry that all of these read for, side by side. */
export function readBy(
  readings: readonly (Reading | null)[],
  table: () => AnswerTable,
  more: Pick<Inquiry, 'follow' | 'counts'> = {},
): Inquiry {
  const all = readings.filter((reading) => reading !== null);
  return {
    needs: all.flatMap(({ needs }) => needs),
    add(need, met) {
      for (const reading of all) reading.add(need, met);
    },
    table,
    rest: () => all.flatMap((reading) => reading.rest()),
    ...more,
  };
}

/** Rows of one answer; longer ones are cut there by the server. */
export const SLICE_ROWS = 10_000;

/** `covered`: of which every row came, oldest first; `left`: to be asked for again; what is in neither cannot be had. */
type SlicePart = { records: readonly LogRecord[]; covered: TimeRange[]; left: TimeRange | null };

/**
 * What a slice read in ascending order is worth. One that holds more covers the time before its last row only: of
 * that row's own millisecond some rows may be missing, so they are left to the next reading. What was too old to be asked
 * for, or what a store lacks, is neither covered nor left.
 */
export function partOf(asked: TimeRange, met: Extract<Met, { kind: 'logs' }>): SlicePart {
  const { gone, part, stored, strays } = met;
  const range = { from: gone?.to ?? asked.from, to: part?.to ?? asked.to };
  const { records, covered, left } = readOf(range, met);
  const gaps = (stored?.gaps ?? []).filter(isLacking);
  const from = left?.from ?? range.to;
  return {
    records,
    // Rows may be missing in the place of strays.
    covered: covered === null || strays ? [] : gaps.reduce((rest, gap) => without(rest, gap), [covered]),
    left: from < asked.to ? { from, to: asked.to } : null,
  };
}

function readOf(
  range: TimeRange,
  { records: answer, hasMore }: Extract<Met, { kind: 'logs' }>,
): { records: readonly LogRecord[]; covered: TimeRange | null; left: TimeRange | null } {
  // A server may put the end of a slice into it, and into the next one as well.
  const records = answer.filter(
    ({ raw, timestamp }) => raw !== null || (timestamp >= range.from && timestamp < range.to),
  );
  const last = answer.at(-1);
  if (!hasMore || !last) return { records, covered: hasMore ? null : range, left: hasMore ? range : null };
  // Of rows that are in no order nobody knows which are missing.
  const isSorted = answer.every(({ timestamp }, at) => timestamp >= (answer[at - 1]?.timestamp ?? 0));
  if (!isSorted) return { records: [], covered: null, left: range };
  const to = Math.min(range.to, Math.max(range.from, last.timestamp));
  // A millisecond with more rows than one answer holds: no reading gets further, so what came is all there will be.
  if (to <= range.from) {
    const next = range.from + 1;
    return {
      records,
      covered: { from: range.from, to: next },
      left: next < range.to ? { from: next, to: range.to } : null,
    };
  }
  const kept = records.filter((record) => record.timestamp < to);
  return { records: kept, covered: { from: range.from, to }, left: { from: to, to: range.to } };
}

/**
 * What an inquiry is asked for when all that it was asked for is answered: what only the answers name; then what they left, in as
 * many requests as may still be sent. `failed`: what failed once is not asked for again and again.
 */
export function nextRound(
  inquiry: Pick<Inquiry, 'follow' | 'rest'>,
  o: { left: number; failed: ReadonlySet<Need['kind']> },
): { isNamed: boolean; needs: readonly Need[] } {
  const named = inquiry.follow?.next() ?? [];
  if (named.length > 0) return { isNamed: true, needs: named };
  const needs = inquiry.rest().filter(({ kind }) => !o.failed.has(kind));
  return { isNamed: false, needs: needs.slice(0, Math.max(0, o.left)) };
}

/** Requests of a price that each of several has, when they share it; no fewer than `least`, where one alone had as many. */
export function splitOver(price: number, sharers: number, least: number): number {
  return Math.max(Math.min(price, least), Math.ceil(price / Math.max(1, sharers)));
}

/** The item at the half, those at the quarters, the eighths: any number of first ones lies evenly (van der Corput). */
export function spread<T>(items: readonly T[]): T[] {
  if (items.length === 0) return [];
  const bits = Math.ceil(Math.log2(items.length));
  const fractions = Array.from({ length: 1 << bits }, (_, at) =>
    Array.from({ length: bits }, (_, bit) => ((at >> bit) & 1) / 2 ** (bit + 1)).reduce(
      (sum, each) => sum + each,
      0,
    ),
  );
  const places = new Set(fractions.map((fraction) => Math.floor(fraction * items.length)));
  return [...places].map((place) => items[place] as T);
}

/** The first of each list, then the second of each: any number of first ones is as many of each as of any other. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const most = lists.reduce((longest, { length }) => Math.max(longest, length), 0);
  return Array.from({ length: most }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
