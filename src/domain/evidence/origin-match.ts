import { pageOf } from '../log.ts';
import type { FailedRow } from '../origin-cause.ts';
import { firstWhere } from '../sorted.ts';
import { type OriginError, pathOfError } from './origin-error.ts';

/**
 * The origin error nearest to a row: there is no id that both have. `apart`: how much later it bears than the row, ms, negative
 * where it is earlier.
 */
export type OriginMatch = { error: OriginError; apart: number; isSameEdge: boolean };

/** How far apart the two may be told, ms: one of them may tell the beginning of a request, and the other its end. */
const REACH = 10_000;
const TIMEOUT_REACH = 70_000;
/** What another edge weighs beside a distance in time, ms. With an origin shield the edge is that of the shield. */
const OTHER_EDGE = 2_000;

export type OriginMatcher = (row: Omit<FailedRow, 'pullZoneId'>) => OriginMatch | null;

/** Finds the origin errors of rows: of the same path and status, the nearest by time and edge. */
export function originMatcher(errors: readonly OriginError[]): OriginMatcher {
  const byPage = Map.groupBy(
    errors.filter((error) => error.raw === null && pathOfError(error) !== null),
    (error) => pathOfError(error) as string,
  );
  for (const list of byPage.values()) list.sort((a, b) => a.timestamp - b.timestamp);
  return (row) => {
    const list = byPage.get(pageOf(row.path)) ?? [];
    const start = firstWhere(0, list.length, (at) => (list[at] as OriginError).timestamp >= row.timestamp);
    let best: (OriginMatch & { cost: number }) | null = null;
    // From the row outward: thousands of one path may lie within reach, and what is further than the best is never better.
    for (const step of [-1, 1]) {
      for (let at = step < 0 ? start - 1 : start; at >= 0 && at < list.length; at += step) {
        const error = list[at] as OriginError;
        const apart = error.timestamp - row.timestamp;
        const distance = Math.abs(apart);
        if (distance > TIMEOUT_REACH || (best !== null && distance >= best.cost)) break;
        if (distance > (error.code === 'http_timeout' ? TIMEOUT_REACH : REACH)) continue;
        // It tells the status that its own request was answered with.
        if (error.status !== null && error.status !== row.statusCode) continue;
        const isSameEdge = error.edge !== null && error.edge === row.edgeLocation;
        const cost = distance + (isSameEdge ? 0 : OTHER_EDGE);
        if (best === null || cost < best.cost) best = { error, apart, isSameEdge, cost };
      }
    }
    return best === null ? null : { error: best.error, apart: best.apart, isSameEdge: best.isSameEdge };
  };
}
