import * as z from 'zod/mini';
import type { Change, ChangePage } from '../domain/evidence/change.ts';
import { diffOf } from '../domain/evidence/diff.ts';
import type { OriginError, OriginErrorDay, StatHour } from '../domain/evidence/origin-error.ts';
import { changesPath, originErrorsPath, statisticsPath } from '../domain/handover/evidence-request.ts';
import { dayParts } from '../domain/handover/wire-request.ts';
import { withoutStrays } from '../domain/strays.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { maskSecrets, maskUrlSecrets } from '../text/mask.ts';
import { DAY } from '../text/units.ts';
import { getCall, jsonReading } from './account-calls.ts';
import type { Call } from './caller.ts';
import { isObject, jsonOrNull } from './http/json.ts';
import { rawText } from './schemas/log-row.ts';
import { amount, lenientText, mapped, readableOf, renamed, timestamp } from './schemas/scalars.ts';
import { timestampOf } from './timestamp.ts';

/** The hours of a question about statistics. */
export type StatisticsRequest = TimeRange & { pullZoneId: string };

/** There is no paging: more than any bad day has. */
const MOST_ERRORS = 200_000;
/** Twice the size of a requested page. */
const MOST_CHANGES = 2_000;

/** The origin errors of a UTC day (`YYYY-MM-DD`), all at once. Null for an invalid id or day. */
export function originErrorsCall(pullZoneId: string, day: string): Call<OriginErrorDay> | null {
  const path = originErrorsPath(pullZoneId, day);
  const start = dayParts(day)?.start;
  if (path === null || start === undefined) return null;
  return {
    host: 'originErrors',
    method: 'GET',
    path,
    ...jsonReading(
      'logs (a list or null) was expected',
      (json) => originErrorsOf(json, start, pullZoneId),
      MOST_ERRORS,
    ),
  };
}

/**
 * A page of the changes of a UTC day (`YYYY-MM-DD`), newest first; `token` null = the first. Null for an invalid day.
 */
export function changesCall(day: string, token: string | null): Call<ChangePage> | null {
  const path = changesPath(day, token);
  const start = dayParts(day)?.start;
  if (path === null || start === undefined) return null;
  const expected = 'Logs (a list or null) was expected';
  return getCall(
    path,
    jsonReading(expected, (json) => changePageOf(json, start), MOST_CHANGES),
  );
}

/** Null for an invalid id. */
export function statisticsCall(r: StatisticsRequest): Call<readonly StatHour[]> | null {
  const path = statisticsPath(r);
  return path === null ? null : getCall(path, jsonReading('charts by time were expected', statisticsOf));
}

const page = z.lazy(() =>
  z.object({
    Logs: z.nullable(z.array(z.unknown())),
    HasMoreData: z.catch(z.nullish(z.boolean()), null),
    ContinuationToken: z.catch(z.nullish(z.string()), null),
  }),
);
const masked = z.lazy(() => mapped(lenientText, (text) => (text === null ? null : maskSecrets(text))));
const entry = z.lazy(() =>
  mapped(
    renamed({
      timestamp: ['Timestamp', timestamp],
      product: ['Product', masked],
      resourceType: ['ResourceType', masked],
      resourceId: ['ResourceId', masked],
      action: ['Action', masked],
      actorId: ['ActorId', masked],
      actorType: ['ActorType', masked],
      diff: ['Diff', z.optional(z.unknown())],
    }),
    (change): Change => ({ ...change, diff: diffOf(textOfDiff(change.diff)) }),
  ),
);

/**
 * A page of the changes of the day that begins at `start`; null instead of the list is an empty one. Null = another
 * shape.
 */
export function changePageOf(body: unknown, start: number): ChangePage | null {
  const parsed = page.safeParse(body).data;
  if (parsed === undefined) return null;
  const { HasMoreData, ContinuationToken } = parsed;
  const list = parsed.Logs ?? [];
  const changes = readableOf(list, entry);
  if (changes.length === 0 && list.length > 0) return null;
  const { kept, ...strays } = withoutStrays(
    changes,
    { from: start, to: start + DAY },
    { time: ({ timestamp: time }) => time },
  );
  return {
    changes: kept,
    ...strays,
    next: HasMoreData === false ? null : ContinuationToken || null,
    unread: list.length - changes.length,
  };
}

/** Text by the documentation; an object is read as its JSON text. */
function textOfDiff(diff: unknown): string | null {
  if (typeof diff === 'string') return diff;
  return diff === undefined || diff === null ? null : JSON.stringify(diff);
}

/** The charts read. */
const CHARTS = { RequestsServedChart: 'requests', Error5xxChart: 'serverErrors' } as const;

/** Identifies an answer without charts. */
const TOTAL = 'TotalRequestsServed';

/**
 * The charts joined by their times, oldest first. A missing chart costs its own figures, a figure without a time or
 * value only itself. Null = another shape.
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

/** ISO with a zone, or without one in UTC; a space may stand between day and time. */
function timeOf(key: string): number | null {
  return timestampOf(key.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T'));
}

const labels = z.lazy(() =>
  z.catch(
    z.nullish(z.object({ ErrorCode: lenientText, StatusCode: lenientText, ServerZone: lenientText })),
    null,
  ),
);
const row = z.lazy(() => z.object({ logId: lenientText, timestamp, log: z.optional(z.unknown()), labels }));
const inner = z.lazy(() =>
  z.catch(
    z.object({
      RequestUrl: lenientText,
      Message: lenientText,
      ErrorCode: lenientText,
      StatusCode: lenientText,
      PullZoneId: lenientText,
    }),
    { RequestUrl: null, Message: null, ErrorCode: null, StatusCode: null, PullZoneId: null },
  ),
);

/**
 * The errors of the day that begins at `start`, those of one zone where they name it; a bare list passes, too, and
 * null instead is an empty one. Null = another shape.
 */
export function originErrorsOf(
  body: unknown,
  start: number,
  zone: string | null = null,
): OriginErrorDay | null {
  const list = Array.isArray(body) ? body : listOf(body);
  if (list === undefined) return null;
  const all = list.map((item) => errorOf(item) ?? { error: salvaged(item, start), zone: null });
  const unread = all.filter(({ error }) => error.raw !== null).length;
  if (unread === list.length && unread > 0) return null;
  const { kept, ...strays } = withoutStrays(
    all,
    { from: start, to: start + DAY, zone },
    { time: ({ error }) => error.timestamp, zone: (each) => each.zone },
  );
  return { errors: kept.map(({ error }) => error), unread, ...strays };
}

function listOf(body: unknown): unknown[] | undefined {
  if (!isObject(body) || !Object.hasOwn(body, 'logs')) return undefined;
  const { logs } = body;
  if (logs === null) return [];
  return Array.isArray(logs) ? logs : undefined;
}

function errorOf(item: unknown): { error: OriginError; zone: string | null } | null {
  const parsed = row.safeParse(item).data;
  if (parsed === undefined) return null;
  const log = inner.parse(typeof parsed.log === 'string' ? jsonOrNull(parsed.log) : parsed.log);
  const status = Number(parsed.labels?.StatusCode ?? log.StatusCode ?? Number.NaN);
  const error = {
    logId: parsed.logId,
    timestamp: parsed.timestamp,
    url: log.RequestUrl === null ? null : maskUrlSecrets(log.RequestUrl),
    code: maskSecrets(parsed.labels?.ErrorCode ?? log.ErrorCode ?? ''),
    status: Number.isInteger(status) && status >= 100 && status < 1000 ? status : null,
    edge: maskedText(parsed.labels?.ServerZone),
    message: maskedText(log.Message),
    raw: null,
  };
  return { error, zone: log.PullZoneId };
}

function maskedText(text: string | null | undefined): string | null {
  return text == null ? null : maskSecrets(text);
}

function salvaged(item: unknown, start: number): OriginError {
  const nothing = { logId: null, url: null, code: '', status: null, edge: null, message: null };
  return { ...nothing, timestamp: start, raw: rawText(item) };
}
