import { FAILURES, type FailureKind, type FailureRow } from '../failure.ts';
import { askedBack } from '../log-retention.ts';
import type { GapReason, TimeRange } from './coverage.ts';
import type { ClockDoubt } from './server-time.ts';
import type { TailStatus } from './tail-report.ts';

/**
 * What each read of the head repeats at least, ms: most rows of a busy zone come within two seconds, and few rows
 * cost nothing.
 */
const LEAST_AGAIN = 2_000;
const LEAST_ROWS = 8;
/** Rows that a read may repeat; in a fast stream those of `BUSY_AGAIN` ms. */
const AGAIN_MOST = 400;
const BUSY_AGAIN = 2_500;
/** Time read once more before its final read, so that rows a little late show early: ms, and rows at a time. */
const SECOND_LOOK = { every: 180_000, rows: 2_000 } as const;
/** The share of an answer that may repeat rows; the rest is for the time since the last poll. */
const REPEATED = 0.55;
/** The resolution of a Date header, ms. */
const DATE_STEP = 1_000;

/** Every number the tail goes by. Times in ms, counts in rows or requests. */
export const TAIL_TUNING = {
  /** The lateness rows may have; raised up to `latenessMost` when one comes later. */
  lateness: 360_000,
  latenessMost: 1_800_000,
  /** How far a tail looks back at its start, and how far back it fills gaps by itself. */
  window: 900_000,
  /** Rows of the first request: several screens, few enough to arrive at once (600 bytes each on the wire). */
  firstRows: 500,
  /** Most rows of a request. */
  limit: 10_000,
  /** Requests per `quotaWindow` that the tail sends by itself, and how many of those repair older time. */
  quotaWindow: 10_000,
  requests: 13,
  repairs: 4,
  /** The least time between reads of the head: each repeats two seconds of rows. */
  period: 1_100,
  /** The same when no rows come. */
  idlePeriod: 2_000,
  /** How long rows may gather before the head reads them, while a quarter of an answer holds them. */
  gather: 0,
  /** Whether the head reads its newest rows again, to show late ones soon; final reads find them anyway. */
  again: true,
  /** A zone without a row for this long counts as quiet. */
  quietAfter: 10_000,
  /** How far the head may fall behind before it jumps to the present. */
  behindMost: 10_000,
  /** How long a gap from overload waits to be filled: there is no spare time for it. */
  overloadPatience: 30_000,
  /** The read time that is worth a request to make it final. */
  sealChunk: 30_000,
  /** Final time that is read once more, its keys kept, to notice rows later than `lateness`. */
  margin: 60_000,
  /** How far beyond now the head asks, as now is a lower bound. 0 once a server refuses that. */
  ahead: 5_000,
  /** Without a Date header: how far ahead our clock may be where rows confirm it, and how wrong where none do. */
  clockMargin: 2_000,
  clockDoubt: 900_000,
  /** Logs older than this are gone, or will be before a request arrives. */
  retention: askedBack('logs'),
  /** The longest slice in one request: wide windows are slow or time out (field report). */
  spanMost: 3_600_000,
  /** A wake-up this late means that the machine slept. */
  sleepNoticed: 10_000,
  /** Pause between two requests that the user waits for. */
  userPause: 1_000,
  /** Tries of a slice of older time before it is given up. */
  tries: 4,
  /** Final reads that lacked rows seen before, until the slice is given up. */
  sealTries: 12,
  /** Bounds of memory: keys of rows, segments of the ledger. */
  keysMost: 2_000_000,
  segmentsMost: 4_000,
};

export type TailTuning = Readonly<typeof TAIL_TUNING>;

/** For a tail that nobody watches: each row is read, by as few requests and as seldom twice as possible. */
export const UNWATCHED_TUNING: TailTuning = {
  ...TAIL_TUNING,
  gather: 8_000,
  again: false,
  sealChunk: 60_000,
};

/** The share of an answer that rows may gather to. */
const GATHERED = 0.25;

/** Requests per `quotaWindow` of all tails of a log before each sends fewer, and the fewest of one. */
const REQUESTS_OF_ALL = 26;
const REQUESTS_LEAST = 4;

/**
 * The numbers of each of so many tails of one log. Each read of a head repeats two seconds of rows: many zones asked
 * as often as one would read those rows three times over, so they are asked less often.
 */
export function tuningOf(tails: number): TailTuning {
  const share = Math.round(REQUESTS_OF_ALL / tails);
  const requests = Math.max(REQUESTS_LEAST, Math.min(TAIL_TUNING.requests, share));
  const repairs = Math.floor((TAIL_TUNING.repairs * requests) / TAIL_TUNING.requests);
  return { ...TAIL_TUNING, requests, repairs };
}

/** How far our own clock is trusted without a Date. */
export const CLOCK_DOUBT = {
  margin: TAIL_TUNING.clockMargin,
  most: TAIL_TUNING.clockDoubt,
} as const satisfies ClockDoubt;

/**
 * Time from the start of one read of the head to the next, ms. Spreads the tail's share of the quota evenly, less the
 * `repairs` per window; in an idle zone the pause grows with the silence (a tenth of it) up to `idlePeriod`. `rate`:
 * rows per ms; `page`: most rows of an answer.
 */
export function headPeriod(
  o: { silence: number; repairs: number; rate: number; page: number },
  tuning: TailTuning,
): number {
  const busy = Math.max(tuning.period, tuning.quotaWindow / (tuning.requests - o.repairs));
  const idle = o.silence < tuning.quietAfter ? 0 : Math.min(tuning.idlePeriod, o.silence / 10);
  const gathered = Math.min(tuning.gather, (o.page * GATHERED) / o.rate);
  return Math.ceil(Math.max(busy, idle, gathered));
}

/**
 * Requests per window that repairs may take: half of all when final reads are overdue. Everything is read twice, so a head that
 * takes more only reads what can never become final.
 */
export function repairShare(isOverdue: boolean, tuning: TailTuning): number {
  return isOverdue ? Math.floor(tuning.requests / 2) : tuning.repairs;
}

/** How long a gap may wait to be filled by itself, by its cause. */
export function patienceFor(reason: GapReason | null, tuning: TailTuning): number {
  return reason === 'overload' ? tuning.overloadPatience : tuning.window;
}

/**
 * How far an answer read to the server's now reaches, by its newest row: that now has whole seconds, and the rate of
 * rows would come out many times too high without the rows of the second under way.
 */
export function reachOf(now: number, newest: number | undefined): number {
  return newest === undefined ? now : Math.max(now, Math.min(newest, now + DATE_STEP));
}

/**
 * How far before the newest row the head reads again, ms, so that late rows show soon; final reads find the rest.
 * `ordinary`: nine in ten rows came within so many ms; `rate`: rows per ms; `page`: most rows of an answer;
 * `sinceLook`: ms since it last read again what came since the look before.
 */
export function overlap(
  o: { ordinary: number; rate: number; page: number; sinceLook: number },
  tuning: TailTuning,
): number {
  if (!tuning.again) return 0;
  const most = o.page * REPEATED;
  const rows = Math.min(most, Math.max(AGAIN_MOST, BUSY_AGAIN * o.rate));
  const usual = Math.min(Math.max(LEAST_AGAIN, o.ordinary, LEAST_ROWS / o.rate), rows / o.rate);
  const isLook = o.sinceLook >= secondLook(o, tuning);
  const wide = isLook ? Math.min(o.sinceLook, most / o.rate) : 0;
  return Math.floor(Math.min(Math.max(usual, wide), tuning.lateness));
}

/** ms between two second looks, each of which reads all the time between them. */
export function secondLook({ rate, page }: { rate: number; page: number }, tuning: TailTuning): number {
  return Math.min(SECOND_LOOK.every, tuning.lateness, Math.min(page * REPEATED, SECOND_LOOK.rows) / rate);
}

/**
 * Where to cut a slice with more rows than came: after nine tenths of those, or in the middle without any. Null when
 * the slice is 1 ms long. `times`: of the rows within the slice, in any order.
 */
export function splitOf(slice: TimeRange, times: readonly number[]): number | null {
  if (slice.to - slice.from <= 1) return null;
  if (times.length === 0) return Math.floor((slice.from + slice.to) / 2);
  const sorted = Float64Array.from(times).sort();
  const at = sorted[Math.floor(sorted.length * 0.9)] ?? slice.from;
  return Math.min(slice.to - 1, Math.max(slice.from + 1, at));
}

/**
 * The next slice length after one of `span` failed: wide windows are slow or too large, and a smaller one may
 * succeed. A short one that timed out was not too wide.
 */
export function shrunkSpan(span: number, kind: FailureKind, tuning: TailTuning): number {
  const { window } = FAILURES[kind].traits;
  if (window !== 'slow' && window !== 'large') return span;
  const least = window === 'slow' ? Math.ceil(tuning.window / 15) : 1;
  return Math.min(span, Math.max(least, Math.floor(span / 4)));
}

/** The next slice length after a complete one of `span` with `rows` of at most `page` rows. */
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
/** Only the user can end these; the tail retries now and then because that may happen elsewhere. */
const LASTING = [30_000, 60_000];

/** How a tail continues after a failure; `denied` = the key or the zone must change. */
const TAIL_FAULTS = {
  offline: { status: 'offline', reason: 'offline', pauses: PASSING },
  rateLimited: { status: 'rateLimited', reason: 'rateLimited', pauses: PASSING },
  failing: { status: 'failed', reason: 'failed', pauses: PASSING },
  refused: { status: 'failed', reason: 'refused', pauses: LASTING },
  denied: { status: 'failed', reason: 'refused', pauses: LASTING },
  unasked: { status: 'failed', reason: 'notRead', pauses: LASTING },
} as const satisfies Record<FailureRow['traits']['tail'], TailFaultRow>;

export function tailFaultOf(kind: FailureKind): TailFaultRow {
  return TAIL_FAULTS[FAILURES[kind].traits.tail];
}

/** A pause before try number `failures` + 1 (counted from 1), ms. */
export function pauseAfter(kind: FailureKind, failures: number): number {
  const { pauses } = tailFaultOf(kind);
  return pauses[Math.min(failures, pauses.length) - 1] ?? 30_000;
}

/** Why the head does not keep up, from a time (Unix ms) until the next cause. */
export type LagCause = { from: number; reason: GapReason };

/** Adds the cause of everything since `from`, unless it continues the one before. */
export function withCause(causes: readonly LagCause[], from: number, reason: GapReason): readonly LagCause[] {
  const before = causes.filter((cause) => cause.from < from);
  return before.at(-1)?.reason === reason ? before : [...before, { from, reason }];
}

/** The range in parts of one cause each. The first cause also covers earlier time; without causes, `otherwise` does. */
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
