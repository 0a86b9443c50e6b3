import { FAILURES, type Failure } from '../failure.ts';
import type { LogRecord } from '../log.ts';
import type { Cut } from '../log-retention.ts';
import type { Strays } from '../strays.ts';
import { type Gap, isLacking, joinedRanges, type TimeRange, timeShared, without } from '../tail/coverage.ts';
import { grownSpan, shrunkSpan, TAIL_TUNING, tailFaultOf } from '../tail/tail-pace.ts';
import type { TailReport } from '../tail/tail-report.ts';
import type { OfPart, RowPlace } from './log-history.ts';
import { type ArrivedPart, arrivalsOf, type LogRows, recordsOf } from './log-rows.ts';

/** How far a log read by pages was read, newest first. */
type Paging = {
  /** Pages read so far. */
  pages: number;
  /** Time before this is unread: the next page ends here, or behind a row of a store. */
  to: number;
  after: RowPlace | null;
  /** The longest time asked of the platform at once, ms. */
  span: number;
  /** What the store read, as far as its engine says. */
  cost: { rows: number; bytes: number };
};

const NO_PAGES = { pages: 0, cost: { rows: 0, bytes: 0 } };

/** A report, of a log that may be read by pages. */
export type LogReport = TailReport & { paging?: Paging };

export type LogEvent = { rows: readonly ArrivedPart[]; report: LogReport };

type PageAnswer = Cut & OfPart & { rows: LogRows; hasMore: boolean; strays?: Strays };

/** Time nobody asked for; no other gap begins with the window and has no page behind it. */
const UNREAD = 'unread';

/**
 * Whether a gap is only what was not asked for yet. In a log read by pages other time can be `notRead`: a store lacks
 * it.
 */
export function isUnread({ id, reason }: Gap, isPaged: boolean): boolean {
  return isPaged ? id.endsWith(UNREAD) && reason === 'notRead' : reason === 'notRead';
}

/** Wide windows are slow on the platform or time out, so long ones are asked for only where rows are few. */
const PAGE_TUNING = { ...TAIL_TUNING, spanMost: 86_400_000 };

/** Where the next page ends, and how long a time it may cover. */
export function pageEnd(
  window: TimeRange,
  { paging }: Partial<LogReport>,
): Pick<Paging, 'to' | 'after' | 'span'> {
  return paging ?? { to: window.to, after: null, span: TAIL_TUNING.spanMost };
}

/** Whether there is a page behind those that were read. */
export function hasPages({ from }: TimeRange, report: LogReport | null): boolean {
  return report?.paging === undefined || report.paging.to > from;
}

/**
 * The report with one more page of at most `limit` rows. `now`: Unix ms; rows of the last minutes before it may still
 * come.
 */
export function reportWithPage(
  before: LogReport | null,
  window: TimeRange,
  answer: PageAnswer,
  { now, limit }: { now: number; limit: number },
): LogEvent {
  const asked = pageEnd(window, before ?? {});
  const part = answer.part ?? { from: window.from, to: asked.to };
  const since = Math.max(part.from, answer.gone?.to ?? part.from);
  const { records, to, missing } = reached(answer, { from: since, to: part.to });
  const covered = { from: to <= since ? part.from : to, to: asked.to };
  const lacking = [
    ...(answer.gone ? [gapOf(answer.gone, 'retention')] : []),
    ...(missing ? [missing] : []),
    ...(answer.strays ? [gapOf({ from: to, to: part.to }, 'strays')] : []),
    ...(answer.stored?.gaps ?? []),
  ].flatMap((gap) => cut(gap, covered));
  const old = { ...NO_PAGES, ...before?.paging };
  const read = answer.stored?.read ?? null;
  const paging: Paging = {
    pages: old.pages + 1,
    to: covered.from,
    after: answer.stored?.next ?? null,
    span: answer.hasMore ? asked.span : grownSpan(asked.span, records.length, limit, PAGE_TUNING),
    cost: { rows: old.cost.rows + (read?.rows ?? 0), bytes: old.cost.bytes + (read?.bytes ?? 0) },
  };
  const gaps = joined([...lacking, ...(before?.gaps ?? []).filter((gap) => gap.id !== UNREAD)]);
  // A page has the newest first, a book the oldest.
  const rows = arrivalsOf(records.toReversed());
  return { rows, report: reportOf(before, window, { paging, gaps, records, now }) };
}

/** The report of a followed log, whose time from `from` up to its tail is read by pages. */
export function withPagesBeneath(live: TailReport, pages: LogReport | null, from: number): LogReport {
  const to = live.origin ?? from;
  const left: Gap = { from, to, id: UNREAD, reason: 'notRead', rows: null };
  const before = pages ?? { seen: 0, unique: 0, bad: 0, read: [], gaps: from < to ? [left] : [] };
  return {
    ...live,
    origin: from,
    read: joinedRanges([...before.read, ...live.read]),
    seen: live.seen + before.seen,
    unique: live.unique + before.unique,
    bad: live.bad + before.bad,
    gaps: [...before.gaps, ...live.gaps],
    ...(pages?.paging ? { paging: pages.paging } : {}),
  };
}

/**
 * The report after a page that failed: a shorter one is asked for where that may help, else the rest is a gap with
 * its reason.
 */
export function withoutPage(
  before: LogReport | null,
  window: TimeRange,
  failure: Failure,
  now: number,
): LogReport {
  const asked = pageEnd(window, before ?? {});
  const old = { ...NO_PAGES, ...(before?.paging ?? asked) };
  const isOfStore = FAILURES[failure.kind].traits.blames === 'store';
  const span = isOfStore ? asked.span : shrunkSpan(asked.span, failure.kind, PAGE_TUNING);
  const isShorter = span < asked.span;
  const paging = { ...old, span, pages: old.pages + (isShorter ? 1 : 0) };
  const gaps = (before?.gaps ?? []).filter(({ id }) => id !== UNREAD);
  const report = reportOf(before, window, { paging, gaps, records: [], now });
  if (isShorter) return report;
  const { status, reason } = tailFaultOf(failure.kind);
  return {
    ...report,
    status,
    since: now,
    failure,
    gaps: report.gaps.map((gap) => (gap.id === UNREAD ? { ...gap, reason } : gap)),
  };
}

/**
 * How far back an answer reaches, and its rows of that time. The rest of a millisecond that a page ends in comes with
 * the next.
 */
function reached(
  { rows, hasMore, stored }: PageAnswer,
  range: TimeRange,
): { records: readonly LogRecord[]; to: number; missing: Gap | null } {
  const records = recordsOf(rows).filter(
    ({ raw, timestamp }) => raw !== null || (timestamp >= range.from && timestamp < range.to),
  );
  if (!hasMore) return { records, to: range.from, missing: null };
  // A store goes on behind the row itself.
  if (stored?.next) return { records, to: stored.next.timestamp + 1, missing: null };
  const last = records.at(-1);
  const isSorted = records.every(
    ({ timestamp }, at) => timestamp <= (records[at - 1]?.timestamp ?? range.to),
  );
  // Nobody knows which rows such a page leaves out.
  if (last === undefined || !isSorted) return { records, to: range.from, missing: gapOf(range, 'failed') };
  const to = last.timestamp;
  const newer = records.filter(({ timestamp }) => timestamp > to);
  if (newer.length > 0) return { records: newer, to: to + 1, missing: null };
  // All of them are of one millisecond: more of it cannot be had.
  return { records, to, missing: gapOf({ from: to, to: to + 1 }, 'overflow') };
}

type Reached = { paging: Paging; gaps: readonly Gap[]; records: readonly LogRecord[]; now: number };

function reportOf(
  before: LogReport | null,
  window: TimeRange,
  { paging, gaps, records, now }: Reached,
): LogReport {
  const isOver = paging.to <= window.from;
  const done = { from: Math.max(window.from, paging.to), to: window.to };
  const read = gaps
    .filter(isLacking)
    .reduce((rest, gap) => without(rest, gap), done.from < done.to ? [done] : []);
  const left: Gap = { ...window, to: done.from, id: UNREAD, reason: 'notRead', rows: null };
  const isSettled = window.to <= now - TAIL_TUNING.lateness;
  const seen = (before?.seen ?? 0) + records.length;
  return {
    status: isOver ? 'stopped' : 'live',
    since: now,
    origin: window.from,
    completeTo: window.to,
    watermark: isOver && isSettled ? window.to : null,
    readShare: timeShared(window, read) / Math.max(1, window.to - window.from),
    read,
    seen,
    unique: seen,
    late: 0,
    duplicates: 0,
    bad: (before?.bad ?? 0) + records.filter(({ raw }) => raw !== null).length,
    gaps: isOver ? gaps : [left, ...gaps],
    reading: [],
    retryAt: null,
    failure: null,
    lastRowAt: null,
    serverNow: null,
    clockAhead: null,
    paging,
  };
}

function cut(gap: Gap, { from, to }: TimeRange): Gap[] {
  const part = { ...gap, from: Math.max(gap.from, from), to: Math.min(gap.to, to) };
  return part.from < part.to ? [{ ...part, id: `${gap.reason} ${part.from}` }] : [];
}

/** A gap that continues behind a page is one gap. */
function joined(gaps: readonly Gap[]): Gap[] {
  const all: Gap[] = [];
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last?.to === gap.from && last.reason === gap.reason)
      all[all.length - 1] = { ...last, to: gap.to, rows: null };
    else all.push(gap);
  }
  return all;
}

function gapOf(range: TimeRange, reason: Gap['reason']): Gap {
  return { ...range, id: reason, reason, rows: null };
}
