import type { Failure } from '../../domain/failure.ts';
import { segmentsIn, type TimeRange } from '../../domain/tail/coverage.ts';
import { grownSpan, pauseAfter, shrunkSpan, splitOf, tailFaultOf } from '../../domain/tail/tail-pace.ts';
import { ask, localTime, publish, type TailContext } from './tail-context.ts';
import { reasonOf } from './tail-health.ts';
import type { Lane } from './tail-lane.ts';

/** Tries of one slice; the client tries again by itself what a user waits for. */
const TRIES = 2;

type Backfills = {
  add(gap: TimeRange): void;
  /** Hangs up and forgets what was asked for; what was read of it stays. */
  drop(): void;
};

/** Reads gaps that the user asked for, oldest first, one range after the other. */
export function startBackfills(context: TailContext, lane: Lane): Backfills {
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
      const { slice, value, sentAt, latest } = asked;
      const { lacks, times } = book.take(slice, value.records, sentAt, latest);
      const split = value.hasMore ? splitOf(slice, times) : slice.to;
      if (!value.hasMore) {
        book.settle({ from: slice.from, to: Math.min(slice.to, sentAt) }, sentAt, lacks);
        if (slice.to - slice.from >= span) span = grownSpan(span, value.records.length, book.page, tuning);
        at = slice.to;
      } else if (split === null) {
        book.overflowed(slice);
        at = slice.to;
      } else {
        span = split - slice.from;
      }
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
