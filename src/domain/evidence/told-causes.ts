import { pageOf } from '../log.ts';
import { isServerError } from '../logs/sums/traffic.ts';
import type { CauseOf, FailedRow } from '../origin-cause.ts';
import { firstWhere } from '../sorted.ts';
import { type OriginError, type OriginErrorDay, pathOfError } from './origin-error.ts';

/** The known origin errors of a row's zone and UTC day (`YYYY-MM-DD`); null = unknown. */
export type ToldDay = (zoneId: string, day: string) => OriginErrorDay | null;

/** Why the origin failed rows, by the known days; with a single zone every row belongs to it. */
export function causesBy(zones: readonly { id: string }[], told: ToldDay): CauseOf {
  return (status, row) => {
    if (!isServerError(status)) return null;
    const match = matchBy(zones, told, row());
    return match && (match.error.code || NO_CODE);
  };
}

/** The origin error nearest to a row answered 5xx, of the known ones of its day; null: none. */
export function matchBy(zones: readonly { id: string }[], told: ToldDay, row: FailedRow): OriginMatch | null {
  const zoneId = zoneOfRow(zones, row);
  const day = utcDayOf(row.timestamp);
  const known = zoneId === null || day === null ? null : told(zoneId, day);
  return known && matcherOf(known)(row);
}

/** The zone of a row; null where that is unclear, or the zone has no id. */
export function zoneOfRow(
  zones: readonly { id: string }[],
  { pullZoneId }: Pick<FailedRow, 'pullZoneId'>,
): string | null {
  const own = zones.find(({ id }) => id === pullZoneId) ?? (zones.length === 1 ? zones[0] : undefined);
  return own?.id || null;
}

/** `YYYY-MM-DD`, UTC; null where a row has no possible time. */
export function utcDayOf(time: number): string | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/** The value of an error without a code. */
const NO_CODE = 'no code';

/** By the day's answer, which never changes: a later answer is another object. A day may have thousands of errors. */
const matchers = new WeakMap<OriginErrorDay, OriginMatcher>();

function matcherOf(day: OriginErrorDay): OriginMatcher {
  const matcher = matchers.get(day) ?? originMatcher(day.errors);
  matchers.set(day, matcher);
  return matcher;
}

/**
 * The origin error nearest to a row: they share no id. `apart`: how much later it is than the row, ms, negative where
 * it is earlier.
 */
export type OriginMatch = { error: OriginError; apart: number; isSameEdge: boolean };

/** How far apart the two may be dated, ms: one may have the beginning of a request, the other its end. */
const REACH = 10_000;
const TIMEOUT_REACH = 70_000;
/** The weight of another edge beside a distance in time, ms. With an origin shield the edge is the shield's. */
const OTHER_EDGE = 2_000;

type OriginMatcher = (row: Omit<FailedRow, 'pullZoneId'>) => OriginMatch | null;

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
    // From the row outward: thousands of one path may lie within reach, and nothing further than the best is better.
    for (const step of [-1, 1]) {
      for (let at = step < 0 ? start - 1 : start; at >= 0 && at < list.length; at += step) {
        const error = list[at] as OriginError;
        const apart = error.timestamp - row.timestamp;
        const distance = Math.abs(apart);
        if (distance > TIMEOUT_REACH || (best !== null && distance >= best.cost)) break;
        if (distance > (error.code === 'http_timeout' ? TIMEOUT_REACH : REACH)) continue;
        // It bears the status of its own request's answer.
        if (error.status !== null && error.status !== row.statusCode) continue;
        const isSameEdge = error.edge !== null && error.edge === row.edgeLocation;
        const cost = distance + (isSameEdge ? 0 : OTHER_EDGE);
        if (best === null || cost < best.cost) best = { error, apart, isSameEdge, cost };
      }
    }
    return best === null ? null : { error: best.error, apart: best.apart, isSameEdge: best.isSameEdge };
  };
}
