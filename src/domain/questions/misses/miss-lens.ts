import { type LogRecord, pageOf } from '../../log.ts';
import {
  addCacheSums,
  addRecord,
  type CacheSums,
  hitRatios,
  noCacheSums,
  ratioOf,
} from '../../logs/cache-sums.ts';
import { bucketsOf } from '../../shield/shield-window.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { logLikelihood, STANDS_OUT } from '../comparison/comparison.ts';
import { createQueryStrings, type QueryParameter, type QueryStrings } from './query-strings.ts';

/** What the hit ratio is broken down by. Paths are without their query strings. */
export const LENS_DIMENSIONS = ['host', 'path', 'edge', 'status'] as const;
export type LensDimension = (typeof LENS_DIMENSIONS)[number];

/** Which of the two stretches of time a record belongs to. */
export type LensPeriod = 'now' | 'before';

export type LensRow = {
  /** Null = all values that came after as many as are told apart. */
  value: string | null;
  now: CacheSums;
  before: CacheSums;
  /** Hit ratio by requests; null when nothing counted. */
  ratioNow: number | null;
  ratioBefore: number | null;
  /** Misses now − those that its own miss ratio before gives for its requests now; null without a baseline of its own. */
  extraMisses: number | null;
  /** Missed more than chance explains: see LENS_IN_WORDS. */
  isWorse: boolean;
  /** Mostly served from cache before, mostly from the origin now. */
  isFlipped: boolean;
};

export type QueryExplosion = QueryStrings & {
  /** Different query strings ÷ requests. */
  ratio: number;
  /** The parameter with the most different values first. */
  parameters: readonly QueryParameter[];
  before: { requests: number; distinct: number } | null;
};

export type LensShare = { now: number | null; before: number | null; g2: number | null; hasRisen: boolean };

export type MissLens = {
  now: CacheSums;
  before: CacheSums;
  series: readonly (TimeRange & { sums: CacheSums })[];
  seriesBefore: readonly (TimeRange & { sums: CacheSums })[];
  /** Most extra misses first, then most misses. */
  by: Readonly<Record<LensDimension, readonly LensRow[]>>;
  /** Paths that miss more than before, by extra misses. */
  worse: readonly LensRow[];
  explosions: readonly QueryExplosion[];
  /** Share of STALE and UPDATING in what was served: it rises when the origin is in trouble. Share of 5xx in all. */
  stale: LensShare;
  errors: LensShare;
  /** Paths by requests that went past the cache. */
  bypassed: readonly LensRow[];
};

export type MissLensOptions = {
  window: TimeRange;
  /** Null = nothing to compare with. */
  baseline: TimeRange | null;
  buckets: number;
  /** Values told apart of each dimension, in the order in which they come. */
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
export function createMissLens(o: MissLensOptions): {
  add(record: LogRecord): void;
  /** `covered`: how much of the two stretches the records are of, ms; without it all. */
  result(covered?: Readonly<Record<LensPeriod, number>>): MissLens;
} {
  const valuesMost = o.valuesMost ?? VALUES_MOST;
  const series = seriesOf(o.window, o.buckets);
  const seriesBefore = o.baseline === null ? [] : seriesOf(o.baseline, o.buckets);
  const tables = {
    host: new Map<string, Pair>(),
    path: new Map<string, Pair>(),
    edge: new Map<string, Pair>(),
    status: new Map<string, Pair>(),
  } satisfies Record<LensDimension, Map<string, Pair>>;
  const others = { host: newPair(), path: newPair(), edge: newPair(), status: newPair() };
  const queries = { now: createQueryStrings(valuesMost), before: createQueryStrings(valuesMost) };
  return {
    add(record) {
      const period = periodOf(record.timestamp, o);
      if (period === null) return;
      const range = period === 'now' ? series : seriesBefore;
      const bucket = range.find(({ to }) => record.timestamp < to);
      if (bucket) addRecord(bucket.sums, record);
      const path = pageOf(record.path);
      const values = {
        host: record.host,
        path,
        edge: record.edgeLocation,
        status: String(record.statusCode),
      };
      for (const dimension of LENS_DIMENSIONS) {
        const pair = pairOf(tables[dimension], values[dimension], valuesMost) ?? others[dimension];
        addRecord(pair[period], record);
      }
      queries[period].add(record.path);
    },
    result(covered = { now: lengthOf(o.window), before: lengthOf(o.baseline) }) {
      const by = Object.fromEntries(
        LENS_DIMENSIONS.map((dimension) => {
          const rows = [...tables[dimension]].map(([value, pair]) => rowOf(value, pair));
          const other = others[dimension];
          const isThere = other.now.requests + other.before.requests > 0;
          return [dimension, [...rows.sort(byLoss), ...(isThere ? [rowOf(null, other)] : [])]];
        }),
      ) as Record<LensDimension, LensRow[]>;
      const [now, before] = [totalOf(series), totalOf(seriesBefore)];
      return {
        now,
        before,
        series,
        seriesBefore,
        by,
        worse: by.path.filter(({ isWorse }) => isWorse),
        explosions: explosionsOf(
          queries,
          o.baseline === null ? null : covered.now / Math.max(1, covered.before),
        ),
        stale: shareOf([now.stale, counted(now)], [before.stale, counted(before)]),
        errors: shareOf([now.errors, now.requests], [before.errors, before.requests]),
        bypassed: by.path
          .filter((row) => row.now.bypassed > 0)
          .sort((a, b) => b.now.bypassed - a.now.bypassed || byLoss(a, b)),
      };
    },
  };
}

type Pair = Record<LensPeriod, CacheSums>;

function newPair(): Pair {
  return { now: noCacheSums(), before: noCacheSums() };
}

function pairOf(table: Map<string, Pair>, value: string, most: number): Pair | null {
  const known = table.get(value);
  if (known !== undefined || table.size >= most) return known ?? null;
  const pair = newPair();
  table.set(value, pair);
  return pair;
}

function seriesOf(range: TimeRange, buckets: number): (TimeRange & { sums: CacheSums })[] {
  return bucketsOf(range, Math.max(1, buckets)).map((bucket) => ({ ...bucket, sums: noCacheSums() }));
}

function periodOf(time: number, { window, baseline }: MissLensOptions): LensPeriod | null {
  if (time >= window.from && time < window.to) return 'now';
  return baseline !== null && time >= baseline.from && time < baseline.to ? 'before' : null;
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

function explosionsOf(
  queries: Record<LensPeriod, ReturnType<typeof createQueryStrings>>,
  scale: number | null,
): QueryExplosion[] {
  return queries.now
    .all()
    .map((now) => {
      const known = queries.before.of(now.path);
      const before =
        scale === null ? null : { requests: known?.requests ?? 0, distinct: known?.distinct ?? 0 };
      return { ...now, ratio: now.distinct / now.requests, before };
    })
    .filter(
      ({ distinct, ratio, before }) =>
        distinct >= EXPLOSION.distinct &&
        ratio >= EXPLOSION.ratio &&
        (before === null || distinct >= EXPLOSION.growth * before.distinct * (scale ?? 1)),
    )
    .sort((a, b) => b.distinct - a.distinct || (a.path < b.path ? -1 : 1))
    .map((found) => ({ ...found, parameters: queries.now.parameters(found.path) }));
}

function lengthOf(range: TimeRange | null): number {
  return range === null ? 0 : range.to - range.from;
}

function shareOf(now: [part: number, whole: number], before: [part: number, whole: number]): LensShare {
  const [shareNow, shareBefore] = [ratioOf(...now), ratioOf(...before)];
  const g2 = logLikelihood(...now, ...before);
  const hasRisen =
    (shareNow ?? 0) > (shareBefore ?? 1) && (g2 ?? 0) >= STANDS_OUT.g2 && now[0] >= STANDS_OUT.count;
  return { now: shareNow, before: shareBefore, g2, hasRisen };
}

function byLoss(a: LensRow, b: LensRow): number {
  return (
    (b.extraMisses ?? 0) - (a.extraMisses ?? 0) ||
    b.now.originRequests - a.now.originRequests ||
    b.now.requests - a.now.requests ||
    ((a.value ?? '') < (b.value ?? '') ? -1 : 1)
  );
}
