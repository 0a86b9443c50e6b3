import type { ArrivedPart, ArrivedRow } from '../../src/domain/logs/log-rows.ts';
import { EMPTY_QUERY, type Query } from '../../src/domain/query/query.ts';
import type { TailReport } from '../../src/domain/tail/tail-report.ts';
import type { PullZone, Zones } from '../../src/domain/zone.ts';
import { openZones } from '../../src/screens/zones/zones-screen.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { listedState, recordOf, reportOf, zoneOf } from './state.ts';

export const SHOP = zoneOf('1', 'shop-frontend');
export const API = zoneOf('2', 'api-gateway');
export const OFF = zoneOf('3', 'legacy-no-logs', { logging: false });

/** A log of these zones, opened from the picker that lists them and others. */
export function openedZones(
  zones: Zones,
  more: Partial<State> = {},
  query: Query = EMPTY_QUERY,
  others: readonly PullZone[] = [],
): State {
  return openZones(listedState([...zones, ...others], more), zones, query);
}

/** Rows of a zone `from`, `from + 1`, … `to - 1`, in seconds after noon. */
export function rowsOfZone(zone: string, from: number, to: number): ArrivedRow[] {
  return Array.from({ length: to - from }, (_, at) => ({
    record: recordOf(from + at, { pullZoneId: zone, path: `/${zone}/${from + at}` }),
    late: false,
  }));
}

/** What the tail of a zone tells: rows, and what it knows by then. */
export function toldBy(
  state: State,
  zone: string,
  rows: readonly ArrivedPart[],
  report: Partial<TailReport> = {},
): Action {
  const generation = state.session?.generation ?? 0;
  return { type: 'tailRead', generation, zone, event: { rows, report: reportOf(report) } };
}
