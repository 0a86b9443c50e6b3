import type { Term } from '../query/query.ts';
import type { TimeRange } from '../tail/coverage.ts';
import type { Anonymisation } from '../zone.ts';
import type { LogGroup } from './groups/log-group.ts';
import type { CacheSums } from './sums/traffic.ts';

/** Values of fields, by the ids of these. */
export type Wanted = ReadonlyMap<string, readonly string[]>;

/** What is wanted to know of rows, where whoever keeps them can count them instead of sending them. */
export type Counting =
  /**
   * Of each field the values with most rows, `most` of them. `sums`: with the traffic of each. `only`: of these values, and no others.
   * `mayLack`: fields that are not stored may be left out.
   */
  | {
      kind: 'values';
      fields: readonly string[];
      most: number;
      sums: boolean;
      only?: Wanted;
      mayLack?: true;
    }
  /** The traffic of each of these times, which follow on each other, the oldest first. */
  | { kind: 'times'; times: readonly TimeRange[] }
  /** The largest groups by these fields together, `most` of them; by none all rows as one. */
  | { kind: 'groups'; by: readonly string[]; most: number }
  /** The pages with most different query strings, `most` of them. */
  | { kind: 'queryStrings'; most: number }
  /** How many different values each parameter has in the query strings of these pages. */
  | { kind: 'parameters'; pages: readonly string[] }
  /** Several of the same times, one after the other. `terms`: of other rows than the question's. */
  | {
      kind: 'several';
      parts: readonly { of: OneCounting; terms?: readonly Term[] }[];
    };

/** The rows that are counted: of one zone, by the terms of the question. */
export type CountsAsked = { terms: readonly Term[]; anonymisation: Anonymisation; of: Counting };

/** `sums` null: they were not asked for. */
export type CountedValue = { value: string | null; count: number; sums: CacheSums | null };

/**
 * The values of a field with most rows, those first; `distinct`: how many there are, be they listed or not, null among them; `blank`:
 * the rows that have none. Where rows had more values than are told apart, `distinct` is null, and others than these may have most rows.
 */
export type CountedField = { values: readonly CountedValue[]; distinct: number | null; blank: number };

/** The traffic of one of several times. `at`: its number. */
export type CountedTime = { at: number; sums: CacheSums };

/** What was counted of all rows; fields are in the order in which they were asked for. */
export type Counts =
  | { kind: 'values'; rows: number; fields: ReadonlyMap<string, CountedField> }
  | { kind: 'times'; times: readonly CountedTime[] }
  | { kind: 'groups'; groups: readonly LogGroup[]; total: number; rows: number }
  /** Those with most query strings first; `total`: pages that have any; `unlisted`: how many another page has at most. */
  | { kind: 'queryStrings'; pages: readonly CountedQueries[]; total: number; unlisted: number }
  /** Those with most values first. */
  | { kind: 'parameters'; parameters: readonly CountedParameter[] }
  /** In the order in which they were asked for. */
  | { kind: 'several'; parts: readonly (OneCounts | NotCounted)[] };

export type OneCounts = Exclude<Counts, { kind: 'several' }>;
export type OneCounting = Exclude<Counting, { kind: 'several' }>;

/**
 * A page with how many rows and how many different query strings it has. With `mostDistinct` there are at least `distinct`, and at most
 * as many as that.
 */
export type CountedQueries = { page: string; requests: number; distinct: number; mostDistinct?: number };

/** A parameter of a page's query strings, and how many different values it has. */
export type CountedParameter = { page: string; name: string; distinct: number };

/** What the engine gave up, since it would take more time or memory than it may. */
export type NotCounted = { kind: 'none'; why: string };

/** The part of several counts that is of a kind; null = it was not asked for, or was given up, or nothing was counted. */
export function partOfCounts<K extends Counts['kind']>(
  counts: Counts | null,
  kind: K,
): Extract<Counts, { kind: K }> | null {
  const parts = counts?.kind === 'several' ? counts.parts : counts === null ? [] : [counts];
  const isWanted = (part: { kind: string }): part is Extract<Counts, { kind: K }> => part.kind === kind;
  return (parts as readonly { kind: string }[]).find(isWanted) ?? null;
}

/** How many rows were counted. */
export function rowsCounted(counts: Counts): number {
  if (counts.kind === 'several') {
    const [first] = counts.parts;
    return first === undefined || first.kind === 'none' ? 0 : rowsCounted(first);
  }
  if (counts.kind === 'values' || counts.kind === 'groups') return counts.rows;
  return counts.kind === 'times' ? counts.times.reduce((sum, { sums }) => sum + sums.requests, 0) : 0;
}
