import { cacheStatusRow } from '../../domain/log.ts';
import type { SimZone } from '../account/zones.ts';
import { turns } from '../logs/scan.ts';
import type { SimRow } from '../traffic/rows.ts';
import type { TrafficModel } from '../traffic/traffic.ts';

/** Requests and bytes, those of either side of the hit ratio, and requests by the class of their status. */
export const NO_HOUR_SUMS = {
  requests: 0,
  bytes: 0,
  edge: 0,
  origin: 0,
  originBytes: 0,
  errors3xx: 0,
  errors4xx: 0,
  errors5xx: 0,
};

const ERRORS = [undefined, undefined, undefined, 'errors3xx', 'errors4xx', 'errors5xx'] as const;

/** What the rows of one hour of a zone come to, as its log shows them by default: without those of the origin shield. */
type ZoneHour = {
  sums: Readonly<typeof NO_HOUR_SUMS>;
  /** Rows for which the platform could not get an answer out of the origin: those it answered 502 or 504 itself. */
  failed: readonly SimRow[];
};

const SECONDS = 3600;

/** Hours by what made their rows: a fault that hides some makes others. */
const kept = new WeakMap<TrafficModel, Map<string, ZoneHour>>();

/** Counts an hour, numbered from the epoch, when it is first asked for: a busy one takes tenths of a second. */
export async function zoneHour(traffic: TrafficModel, zone: SimZone, hour: number): Promise<ZoneHour> {
  const hours = kept.get(traffic) ?? new Map<string, ZoneHour>();
  kept.set(traffic, hours);
  const key = `${zone.id} ${hour}`;
  const known = hours.get(key) ?? (await counted(traffic, zone, hour));
  hours.set(key, known);
  return known;
}

async function counted(traffic: TrafficModel, zone: SimZone, hour: number): Promise<ZoneHour> {
  const sums = { ...NO_HOUR_SUMS };
  const failed: SimRow[] = [];
  const block = traffic.blockSeconds(zone);
  const turn = turns();
  for (let number = Math.floor((hour * SECONDS) / block); number * block < (hour + 1) * SECONDS; number++) {
    for (const row of traffic.block(zone, number, true)) {
      if (Math.floor(row.t / (SECONDS * 1000)) !== hour || row.isOriginShield) continue;
      const { served } = cacheStatusRow(row.cache);
      sums.requests += 1;
      sums.bytes += row.bytes;
      if (served === 'edge') sums.edge += 1;
      if (served === 'origin') {
        sums.origin += 1;
        sums.originBytes += row.bytes;
      }
      const errors = ERRORS[Math.floor(row.status / 100)];
      if (errors !== undefined) sums[errors] += 1;
      if ((row.status === 502 || row.status === 504) && row.cache !== '-') failed.push(row);
    }
    await turn();
  }
  return { sums, failed };
}
