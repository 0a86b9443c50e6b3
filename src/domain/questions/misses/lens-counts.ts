import { isCut } from '../../logs/counted/join-counts.ts';
import { type CountedField, type Counting, type Counts, partOfCounts } from '../../logs/counts.ts';
import { addCacheSums, type CacheSums, noCacheSums } from '../../logs/sums/traffic.ts';
import { equalParts, type TimeRange } from '../../tail/coverage.ts';
import type { Side } from '../inquiry/inquiry.ts';

/** The query fields that the hit ratio is broken down by. */
export const LENS_FIELDS = ['zone', 'host', 'page', 'shape', 'edge', 'status'] as const;
export type LensField = (typeof LENS_FIELDS)[number];

/** Slices of the series over time. */
export const BUCKETS = 8;

/** Sums of both windows. */
export type Pair = Record<Side, CacheSums>;

/** What was counted of both windows of a zone; null: nothing was read of one. */
export type ZoneCounts = Record<Side, Counts | null>;

/** What is counted of a window. */
export function lensCounting(window: TimeRange, most: number): Counting {
  return {
    kind: 'several',
    parts: [
      { of: { kind: 'values', fields: LENS_FIELDS, most, sums: true } },
      { of: { kind: 'times', times: equalParts(window, BUCKETS) } },
      { of: { kind: 'queryStrings', most } },
    ],
  };
}

/** The slices of a window, those first that are older. */
export function slicesOf(window: TimeRange, counts: Counts | null): (TimeRange & { sums: CacheSums })[] {
  const times = counts === null ? [] : (partOfCounts(counts, 'times')?.times ?? []);
  return equalParts(window, BUCKETS).map((slice, at) => ({
    ...slice,
    sums: times.find((time) => time.at === at)?.sums ?? noCacheSums(),
  }));
}

/** All that was counted of a window. */
function totalOf(counts: Counts | null): CacheSums {
  const total = noCacheSums();
  if (counts !== null)
    for (const { sums } of partOfCounts(counts, 'times')?.times ?? []) addCacheSums(total, sums);
  return total;
}

export function lensField(counts: Counts | null, field: LensField): CountedField | null {
  return counts === null ? null : (partOfCounts(counts, 'values')?.fields.get(field) ?? null);
}

/** Sums of the values of a field; `others`: of those that one of the windows does not know whole. */
type Pairs = { values: ReadonlyMap<string, Pair>; others: Pair };

export function pairsOf(zone: ZoneCounts, field: LensField): Pairs {
  const values = new Map<string, Pair>();
  const others = newPair();
  for (const side of ['now', 'before'] as const) {
    const list = lensField(zone[side], field);
    if (list === null) continue;
    addCacheSums(others[side], totalOf(zone[side]));
    for (const { value, sums } of list.values) {
      if (sums === null) continue;
      const pair = values.get(value ?? '');
      if (pair) pair[side] = sums;
      else values.set(value ?? '', { now: NONE, before: NONE, [side]: sums });
      for (const name of CACHE_SUM_NAMES) others[side][name] -= sums[name];
    }
  }
  // A value that a cut list leaves out is one of the others in both windows.
  for (const side of ['now', 'before'] as const) {
    const list = lensField(zone[side], field);
    if (list === null || !isCut(list)) continue;
    const listed = new Set(list.values.map(({ value }) => value ?? ''));
    for (const [value, pair] of values) {
      if (listed.has(value)) continue;
      addCacheSums(others.now, pair.now);
      addCacheSums(others.before, pair.before);
      values.delete(value);
    }
  }
  return { values, others };
}

/** What was counted of one value; null where a window does not know it whole. */
export function pairOf(zone: ZoneCounts, field: LensField, value: string): Pair | null {
  const sums = (side: Side) => {
    const list = lensField(zone[side], field);
    const found = list?.values.find((each) => each.value === value);
    return found ? found.sums : list && isCut(list) ? null : NONE;
  };
  const [now, before] = [sums('now'), sums('before')];
  return now && before && { now, before };
}

/** Shared, and never added to. */
const NONE: CacheSums = noCacheSums();

export const CACHE_SUM_NAMES = Object.keys(noCacheSums()) as (keyof CacheSums)[];

export function newPair(): Pair {
  return { now: noCacheSums(), before: noCacheSums() };
}
