import type { LogRecord } from '../../log.ts';
import {
  addCacheSums,
  addRecord,
  type CacheSums,
  hitRatios,
  noCacheSums,
  ratioOf,
} from '../../logs/sums/traffic.ts';
import { LOG_FIELDS } from '../../query/fields.ts';
import { equalParts, type TimeRange } from '../../tail/coverage.ts';
import { logLikelihood, STANDS_OUT } from '../comparison/comparison.ts';
import type { Side } from '../inquiry/inquiry.ts';
import {
  createQueryStrings,
  type QueryParameter,
  type QueryStringCounter,
  type QueryStrings,
} from './query-strings.ts';

/** The query fields that the hit ratio is broken down by. */
const LENS_FIELDS = ['host', 'page', 'edge', 'status'] as const;
export type LensField = (typeof LENS_FIELDS)[number];

export type LensRow = {
  /** Null = all values that came after as many as are told apart. */
  value: string | null;
  now: CacheSums;
  before: CacheSums;
  /** Hit ratio by requests; null when nothing counted. */
  ratioNow: number | null;
  ratioBefore: number | null;
  /** Misses now − those that its own miss ratio before gives for its requests now; null where nothing counted before. */
  extraMisses: number | null;
  /** Missed more than chance explains: see LENS_IN_WORDS. */
  isWorse: boolean;
  /** Mostly served from cache before, mostly from the origin now. */
  isFlipped: boolean;
};

type QueryExplosion = QueryStrings & {
  /** Different query strings ÷ requests. */
  ratio: number;
  /** The parameter with the most different values first. */
  parameters: readonly QueryParameter[];
  /** Different query strings before. */
  distinctBefore: number;
};

export type LensShare = { now: number | null; before: number | null; hasRisen: boolean };

type Slice = TimeRange & { sums: CacheSums };

export type MissLens = {
  now: CacheSums;
  before: CacheSums;
  series: readonly Slice[];
  seriesBefore: readonly Slice[];
  /** Most extra misses first, then most misses. */
  by: Readonly<Record<LensField, readonly LensRow[]>>;
  /** Pages that miss more than before, by extra misses. */
  worse: readonly LensRow[];
  explosions: readonly QueryExplosion[];
  /** Share of STALE and UPDATING in what was served: it rises when the origin is in trouble. Share of 5xx in all. */
  stale: LensShare;
  errors: LensShare;
  /** Pages by requests that went past the cache. */
  bypassed: readonly LensRow[];
};

type Options = {
  window: TimeRange;
  baseline: TimeRange;
  buckets: number;
  /** Values told apart of each field, in the order in which they come. */
  valuesMost?: number;
};

/** Values told apart: a row of sums takes some 200 bytes. */
const VALUES_MOST = 10_000;

const EXPLOSION = { distinct: 100, ratio: 0.5, growth: 3 } as const;

export const LENS_IN_WORDS = {
  hit: 'hit = HIT, REVALIDATED, STALE, UPDATING, of these and MISS, BYPASS, EXPIRED; - and unknown words count in neither',
  worse: `worse: its hit ratio fell, G2 at least ${STANDS_OUT.g2} (Dunning 1993; p < 0.0001), ${STANDS_OUT.count} extra misses or more`,
  risen: `risen: its share grew, G2 at least ${STANDS_OUT.g2}, ${STANDS_OUT.count} requests or more`,
  explosion: `explosion: ${EXPLOSION.distinct} different query strings or more, one for every second request or more, ${EXPLOSION.growth} times as many a minute as before`,
} as const;

/**
 * What started missing. Hit ratio = served by the edge ÷ (by the edge + by the origin), as everywhere in the program.
 * Extra misses = misses now − (hits + misses now) × misses before ÷ (hits + misses before). A rise is told from chance by
 * Dunning's G² on (misses, hits) × (now, before), see `compare`. Records may come in any order.
 */
export function createMissLens(o: Options): {
  add(record: LogRecord): void;
  /** `covered`: how much of the two stretches the records are of, ms; without it all. */
  result(covered?: Readonly<Record<Side, number>>): MissLens;
} {
  const valuesMost = o.valuesMost ?? VALUES_MOST;
  const series = { now: slicesOf(o.window, o.buckets), before: slicesOf(o.baseline, o.buckets) };
  const tables = new Map(LENS_FIELDS.map((field) => [field, createPairs(valuesMost)]));
  const queries = { now: createQueryStrings(valuesMost), before: createQueryStrings(valuesMost) };
  return {
    add(record) {
      const { timestamp } = record;
      const side = isIn(o.window, timestamp) ? 'now' : isIn(o.baseline, timestamp) ? 'before' : null;
      if (side === null) return;
      const slice = series[side].find(({ to }) => timestamp < to);
      if (slice) addRecord(slice.sums, record);
      for (const [field, pairs] of tables) {
        addRecord(pairs.of(String(LOG_FIELDS[field].get(record) ?? ''))[side], record);
      }
      queries[side].add(record.path);
    },
    result(covered = { now: lengthOf(o.window), before: lengthOf(o.baseline) }) {
      const by = Object.fromEntries([...tables].map(([field, pairs]) => [field, pairs.rows()])) as Record<
        LensField,
        LensRow[]
      >;
      const [now, before] = [totalOf(series.now), totalOf(series.before)];
      return {
        now,
        before,
        series: series.now,
        seriesBefore: series.before,
        by,
        worse: by.page.filter(({ isWorse }) => isWorse),
        explosions: explosionsOf(queries, covered.now / Math.max(1, covered.before)),
        stale: shareOf([now.stale, counted(now)], [before.stale, counted(before)]),
        errors: shareOf([now.errors, now.requests], [before.errors, before.requests]),
        bypassed: by.page
          .filter((row) => row.now.bypassed > 0)
          .sort((a, b) => b.now.bypassed - a.now.bypassed || byLoss(a, b)),
      };
    },
  };
}

type Pair = Record<Side, CacheSums>;

function newPair(): Pair {
  return { now: noCacheSums(), before: noCacheSums() };
}

/** Sums of the values of a field; those beyond the bound are summed as one, which stands last. */
function createPairs(most: number): { of(value: string): Pair; rows(): LensRow[] } {
  const pairs = new Map<string, Pair>();
  const others = newPair();
  return {
    of(value) {
      const known = pairs.get(value);
      if (known || pairs.size >= most) return known ?? others;
      const pair = newPair();
      pairs.set(value, pair);
      return pair;
    },
    rows() {
      const rows = [...pairs].map(([value, pair]) => rowOf(value, pair)).sort(byLoss);
      return others.now.requests + others.before.requests > 0 ? [...rows, rowOf(null, others)] : rows;
    },
  };
}

function slicesOf(range: TimeRange, buckets: number): Slice[] {
  return equalParts(range, buckets).map((bucket) => ({ ...bucket, sums: noCacheSums() }));
}

function isIn({ from, to }: TimeRange, time: number): boolean {
  return time >= from && time < to;
}

function totalOf(series: readonly { sums: CacheSums }[]): CacheSums {
  const total = noCacheSums();
  for (const { sums } of series) addCacheSums(total, sums);
  return total;
}

function counted({ edgeRequests, originRequests }: CacheSums): number {
  return edgeRequests + originRequests;
}

function rowOf(value: string | null, { now, before }: Pair): LensRow {
  const [ratioNow, ratioBefore] = [hitRatios(now).requests, hitRatios(before).requests];
  const extraMisses =
    ratioBefore === null
      ? null
      : now.originRequests - counted(now) * (before.originRequests / counted(before));
  const g2 = logLikelihood(now.originRequests, counted(now), before.originRequests, counted(before));
  return {
    value,
    now,
    before,
    ratioNow,
    ratioBefore,
    extraMisses,
    isWorse: (extraMisses ?? 0) >= STANDS_OUT.count && (g2 ?? 0) >= STANDS_OUT.g2,
    isFlipped: ratioNow !== null && ratioBefore !== null && ratioBefore >= 0.5 && ratioNow < 0.5,
  };
}

/** `scale`: how much longer the time now is than that before. */
function explosionsOf(queries: Record<Side, QueryStringCounter>, scale: number): QueryExplosion[] {
  return queries.now
    .all()
    .map((now) => ({
      ...now,
      ratio: now.distinct / now.requests,
      distinctBefore: queries.before.of(now.path)?.distinct ?? 0,
    }))
    .filter(
      ({ distinct, ratio, distinctBefore }) =>
        distinct >= EXPLOSION.distinct &&
        ratio >= EXPLOSION.ratio &&
        distinct >= EXPLOSION.growth * distinctBefore * scale,
    )
    .sort((a, b) => b.distinct - a.distinct || (a.path < b.path ? -1 : 1))
    .map((found) => ({ ...found, parameters: queries.now.parameters(found.path) }));
}

function lengthOf({ from, to }: TimeRange): number {
  return to - from;
}

function shareOf(now: [part: number, whole: number], before: [part: number, whole: number]): LensShare {
  const [shareNow, shareBefore] = [ratioOf(...now), ratioOf(...before)];
  const g2 = logLikelihood(...now, ...before);
  const hasRisen =
    (shareNow ?? 0) > (shareBefore ?? 1) && (g2 ?? 0) >= STANDS_OUT.g2 && now[0] >= STANDS_OUT.count;
  return { now: shareNow, before: shareBefore, hasRisen };
}

function byLoss(a: LensRow, b: LensRow): number {
  return (
    (b.extraMisses ?? 0) - (a.extraMisses ?? 0) ||
    b.now.originRequests - a.now.originRequests ||
    b.now.requests - a.now.requests ||
    ((a.value ?? '') < (b.value ?? '') ? -1 : 1)
  );
}
