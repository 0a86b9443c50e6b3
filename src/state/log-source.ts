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

/** `liveFrom`: the tails of a window without an end go on from here, Unix ms of our clock. */
export type Paged = { isStopped: boolean; liveFrom: number | null };

/** One zone of a log, and how far it is read. */
export type ZoneTail = {
  zone: PullZone;
  /** What its server decides of the query that is asked: not every zone keeps whole addresses. */
  filter: ServerLogFilter;
  /** What its tail, and what its pages told last: of a window without an end both read a part. */
  live: TailReport | null;
  pages: LogReport | null;
  /** Both together. Null until its first answer to that. */
  report: LogReport | null;
  /** Its rows that came late because other zones were read further. */
  overtaken: number;
  /** What it brings shows even while paused: a gap that is read on the user's order, the first answer to a changed question. */
  isAwaited: boolean;
};

export type SavedSource = {
  kind: 'files';
  /** As they were named; `standard input` for that. */
  names: readonly string[];
  follow: boolean;
  report: SavedReport;
  /** What the window of the query stands for in what was read; null = all of it. */
  range: TimeRange | null;
  /** When that was worked out, Unix ms: `last:` moves with the newest row. */
  rangedAt: number;
};

/**
 * Groups that the store counts over a window. `key`: what is counted; `unable`: the engine cannot, and `tooMany`: it has more groups
 * than those of other rows can be added to, so that rows in memory are counted.
 */
export type StoredCount = {
  key: string;
  answer: 'asked' | 'unable' | 'tooMany' | Failure | CountedGroups;
  /** How much was counted when rows here were added; absent: none were. */
  shares?: CountShares | null;
};

/** How much was counted, 0…1: of the time that the store counted, of that behind it, and of both. `rest` null: there is none. */
export type CountShares = { stored: number; rest: number | null; all: number };

export type CountedGroups = Counted & BookGroups;

/** The steps of a timeline that a store counted of a window. `key`: what was asked; `told`: null = it could not. */
export type StoredSteps = { key: string; told: (Counted & { counts: number[][] }) | null };
