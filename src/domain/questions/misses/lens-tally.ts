import type { LogRecord } from '../../log.ts';
import { type CountedValue, type Counts, partOfCounts, type Wanted } from '../../logs/counts.ts';
import { addCacheSums, addRecord, type CacheSums, noCacheSums } from '../../logs/sums/traffic.ts';
import { fieldReader } from '../../query/field-reader.ts';
import { LOG_FIELDS } from '../../query/fields.ts';
import { equalParts, type TimeRange } from '../../tail/coverage.ts';
import type { LogNeed, Side } from '../inquiry/inquiry.ts';
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
  addCounts(counts: Counts, need: LogNeed): void;
  /** The values with most misses that the list of this need leaves out, and another one does not. */
  unnamed(need: LogNeed): Wanted;
  /** What was counted of those, none of some of them. */
  addNamed(need: LogNeed, wanted: Wanted, counts: Extract<Counts, { kind: 'values' }>): void;
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
  const elsewhere: Elsewhere[] = [];

  function pairOf(field: LensField, value: string): Pair {
    const { values, others } = by[field];
    const known = values.get(value);
    if (known || values.size >= room) return known ?? others;
    const pair = newPair();
    values.set(value, pair);
    return pair;
  }

  /** What was counted elsewhere of a field. */
  function listsOf(field: LensField): List[] {
    return elsewhere.flatMap(({ need, side, counts, total, named }) => {
      const list = partOfCounts(counts, 'values')?.fields.get(field);
      if (list === undefined) return [];
      const { values, distinct } = list;
      const isCut = distinct > values.length;
      return [{ need, side, total, isCut, values: [...values, ...(named.get(field) ?? [])] }];
    });
  }

  return {
    series,
    queries,
    by(field) {
      const lists = listsOf(field);
      return lists.length === 0 ? by[field] : withLists(by[field], lists);
    },
    addCounts(counts, need) {
      const { side } = need;
      const total = noCacheSums();
      for (const { at, sums } of partOfCounts(counts, 'steps')?.steps ?? []) {
        addCacheSums(total, sums);
        const slice = series[side][at];
        if (slice) addCacheSums(slice.sums, sums);
      }
      const strings = partOfCounts(counts, 'queryStrings');
      if (strings) queries[side].addCounts(strings);
      elsewhere.push({ need, side, counts, total, named: new Map() });
    },
    unnamed: (need) =>
      new Map(LENS_FIELDS.map((field) => [field, unnamedOf(need, by[field], listsOf(field))] as const)),
    addNamed(need, wanted, { fields }) {
      const found = elsewhere.find((each) => each.need === need);
      for (const [field, values] of wanted) {
        const known = new Map(fields.get(field)?.values.map((each) => [each.value, each]));
        const named = values.map(
          (value): CountedValue => known.get(value) ?? { value, count: 0, sums: noCacheSums() },
        );
        found?.named.set(field, named);
      }
    },
    get areQueriesKnown() {
      return elsewhere.every(({ counts }) => partOfCounts(counts, 'queryStrings') !== null);
    },
    isCut: (field) => listsOf(field).some(({ isCut }) => isCut),
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

/** What was counted for a need; `named`: of its values that were asked for by name. */
type Elsewhere = {
  need: LogNeed;
  side: Side;
  counts: Counts;
  total: CacheSums;
  named: Map<string, readonly CountedValue[]>;
};

/** `isCut`: there are other values than these. */
type List = { need: LogNeed; side: Side; total: CacheSums; isCut: boolean; values: readonly CountedValue[] };

/** Values that travel with a question, and their characters in all. */
const NAMED_MOST = 400;
const NAMED_CHARACTERS = 50_000;

/** The values that the list of a need leaves out, those with most misses elsewhere first. */
function unnamedOf(need: LogNeed, own: Pairs, lists: readonly List[]): string[] {
  const list = lists.find((each) => each.need === need);
  if (!list?.isCut) return [];
  const listed = new Set(list.values.map(({ value }) => value ?? ''));
  const misses = new Map<string, number>();
  const add = (value: string, { originRequests }: CacheSums) => {
    if (!listed.has(value)) misses.set(value, (misses.get(value) ?? 0) + originRequests);
  };
  for (const [value, { now, before }] of own.values) for (const sums of [now, before]) add(value, sums);
  for (const { values } of lists)
    for (const { value, sums } of values) if (sums !== null) add(value ?? '', sums);
  let left = NAMED_CHARACTERS;
  return [...misses]
    .sort(([, a], [, b]) => b - a)
    .slice(0, NAMED_MOST)
    .flatMap(([value]) => {
      left -= value.length;
      return value === '' || left < 0 ? [] : value;
    });
}

/**
 * The rows that were added, and lists of those that were counted elsewhere. A value that one of these leaves out is not known whole: it
 * is one of the others in both windows.
 */
function withLists(own: Pairs, lists: readonly List[]): Pairs {
  const all = new Map<string, Pair>();
  const others = newPair();
  const pairOf = (value: string) => {
    const pair = all.get(value) ?? newPair();
    all.set(value, pair);
    return pair;
  };
  for (const [value, pair] of own.values) addPair(pairOf(value), pair);
  addPair(others, own.others);
  for (const { side, total, isCut, values } of lists) {
    const rest = { ...total };
    for (const { value, sums } of values) {
      if (sums === null) continue;
      addCacheSums(pairOf(value ?? '')[side], sums);
      for (const name of CACHE_SUM_NAMES) rest[name] -= sums[name];
    }
    if (isCut) addCacheSums(others[side], rest);
  }
  for (const { isCut, values } of lists) {
    if (!isCut) continue;
    const listed = new Set(values.map(({ value }) => value ?? ''));
    for (const [value, pair] of all) {
      if (listed.has(value)) continue;
      addPair(others, pair);
      all.delete(value);
    }
  }
  return { values: all, others };
}

export const CACHE_SUM_NAMES = Object.keys(noCacheSums()) as (keyof CacheSums)[];

function addPair(sum: Pair, more: Pair): void {
  addCacheSums(sum.now, more.now);
  addCacheSums(sum.before, more.before);
}

export function newPair(): Pair {
  return { now: noCacheSums(), before: noCacheSums() };
}

function slicesOf(range: TimeRange, buckets: number): (TimeRange & { sums: CacheSums })[] {
  return equalParts(range, buckets).map((bucket) => ({ ...bucket, sums: noCacheSums() }));
}

function isIn({ from, to }: TimeRange, time: number): boolean {
  return time >= from && time < to;
}
