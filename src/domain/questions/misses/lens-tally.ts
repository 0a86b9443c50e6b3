import type { LogRecord } from '../../log.ts';
import { type CountedField, type Counts, partOfCounts } from '../../logs/counts.ts';
import { addCacheSums, addRecord, type CacheSums, noCacheSums } from '../../logs/sums/traffic.ts';
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

/** Sums of the values of a field; `others`: of those that came after as many as are told apart, or are no largest ones of both windows. */
type Pairs = { values: ReadonlyMap<string, Pair>; others: Pair };

/** The rows of one zone, summed in both windows. */
export type LensTally = {
  add(record: LogRecord): void;
  /** What somebody else counted of a window: its values, the times of `slices`, and its query strings. */
  addCounts(side: Side, counts: Counts): void;
  /** False where somebody else counted rows, and gave their query strings up. */
  readonly areQueriesKnown: boolean;
  /** Whether the largest values alone were told of a field. */
  isCut(field: LensField): boolean;
  readonly series: Readonly<Record<Side, readonly (TimeRange & { sums: CacheSums })[]>>;
  by(field: LensField): Pairs;
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
  const elsewhere: { side: Side; counts: Counts; total: CacheSums }[] = [];

  function pairOf(field: LensField, value: string): Pair {
    const { values, others } = by[field];
    const known = values.get(value);
    if (known || values.size >= room) return known ?? others;
    const pair = newPair();
    values.set(value, pair);
    return pair;
  }

  /** What was counted elsewhere of a field. */
  function listsOf(field: LensField): { side: Side; total: CacheSums; list: CountedField }[] {
    return elsewhere.flatMap(({ side, counts, total }) => {
      const list = partOfCounts(counts, 'values')?.fields.get(field);
      return list === undefined ? [] : [{ side, total, list }];
    });
  }

  return {
    series,
    queries,
    by(field) {
      const lists = listsOf(field);
      return lists.length === 0 ? by[field] : withLists(by[field], lists);
    },
    addCounts(side, counts) {
      const total = noCacheSums();
      for (const { at, sums } of partOfCounts(counts, 'steps')?.steps ?? []) {
        addCacheSums(total, sums);
        const slice = series[side][at];
        if (slice) addCacheSums(slice.sums, sums);
      }
      const strings = partOfCounts(counts, 'queryStrings');
      if (strings) queries[side].addCounts(strings);
      elsewhere.push({ side, counts, total });
    },
    get areQueriesKnown() {
      return elsewhere.every(({ counts }) => partOfCounts(counts, 'queryStrings') !== null);
    },
    isCut: (field) => listsOf(field).some(({ list }) => isCut(list)),
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

function isCut({ values, distinct }: CountedField): boolean {
  return distinct > values.length;
}

/**
 * The rows that were added, and lists of those that were counted elsewhere. A value that one of these leaves out is not known whole: it
 * is one of the others in both windows.
 */
function withLists(
  own: Pairs,
  lists: readonly { side: Side; total: CacheSums; list: CountedField }[],
): Pairs {
  const all = new Map<string, Pair>();
  const others = newPair();
  const add = (to: Pair, side: Side, sums: CacheSums) => addCacheSums(to[side], sums);
  const pairOf = (value: string) => {
    const pair = all.get(value) ?? newPair();
    all.set(value, pair);
    return pair;
  };
  for (const [value, { now, before }] of own.values) {
    add(pairOf(value), 'now', now);
    add(pairOf(value), 'before', before);
  }
  for (const side of ['now', 'before'] as const) add(others, side, own.others[side]);
  for (const { side, total, list } of lists) {
    const rest = { ...total };
    for (const { value, sums } of list.values) {
      if (sums === null) continue;
      add(pairOf(value ?? ''), side, sums);
      for (const name of SUM_NAMES) rest[name] -= sums[name];
    }
    if (isCut(list)) add(others, side, rest);
  }
  for (const { list } of lists) {
    if (!isCut(list)) continue;
    const listed = new Set(list.values.map(({ value }) => value ?? ''));
    for (const [value, pair] of all) {
      if (listed.has(value)) continue;
      for (const side of ['now', 'before'] as const) add(others, side, pair[side]);
      all.delete(value);
    }
  }
  return { values: all, others };
}

export const SUM_NAMES = Object.keys(noCacheSums()) as (keyof CacheSums)[];

function newPair(): Pair {
  return { now: noCacheSums(), before: noCacheSums() };
}

function slicesOf(range: TimeRange, buckets: number): (TimeRange & { sums: CacheSums })[] {
  return equalParts(range, buckets).map((bucket) => ({ ...bucket, sums: noCacheSums() }));
}

function isIn({ from, to }: TimeRange, time: number): boolean {
  return time >= from && time < to;
}
