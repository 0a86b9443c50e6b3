import { isUnread } from '../../domain/logs/paged-log.ts';
import { savedMissing } from '../../domain/logs/saved-report.ts';
import { type Gap, isLacking, type TimeRange, timeShared } from '../../domain/tail/coverage.ts';
import { readTo } from '../../domain/tail/merged-report.ts';
import { count, percent, timeOfDay } from '../../text/units.ts';
import { handedTime } from '../about.ts';
import type { SavedSource } from '../log-source.ts';
import type { LogSession, State } from '../model.ts';
import { shownLog } from './session.ts';

/** Gaps named one by one; the rest is counted. */
const GAPS_NAMED = 20;

/** What the rows in view lack, a sentence each. */
export function logMissing(session: LogSession): string[] {
  const { book, replacing, report, source, paged } = session;
  const share = readShare(session) ?? 0;
  return [
    ...(paged !== null && share < 1 ? [`${percent(share)} of the window was read`] : []),
    ...(source.kind === 'files' ? savedMissing(source.report) : report === null ? ['nothing read yet'] : []),
    ...(replacing ? ['the answer to the changed query had not arrived'] : []),
    ...(book.evicted > 0 ? [`${count(book.evicted)} older rows were dropped from memory`] : []),
  ];
}

/** `isNamed`: its gaps are named, too; groups state them as what is missing. */
export function logCoverage(state: State, isNamed: boolean): string[] {
  const { session } = state;
  if (!session) return [];
  session.book.settle();
  const gaps = gapWords(session);
  const told =
    session.source.kind === 'files' ? savedCoverage(session, session.source) : read(state, session);
  return [...told, ...(gaps.length === 0 ? ['no gap in what was read'] : isNamed ? gaps : [])];
}

/** The share of a window that was read, 0…1, without an end up to what was read last; null: its length is unknown. */
export function readShare({ report, from, paged }: LogSession): number | null {
  const to = readTo(report);
  if (from === null || to === null || !paged?.liveFrom) return report?.readShare ?? null;
  return timeShared({ from, to }, report?.read ?? []) / Math.max(1, to - from);
}

function read(state: State, session: LogSession): string[] {
  const { report, book } = session;
  const complete = report?.watermark ?? null;
  const read = report?.completeTo ?? null;
  return [
    ...(read === null ? ['nothing read yet'] : [`read until ${handedTime(read)}`]),
    report?.gaps.some((gap) => !isLacking(gap))
      ? 'a part was imported from files, which may not have all rows'
      : complete === null
        ? 'not complete yet: late rows may follow'
        : `complete until ${handedTime(complete)}; late rows may follow`,
    ...((readShare(session) ?? 1) < 1 ? [`${percent(readShare(session) ?? 0)} of the window was read`] : []),
    ...(book.hidden > 0 ? [`hidden here ${count(book.hidden)} of ${count(book.size)} rows read`] : []),
    ...(shownLog(state)?.paused && book.backlog > 0
      ? [`paused: ${count(book.backlog)} rows that came since are not in it`]
      : []),
  ];
}

/** The gaps of a log as sentences, less the time that nobody asked for. */
export function gapWords({ report, source, paged }: LogSession): string[] {
  const known = source.kind === 'files' ? source.report.gaps : (report?.gaps ?? []);
  return gapSentences(known.filter((gap) => !isUnread(gap, paged !== null)));
}

export function gapSentences(gaps: readonly Gap[]): string[] {
  const words = gaps.slice(0, GAPS_NAMED).map((gap) => `gap ${rangeWords(gap)}: ${gap.reason}`);
  return gaps.length > GAPS_NAMED ? [...words, `and ${gaps.length - GAPS_NAMED} more gaps`] : words;
}

function rangeWords({ from, to }: Gap): string {
  return `${timeOfDay(from, { zone: 'utc', date: true, millis: true })} to ${timeOfDay(to, { zone: 'utc', millis: true })}`;
}

/** The message where the platform would have to be asked. */
export const NOT_CONNECTED = 'saved logs: this asks the platform, and no account is connected';

/** The times in the window, its end excluded. */
export function savedTimes({ report, range }: SavedSource, now: number): TimeRange {
  const span = report.span ?? { from: now, to: now };
  const from = Math.max(span.from, range?.from ?? span.from);
  return { from, to: Math.max(from, Math.min(span.to, (range?.to ?? Number.POSITIVE_INFINITY) - 1)) + 1 };
}

/** How complete the view of saved logs is, each part a sentence. Times are UTC. */
function savedCoverage({ book }: LogSession, source: SavedSource): string[] {
  const { span, bad } = source.report;
  return [
    span === null ? 'no row was read' : `saved rows from ${handedTime(span.from)} to ${handedTime(span.to)}`,
    ...savedMissing(source.report),
    ...(bad > 0 ? [`${count(bad)} rows were not understood`] : []),
    ...(book.hidden > 0 ? [`hidden here ${count(book.hidden)} of ${count(book.size)} rows read`] : []),
  ];
}
