import { difference, isMore, type Share } from '../../differing.ts';
import { type CacheSums, hitRatios } from '../../logs/sums/traffic.ts';
import { shapeOf } from '../../query/path-shape.ts';
import type { LensField, Pair } from './lens-counts.ts';

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

export function rowOf(zone: string | null, value: string | null, { now, before }: Pair): LensRow {
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
export function worseOf(by: Readonly<Record<LensField, readonly LensRow[]>>): WorseRow[] {
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

export function byLoss(a: LensRow, b: LensRow): number {
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
export function knownRequests({ edgeRequests, originRequests }: CacheSums): number {
  return edgeRequests + originRequests;
}
