import { FAILURES, type FailureKind, type FailureRow } from '../failure.ts';
import { askedBack } from '../kept.ts';
import type { GapReason, TimeRange } from './coverage.ts';
import type { ClockDoubt } from './server-time.ts';
import type { TailStatus } from './tail-report.ts';

/** Every number the tail goes by. Times in ms, counts in rows or requests. */
export type TailTuning = {
  /** Rows may come this late; raised up to `latenessMost` when one comes later. */
  lateness: number;
  latenessMost: number;
  /** How far back a tail looks at its start, and how far back a gap is filled without being asked. */
  window: number;
  /** Rows of the first request: several screens, and few enough to be here at once (600 bytes each on the wire). */
  firstRows: number;
  /** Most rows of a request. */
  limit: number;
  /** Requests per `quotaWindow` that the tail sends by itself, and how many of those repair older time. */
  quotaWindow: number;
  requests: number;
  repairs: number;
  /** Time from one read of the head to the next when nothing comes any more. */
  idlePeriod: number;
  /** Without a row for this long a zone counts as quiet. */
  quietAfter: number;
  /** How far the head may fall behind before it jumps to the present. */
  behindMost: number;
  /** How long a gap left by overload may wait to be filled: there is no spare time to fill it. */
  overloadPatience: number;
  /** Read time that is worth a request of its own to be made final. */
  sealChunk: number;
  /** Final time of which the keys are still kept and which is read once more, to notice rows later than `lateness`. */
  margin: number;
  /** How far beyond now the head asks, since now is a lower bound. 0 once a server refuses that. */
  ahead: number;
  /** Without a Date header: how much our clock may be ahead where rows bear it out, and how wrong it may be where none do. */
  clockMargin: number;
  clockDoubt: number;
  /** Logs older than this are gone, or are before they are asked for. */
  retention: number;
  /** Longest slice of time in one request: wide windows are slow or time out (field report). */
  spanMost: number;
  /** A wake-up this much later than asked for means that the machine slept. */
  sleepNoticed: number;
  /** Pause between two requests that the user waits for. */
  userPause: number;
  /** Tries of one slice of older time before it is given up. */
  tries: number;
  /** Final reads refused for rows that had been there before, before the slice is given up. */
  sealTries: number;
  /** Bounds of memory: keys of rows, segments of the ledger. */
  keysMost: number;
  segmentsMost: number;
};

/** Rows that a usual re-read of the head may bring again, and one of the wider looks taken every so often. */
const AGAIN_MOST = 400;
const AGAIN_WIDE = 2_000;
/** ms that are read again even where that is more rows: most rows of a busy zone come within two seconds. */
const LEAST_AGAIN = 2_500;
/** The part of an answer that may repeat; the rest is left to the time since the last poll. */
const REPEATED = 0.55;
const WIDE_EVERY = 12;
/** What a Date header tells, ms. */
const DATE_STEP = 1_000;

export const TAIL_TUNING: TailTuning = {
  lateness: 360_000,
  latenessMost: 1_800_000,
  window: 900_000,
  firstRows: 500,
  limit: 10_000,
  quotaWindow: 10_000,
  requests: 13,
  repairs: 4,
  idlePeriod: 2_000,
  quietAfter: 10_000,
  behindMost: 10_000,
  overloadPatience: 30_000,
  sealChunk: 30_000,
  margin: 60_000,
  ahead: 5_000,
  clockMargin: 2_000,
  clockDoubt: 900_000,
  retention: askedBack('logs'),
  spanMost: 3_600_000,
  sleepNoticed: 10_000,
  userPause: 1_000,
  tries: 4,
  sealTries: 12,
  keysMost: 2_000_000,
  segmentsMost: 4_000,
};

/** How far our own clock is trusted where no answer has a Date. */
export const CLOCK_DOUBT = {
  margin: TAIL_TUNING.clockMargin,
  most: TAIL_TUNING.clockDoubt,
} as const satisfies ClockDoubt;

/**
 * Time from the start of one read of the head to the next, ms. The tail's share of the quota, less what repairs take
 * of it while there are any (`repairs` per window), is spread evenly; in an idle zone the pause grows with the silence
 * (a tenth of it) up to `idlePeriod`.
 */
export function headPeriod(o: { silence: number; repairs: number }, tuning: TailTuning): number {
  const busy = tuning.quotaWindow / (tuning.requests - o.repairs);
  const idle = o.silence < tuning.quietAfter ? 0 : Math.min(tuning.idlePeriod, o.silence / 10);
  return Math.ceil(Math.max(busy, idle));
}

/**
 * Requests per window that repairs may take. Where final reads are overdue it is half of all: what is read must be read a
 * second time, so a head that takes more only reads what can never be final.
 */
export function repairShare(isOverdue: boolean, tuning: TailTuning): number {
  return isOverdue ? Math.floor(tuning.requests / 2) : tuning.repairs;
}

/** How long a gap may wait to be filled by itself, by what caused it. */
export function patienceFor(reason: GapReason | null, tuning: TailTuning): number {
  return reason === 'overload' ? tuning.overloadPatience : tuning.window;
}

/**
 * Up to when an answer reaches that was read to the server's now, by its newest row: that now is told in whole seconds,
 * and the rate of rows would come out many times too high without the rows of the second that has begun.
 */
export function reachOf(now: number, newest: number | undefined): number {
  return newest === undefined ? now : Math.max(now, Math.min(newest, now + DATE_STEP));
}

/**
 * How far before the newest row the head is read again, ms. `disorder`: how far behind newer rows others came lately;
 * `rate`: rows per ms; `page`: most rows of an answer, of which about half may be repeated. Every twelfth poll looks
 * as far back as 2,000 rows reach, to learn of disorder it did not expect.
 */
export function overlap(
  o: { disorder: number; rate: number; page: number; poll: number },
  tuning: TailTuning,
): number {
  const wanted = Math.max(2_000, o.disorder * 1.25 + 1_500);
  const rows = Math.min(o.page * REPEATED, Math.max(AGAIN_MOST, LEAST_AGAIN * o.rate));
  const usual = Math.min(wanted, rows / o.rate);
  const wide = o.poll % WIDE_EVERY === WIDE_EVERY - 1 ? Math.min(AGAIN_WIDE, o.page * REPEATED) / o.rate : 0;
  return Math.floor(Math.min(Math.max(usual, wide), tuning.lateness));
}

/**
 * Where to cut a slice of which the server has more rows than it gave: where nine tenths of those it gave lie before,
 * in the middle when it gave none. Null when the slice is 1 ms long. `times`: of the rows within the slice, any order.
 */
export function splitOf(slice: TimeRange, times: readonly number[]): number | null {
  if (slice.to - slice.from <= 1) return null;
  if (times.length === 0) return Math.floor((slice.from + slice.to) / 2);
  const sorted = Float64Array.from(times).sort();
  const at = sorted[Math.floor(sorted.length * 0.9)] ?? slice.from;
  return Math.min(slice.to - 1, Math.max(slice.from + 1, at));
}

/**
 * Length of the next slice after one of length `span` failed: wide windows are slow or too large, and a smaller one may
 * come through. A short one that timed out was not too wide.
 */
export function shrunkSpan(span: number, kind: FailureKind, tuning: TailTuning): number {
  const { window } = FAILURES[kind].outcome;
  if (window !== 'slow' && window !== 'large') return span;
  const least = window === 'slow' ? Math.ceil(tuning.window / 15) : 1;
  return Math.min(span, Math.max(least, Math.floor(span / 4)));
}

/** Length of the next slice after a complete one of length `span` that brought `rows` rows of at most `page`. */
export function grownSpan(span: number, rows: number, page: number, tuning: TailTuning): number {
  const factor = rows * 16 < page ? 8 : rows * 2 < page ? 2 : 1;
  return Math.min(tuning.spanMost, span * factor);
}

/** `pauses`: ms before each next try, the last one for ever. */
type TailFaultRow = {
  status: TailStatus & ('offline' | 'rateLimited' | 'failed');
  reason: GapReason;
  pauses: readonly number[];
};

const PASSING = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Only the user can end these; they are asked for now and then because he may do so elsewhere. */
const LASTING = [30_000, 60_000];

/** The ways in which a tail goes on after a failure; `denied` = the key or the zone must change. */
const TAIL_FAULTS = {
  offline: { status: 'offline', reason: 'offline', pauses: PASSING },
  rateLimited: { status: 'rateLimited', reason: 'rateLimited', pauses: PASSING },
  failing: { status: 'failed', reason: 'failed', pauses: PASSING },
  refused: { status: 'failed', reason: 'refused', pauses: LASTING },
  denied: { status: 'failed', reason: 'refused', pauses: LASTING },
} as const satisfies Record<FailureRow['outcome']['tail'], TailFaultRow>;

export function tailFaultOf(kind: FailureKind): TailFaultRow {
  return TAIL_FAULTS[FAILURES[kind].outcome.tail];
}

/** A pause before try number `failures` + 1 (counted from 1), ms. */
export function pauseAfter(kind: FailureKind, failures: number): number {
  const { pauses } = tailFaultOf(kind);
  return pauses[Math.min(failures, pauses.length) - 1] ?? 30_000;
}

/** Why the head does not keep up, from a time (Unix ms) until the next cause. */
export type LagCause = { from: number; reason: GapReason };

/** The cause of everything since `from`, unless it goes on from before. */
export function withCause(causes: readonly LagCause[], from: number, reason: GapReason): readonly LagCause[] {
  const before = causes.filter((cause) => cause.from < from);
  return before.at(-1)?.reason === reason ? before : [...before, { from, reason }];
}

/** The range in parts of one cause each. The first cause holds for what lies before it too; without any, `otherwise` does. */
export function partsByCause(
  causes: readonly LagCause[],
  range: TimeRange,
  otherwise: GapReason,
): (TimeRange & { reason: GapReason })[] {
  if (causes.length === 0) return [{ ...range, reason: otherwise }];
  return causes
    .map(({ from, reason }, i) => ({
      from: i === 0 ? range.from : Math.max(range.from, Math.floor(from)),
      to: Math.min(range.to, Math.floor(causes[i + 1]?.from ?? range.to)),
      reason,
    }))
    .filter((part) => part.from < part.to);
}
