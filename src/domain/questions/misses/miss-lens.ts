import { addCacheSums, type CacheSums, noCacheSums, ratioOf } from '../../logs/sums/traffic.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { logLikelihood, STANDS_OUT } from '../comparison/comparison.ts';
import { splitOver } from '../inquiry/asking-order.ts';
import type { Side } from '../inquiry/inquiry.ts';
import { byLoss, knownRequests, type LensRow, rowOf, type WorseRow, worseOf } from './lens-row.ts';
import {
  CACHE_SUM_NAMES,
  createLensTally,
  LENS_FIELDS,
  type LensField,
  type LensTally,
  newPair,
  type Pair,
} from './lens-tally.ts';
import type { QueryParameter, QueryStrings } from './query-strings.ts';

type QueryExplosion = QueryStrings & {
  zone: string;
  /** Different query strings ÷ requests. */
  ratio: number;
  /** The parameter with the most different values first. */
  parameters: readonly QueryParameter[];
  /** Different query strings before. */
  distinctBefore: number;
};

type LensShare = { now: number | null; before: number | null; hasRisen: boolean };

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
  explosions: readonly QueryExplosion[];
  /** Whether they are all there are: query strings may not have been counted, or by several sources apart. */
  explosionsOf: 'all' | 'each source' | 'none';
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
  /** Ids of the zones that rows are of. */
  zones: readonly string[];
  /** Values told apart of each field, in the order in which they come. */
  valuesMost?: number;
};

/**
 * How much of the windows was read: `covered` of a zone's, ms, and what a row of it counts in sums over all zones, 0…1
 * (`LogReading.weights`).
 */
export type ZoneShare = Record<Side, { covered: number; weight: number }>;

/** Values told apart: a row of sums takes some 200 bytes. */
const VALUES_MOST = 10_000;

/** Of each of several zones no fewer. */
const VALUES_LEAST = 1_000;

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
 * Dunning's G² on (misses, hits) × (now, before), see `compare`. Records may come in any order. Rows of zones of which less
 * was read weigh more than the others', by `result`.
 */
export function createMissLens(o: Options): {
  /** The rows of both windows, added or counted elsewhere, by the id of their zone. */
  zones: ReadonlyMap<string, LensTally>;
  /** Without a share of it a zone counts whole. */
  result(shares?: ReadonlyMap<string, ZoneShare>): MissLens;
} {
  const room = splitOver(o.valuesMost ?? VALUES_MOST, o.zones.length, VALUES_LEAST);
  const windows = { now: o.window, before: o.baseline };
  const zones = new Map(o.zones.map((id) => [id, createLensTally(windows, { buckets: o.buckets, room })]));
  const whole = {
    now: { covered: lengthOf(o.window), weight: 1 },
    before: { covered: lengthOf(o.baseline), weight: 1 },
  };
  return {
    zones,
    result(shares) {
      const parts = [...zones].map(
        ([zone, tally]): Part => ({ zone, tally, share: shares?.get(zone) ?? whole }),
      );
      const series = { now: seriesOf(parts, 'now'), before: seriesOf(parts, 'before') };
      const by = Object.fromEntries(LENS_FIELDS.map((field) => [field, rowsOf(parts, field)])) as Record<
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
        worse: worseOf(by),
        explosions: parts
          .flatMap(explosionsOf)
          .sort((a, b) => b.distinct - a.distinct || (a.path < b.path ? -1 : 1)),
        explosionsOf: parts.some(({ tally }) => !tally.areQueriesKnown)
          ? 'none'
          : parts.some(({ tally: { queries } }) => queries.now.isApart || queries.before.isApart)
            ? 'each source'
            : 'all',
        stale: shareOf([now.stale, knownRequests(now)], [before.stale, knownRequests(before)]),
        errors: shareOf([now.errors, now.requests], [before.errors, before.requests]),
        bypassed: by.page
          .filter((row) => row.now.bypassed > 0)
          .sort((a, b) => b.now.bypassed - a.now.bypassed || byLoss(a, b)),
      };
    },
  };
}

type Part = { zone: string; tally: LensTally; share: ZoneShare };

/** The slices of all zones, slice by slice. */
function seriesOf(parts: readonly Part[], side: Side): Slice[] {
  const [first] = parts;
  return (first?.tally.series[side] ?? []).map(({ from, to }, at) => {
    const sums = noCacheSums();
    for (const { tally, share } of parts) addWeighed(sums, tally.series[side][at]?.sums, share[side].weight);
    return { from, to, sums };
  });
}

/** The rows of a field: of a path one for each zone, as zones have no paths in common, of the others one for all zones. */
function rowsOf(parts: readonly Part[], field: LensField): LensRow[] {
  const isOfZone = (field === 'page' || field === 'shape') && parts.length > 1;
  const pairs = new Map<string, { zone: string | null; value: string; pair: Pair }>();
  const others = newPair();
  for (const { zone, tally, share } of parts) {
    const own = tally.by(field);
    for (const [value, pair] of own.values) {
      const key = isOfZone ? `${zone} ${value}` : value;
      const known = pairs.get(key) ?? { zone: isOfZone ? zone : null, value, pair: newPair() };
      pairs.set(key, known);
      addPair(known.pair, pair, share);
    }
    addPair(others, own.others, share);
  }
  // A zone that cannot be compared weighs nothing, and neither do its values.
  const rows = [...pairs.values()]
    .filter(({ pair }) => pair.now.requests + pair.before.requests > 0)
    .map(({ zone, value, pair }) => rowOf(zone, value, pair))
    .sort(byLoss);
  return others.now.requests + others.before.requests > 0 ? [...rows, rowOf(null, null, others)] : rows;
}

function addPair(sum: Pair, more: Pair, share: ZoneShare): void {
  addWeighed(sum.now, more.now, share.now.weight);
  addWeighed(sum.before, more.before, share.before.weight);
}

function addWeighed(sum: CacheSums, more: CacheSums | undefined, weight: number): void {
  if (!more || weight === 0) return;
  for (const name of CACHE_SUM_NAMES) sum[name] += more[name] * weight;
}

function totalOf(series: readonly { sums: CacheSums }[]): CacheSums {
  const total = noCacheSums();
  for (const { sums } of series) addCacheSums(total, sums);
  return total;
}

/** Those of one zone, whose windows need not be read alike. */
function explosionsOf({ zone, tally, share }: Part): QueryExplosion[] {
  const { queries } = tally;
  const scale = share.now.covered / Math.max(1, share.before.covered);
  if (share.now.weight === 0 || share.before.weight === 0) return [];
  const pages = tally.by('page').values;
  return queries.now
    .all()
    .map((now) => {
      // Where no query string was counted elsewhere, requests may have been.
      const requests = Math.max(now.requests, pages.get(now.path)?.now.requests ?? 0);
      const distinctBefore = queries.before.mostOf(now.path);
      return { ...now, zone, requests, ratio: now.distinct / requests, distinctBefore };
    })
    .filter(
      ({ distinct, ratio, distinctBefore }) =>
        distinct >= EXPLOSION.distinct &&
        ratio >= EXPLOSION.ratio &&
        distinct >= EXPLOSION.growth * distinctBefore * scale,
    )
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
