import { FAILURES, type Failure } from '../../domain/failure.ts';
import { countOf } from '../../domain/logs/log-rows.ts';
import { frontierOf, openLedger, originOf, type TimeRange } from '../../domain/tail/coverage.ts';
import type { LocalTime } from '../../domain/tail/server-time.ts';
import { headPeriod, overlap, reachOf, secondLook, shrunkSpan } from '../../domain/tail/tail-pace.ts';
import { ask, localTime, publish, type TailAsked, type TailContext, waitForShare } from './tail-context.ts';
import { reasonOf } from './tail-health.ts';
import type { Lane } from './tail-lane.ts';

/** The head's next request. `isCut`: it is less than wanted, since more would not fit into an answer. */
type HeadSlice = { slice: TimeRange; isCut: boolean };

/** How often a head at the end of its window looks around while final reads are due, ms. */
const WAIT_FOR_SEALS = 5_000;
/** The shortest time that shows the rate of rows, ms. */
const RATE_FROM = 500;

/**
 * Keeps up with the present: reads from the frontier to now again and again, with an overlap for rows out of order.
 * `onAnswer` is called after every answer. Ends when the signal fires or a closed window is done.
 */
export async function followHead(context: TailContext, lane: Lane, onAnswer: () => void): Promise<void> {
  const { book, clock, health, signal, tuning } = context;
  const end = context.question.to ?? Number.POSITIVE_INFINITY;
  let span = tuning.spanMost;
  /** When it last read again what it had read before. */
  let lookedAt = clock.now();

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
    if (failure !== null && !isTooOld(failure)) return refused(failure, null);
    if (failure !== null) book.open(context.question.from ?? end - 1);
    // Nobody is asked for what is too old from the start.
    book.abandon(book.now(localTime(clock)));
    const now = clock.now();
    context.silentSince = now;
    if (book.intake.newest !== null) context.lastRowAt = now;
    health.answered(now, now, tuning.quietAfter);
    return restUntilNext(started);
  }

  /** Whether a window is refused because it ended before what is kept. */
  function isTooOld({ kind }: Failure): boolean {
    const kept = book.now(localTime(clock)) - tuning.retention;
    return FAILURES[kind].traits.window === 'old' && end <= kept;
  }

  /** One read of the head; ms to rest after it. */
  async function poll(started: number): Promise<number> {
    const local = localTime(clock);
    const now = book.now(local);
    book.abandon(now);
    if (frontier() >= end) return WAIT_FOR_SEALS;
    const { slice: wanted, isCut } = sliceAt(now, book.clock.askTo(local), started - lookedAt);
    const asked = await ask(context, wanted, { order: 'asc', limit: tuning.limit, priority: 'background' });
    if (asked.kind === 'stopped') return 0;
    if (asked.kind === 'failed') return refused(asked.failure, wanted);
    if (started - lookedAt >= secondLook(book, tuning)) lookedAt = started;

    const { slice, value, sentAt } = asked;
    book.learnPage(countOf(value.rows), value.hasMore);
    const { newRows, times, span: next } = book.enter(asked, span, isCut);
    span = next;
    if (newRows > 0) {
      context.silentSince = clock.now();
      context.lastRowAt = context.silentSince;
    }
    health.answered(clock.now(), context.silentSince, tuning.quietAfter);
    if (value.hasMore) {
      book.learnRate(times.length, (times.at(-1) ?? slice.to) - slice.from);
      return restWhileBehind(started);
    }
    const reach = reachOf(Math.min(slice.to, sentAt), times.at(-1)) - slice.from;
    if (reach >= RATE_FROM) book.learnRate(times.length, reach);
    const hasLeapt = book.now(localTime(clock)) - Math.max(now, slice.to) > tuning.sleepNoticed;
    // A leap of the server's time without time passing is known to the book, with its reason.
    if (hasLeapt && passedSince(local) > tuning.sleepNoticed) book.blame('slept', now);
    if (slice.to < now || hasLeapt) return restWhileBehind(started);
    book.causes = [];
    return restUntilNext(started);
  }

  /** From a little before the newest row, or before the frontier, to a little after now. */
  function sliceAt(now: number, askTo: number, sinceLook: number): HeadSlice {
    const { rate, page } = book;
    const again = overlap({ ordinary: book.intake.ordinary, rate, page, sinceLook }, tuning);
    const base = frontier();
    const newest = book.intake.newest ?? base;
    // Older time is left to the sweeps: final only here and there, it would cost them more requests.
    const lowest = Math.max(book.lowest(now), book.sealableTo(now) + tuning.sealChunk);
    const to = Math.min(end, Math.max(askTo, base + book.clock.ahead) + 1);
    const from = Math.floor(Math.min(base, Math.max(lowest, newest - again)));
    if (to - from <= span) return { slice: { from, to }, isCut: false };
    if (now - base > tuning.behindMost) {
      const present = Math.floor(now - Math.min(tuning.behindMost / 2, span * 0.75));
      // Without another cause, either answers are too small or the head did not run.
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

  /** ms by the clock of ours that went on longer: either may have stood still. */
  function passedSince({ steady, wall }: LocalTime): number {
    return Math.max(clock.now() - steady, clock.wall() - wall);
  }

  function frontier(): number {
    return book.ledger === null ? 0 : frontierOf(book.ledger);
  }

  function refused(failure: Failure, slice: TimeRange | null): number {
    const { kind } = failure;
    if (FAILURES[kind].traits.window === 'old' && book.clock.askLess())
      return waitForShare(context, clock.now());
    if (slice !== null) {
      const length = slice.to - slice.from;
      const shrunk = shrunkSpan(length, kind, tuning);
      if (shrunk < length) span = Math.min(span, shrunk);
    }
    book.blame(reasonOf(failure), book.now(localTime(clock)));
    const pause = health.failed(clock.now(), failure);
    return Math.max(pause, waitForShare(context, clock.now()));
  }

  /**
   * The least rest the quota allows, but not at the cost of repairs. From this answer on only the number of rows
   * keeps the head behind, whatever happened before.
   */
  function restWhileBehind(started: number): number {
    book.blame('overload', book.now(localTime(clock)));
    return context.repairShare === 0 ? waitForShare(context, clock.now()) : restUntilNext(started);
  }

  function restUntilNext(started: number): number {
    const now = clock.now();
    const silence = now - context.silentSince;
    const period = headPeriod(
      { silence, repairs: context.repairShare, rate: book.rate, page: book.page },
      tuning,
    );
    return Math.max(started + period - now, waitForShare(context, now));
  }
}

/**
 * The first request: the newest rows of the recent past, so that the screen fills at once. Its time is read; time
 * before stays unknown where it was asked for by name, and is offered as a gap where not. Returns the failure, or
 * null when the ledger is open.
 */
async function readNewest(context: TailContext) {
  const { book, question, tuning } = context;
  const end = question.to ?? Number.POSITIVE_INFINITY;
  const answer = await askedWhereItIsNow(context);
  if (answer.kind === 'failed') return answer.failure;
  if (answer.kind === 'stopped') return null;

  const { slice: asked, sentAt, latest, value } = answer;
  const oldestKept = sentAt - tuning.retention;
  const from = startOf(context);
  book.open(Math.floor(Math.min(from ?? asked.from, end - 1, sentAt)));
  // Where our clock is behind the server's, the request ends before the server's now.
  const now = Math.min(sentAt, asked.to);
  const { lacks, times } = book.take(asked, value.rows, sentAt, latest);
  const readFrom = value.hasMore ? newerThanOldest(times) : asked.from;
  const origin = originOf(book.ledger ?? openLedger(now));
  const readSince = Math.min(now, Math.max(origin, oldestKept, readFrom ?? now - tuning.behindMost / 2));
  book.causes = [];
  const before = { from: origin, to: Math.floor(readSince) };
  book.passOver(before, 'notRead');
  if (from === null) book.giveUp(before, 'notRead', ['unknown']);
  else book.wantedTo = before.to;
  if (readFrom !== null) book.settle({ from: before.to, to: now }, sentAt, lacks);
  if (Math.min(sentAt, end) - now > tuning.sleepNoticed) book.blame('notRead', now);
  book.rate = times.length / Math.max(1, reachOf(now, times[0]) - readSince);
  return null;
}

/** Asks by our own clock, and once more where the answer shows another time. */
async function askedWhereItIsNow(context: TailContext): Promise<TailAsked> {
  const { book, tuning } = context;
  const order = 'desc';
  const limit = Math.min(tuning.firstRows, tuning.limit);
  const asked = windowOf(context);
  const answer = await ask(context, asked, { order, limit, priority: 'user' });
  if (answer.kind !== 'answer' || !book.clock.isKnown) return answer;
  const better = windowOf(context);
  const isNear =
    better.to - asked.to <= tuning.sleepNoticed && asked.from - better.from <= tuning.sleepNoticed;
  if (isNear) return answer;
  const again = await ask(context, better, { order, limit, priority: 'user' });
  return again.kind === 'failed' ? answer : again;
}

/** The recent past, with what may be the present. */
function windowOf(context: TailContext): TimeRange {
  const { book, clock, question, tuning } = context;
  const local = localTime(clock);
  const now = book.clock.isKnown ? book.now(local) : local.wall - tuning.clockMargin;
  const latest = book.clock.isKnown ? book.clock.askTo(local) : now + book.clock.ahead;
  const to = Math.min(question.to ?? Number.POSITIVE_INFINITY, Math.floor(latest));
  const recent = Math.min(to, now) - tuning.window;
  const from = Math.floor(
    Math.max(startOf(context) ?? Number.NEGATIVE_INFINITY, recent, now - tuning.retention),
  );
  return { from: Math.min(from, to - 1), to };
}

/** Where the question begins: as long ago by the server's clock as by ours. */
function startOf({ book, clock, question, tuning }: TailContext): number | null {
  const { from, isRelative } = question;
  if (from === null || isRelative !== true || !book.clock.isKnown) return from;
  const local = localTime(clock);
  const off = book.now(local) - local.steady;
  return Math.abs(off) > tuning.clockMargin ? from + off : from;
}

/** The start of the time that the newest rows surely cover; null when the server did not put the newest first. */
function newerThanOldest(times: readonly number[]): number | null {
  const last = times.at(-1);
  if (last === undefined || times.some((time, i) => time > (times[i - 1] ?? time))) return null;
  return last + 1;
}
