import { DAY, HOUR } from '../../text/units.ts';
import type { SimZone } from '../account/zones.ts';
import { type Exchange, fieldError, instantOf, json, type ServedAnswer } from '../http/answers.ts';
import { RETENTION } from '../logs/logs-v2.ts';
import { mix } from '../random.ts';
import { dayCurve } from '../traffic/slice-maker.ts';
import type { World } from '../world.ts';
import { NO_HOUR_SUMS, zoneHour } from './zone-hours.ts';

/** An hour is told so long after its end, ms. */
const LATE = 20 * 60_000;
const KEPT_HOURLY = 30 * DAY;
const KEPT_DAILY = 365 * DAY;
/** An hour of the past, by which older ones go. */
const MODEL_HOUR = 490_000;
const PLACES = ['EU', 'US', 'ASIA', 'SA', 'AF'] as const;

/** Sums of an hour or a day. `response`: ms of all requests to the origin together. */
type Sums = typeof NO_HOUR_SUMS & { response: number };

type Chart = { figure: (sums: Sums) => number; flag: string };

/** The charts, and which switch of the request loads each. */
const CHARTS = {
  RequestsServedChart: { figure: (s) => s.requests, flag: 'loadRequestsServed' },
  CacheHitRateChart: { figure: hitRate, flag: 'loadRequestsServed' },
  BandwidthUsedChart: { figure: (s) => s.bytes, flag: 'loadBandwidthUsed' },
  OriginTrafficChart: { figure: (s) => s.originBytes, flag: 'loadOriginTraffic' },
  OriginResponseTimeChart: { figure: responseTime, flag: 'loadOriginResponseTimes' },
  Error3xxChart: { figure: (s) => s.errors3xx, flag: 'loadErrors' },
  Error4xxChart: { figure: (s) => s.errors4xx, flag: 'loadErrors' },
  Error5xxChart: { figure: (s) => s.errors5xx, flag: 'loadErrors' },
} as const satisfies Record<string, Chart>;

/**
 * GET /statistics: of a pull zone, or of all. The hours of which rows are kept are counts of these rows; older ones follow from
 * ordinary traffic. Where no switch is in the request, every chart is loaded.
 */
export async function readStatistics(call: Exchange, world: World): Promise<ServedAnswer> {
  const q = call.url.searchParams;
  const id = q.get('pullZone');
  const isAll = id === null || id === '' || id === '-1';
  const zone = isAll ? undefined : world.account.zoneById.get(id);
  if (!isAll && zone === undefined)
    return fieldError('pullzone.not_found', 'Id', 'The requested pull zone was not found.', 404);
  const to = timeOf(q.get('dateTo'), call.now);
  const from = timeOf(q.get('dateFrom'), call.now - KEPT_HOURLY);
  if (from === null || to === null || from > to)
    return fieldError('validation_error', 'dateFrom', 'The range of dates is not valid.');
  const isHourly = q.get('hourly')?.toLowerCase() === 'true';
  const oldest = call.now - (isHourly ? KEPT_HOURLY : KEPT_DAILY);
  const step = isHourly ? HOUR : DAY;
  const zones = zone === undefined ? world.account.zones : [zone];
  const points = new Map<number, Sums>();
  const total = noSums();
  const first = Math.floor(Math.max(from, oldest) / step) * (step / HOUR);
  for (let hour = first; hour * HOUR < to && (hour + 1) * HOUR + LATE <= call.now; hour++) {
    const at = Math.floor((hour * HOUR) / step) * step;
    const point = points.get(at) ?? noSums();
    points.set(at, point);
    for (const each of zones) {
      const sums = await hourOf(world, each, hour, call.now);
      add(point, sums);
      add(total, sums);
    }
  }
  const hasSwitch = Object.values(CHARTS).some(({ flag }) => q.has(flag));
  const isLoaded = (flag: string) => !hasSwitch || q.get(flag)?.toLowerCase() === 'true';
  return json({
    TotalBandwidthUsed: total.bytes,
    TotalOriginTraffic: total.originBytes,
    AverageOriginResponseTime: Math.round(responseTime(total)),
    TotalRequestsServed: total.requests,
    CacheHitRate: hitRate(total),
    ...Object.fromEntries(
      Object.entries<Chart>(CHARTS).map(([name, { figure, flag }]) => [
        name,
        isLoaded(flag) ? chartOf(points, figure) : null,
      ]),
    ),
    GeoTrafficDistribution: isLoaded('loadGeographicTrafficDistribution')
      ? Object.fromEntries(PLACES.map((place, i) => [place, Math.floor(total.bytes / 2 ** (i + 1))]))
      : null,
  });
}

function chartOf(points: ReadonlyMap<number, Sums>, figure: Chart['figure']): Record<string, number> {
  return Object.fromEntries(
    [...points].map(([at, sums]) => [`${new Date(at).toISOString().slice(0, 19)}Z`, figure(sums)]),
  );
}

async function hourOf(world: World, zone: SimZone, hour: number, now: number): Promise<Sums> {
  const isKept = hour * HOUR >= now - RETENTION;
  const { failed, sums } = isKept
    ? await zoneHour(world.traffic, zone, hour)
    : await zoneHour(world.calm, zone, MODEL_HOUR);
  const share = isKept ? 1 : olderShare(zone, hour);
  const scaled = { ...sums };
  for (const name of namesOf(scaled)) scaled[name] = Math.round(sums[name] * share);
  const slowed = 1 + (4 * failed.length) / Math.max(1, sums.origin);
  return { ...scaled, response: scaled.origin * usualResponse(zone, hour) * slowed };
}

/** An older hour beside the one it goes by: the curve of day and week, and chance. */
function olderShare(zone: SimZone, hour: number): number {
  const second = (hour + 0.5) * 3600;
  const chance = 0.95 + (mix(mix(zone.salt, 0x57a7), hour) % 1000) / 10_000;
  return (chance * dayCurve(second)) / dayCurve((MODEL_HOUR + 0.5) * 3600);
}

/** ms */
function usualResponse(zone: SimZone, hour: number): number {
  return (60 + (mix(zone.salt, 0x3e5) % 180)) * (0.9 + (mix(mix(zone.salt, 0x3e6), hour) % 200) / 1000);
}

function hitRate({ edge, origin }: Sums): number {
  return edge + origin === 0 ? 0 : Math.round((edge / (edge + origin)) * 10_000) / 100;
}

function responseTime({ response, origin }: Sums): number {
  return origin === 0 ? 0 : Math.round((response / origin) * 100) / 100;
}

function noSums(): Sums {
  return { ...NO_HOUR_SUMS, response: 0 };
}

function add(sum: Sums, more: Sums): void {
  for (const name of namesOf(sum)) sum[name] += more[name];
}

function namesOf<Names extends object>(sums: Names): (keyof Names)[] {
  return Object.keys(sums) as (keyof Names)[];
}

function timeOf(text: string | null, otherwise: number): number | null {
  if (text === null || text === '') return otherwise;
  const at = instantOf(text);
  return Number.isNaN(at) ? null : at;
}
