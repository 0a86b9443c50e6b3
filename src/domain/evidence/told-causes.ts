import { isServerError } from '../logs/sums/traffic.ts';
import type { CauseOf, FailedRow } from '../origin-cause.ts';
import type { OriginErrorDay } from './origin-error.ts';
import { type OriginMatch, type OriginMatcher, originMatcher } from './origin-match.ts';

/** The origin errors that were told of the zone and UTC day (`YYYY-MM-DD`) of a row; null = not told. */
export type ToldDay = (zoneId: string, day: string) => OriginErrorDay | null;

/** Why the origin failed rows, by the days that were told; of one zone alone every row is its own. */
export function causesBy(zones: readonly { id: string }[], told: ToldDay): CauseOf {
  return (status, row) => {
    if (!isServerError(status)) return null;
    const match = matchBy(zones, told, row());
    return match && (match.error.code || NO_CODE);
  };
}

/** The origin error nearest to a row answered 5xx, of those told of its day; null: none is. */
export function matchBy(zones: readonly { id: string }[], told: ToldDay, row: FailedRow): OriginMatch | null {
  const zoneId = zoneOfRow(zones, row);
  const day = utcDayOf(row.timestamp);
  const known = zoneId === null || day === null ? null : told(zoneId, day);
  return known && matcherOf(known)(row);
}

/** The zone that a row is of; null where it cannot be told, or the zone has no id. */
export function zoneOfRow(
  zones: readonly { id: string }[],
  { pullZoneId }: Pick<FailedRow, 'pullZoneId'>,
): string | null {
  const own = zones.find(({ id }) => id === pullZoneId) ?? (zones.length === 1 ? zones[0] : undefined);
  return own?.id || null;
}

/** `YYYY-MM-DD`, UTC; null where a row tells no time that there is. */
export function utcDayOf(time: number): string | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/** What an error without a code is called where it is a value. */
const NO_CODE = 'no code';

/** By the day as it was told, which never changes: what is told later is another one. A day may have many thousands of errors. */
const matchers = new WeakMap<OriginErrorDay, OriginMatcher>();

function matcherOf(day: OriginErrorDay): OriginMatcher {
  const matcher = matchers.get(day) ?? originMatcher(day.errors);
  matchers.set(day, matcher);
  return matcher;
}
