import { openLedger, originOf, type TimeRange } from '../../domain/tail/coverage.ts';
import { reachOf } from '../../domain/tail/tail-pace.ts';
import { ask, type TailContext } from './tail-context.ts';

/**
 * The first request: the newest rows of the recent past, so that the screen is filled at once. What it brought is read;
 * what lies before stays unknown when it was asked for by name, and is offered as a gap when not. Returns the failure,
 * or null when the ledger is open.
 */
export async function readNewest(context: TailContext) {
  const { book, clock, question, tuning } = context;
  const end = question.to ?? Number.POSITIVE_INFINITY;
  const wantedFirst = windowOf(context, book.now(clock.now()));
  const limit = Math.min(tuning.firstRows, tuning.limit);
  const answer = await ask(context, wantedFirst, { order: 'desc', limit, priority: 'user' });
  if (answer.kind === 'failed') return answer.failure;
  if (answer.kind === 'stopped') return null;

  const { slice: asked, sentAt, value } = answer;
  const oldestKept = sentAt - tuning.retention;
  const wanted = question.from === null ? Math.min(asked.from, sentAt - tuning.window) : question.from;
  book.open(Math.floor(Math.min(wanted, end - 1, sentAt)));
  // Where our clock is behind the server's, what was asked for ends before the server's now.
  const now = Math.min(sentAt, asked.to);
  const { lacks, times } = book.take(asked, value.records, sentAt);
  const readFrom = value.hasMore ? newerThanOldest(times) : asked.from;
  const origin = originOf(book.ledger ?? openLedger(now));
  const from = Math.min(now, Math.max(origin, oldestKept, readFrom ?? now - tuning.behindMost / 2));
  book.causes = [];
  const before = { from: origin, to: Math.floor(from) };
  book.passOver(before, 'notRead');
  if (question.from === null) book.giveUp(before, 'notRead', ['unknown']);
  else book.wantedTo = before.to;
  if (readFrom !== null) book.settle({ from: before.to, to: now }, sentAt, lacks);
  if (Math.min(sentAt, end) - now > tuning.sleepNoticed) book.blame('notRead', now);
  book.rate = times.length / Math.max(1, reachOf(now, times[0]) - from);
  return null;
}

function windowOf(context: TailContext, now: number): TimeRange {
  const { question, tuning, book } = context;
  const to = Math.min(question.to ?? Number.POSITIVE_INFINITY, Math.floor(now) + book.ahead);
  const recent = Math.min(to, now) - tuning.window;
  const from = Math.floor(
    Math.max(question.from ?? Number.NEGATIVE_INFINITY, recent, now - tuning.retention),
  );
  return { from: Math.min(from, to - 1), to };
}

/** Start of the time that the newest rows cover for sure; null when the server did not put the newest first. */
function newerThanOldest(times: readonly number[]): number | null {
  const last = times.at(-1);
  if (last === undefined || times.some((time, i) => time > (times[i - 1] ?? time))) return null;
  return last + 1;
}
