import { FAILURES, type Failure } from '../../domain/failure.ts';
import { frontierOf, type TimeRange } from '../../domain/tail/coverage.ts';
import type { LocalTime } from '../../domain/tail/server-time.ts';
import { grownSpan, headPeriod, overlap, reachOf, shrunkSpan, splitOf } from '../../domain/tail/tail-pace.ts';
import { ask, localTime, publish, type TailContext, waitForShare } from './tail-context.ts';
import { reasonOf } from './tail-health.ts';
import type { Lane } from './tail-lane.ts';
import { readNewest } from './tail-start.ts';

/** What the head asks for next. `isCut`: it is less than wanted, since more would not fit into an answer. */
type HeadSlice = { slice: TimeRange; isCut: boolean };

/** Look around of a head that has reached the end of its window and waits for the final reads, ms. */
const WAIT_FOR_SEALS = 5_000;
/** Shortest time that says something about the rate of rows, ms. */
const RATE_FROM = 500;

/**
 * Keeps to the present: reads from the frontier to now, again and again, with an overlap for rows that come out of
 * order. `onAnswer` is called after every answer. Ends when the signal fires or a window with an end is done.
 */
export async function followHead(context: TailContext, lane: Lane, onAnswer: () => void): Promise<void> {
  const { book, clock, health, signal, tuning } = context;
  const end = context.question.to ?? Number.POSITIVE_INFINITY;
  let span = tuning.spanMost;
  let polls = 0;

  while (!signal.aborted) {
    await lane.pause(health.holdUntil - clock.now());
    if (signal.aborted) return;
    const started = clock.now();
    const rest = book.ledger === null ? await begin(started) : await poll(started);
    if (signal.aborted) return;
    if (book.isComplete()) health.stopped(clock.now());
    publish(context);
    if (book.isComplete()) return;
    if (!health.isFailing) onAnswer();
    const before = localTime(clock);
    const lastNow = book.now(before);
    await lane.rest(rest);
    if (passedSince(before) - rest > tuning.sleepNoticed) book.blame('slept', lastNow);
  }

  async function begin(started: number): Promise<number> {
    const failure = await readNewest(context);
    if (failure !== null) return refused(failure, null);
    const now = clock.now();
    context.silentSince = now;
    if (book.intake.newest !== null) context.lastRowAt = now;
    health.answered(now, now, tuning.quietAfter);
    return restUntilNext(started);
  }

  /** One read of the head; ms to rest after it. */
  async function poll(started: number): Promise<number> {
    const local = localTime(clock);
    const now = book.now(local);
    book.abandon(now);
    if (frontier() >= end) return WAIT_FOR_SEALS;
    const { slice: wanted, isCut } = sliceAt(now, book.clock.askTo(local));
    const asked = await ask(context, wanted, { order: 'asc', limit: tuning.limit, priority: 'background' });
    if (asked.kind === 'stopped') return 0;
    if (asked.kind === 'failed') return refused(asked.failure, wanted);
    polls += 1;

    const { slice, value, sentAt, latest } = asked;
    const { lacks, newRows, times } = book.take(slice, value.records, sentAt, latest);
    if (newRows > 0) {
      context.silentSince = clock.now();
      context.lastRowAt = context.silentSince;
    }
    health.answered(clock.now(), context.silentSince, tuning.quietAfter);
    book.learnPage(value.records.length, value.hasMore);
    if (value.hasMore) {
      book.learnRate(times.length, (times.at(-1) ?? slice.to) - slice.from);
      const split = splitOf(slice, times);
      if (split === null) book.overflowed(slice);
      else span = split - slice.from;
      return restWhileBehind(started);
    }
    const to = Math.min(slice.to, sentAt);
    const reach = reachOf(to, times.at(-1)) - slice.from;
    if (reach >= RATE_FROM) book.learnRate(times.length, reach);
    book.settle({ from: slice.from, to }, sentAt, lacks);
    if (isCut) span = grownSpan(span, value.records.length, book.page, tuning);
    const hasLeapt = book.now(localTime(clock)) - Math.max(now, slice.to) > tuning.sleepNoticed;
    // A leap without time that passed was learnt, and the book knows why.
    if (hasLeapt && passedSince(local) > tuning.sleepNoticed) book.blame('slept', now);
    if (slice.to < now || hasLeapt) return restWhileBehind(started);
    book.causes = [];
    return restUntilNext(started);
  }

  /** From a little before the newest row, or before the frontier, to a little after now. */
  function sliceAt(now: number, askTo: number): HeadSlice {
    const { disorder, rate, page } = book;
    const again = overlap({ disorder, rate, page, poll: polls }, tuning);
    const base = frontier();
    const newest = Math.min(base, book.intake.newest ?? base);
    // Older time is left to the sweeps: final here and there, it would cost them more requests.
    const lowest = Math.max(book.lowest(now), book.sealableTo(now) + tuning.sealChunk);
    const to = Math.min(end, Math.max(askTo, base + book.clock.ahead) + 1);
    const from = Math.floor(Math.min(base, Math.max(lowest, newest - again)));
    if (to - from <= span) return { slice: { from, to }, isCut: false };
    if (now - base > tuning.behindMost) {
      const present = Math.floor(now - Math.min(tuning.behindMost / 2, span * 0.75));
      // Without another cause: either answers are too small for what there is, or the head did not run.
      const reason = span < tuning.spanMost ? 'overload' : 'slept';
      if (present > base) book.passOver({ from: base, to: present }, reason);
    }
    return cutAt(frontier(), to, again);
  }

  /** As much as fits into one answer, with an overlap that leaves most of it to new time. */
  function cutAt(base: number, to: number, again: number): HeadSlice {
    const from = base - Math.floor(Math.min(again, span / 4));
    return { slice: { from, to: Math.min(to, from + span) }, isCut: true };
  }

  /** ms by whichever of our clocks went on longer: either may have stood still. */
  function passedSince({ steady, wall }: LocalTime): number {
    return Math.max(clock.now() - steady, clock.wall() - wall);
  }

  function frontier(): number {
    return book.ledger === null ? 0 : frontierOf(book.ledger);
  }

  function refused(failure: Failure, slice: TimeRange | null): number {
    const { kind } = failure;
    if (FAILURES[kind].outcome.window === 'old' && book.clock.askLess())
      return waitForShare(context, clock.now());
    if (slice !== null) {
      const length = slice.to - slice.from;
      const shrunk = shrunkSpan(length, kind, tuning);
      if (shrunk < length) span = Math.min(span, shrunk);
    }
    if (kind !== 'cancelled') book.blame(reasonOf(failure), book.now(localTime(clock)));
    return health.failed(clock.now(), failure);
  }

  /**
   * As little as the quota allows, but not at the cost of repairs. Whatever happened before: from this answer on it is
   * only the number of rows that keeps the head behind.
   */
  function restWhileBehind(started: number): number {
    book.blame('overload', book.now(localTime(clock)));
    return context.repairShare === 0 ? waitForShare(context, clock.now()) : restUntilNext(started);
  }

  function restUntilNext(started: number): number {
    const now = clock.now();
    const silence = now - context.silentSince;
    const period = headPeriod({ silence, repairs: context.repairShare }, tuning);
    return Math.max(started + period - now, waitForShare(context, now));
  }
}
