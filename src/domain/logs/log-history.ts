import type { Failure, Result } from '../failure.ts';
import type { LogRecord } from '../log.ts';
import type { Term } from '../query/query.ts';
import type { Gap, TimeRange } from '../tail/coverage.ts';
import type { LogSeriesId } from '../timeline/series.ts';
import type { Steps } from '../timeline/steps.ts';
import type { Anonymisation } from '../zone.ts';
import type { CountedField, Counts, CountsAsked } from './counts.ts';
import type { LogGroup } from './groups/log-group.ts';

/** A row's place in the order of rows of a store: a page behind it repeats nothing and leaves nothing out. */
export type RowPlace = {
  timestamp: number;
  /** 32 hex digits. */
  id: string;
  pullZoneId: string;
  statusCode: number;
  cacheStatus: string;
};

/** What a store read for an answer; null where its engine does not say. */
export type StoreRead = { rows: number; bytes: number } | null;

/** What two answers read, as far as it is known. */
export function readForBoth(a: StoreRead, b: StoreRead): StoreRead {
  return a === null || b === null ? (a ?? b) : { rows: a.rows + b.rows, bytes: a.bytes + b.bytes };
}

/** What a count covers: the time up to `to`, less `gaps`, whose rows may be incomplete. */
export type Counted = { to: number; gaps: readonly Gap[]; read: StoreRead };

/**
 * The rows that a store is asked about: of some zones, in a time. Each zone truncates client addresses in its own
 * way.
 */
export type RowsAsked = {
  zones: readonly { ids: readonly string[]; anonymisation: Anonymisation }[];
  range: TimeRange;
  /** Another source also has the time from here on: of that, counts go up to where the store surely has every row. */
  sharedFrom?: number;
  /** Times within it whose rows are left out. */
  but?: readonly TimeRange[];
  terms: readonly Term[];
};

/**
 * `gaps`: times that may lack rows, of each zone. `here`: terms that the engine does not decide as we do, and why;
 * `hidden`: rows that these excluded.
 */
export type StoredPage = {
  records: LogRecord[];
  next: RowPlace | null;
  here: readonly { term: Term; why: string }[];
  hidden: number;
  gaps: readonly Gap[];
  read: StoreRead;
};

/**
 * What a store's answer says besides its rows. `failure`: why it has none, where the time goes on with another
 * source.
 */
export type Stored = Omit<StoredPage, 'records'> & { failure?: Failure };

/**
 * An answer about a part of the time asked for: the rest is another source's, and is asked for again. `stored`: it is
 * from a store, with what that may lack. Without both it is the platform's, about all of the time.
 */
export type OfPart = { part?: TimeRange; stored?: Stored };

/** At most `limit` rows behind a place; null = from the end that the order begins at. */
export type PageAsked = { order: 'asc' | 'desc'; after: RowPlace | null; limit: number };

/** The history of logs that the platform no longer keeps. A store that fails is a failure in words; nothing throws. */
export type LogHistory = {
  /** What it is and its name, as in `duckdb`, `local`. */
  engine: string;
  name: string;
  page(asked: RowsAsked, page: PageAsked, signal?: AbortSignal): Promise<Result<StoredPage>>;
  /**
   * The largest groups, counted by the engine over the time up to `to`. Null: it cannot count them, and rows must be
   * read.
   */
  groups(
    asked: RowsAsked,
    by: readonly string[],
    most: number,
    signal?: AbortSignal,
  ): Promise<Result<(Counted & { groups: LogGroup[]; total: number; rows: number }) | null>>;
  /**
   * The values of several fields with most rows, each field's `most`; fields that are not stored are left out. Null:
   * as for groups.
   */
  values(
    asked: RowsAsked,
    fields: readonly string[],
    most: number,
    signal?: AbortSignal,
  ): Promise<Result<StoredValues | null>>;
  /** The rows of each step by the parts of a series. Null: as for groups. */
  steps(
    asked: RowsAsked,
    steps: Steps,
    series: LogSeriesId,
    signal?: AbortSignal,
  ): Promise<Result<(Counted & { counts: number[][] }) | null>>;
  /** A question's counts of the part of a time whose rows are all there. */
  count(asked: CountRequest, signal?: AbortSignal): Promise<Result<StoredCounts | Uncounted>>;
  close(): Promise<void>;
};

/** A store's counts of all its rows of a time. */
export type StoredValues = {
  fields: ReadonlyMap<string, CountedField>;
  rows: number;
  gaps: readonly Gap[];
  read: StoreRead;
};

/** The rows of a zone in a time, and what to count of them. */
export type CountRequest = TimeRange & { pullZoneId: string; counts: CountsAsked };

/**
 * `covered`: the times whose rows were counted, oldest first; `imported`: those from files, which may be incomplete.
 */
export type StoredCounts = {
  counts: Counts;
  covered: readonly TimeRange[];
  imported?: readonly TimeRange[];
  read: StoreRead;
};

/** Why an engine cannot count rows as the program does, so that they must be read. */
type Uncounted = { refusal: string; read: null };
