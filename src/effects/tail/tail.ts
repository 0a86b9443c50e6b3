import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { TAIL_TUNING } from '../../domain/tail/tail-pace.ts';
import { startBackfills } from './tail-backfill.ts';
import { TailBook } from './tail-book.ts';
import { publish, type TailContext, type TailOptions } from './tail-context.ts';
import { followHead } from './tail-head.ts';
import { Health } from './tail-health.ts';
import { createLane } from './tail-lane.ts';
import { repairPast } from './tail-repair.ts';

export type Tail = {
  /** Reads a gap now; what it brings comes as late rows, and the gap goes or gets a new reason. */
  backfill(gap: TimeRange): void;
  /** Reads no gap any more that was asked for; what was read of them stays. */
  stopBackfill(): void;
  /** Asks at once, whatever the tail waits for. */
  refresh(): void;
  /** What of the time that the head has dealt with was not read, whether it is given up already or not. */
  currentGaps(): Gap[];
  /** How many rows' keys are in memory. */
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
