import type { Failure } from '../../domain/failure.ts';
import { countOf } from '../../domain/logs/log-rows.ts';
import {
  frontierOf,
  type Gap,
  lastFinalOf,
  type Segment,
  segmentsIn,
  type TimeRange,
} from '../../domain/tail/coverage.ts';
import {
  overlap,
  pauseAfter,
  repairShare,
  shrunkSpan,
  TAIL_TUNING,
  tailFaultOf,
} from '../../domain/tail/tail-pace.ts';
import { TailBook } from './tail-book.ts';
import { ask, localTime, publish, type TailContext, type TailOptions, waitForShare } from './tail-context.ts';
import { followHead } from './tail-head.ts';
import { Health, reasonOf } from './tail-health.ts';
import { createLane, type Lane } from './tail-lane.ts';

export type Tail = {
  /** Reads a gap now; its rows come as late rows, and the gap goes or gets a new reason. */
  backfill(gap: TimeRange): void;
  /** Stops reading the gaps asked for; what was read stays. */
  stopBackfill(): void;
  /** Asks at once, whatever the tail waits for. */
  refresh(): void;
  /** The unread time that the head has dealt with, given up already or not. */
  currentGaps(): Gap[];
  /** Rows whose keys are in memory. */
  held(): number;
};

/**
 * Follows the log of one zone until the signal fires, and never claims more than it read: time is unknown, read,
 * final or a gap with its reason, and every row is emitted once.
 *
 * "Now" is what the server's clock has surely reached, by its `Date` headers, our own clock and its rows; see
 * `server-time`. What may have come beside that is asked for, and not claimed.
 *
 * In the reports, `since`, `retryAt` and `lastRowAt` (when the last new row came) are of the clock given; all other
 * times are event times. The filter holds what the server can do exactly; country and free text are never sent.
 */
export function startTail(o: TailOptions): Tail {
  const { clock, question, signal } = o;
  const tuning = o.tuning ?? TAIL_TUNING;
  const started = clock.now();
  const context: TailContext = {
    ...o,
    tuning,
    book: new TailBook(tuning, question.to ?? Number.POSITIVE_INFINITY),
    health: new Health(started),
    wanted: [],
    starts: [],
    repairShare: 0,
    silentSince: started,
    lastRowAt: null,
  };
  const head = createLane(clock);
  const repairs = createLane(clock);
  const backfills = createLane(clock);

  const stop = () => {
    for (const lane of [head, repairs, backfills]) lane.stop();
    context.health.stopped(clock.now());
    publish(context);
  };
  if (signal.aborted) {
    return { backfill() {}, stopBackfill() {}, refresh() {}, currentGaps: () => [], held: () => 0 };
  }
  signal.addEventListener('abort', stop, { once: true });
  void followHead(context, head, repairs.wake);
  void repairPast(context, repairs);
  const asked = startBackfills(context, backfills);

  return {
    backfill: asked.add,
    stopBackfill: asked.drop,
    refresh: head.wake,
    currentGaps: () => context.book.currentGaps(),
    held: () => context.book.intake.held,
  };
}

/** Tries of one slice; the client repeats by itself what a user waits for. */
const TRIES = 2;

type Backfills = {
  add(gap: TimeRange): void;
  /** Cancels and forgets what was asked for; what was read stays. */
  drop(): void;
};

/** Reads gaps that the user asked for, oldest first, one range after the other. */
function startBackfills(context: TailContext, lane: Lane): Backfills {
  const { book, clock, health, tuning, wanted } = context;
  let span = tuning.window;
  let dropped = new AbortController();
  void readWanted();

  return {
    add(gap) {
      wanted.push({ from: gap.from, to: gap.to });
      publish(context);
      lane.wake();
    },
    drop() {
      wanted.length = 0;
      dropped.abort();
      dropped = new AbortController();
      publish(context);
    },
  };

  async function readWanted(): Promise<void> {
    while (!context.signal.aborted) {
      const range = wanted[0];
      if (range === undefined || book.ledger === null) {
        await lane.rest(null);
        continue;
      }
      const { signal } = dropped;
      await readRange(range, AbortSignal.any([context.signal, signal]));
      if (context.signal.aborted || signal.aborted) continue;
      wanted.shift();
      publish(context);
    }
  }

  async function readRange(range: TimeRange, signal: AbortSignal): Promise<void> {
    let at = range.from;
    let failures = 0;
    while (!signal.aborted) {
      await lane.pause(health.holdUntil - clock.now());
      const started = clock.now();
      const wantedNow = nextSlice({ from: at, to: range.to }, book.now(localTime(clock)));
      if (wantedNow === null || signal.aborted) break;
      const asked = await ask(context, wantedNow, {
        order: 'asc',
        limit: tuning.limit,
        priority: 'user',
        signal,
      });
      if (asked.kind === 'stopped') return;
      if (asked.kind === 'failed') {
        failures += 1;
        span = shrunkSpan(span, asked.failure.kind, tuning);
        if (failures >= TRIES) return refuse({ from: wantedNow.from, to: range.to }, asked.failure);
        if (tailFaultOf(asked.failure.kind).status === 'rateLimited')
          health.limited(clock.now(), asked.failure);
        else await lane.pause(pauseAfter(asked.failure.kind, failures));
        continue;
      }
      failures = 0;
      ({ span, next: at } = book.enter(asked, span));
      publish(context);
      await lane.pause(started + tuning.userPause - clock.now());
    }
  }

  /** The first part of the range that is a gap and can still be had. */
  function nextSlice(range: TimeRange, now: number): TimeRange | null {
    const { ledger } = book;
    if (ledger === null) return null;
    const lowest = Math.ceil(book.lowest(now));
    const gone = { from: range.from, to: Math.min(range.to, now - tuning.retention) };
    book.giveUp(gone, 'retention', ['gap']);
    const gap = segmentsIn(ledger, range).find((s) => s.state === 'gap' && s.to > lowest);
    if (gap === undefined) return null;
    const from = Math.max(gap.from, range.from, lowest);
    return { from, to: Math.min(gap.to, range.to, from + span) };
  }

  function refuse(range: TimeRange, failure: Failure): void {
    book.giveUp(range, reasonOf(failure), ['gap']);
    publish(context);
  }
}

/** `start`: where the part of the ledger begins that the slice works on; a final read may reach further back. */
type Repair = { kind: 'fill' | 'finalize'; slice: TimeRange; start: number; isOverdue: boolean };

/** Final reads go first when they wait this many chunks; otherwise gaps do. */
const OVERDUE_CHUNKS = 4;
/**
 * Final time that a sweep reads once more, a sample for rows later still: a share of what it makes final, or so many
 * rows.
 */
const MARGIN = { share: 0.1, rows: 20 };
/** Pause before a sweep whose answer lacked rows is repeated, ms; doubled each time up to the most. */
const LACK_PAUSE = 5_000;
const LACK_PAUSE_MOST = 60_000;

/**
 * Fills what the head skipped, oldest first, and reads old time once more to make it final. Rests while the head
 * fails.
 */
async function repairPast(context: TailContext, lane: Lane): Promise<void> {
  const { book, clock, health, signal, tuning } = context;
  let span = tuning.window;
  let tries = { at: Number.NaN, count: 0 };
  let lacking = { at: Number.NaN, count: 0 };
  let finalReadsWaitUntil = Number.NEGATIVE_INFINITY;
  /** The start of the gap whose preceding time has been read once more. */
  let lookedBack = Number.NaN;

  while (!signal.aborted) {
    await lane.pause(health.holdUntil - clock.now());
    if (signal.aborted) return;
    const started = clock.now();
    const repair = health.isFailing && !isHeadDone() ? null : nextRepair(started);
    context.repairShare = repair === null ? 0 : repairShare(repair.isOverdue, tuning);
    if (repair === null) {
      await lane.rest(null);
      continue;
    }
    const wait = waitForShare(context, started);
    if (wait > 0) {
      await lane.pause(wait);
      continue;
    }
    const period = tuning.quotaWindow / context.repairShare;
    const pause = await carryOut(repair);
    if (signal.aborted) return;
    if (pause > period) context.repairShare = 0;
    publish(context);
    await lane.pause(Math.max(pause, started + period - clock.now()));
  }

  /** A closed window has no head after its end: then the repairs show the server's state. */
  function isHeadDone(): boolean {
    return (
      book.ledger !== null && frontierOf(book.ledger) >= (context.question.to ?? Number.POSITIVE_INFINITY)
    );
  }

  function nextRepair(at: number): Repair | null {
    const { ledger } = book;
    if (ledger === null) return null;
    const now = book.now(localTime(clock));
    const frontier = frontierOf(ledger);
    const gap = ledger.segments.find((s) => s.state === 'unknown' && s.from < frontier);
    const last = at < finalReadsWaitUntil ? null : nextFinalRead(ledger.segments, now, lastFinalOf(ledger));
    if (gap === undefined || last?.isOverdue) return last;
    const from = gap.from - overlapBefore(gap, ledger.segments, now);
    const slice = { from, to: Math.min(gap.to, gap.from + span) };
    return { kind: 'fill', slice, start: gap.from, isOverdue: false };
  }

  /**
   * How much of the time before a gap is read with it, ms: rows that came late there show now and not when it is
   * final. The head would have read them again, had it not been prevented.
   */
  function overlapBefore(gap: Segment, segments: readonly Segment[], now: number): number {
    const before = segments.find((s) => s.to === gap.from);
    if (before?.state !== 'read' || gap.from === lookedBack) return 0;
    const { rate, page } = book;
    const wanted = Math.min(
      overlap({ ordinary: book.intake.ordinary, rate, page, sinceLook: 0 }, tuning),
      span / 4,
    );
    return Math.floor(Math.max(0, Math.min(wanted, gap.from - before.from, gap.from - book.lowest(now))));
  }

  function nextFinalRead(segments: readonly Segment[], now: number, lastFinal: number | null): Repair | null {
    const ripe = Math.floor(book.sealableTo(now));
    const read = segments.find((s) => s.state === 'read');
    if (read === undefined) return null;
    const to = Math.min(read.to, ripe);
    const isDue = to === read.to || to - read.from >= tuning.sealChunk;
    if (to <= read.from || !isDue) return null;
    const sampled = Math.max(tuning.sealChunk * MARGIN.share, MARGIN.rows / book.rate);
    const again = read.from === lastFinal ? Math.min(tuning.margin, sampled, span / 4) : 0;
    const from = Math.min(read.from, Math.max(Math.ceil(book.lowest(now)), read.from - Math.floor(again)));
    const isOverdue = ripe - read.from > tuning.sealChunk * OVERDUE_CHUNKS;
    return { kind: 'finalize', slice: { from, to: Math.min(to, from + span) }, start: read.from, isOverdue };
  }

  /** Returns the ms to wait before the next one. */
  async function carryOut({ kind, slice: wanted, start }: Repair): Promise<number> {
    const asked = await ask(context, wanted, { order: 'asc', limit: tuning.limit, priority: 'background' });
    if (asked.kind === 'stopped') return 0;
    if (asked.kind === 'failed') {
      const { failure } = asked;
      if (tailFaultOf(failure.kind).status === 'rateLimited') {
        health.limited(clock.now(), failure);
        return 0;
      }
      tries = { at: start, count: tries.at === start ? tries.count + 1 : 1 };
      span = shrunkSpan(span, failure.kind, tuning);
      if (isHeadDone()) health.failed(clock.now(), failure);
      if (kind === 'fill' && tries.count >= tuning.tries) book.giveUp(wanted, reasonOf(failure), ['unknown']);
      return pauseAfter(failure.kind, tries.count);
    }
    const { slice, value } = asked;
    if (isHeadDone()) health.answered(clock.now(), context.silentSince, tuning.quietAfter);
    book.learnPage(countOf(value.rows), value.hasMore);
    if (kind === 'fill') lookedBack = value.hasMore ? start : slice.to;
    const { lacks, span: next } = book.enter(asked, span);
    span = next;
    if (kind === 'finalize' && lacks && !value.hasMore) lacked(slice, start);
    return 0;
  }

  /** The replica lags, or took rows back: it is asked again later, and in the end the slice is given up. */
  function lacked(slice: TimeRange, start: number): void {
    lacking = { at: start, count: lacking.at === start ? lacking.count + 1 : 1 };
    finalReadsWaitUntil = clock.now() + Math.min(LACK_PAUSE_MOST, LACK_PAUSE * 2 ** (lacking.count - 1));
    if (lacking.count >= tuning.sealTries) book.giveUp({ from: start, to: slice.to }, 'failed', ['read']);
  }
}
