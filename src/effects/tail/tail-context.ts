import type { CallOptions, LogSlice, LogSliceRequest } from '../../api/client.ts';
import { type Failure, failureOf, type Result } from '../../domain/failure.ts';
import { newestOf, type TailEvent } from '../../domain/logs/log-rows.ts';
import type { ServerLogFilter } from '../../domain/query/push-down.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import type { LocalTime } from '../../domain/tail/server-time.ts';
import type { TailTuning } from '../../domain/tail/tail-pace.ts';
import type { PullZone } from '../../domain/zone.ts';
import type { Clock } from '../../time/clock.ts';
import type { SliceAnswer, TailBook } from './tail-book.ts';
import type { Health } from './tail-health.ts';

/**
 * `from: null` = the recent past; `to: null` = without end. Unix ms. `isRelative`: `from` was computed from our own
 * clock.
 */
type TailQuestion = {
  zone: PullZone;
  filter: ServerLogFilter;
  from: number | null;
  isRelative?: boolean;
  to?: number | null;
};

export type TailFetch = (r: LogSliceRequest, c: CallOptions) => Promise<Result<LogSlice>>;

export type TailOptions = {
  question: TailQuestion;
  fetch: TailFetch;
  clock: Clock;
  emit: (event: TailEvent) => void;
  signal: AbortSignal;
  /** The numbers of the tail, which a test may replace. */
  tuning?: TailTuning;
};

/** What the lanes of one tail share. */
export type TailContext = Omit<TailOptions, 'tuning'> & {
  tuning: TailTuning;
  book: TailBook;
  health: Health;
  /** Gaps that the user asked for and that are unread, the one under way first. */
  wanted: TimeRange[];
  /** When the tail's own recent requests were started. */
  starts: number[];
  /** Requests per quota window that the head leaves to repairs; 0 while there is nothing to repair. */
  repairShare: number;
  /** When the last new row came, or the first answer; our clock. */
  silentSince: number;
  /** When the last new row of the present came; our clock. */
  lastRowAt: number | null;
};

type Order = 'asc' | 'desc';

export type TailAsked =
  | ({ kind: 'answer' } & SliceAnswer<LogSlice>)
  | { kind: 'failed'; failure: Failure }
  | { kind: 'stopped' };

/** Sends one request for the rows of a slice, at offset 0. */
export async function ask(
  context: TailContext,
  slice: TimeRange,
  o: { order: Order; limit: number; priority: 'user' | 'background'; signal?: AbortSignal },
): Promise<TailAsked> {
  const { book, clock, question } = context;
  const signal = o.signal ?? context.signal;
  const local = localTime(clock);
  const before = local.steady;
  const sentBy = book.now(local);
  if (o.priority === 'background') noteStart(context, before);
  const { order, limit } = o;
  const { from, to } = slice;
  const request = { pullZoneId: question.zone.id, from, to, order, limit, filter: question.filter };
  const result = await fetched(context, request, { priority: o.priority, signal });
  if (signal.aborted) return { kind: 'stopped' };
  if (!result.ok) return { kind: 'failed', failure: result.failure };
  const { value } = result;
  const after = localTime(clock);
  // Time spent waiting for the quota counts only when the request's own stamps are of our clock.
  const waited = value.sentAt >= before && value.sentAt <= after.steady ? value.sentAt - before : 0;
  const newestRow = newestOf(value.rows);
  const stamps = { date: value.serverNow, newestRow, sentAt: before + waited, receivedAt: after.steady };
  const { hasStepped } = book.observe(stamps, after);
  // What is learnt now held then, too, unless our clock stood still since the answer before.
  const learnt = book.now(local);
  const sentAt = Math.floor((hasStepped ? Math.min(sentBy, learnt) : learnt) + waited);
  const latest = book.clock.latest(after);
  return { kind: 'answer', slice: answeredPart(book, slice, value), value, sentAt, latest };
}

export function localTime(clock: Clock): LocalTime {
  return { steady: clock.now(), wall: clock.wall() };
}

/** What was too old when the request left is a gap; what another source has is left alone. */
function answeredPart(book: TailBook, slice: TimeRange, { gone, part }: LogSlice): TimeRange {
  if (gone === undefined) return part ?? slice;
  book.giveUp(gone, 'retention', ['unknown', 'read', 'gap']);
  return { from: gone.to, to: slice.to };
}

/** ms until the tail's own share of the quota allows one more request. */
export function waitForShare(context: TailContext, now: number): number {
  const { tuning } = context;
  const recent = context.starts.filter((at) => at > now - tuning.quotaWindow);
  const oldest = recent[recent.length - tuning.requests];
  return oldest === undefined ? 0 : oldest + tuning.quotaWindow - now;
}

/** Passes on the rows that came since, and what is known by now. */
export function publish(context: TailContext): void {
  const { book, clock, health } = context;
  const { intake } = book;
  const rows = intake.drain();
  const local = localTime(clock);
  context.emit({
    rows,
    report: {
      status: health.status,
      since: health.since,
      ...book.extent(),
      ...intake.counts,
      reading: [...context.wanted],
      retryAt: health.retryAt,
      failure: health.failure,
      lastRowAt: context.lastRowAt,
      serverNow: book.ledger === null ? null : book.now(local),
      clockAhead: book.ledger === null ? null : book.clock.ourLead(local),
    },
  });
}

function noteStart(context: TailContext, now: number): void {
  context.starts = context.starts.filter((at) => at > now - context.tuning.quotaWindow);
  context.starts.push(now);
}

/** A fetch that throws counts as a lost connection: whatever happened, nothing was read. */
async function fetched(
  context: TailContext,
  request: LogSliceRequest,
  options: CallOptions,
): Promise<Result<LogSlice>> {
  try {
    return await context.fetch(request, options);
  } catch (error) {
    const detail = error instanceof Error ? error.name : 'unknown error';
    return { ok: false, failure: failureOf('connectionLost', { detail }) };
  }
}
