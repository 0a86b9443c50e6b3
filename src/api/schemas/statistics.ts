import type { StatHour } from '../../domain/evidence/statistics.ts';
import { isObject } from '../http/json.ts';
import { timestampOf } from '../timestamp.ts';
import { amount } from './scalars.ts';

/** The charts that are read. */
const CHARTS = { RequestsServedChart: 'requests', Error5xxChart: 'serverErrors' } as const;

/** What an answer has besides its charts, by which it is known where it has none of them. */
const TOTAL = 'TotalRequestsServed';

/**
 * The charts joined by their times, oldest first. A chart that is missing costs its own figures, and a figure without a time or a value
 * itself. Null = not the documented shape.
 */
export function statisticsOf(body: unknown): readonly StatHour[] | null {
  if (!isObject(body)) return null;
  if (![TOTAL, ...Object.keys(CHARTS)].some((name) => Object.hasOwn(body, name))) return null;
  const hours = new Map<number, StatHour>();
  for (const [chart, name] of Object.entries(CHARTS)) {
    const values = body[chart];
    if (!isObject(values)) continue;
    for (const [key, value] of Object.entries(values)) {
      const at = timeOf(key);
      const number = amount.safeParse(value).data;
      if (at === null || number === undefined || !Number.isFinite(number)) continue;
      const known = hours.get(at) ?? { at, requests: null, serverErrors: null };
      hours.set(at, { ...known, [name]: number });
    }
  }
  return [...hours.values()].sort((a, b) => a.at - b.at);
}

/** ISO with a zone or without one, which is UTC then; also with a space between day and time. */
function timeOf(key: string): number | null {
  return timestampOf(key.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T'));
}
