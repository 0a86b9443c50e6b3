import { difference, isMore, type Share, SIDES, type Side } from '../../differing.ts';
import { isCut } from '../../logs/counted/join-counts.ts';
import {
  type CountedField,
  type CountedParameter,
  type CountedQueries,
  type CountedTime,
  type Counting,
  type Counts,
  partOfCounts,
} from '../../logs/counts.ts';
import { addCacheSums, type CacheSums, hitRatios, noCacheSums } from '../../logs/sums/traffic.ts';
import { shapeOf } from '../../query/path-shape.ts';
import { equalParts, type TimeRange } from '../../tail/coverage.ts';
import { EXPLOSION, FAILING_LEAST, MORE } from '../../thresholds.ts';

/** The query fields that the hit ratio is broken down by. */
export const LENS_FIELDS = ['zone', 'host', 'page', 'shape', 'edge'] as const;
export type LensField = (typeof LENS_FIELDS)[number];

/** Slices of the series over time. */
export const BUCKETS = 8;

/** Sums of both windows. */
type Pair = Record<Side, CacheSums>;

/** What was counted of both windows of a zone; null: nothing was read of one. */
type ZoneCounts = Record<Side, Counts | null>;

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

/** What was counted of the slices of a window. */
function timesOf(counts: Counts | null): readonly CountedTime[] {
  return partOfCounts(counts, 'times')?.times ?? [];
}

export function lensField(counts: Counts | null, field: LensField): CountedField | null {
  return partOfCounts(counts, 'values')?.fields.get(field) ?? null;
}

/** Sums of the values of a field; `others`: of those that one of the windows does not know whole. */
type Pairs = { values: ReadonlyMap<string, Pair>; others: Pair };

export function pairsOf(zone: ZoneCounts, field: LensField): Pairs {
  const values = new Map<string, Pair>();
  const others = newPair();
  for (const side of SIDES) {
    const list = lensField(zone[side], field);
    if (list === null) continue;
    addCacheSums(others[side], sumOf(timesOf(zone[side])));
    for (const { value, sums } of list.values) {
      if (sums === null) continue;
      values.set(value ?? '', { ...(values.get(value ?? '') ?? NO_PAIR), [side]: sums });
      addCacheSums(others[side], sums, -1);
    }
  }
  // A value that a cut list leaves out is one of the others in both windows.
  for (const side of SIDES) {
    const list = lensField(zone[side], field);
    if (list === null || !isCut(list)) continue;
    const listed = new Set(list.values.map(({ value }) => value ?? ''));
    for (const [value, pair] of values) {
      if (listed.has(value)) continue;
      addPair(others, pair, () => 1);
      values.delete(value);
    }
  }
  return { values, others };
}

function newPair(): Pair {
  return { now: noCacheSums(), before: noCacheSums() };
}

/** Shared, and never added to. */
const NOTHING: Readonly<CacheSums> = noCacheSums();
const NO_PAIR: Readonly<Pair> = newPair();

type QueryExplosion = CountedQueries & {
  zone: string;
  /** Different query strings before, at most. */
  distinctBefore: number;
  /** Misses now less those that its ratio before gives; without a request before all of them. */
  extraMisses: number;
  /** The parameter with the most different values first. */
  parameters: readonly CountedParameter[];
};

/** `failing`: how many requests it spoils, where these are enough to be what is wrong; else 0. */
type LensShare = { now: number | null; before: number | null; hasRisen: boolean; failing: number };

type Slice = TimeRange & { sums: CacheSums };

export type MissLens = {
  now: CacheSums;
  before: CacheSums;
  series: readonly Slice[];
  seriesBefore: readonly Slice[];
  /** Most extra misses first, then most misses. Pages and shapes are those of their zone. */
  by: Readonly<Record<LensField, readonly LensRow[]>>;
  /** What misses more than before, by extra misses. */
  worse: readonly WorseRow[];
  /** By extra misses. */
  explosions: readonly QueryExplosion[];
  /** False where somebody who counted rows gave their query strings up. */
  areQueriesKnown: boolean;
  /** Share of STALE and UPDATING in what was served: it rises when the origin is in trouble. Share of 5xx in all. */
  stale: LensShare;
  errors: LensShare;
};

/**
 * How much of the windows was read: `covered` of a zone's, ms, and what a row of it counts in sums over all zones, 0…1
 * (`LogReading.weights`).
 */
export type ZoneShare = Record<Side, { covered: number; weight: number }>;

type LensZone = {
  zone: string;
  counts: ZoneCounts;
  share: ZoneShare;
  parameters: (page: string) => readonly CountedParameter[];
};

/**
 * What started missing. Hit ratio = served by the edge ÷ (by the edge + by the origin), as everywhere in the program.
 * Extra misses = misses now − (hits + misses now) × misses before ÷ (hits + misses before). Rows of zones of which less
 * was read weigh more than the others'.
 */
export function missLensOf(windows: Readonly<Record<Side, TimeRange>>, zones: readonly LensZone[]): MissLens {
  const by = Object.fromEntries(LENS_FIELDS.map((field) => [field, rowsOf(zones, field)])) as Record<
    LensField,
    LensRow[]
  >;
  const [series, seriesBefore] = [seriesOf(windows, zones, 'now'), seriesOf(windows, zones, 'before')];
  const [now, before] = [sumOf(series), sumOf(seriesBefore)];
  const stale = (sums: CacheSums) => ({ part: sums.stale, of: knownRequests(sums) });
  const errors = (sums: CacheSums) => ({ part: sums.errors, of: sums.requests });
  return {
    now,
    before,
    series,
    seriesBefore,
    by,
    worse: worseOf(by),
    explosions: zones
      .flatMap((zone) => explosionsOf(zone))
      .sort((a, b) => b.extraMisses - a.extraMisses || b.distinct - a.distinct || (a.page < b.page ? -1 : 1)),
    areQueriesKnown: zones.every(({ counts }) =>
      [counts.now, counts.before].every(
        (each) => each === null || partOfCounts(each, 'queryStrings') !== null,
      ),
    ),
    stale: shareOf(stale(now), stale(before), false),
    errors: shareOf(errors(now), errors(before), true),
  };
}

/** The slices of all zones, slice by slice, those first that are older. */
function seriesOf(
  windows: Readonly<Record<Side, TimeRange>>,
  zones: readonly LensZone[],
  side: Side,
): Slice[] {
  const own = zones.map(({ counts, share }) => ({
    times: new Map(timesOf(counts[side]).map(({ at, sums }) => [at, sums])),
    weight: share[side].weight,
  }));
  return equalParts(windows[side], BUCKETS).map((slice, at) => {
    const sums = noCacheSums();
    for (const { times, weight } of own) addCacheSums(sums, times.get(at) ?? NOTHING, weight);
    return { ...slice, sums };
  });
}

/** The rows of a field: of a path one for each zone, as zones have no paths in common, of the others one for all zones. */
function rowsOf(zones: readonly LensZone[], field: LensField): LensRow[] {
  const isOfZone = (field === 'page' || field === 'shape') && zones.length > 1;
  const pairs = new Map<string, { zone: string | null; value: string; pair: Pair }>();
  const others = newPair();
  for (const { zone, counts, share } of zones) {
    const own = pairsOf(counts, field);
    for (const [value, pair] of own.values) {
      const key = isOfZone ? `${zone} ${value}` : value;
      const known = pairs.get(key) ?? { zone: isOfZone ? zone : null, value, pair: newPair() };
      pairs.set(key, known);
      addPair(known.pair, pair, (side) => share[side].weight);
    }
    addPair(others, own.others, (side) => share[side].weight);
  }
  // A zone that cannot be compared weighs nothing, and neither do its values.
  const rows = [...pairs.values()]
    .filter(({ pair }) => pair.now.requests + pair.before.requests > 0)
    .map(({ zone, value, pair }) => rowOf(zone, value, pair))
    .sort(byLoss);
  return others.now.requests + others.before.requests > 0 ? [...rows, rowOf(null, null, others)] : rows;
}

function addPair(sum: Pair, more: Pair, weightOf: (side: Side) => number): void {
  for (const side of SIDES) addCacheSums(sum[side], more[side], weightOf(side));
}

function sumOf(series: readonly { sums: CacheSums }[]): CacheSums {
  const total = noCacheSums();
  for (const { sums } of series) addCacheSums(total, sums);
  return total;
}

/** Those of one zone, whose windows need not be read alike. */
function explosionsOf({ zone, counts, share, parameters }: LensZone): QueryExplosion[] {
  const [now, before] = SIDES.map((side) => partOfCounts(counts[side], 'queryStrings'));
  if (!now || share.now.weight === 0 || share.before.weight === 0) return [];
  const scale = share.now.covered / Math.max(1, share.before.covered);
  const known = new Map(before?.pages.map((each) => [each.page, each]));
  const { values: pages } = pairsOf(counts, 'page');
  return now.pages.flatMap((of) => {
    if (of.distinct < EXPLOSION.distinct) return [];
    const pair = pages.get(of.page);
    // Where no query string was counted elsewhere, requests may have been.
    const requests = Math.max(of.requests, pair?.now.requests ?? 0);
    const was = known.get(of.page);
    const distinctBefore = was?.mostDistinct ?? was?.distinct ?? before?.unlisted ?? 0;
    const isOne =
      of.distinct >= EXPLOSION.ratio * requests && of.distinct >= EXPLOSION.growth * distinctBefore * scale;
    if (!isOne) return [];
    const extra = pair ? (rowOf(zone, of.page, pair).extraMisses ?? pair.now.originRequests) : 0;
    const extraMisses = extra * share.now.weight;
    return [{ ...of, zone, requests, distinctBefore, extraMisses, parameters: parameters(of.page) }];
  });
}

/** `isBad`: as much of it is wrong whether it has risen or not. */
function shareOf(now: Share, before: Share, isBad: boolean): LensShare {
  const found = difference(now, before);
  const hasRisen = isMore(found);
  const isMuch = (found.shareNow ?? 0) >= FAILING_LEAST && now.part >= MORE.excess;
  const spoilt = hasRisen ? (found.excess ?? 0) : isBad ? now.part : 0;
  return { now: found.shareNow, before: found.shareUsual, hasRisen, failing: isMuch ? spoilt : 0 };
}

export type LensRow = {
  /** The zone that it is of, where its value is told apart by zones; else null. */
  zone: string | null;
  /** Null = all values that came after as many as are told apart. */
  value: string | null;
  now: CacheSums;
  before: CacheSums;
  /** Hit ratio by requests; null when nothing counted. */
  ratioNow: number | null;
  ratioBefore: number | null;
  /** Misses now − those that its own miss ratio before gives for its requests now; null where nothing counted before. */
  extraMisses: number | null;
  /** Missed more than chance explains. */
  isWorse: boolean;
  /** Mostly served from cache before, mostly from the origin now. */
  isFlipped: boolean;
};

/** A page, or in the place of many that miss alike their shape. */
export type WorseRow = LensRow & { field: 'page' | 'shape' };

function rowOf(zone: string | null, value: string | null, { now, before }: Pair): LensRow {
  const [ratioNow, ratioBefore] = [hitRatios(now).requests, hitRatios(before).requests];
  const misses = difference(missesOf(now), missesOf(before));
  return {
    zone,
    value,
    now,
    before,
    ratioNow,
    ratioBefore,
    extraMisses: misses.excess ?? (ratioBefore === null ? null : 0),
    isWorse: isMore(misses),
    isFlipped: ratioNow !== null && ratioBefore !== null && ratioBefore >= 0.5 && ratioNow < 0.5,
  };
}

/**
 * Pages that miss more than before. Where no page has half of the extra misses of its shape, as where each has an id of its own, the
 * shape is told, once, and not those of its pages that are many enough to be seen.
 */
function worseOf(by: Readonly<Record<LensField, readonly LensRow[]>>): WorseRow[] {
  const nameOf = (zone: string | null, shape: string) => `${zone ?? ''} ${shape}`;
  const pages = by.page
    .filter(({ isWorse }) => isWorse)
    .map((row) => ({ row, name: row.value === null ? null : nameOf(row.zone, shapeOf(row.value)) }));
  const most = new Map<string | null, number>();
  for (const { row, name } of pages) most.set(name, Math.max(most.get(name) ?? 0, row.extraMisses ?? 0));
  const shapes = by.shape.filter(
    ({ zone, value, isWorse, extraMisses }) =>
      isWorse && value !== null && (most.get(nameOf(zone, value)) ?? 0) < (extraMisses ?? 0) / 2,
  );
  const told = new Set(shapes.map(({ zone, value }) => nameOf(zone, value ?? '')));
  return [
    ...shapes.map((row) => ({ ...row, field: 'shape' as const })),
    ...pages.flatMap(({ row, name }) => (told.has(name ?? '') ? [] : [{ ...row, field: 'page' as const }])),
  ].sort(byLoss);
}

function byLoss(a: LensRow, b: LensRow): number {
  return (
    (b.extraMisses ?? 0) - (a.extraMisses ?? 0) ||
    b.now.originRequests - a.now.originRequests ||
    b.now.requests - a.now.requests ||
    ((a.value ?? '') < (b.value ?? '') ? -1 : 1)
  );
}

function missesOf(sums: CacheSums): Share {
  return { part: sums.originRequests, of: knownRequests(sums) };
}

/** Requests of which it is known who answered them. */
function knownRequests({ edgeRequests, originRequests }: CacheSums): number {
  return edgeRequests + originRequests;
}
