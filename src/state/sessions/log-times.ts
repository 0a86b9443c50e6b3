import { SAVED_ZONE } from '../../domain/inquiry/saved-inquiry.ts';
import { type Gap, isLacking, sharedRanges, type TimeRange } from '../../domain/tail/coverage.ts';
import { readTo } from '../../domain/tail/merged-report.ts';
import type { KnownTimes } from '../../domain/timeline/steps.ts';
import type { SavedSource, ZoneTail } from '../log-source.ts';
import type { LogSession } from '../model.ts';
import { heldRanges } from './held.ts';
import { savedTimes } from './log-coverage.ts';

/** The shortest time drawn of a log just opened, ms: steps that change with every row say nothing. */
const SHORTEST_LIVE = 120_000;

/** Rows this far from all others have a wrong time, and would leave the others one column of many. */
const ASTRAY = { times: 50, least: 86_400_000 } as const;

/** The times drawn of a log, and what is known of them. */
type LogTimes = KnownTimes & {
  drawn: TimeRange;
  /** Its beginning moves as rows are dropped from memory. */
  isMoving: boolean;
};

/** Null until something is known of files. */
export function logTimes(session: LogSession, now: number): LogTimes | null {
  const { source } = session;
  return source.kind === 'files' ? timesOfFiles(session, source, now) : timesOfTails(session, now);
}

function timesOfFiles(session: LogSession, source: SavedSource, now: number): LogTimes | null {
  const { span, status, gaps } = source.report;
  if (span === null) return null;
  const kept = { from: span.from, to: span.to + 1 };
  const asked = source.range;
  const drawn = asked === null ? withoutAstray(kept, session.book.timeline.bulk) : savedTimes(source, now);
  const isOpen = status === 'following' && !Number.isFinite(asked?.to ?? Number.POSITIVE_INFINITY);
  return {
    drawn,
    range: isOpen ? { ...drawn, to: Number.POSITIVE_INFINITY } : drawn,
    end: drawn.to,
    isMoving: false,
    reads: readsOf(session),
    gaps: gaps.filter(isMissing),
  };
}

function timesOfTails(session: LogSession, now: number): LogTimes {
  const { book, report, from, to, tails } = session;
  const reports = tails.flatMap((tail) => tail.report ?? []);
  const starts = reports.flatMap(({ read }) => read[0]?.from ?? []);
  const ends = reports.flatMap((each) => readTo(each) ?? []);
  const known = {
    reads: readsOf(session),
    gaps: (report?.gaps ?? []).filter(isMissing),
  };
  // Before anything is read, the time asked for is there to be hatched.
  const first = from ?? (starts.length > 0 ? Math.min(...starts) : (to ?? now) - SHORTEST_LIVE);
  if (to !== null) {
    const range = { from: first, to };
    return { ...known, drawn: range, range, end: Math.min(to, now), isMoving: false };
  }
  // A tail reads its newest rows first, and nobody asked for those before them.
  const begin = Math.max(first, book.keptFrom ?? Number.NEGATIVE_INFINITY);
  // A paused log ends with its view: the rows held back are in no count.
  const end =
    ends.length === 0 ? now : Math.min(Math.max(...ends), (book.frozenAt ?? Number.POSITIVE_INFINITY) + 1);
  return {
    ...known,
    drawn: { from: begin, to: Math.max(begin + SHORTEST_LIVE, end) },
    range: { from: begin, to: Number.POSITIVE_INFINITY },
    end,
    isMoving: book.keptFrom !== null,
  };
}

function isMissing(gap: Gap): boolean {
  return gap.reason !== 'notRead' && isLacking(gap);
}

/** The times of which the rows of all zones are held and counted, oldest first. `tails`: of these zones alone. */
export function wholeTimes(session: LogSession, tails?: readonly ZoneTail[]): readonly TimeRange[] {
  const [first = [], ...others] = readsOf(session, tails);
  return others.reduce(sharedRanges, first);
}

/**
 * The times of each zone of which all rows are held; none while rows may come of any time, or while the filter has
 * not tested some, which are in no count.
 */
function readsOf(session: LogSession, tails: readonly ZoneTail[] = session.tails): TimeRange[][] {
  const { source, book } = session;
  const isOfFiles = source.kind === 'files';
  const zones = isOfFiles ? [SAVED_ZONE] : tails.map(({ zone }) => zone);
  const reads = zones.map((zone) => heldRanges(session, zone));
  const isReading = isOfFiles && source.report.status === 'reading';
  return isReading || book.filtering !== null ? [...reads, []] : reads;
}

/** All times of files, less those at an end that only a few rows have, far from all others. */
function withoutAstray(all: TimeRange, bulk: TimeRange | null): TimeRange {
  if (bulk === null) return all;
  const far = Math.max(ASTRAY.least, ASTRAY.times * (bulk.to - bulk.from));
  return {
    from: bulk.from - all.from > far ? bulk.from : all.from,
    to: all.to - bulk.to > far ? bulk.to + 1 : all.to,
  };
}
