import type { Failure } from '../domain/failure.ts';
import type { BookGroups } from '../domain/logs/groups/log-group.ts';
import type { Counted } from '../domain/logs/log-history.ts';
import type { LogReport } from '../domain/logs/paged-log.ts';
import type { SavedReport } from '../domain/logs/saved-report.ts';
import type { ServerLogFilter } from '../domain/query/push-down.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import type { TailReport } from '../domain/tail/tail-report.ts';
import type { PullZone, Zones } from '../domain/zone.ts';

/** Where the rows of a log come from. */
export type LogSource = { kind: 'zones'; zones: Zones } | SavedSource;

/** `liveFrom`: where the tails of a window without an end begin, Unix ms of our clock. */
export type Paged = { isStopped: boolean; liveFrom: number | null };

/** One zone of a log, and how far it is read. */
export type ZoneTail = {
  zone: PullZone;
  /** What its server decides of the query: not every zone logs whole addresses. */
  filter: ServerLogFilter;
  /** The latest report of its tail, and of its pages: both read a part of a window without an end. */
  live: TailReport | null;
  pages: LogReport | null;
  /** Both reports together; null before the first answer. */
  report: LogReport | null;
  /** Its rows that came late because other zones had been read further. */
  overtaken: number;
  /**
   * What it brings shows even while paused: a gap being read on the user's order, or the first answer to a changed
   * question.
   */
  isAwaited: boolean;
};

export type SavedSource = {
  kind: 'files';
  /** As named on the command line; `standard input` for that. */
  names: readonly string[];
  follow: boolean;
  report: SavedReport;
  /** The times that the query's window covers of what was read; null = all of it. */
  range: TimeRange | null;
  /** When the range was computed, Unix ms: `last:` moves with the newest row. */
  rangedAt: number;
};

/**
 * Groups that the store counts over a window. `key`: what is counted. `unable`: the engine cannot, `tooMany`: it has
 * too many groups to add those of other rows; rows in memory are counted instead.
 */
export type StoredCount = {
  key: string;
  answer: 'asked' | 'unable' | 'tooMany' | Failure | CountedGroups;
  /** How much was counted when rows in memory were added; absent: none were. */
  shares?: CountShares | null;
};

/** The counted shares, 0…1: of the store's time, of the time behind it (null: none), and of both. */
export type CountShares = { stored: number; rest: number | null; all: number };

export type CountedGroups = Counted & BookGroups;

/** The timeline's steps as a store counted them. `key`: the question; `told` null: it could not count them. */
export type StoredSteps = { key: string; told: (Counted & { counts: number[][] }) | null };
