import type { Term } from '../query/query.ts';
import type { TimeRange } from '../tail/coverage.ts';
import type { Anonymisation } from '../zone.ts';
import type { LogGroup } from './groups/log-group.ts';
import type { CacheSums } from './sums/traffic.ts';

/** Values of fields, by field id. */
export type Wanted = ReadonlyMap<string, readonly string[]>;

/** What to count of rows, where whoever has them can count them instead of sending them. */
export type Counting =
  /**
   * Of each field the `most` values with most rows. `sums`: with the traffic of each. `only`: of these values and no
   * others. `mayLack`: fields that are not stored may be left out.
   */
  | {
      kind: 'values';
      fields: readonly string[];
      most: number;
      sums: boolean;
      only?: Wanted;
      mayLack?: true;
    }
  /** The traffic of each of these consecutive times, the oldest first. */
  | { kind: 'times'; times: readonly TimeRange[] }
  /** The `most` largest groups by these fields together; without fields all rows as one group. */
  | { kind: 'groups'; by: readonly string[]; most: number }
  /** The `most` pages with most different query strings. */
  | { kind: 'queryStrings'; most: number }
  /** How many different values each parameter has in the query strings of these pages. */
  | { kind: 'parameters'; pages: readonly string[] }
  /** Several counts of the same time in turn. `terms`: of other rows than the question's. */
  | {
      kind: 'several';
      parts: readonly { of: OneCounting; terms?: readonly Term[] }[];
    };

/** The rows to count: of one zone, by the terms of the question. */
export type CountsAsked = { terms: readonly Term[]; anonymisation: Anonymisation; of: Counting };

/** `sums` null: they were not asked for. */
export type CountedValue = { value: string | null; count: number; sums: CacheSums | null };

/**
 * The values of a field with most rows, those first. `distinct`: how many there are, listed or not, null among them;
 * `blank`: the rows without one. Where rows had more values than are kept apart, `distinct` is null, and unlisted
 * values may have most rows.
 */
export type CountedField = { values: readonly CountedValue[]; distinct: number | null; blank: number };

/** The traffic of one of several times. `at`: its number. */
export type CountedTime = { at: number; sums: CacheSums };

/** The counts of all rows; fields in the order asked for. */
export type Counts =
  | { kind: 'values'; rows: number; fields: ReadonlyMap<string, CountedField> }
  | { kind: 'times'; times: readonly CountedTime[] }
  | { kind: 'groups'; groups: readonly LogGroup[]; total: number; rows: number }
  /** Most query strings first; `total`: pages that have any; `unlisted`: the most that another page has. */
  | { kind: 'queryStrings'; pages: readonly CountedQueries[]; total: number; unlisted: number }
  /** Most values first. */
  | { kind: 'parameters'; parameters: readonly CountedParameter[] }
  /** In the order asked for. */
  | { kind: 'several'; parts: readonly (OneCounts | NotCounted)[] };

export type OneCounts = Exclude<Counts, { kind: 'several' }>;
export type OneCounting = Exclude<Counting, { kind: 'several' }>;

/**
 * A page, its rows and its different query strings. With `mostDistinct` there are at least `distinct`, and at most
 * that many.
 */
export type CountedQueries = { page: string; requests: number; distinct: number; mostDistinct?: number };

/** A parameter of a page's query strings, and how many different values it has. */
export type CountedParameter = { page: string; name: string; distinct: number };

/** What the engine gave up, because it would take more time or memory than it may. */
export type NotCounted = { kind: 'none'; why: string };

/** The part of several counts that is of a kind; null = it was not asked for, was given up, or counted nothing. */
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
