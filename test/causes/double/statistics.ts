import { type Answered, json, problem } from './http.ts';
import { hash } from './random.ts';
import { DAY, HOUR } from './setting.ts';
import { strengthAt, type Traffic } from './traffic.ts';

type Sums = { requests: number; hits: number; e3: number; e4: number; e5: number };

const none = (): Sums => ({ requests: 0, hits: 0, e3: 0, e4: 0, e5: 0 });

/** What is expected of some seconds, from the rates alone. */
function add(traffic: Traffic, from: number, to: number, sums: Sums): void {
  const step = 15;
  for (let s = from; s < to; s += step) {
    const length = Math.min(step, to - s);
    const at = s + length / 2;
    let total = 0;
    const now = none();
    for (const stream of traffic.streams) {
      const n = stream.mean(Math.floor(at)) * length;
      total += n;
      now.hits += n * stream.usual.hit;
      now.e3 += n * stream.usual.moved;
      now.e4 += n * stream.usual.client;
      now.e5 += n * stream.usual.server;
    }
    for (const effect of traffic.effects) {
      const strength = strengthAt(effect, at * 1000) * total;
      now.hits -= strength * effect.turned.lostHits;
      now.e3 += strength * effect.turned.moved;
      now.e4 += strength * effect.turned.client;
      now.e5 += strength * effect.turned.server;
    }
    sums.requests += total;
    sums.hits += Math.max(0, now.hits);
    sums.e3 += now.e3;
    sums.e4 += Math.min(total, now.e4);
    sums.e5 += Math.min(total, now.e5);
  }
}

function timeOf(value: string | null, usual: number): number {
  if (value === null || value === '') return usual;
  return Date.parse(/T[\d:.]+$/.test(value) ? `${value}Z` : value);
}

const CHARTS = [
  ['RequestsServedChart', 'requests'],
  ['Error3xxChart', 'e3'],
  ['Error4xxChart', 'e4'],
  ['Error5xxChart', 'e5'],
] as const;

export function answerStatistics(
  traffics: readonly Traffic[],
  query: URLSearchParams,
  now: number,
): Answered {
  const from = timeOf(query.get('dateFrom'), now - 30 * DAY);
  const to = timeOf(query.get('dateTo'), now);
  if (Number.isNaN(from) || Number.isNaN(to))
    return problem(400, 'Bad Request', 'dateFrom and dateTo must be dates.');
  const hourly = query.get('hourly') === 'true';
  const width = hourly ? HOUR : DAY;
  const seed = traffics[0]?.zone.seed ?? 0;
  const zoned = hash(seed, 51) % 2 === 0;
  const late = (8 + (hash(seed, 52) % 50)) * 60_000;
  const rest: Record<string, Record<string, number>> = { CacheHitRateChart: {}, BandwidthUsedChart: {} };
  const charts = Object.fromEntries(CHARTS.map(([name]) => [name, {} as Record<string, number>]));
  const total = none();
  const start = Math.max(Math.floor(from / width) * width, now - (hourly ? 30 : 365) * DAY);
  for (let t = Math.floor(start / width) * width; t < to; t += width) {
    const end = Math.min(t + width, now - late);
    // An hour of which nothing is known yet is not there.
    if (end <= t) continue;
    const key = new Date(t).toISOString().slice(0, 19) + (zoned ? 'Z' : '');
    const sums = none();
    for (const traffic of traffics) add(traffic, t / 1000, end / 1000, sums);
    for (const [name, of] of CHARTS) (charts[name] as Record<string, number>)[key] = Math.round(sums[of]);
    (rest['CacheHitRateChart'] as Record<string, number>)[key] =
      sums.requests > 0 ? (100 * sums.hits) / sums.requests : 0;
    (rest['BandwidthUsedChart'] as Record<string, number>)[key] = Math.round(sums.requests * 42_000);
    total.requests += sums.requests;
    total.hits += sums.hits;
  }
  return json(200, {
    TotalBandwidthUsed: Math.round(total.requests * 42_000),
    TotalRequestsServed: Math.round(total.requests),
    CacheHitRate: total.requests > 0 ? (100 * total.hits) / total.requests : 0,
    AverageOriginResponseTime: 90 + (seed % 300),
    ...charts,
    ...rest,
    OriginResponseTimeChart: {},
    GeoTrafficDistribution: {},
  });
}
