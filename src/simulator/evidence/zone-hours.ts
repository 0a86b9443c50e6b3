import type { SimZone } from '../account/zones.ts';
import { turns } from '../logs/scan.ts';
import type { SimRow } from '../traffic/rows.ts';
import type { TrafficModel } from '../traffic/traffic.ts';

/** Requests, and those by the class of their status. */
export type HourSums = Record<'requests' | 'errors3xx' | 'errors4xx' | 'errors5xx', number>;

const ERRORS = [undefined, undefined, undefined, 'errors3xx', 'errors4xx', 'errors5xx'] as const;

/** What the rows of one hour of a zone come to, as its log shows them by default: without those of the origin shield. */
type ZoneHour = {
  sums: Readonly<HourSums>;
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
  const sums: HourSums = { requests: 0, errors3xx: 0, errors4xx: 0, errors5xx: 0 };
  const failed: SimRow[] = [];
  const block = traffic.blockSeconds(zone);
  const turn = turns();
  for (let number = Math.floor((hour * SECONDS) / block); number * block < (hour + 1) * SECONDS; number++) {
    for (const row of traffic.block(zone, number, true)) {
      if (Math.floor(row.t / (SECONDS * 1000)) !== hour || row.isOriginShield) continue;
      sums.requests += 1;
      const errors = ERRORS[Math.floor(row.status / 100)];
      if (errors !== undefined) sums[errors] += 1;
      if ((row.status === 502 || row.status === 504) && row.cache !== '-') failed.push(row);
    }
    await turn();
  }
  return { sums, failed };
}
