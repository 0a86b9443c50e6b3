import { openLedger, originOf, type TimeRange } from '../../domain/tail/coverage.ts';
import { reachOf } from '../../domain/tail/tail-pace.ts';
import { type Asked, ask, localTime, type TailContext } from './tail-context.ts';

/**
 * The first request: the newest rows of the recent past, so that the screen is filled at once. What it brought is read;
 * what lies before stays unknown when it was asked for by name, and is offered as a gap when not. Returns the failure,
 * or null when the ledger is open.
 */
export async function readNewest(context: TailContext) {
  const { book, question, tuning } = context;
  const end = question.to ?? Number.POSITIVE_INFINITY;
  const answer = await askedWhereItIsNow(context);
  if (answer.kind === 'failed') return answer.failure;
  if (answer.kind === 'stopped') return null;

  const { slice: asked, sentAt, latest, value } = answer;
  const oldestKept = sentAt - tuning.retention;
  const from = startOf(context);
  book.open(Math.floor(Math.min(from ?? asked.from, end - 1, sentAt)));
  // Where our clock is behind the server's, what was asked for ends before the server's now.
  const now = Math.min(sentAt, asked.to);
  const { lacks, times } = book.take(asked, value.records, sentAt, latest);
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

/** Asks by our own clock, and once more where the answer says that it is another time with the server. */
async function askedWhereItIsNow(context: TailContext): Promise<Asked> {
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

/** The recent past; what may be the present belongs to it as much as what surely is. */
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

/** Where the question begins: what is so long ago by our clock is so long ago with the server. */
function startOf({ book, clock, question, tuning }: TailContext): number | null {
  const { from, isRelative } = question;
  if (from === null || isRelative !== true || !book.clock.isKnown) return from;
  const local = localTime(clock);
  const off = book.now(local) - local.steady;
  return Math.abs(off) > tuning.clockMargin ? from + off : from;
}

/** Start of the time that the newest rows cover for sure; null when the server did not put the newest first. */
function newerThanOldest(times: readonly number[]): number | null {
  const last = times.at(-1);
  if (last === undefined || times.some((time, i) => time > (times[i - 1] ?? time))) return null;
  return last + 1;
}
