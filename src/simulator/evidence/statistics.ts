import { DAY, HOUR } from '../../text/units.ts';
import type { SimZone } from '../account/account-zones.ts';
import { type Exchange, fieldError, instantOf, json, type ServedAnswer } from '../http/answers.ts';
import { RETENTION } from '../logs/logs-v2.ts';
import { turns } from '../logs/scan.ts';
import { mix } from '../random.ts';
import type { SimRow } from '../traffic/rows.ts';
import { dayCurve } from '../traffic/slice-maker.ts';
import type { TrafficModel } from '../traffic/traffic-source.ts';
import type { World } from '../world.ts';

/** How long after its end an hour is reported, ms. */
const LATE = 20 * 60_000;
const KEPT = 30 * DAY;
/** The hour of the past that older hours follow. */
const MODEL_HOUR = 490_000;

/** The charts, and which switch of the request loads each. */
const CHARTS = {
  RequestsServedChart: { name: 'requests', flag: 'loadRequestsServed' },
  Error3xxChart: { name: 'errors3xx', flag: 'loadErrors' },
  Error4xxChart: { name: 'errors4xx', flag: 'loadErrors' },
  Error5xxChart: { name: 'errors5xx', flag: 'loadErrors' },
} as const satisfies Record<string, { name: keyof HourSums; flag: string }>;

/**
 * GET /statistics of a pull zone, by the hour. Hours whose rows are kept count these rows; older ones follow from
 * ordinary traffic.
 */
export async function readStatistics(call: Exchange, world: World): Promise<ServedAnswer> {
  const q = call.url.searchParams;
  const isTrue = (name: string) => q.get(name)?.toLowerCase() === 'true';
  const zone = world.account.zoneById.get(q.get('pullZone') ?? '');
  if (zone === undefined)
    return fieldError('pullzone.not_found', 'Id', 'The requested pull zone was not found.', 404);
  if (!isTrue('hourly')) return fieldError('validation_error', 'hourly', 'Only hours are told here.');
  const to = timeOf(q.get('dateTo'), call.now);
  const from = timeOf(q.get('dateFrom'), call.now - KEPT);
  if (from === null || to === null || from > to)
    return fieldError('validation_error', 'dateFrom', 'The range of dates is not valid.');
  const hours: [string, HourSums][] = [];
  const first = Math.floor(Math.max(from, call.now - KEPT) / HOUR);
  for (let hour = first; hour * HOUR < to && (hour + 1) * HOUR + LATE <= call.now; hour++) {
    const time = `${new Date(hour * HOUR).toISOString().slice(0, 19)}Z`;
    hours.push([time, await hourOf(world, zone, hour, call.now)]);
  }
  return json({
    TotalRequestsServed: hours.reduce((sum, [, { requests }]) => sum + requests, 0),
    ...Object.fromEntries(
      Object.entries(CHARTS).map(([chart, { name, flag }]) => [
        chart,
        isTrue(flag) ? Object.fromEntries(hours.map(([time, sums]) => [time, sums[name]])) : null,
      ]),
    ),
  });
}

async function hourOf(world: World, zone: SimZone, hour: number, now: number): Promise<HourSums> {
  if (hour * HOUR >= now - RETENTION) return (await zoneHour(world.traffic, zone, hour)).sums;
  const sums = { ...(await zoneHour(world.calm, zone, MODEL_HOUR)).sums };
  const share = olderShare(zone, hour);
  for (const name of Object.keys(sums) as (keyof HourSums)[]) sums[name] = Math.round(sums[name] * share);
  return sums;
}

/** An older hour relative to its model: the curve of day and week, and chance. */
function olderShare(zone: SimZone, hour: number): number {
  const second = (hour + 0.5) * 3600;
  const chance = 0.95 + (mix(mix(zone.salt, 0x57a7), hour) % 1000) / 10_000;
  return (chance * dayCurve(second)) / dayCurve((MODEL_HOUR + 0.5) * 3600);
}

function timeOf(text: string | null, otherwise: number): number | null {
  if (text === null || text === '') return otherwise;
  const at = instantOf(text);
  return Number.isNaN(at) ? null : at;
}

/** Requests, and those by the class of their status. */
type HourSums = Record<'requests' | 'errors3xx' | 'errors4xx' | 'errors5xx', number>;

const ERRORS = [undefined, undefined, undefined, 'errors3xx', 'errors4xx', 'errors5xx'] as const;

/** The rows of one hour of a zone, as its log shows them by default: without the origin shield's. */
type ZoneHour = {
  sums: Readonly<HourSums>;
  /** Rows that the platform answered 502 or 504 itself, for want of an answer from the origin. */
  failed: readonly SimRow[];
};

const SECONDS = 3600;

/** Hours by the traffic that made their rows: a fault that hides some makes others. */
const kept = new WeakMap<TrafficModel, Map<string, ZoneHour>>();

/** Counts an hour, numbered from the epoch, on first use: a busy one takes tenths of a second. */
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
