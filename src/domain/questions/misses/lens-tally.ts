import type { LogRecord } from '../../log.ts';
import { addRecord, type CacheSums, noCacheSums } from '../../logs/sums/traffic.ts';
import { fieldReader } from '../../query/field-reader.ts';
import { LOG_FIELDS } from '../../query/fields.ts';
import { equalParts, type TimeRange } from '../../tail/coverage.ts';
import type { Side } from '../inquiry/inquiry.ts';
import { createQueryStrings, type QueryStringCounter } from './query-strings.ts';

/** The query fields that the hit ratio is broken down by. */
export const LENS_FIELDS = ['zone', 'host', 'page', 'shape', 'edge', 'status'] as const;
export type LensField = (typeof LENS_FIELDS)[number];

/** Sums of both windows. */
export type Pair = Record<Side, CacheSums>;

/** Sums of the values of a field; `others`: of those that came after as many as are told apart. */
type Pairs = { values: ReadonlyMap<string, Pair>; others: Pair };

/** The rows of one zone, summed in both windows. */
export type LensTally = {
  add(record: LogRecord): void;
  readonly series: Readonly<Record<Side, readonly (TimeRange & { sums: CacheSums })[]>>;
  readonly by: Readonly<Record<LensField, Pairs>>;
  readonly queries: Readonly<Record<Side, QueryStringCounter>>;
};

/** `room`: values told apart of each field, in the order in which they come. */
export function createLensTally(
  windows: Readonly<Record<Side, TimeRange>>,
  { buckets, room }: { buckets: number; room: number },
): LensTally {
  const series = { now: slicesOf(windows.now, buckets), before: slicesOf(windows.before, buckets) };
  const by = Object.fromEntries(
    LENS_FIELDS.map((field) => [field, { values: new Map<string, Pair>(), others: newPair() }]),
  ) as Record<LensField, { values: Map<string, Pair>; others: Pair }>;
  const readers = LENS_FIELDS.map((field) => [field, fieldReader(LOG_FIELDS[field], room)] as const);
  const queries = { now: createQueryStrings(room), before: createQueryStrings(room) };

  function pairOf(field: LensField, value: string): Pair {
    const { values, others } = by[field];
    const known = values.get(value);
    if (known || values.size >= room) return known ?? others;
    const pair = newPair();
    values.set(value, pair);
    return pair;
  }

  return {
    series,
    by,
    queries,
    add(record) {
      const { timestamp } = record;
      const side = isIn(windows.now, timestamp) ? 'now' : isIn(windows.before, timestamp) ? 'before' : null;
      if (side === null) return;
      const slice = series[side].find(({ to }) => timestamp < to);
      if (slice) addRecord(slice.sums, record);
      for (const [field, read] of readers) addRecord(pairOf(field, String(read(record) ?? ''))[side], record);
      queries[side].add(record.path);
    },
  };
}

function newPair(): Pair {
  return { now: noCacheSums(), before: noCacheSums() };
}

function slicesOf(range: TimeRange, buckets: number): (TimeRange & { sums: CacheSums })[] {
  return equalParts(range, buckets).map((bucket) => ({ ...bucket, sums: noCacheSums() }));
}

function isIn({ from, to }: TimeRange, time: number): boolean {
  return time >= from && time < to;
}
