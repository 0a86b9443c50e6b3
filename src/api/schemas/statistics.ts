import {
  NO_POINT,
  type Statistics,
  type StatName,
  type StatPoint,
} from '../../domain/evidence/statistics.ts';
import { isObject } from '../http/json.ts';
import { timestampOf } from '../timestamp.ts';
import { amount } from './scalars.ts';

/** The charts that are read, and what a value of each is divided by: a hit rate comes in percent. */
const CHARTS = {
  RequestsServedChart: { name: 'requests', per: 1 },
  CacheHitRateChart: { name: 'hitRatio', per: 100 },
  BandwidthUsedChart: { name: 'bytes', per: 1 },
  OriginTrafficChart: { name: 'originBytes', per: 1 },
  OriginResponseTimeChart: { name: 'originResponse', per: 1 },
  Error3xxChart: { name: 'redirects', per: 1 },
  Error4xxChart: { name: 'clientErrors', per: 1 },
  Error5xxChart: { name: 'serverErrors', per: 1 },
} as const satisfies Record<string, { name: StatName; per: number }>;

/** What an answer has besides its charts, by which it is known where it has none of them. */
const TOTALS = ['TotalRequestsServed', 'TotalBandwidthUsed', 'CacheHitRate'] as const;

/** The charts joined by their times. A chart that is missing costs its own figures. Null = not the documented shape. */
export function statisticsOf(body: unknown): Statistics | null {
  if (!isObject(body)) return null;
  if (![...TOTALS, ...Object.keys(CHARTS)].some((name) => Object.hasOwn(body, name))) return null;
  const points = new Map<number, StatPoint>();
  let unread = 0;
  for (const [chart, { name, per }] of Object.entries(CHARTS)) {
    const values = body[chart];
    if (typeof values !== 'object' || values === null) continue;
    for (const [key, value] of Object.entries(values)) {
      const at = timeOf(key);
      const number = amount.safeParse(value).data;
      if (at === null || number === undefined || !Number.isFinite(number)) {
        unread += 1;
        continue;
      }
      points.set(at, { ...(points.get(at) ?? { at, ...NO_POINT }), [name]: number / per });
    }
  }
  return { points: [...points.values()].sort((a, b) => a.at - b.at), unread };
}

/** ISO with a zone or without one, which is UTC then; also with a space between day and time. */
function timeOf(key: string): number | null {
  return timestampOf(key.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T'));
}
