import type { Result } from '../domain/failure.ts';
import { type LogsQuestion, logsPath } from '../domain/handover/wire-request.ts';
import type { LogRecord } from '../domain/log.ts';
import type { Cut } from '../domain/log-retention.ts';
import type { OfPart, RowPlace } from '../domain/logs/log-history.ts';
import type { Term } from '../domain/query/query.ts';
import { type Strays, withoutStrays } from '../domain/strays.ts';
import type { Anonymisation } from '../domain/zone.ts';
import type { Call } from './caller.ts';
import { type Answer, jsonOf, serverNowOf, unusable } from './http/response.ts';
import { keptCall } from './kept-call.ts';
import { logRecordOf, STRAY_FIELDS } from './schemas/log-row.ts';

/**
 * `history`: what a store is asked beside the filter, where it answers; `after` = the page behind a row, in the order
 * asked.
 */
export type LogSliceRequest = LogsQuestion & {
  history?: { terms?: readonly Term[]; anonymisation?: Anonymisation; after?: RowPlace | null };
};

export type LogSlice = Cut &
  OfPart & {
    /** In the server's order; rows of another shape are among them, with `raw` set. */
    records: LogRecord[];
    strays?: Strays;
    /** Trust this, not the number of rows. */
    hasMore: boolean;
    /** The server's clock at the answer, a lower bound (whole seconds); Unix ms. */
    serverNow: number | null;
    /** Local clock, Unix ms. */
    sentAt: number;
    receivedAt: number;
  };

/** Null for an invalid zone id. */
export function logsCall(request: LogSliceRequest): Call<LogSlice> | null {
  return keptCall(request, 'logs', sliceCall);
}

function sliceCall(r: LogSliceRequest): Call<LogSlice> | null {
  const path = logsPath(r);
  if (path === null) return null;
  return {
    host: 'logging',
    method: 'GET',
    path,
    // One more shows that there are more.
    list: { most: r.limit + 1 },
    read: (answer) => sliceOf(answer, r),
  };
}

function sliceOf(answer: Answer, r: LogSliceRequest): Result<LogSlice> {
  // Looking for inexact numbers takes half as long as parsing, and a row read fast holds none that count.
  const json = jsonOf(answer, { isRough: true });
  if (!json.ok) return json;
  const page = pageOf(json.value);
  if (page === null) return unlikePage(answer, json.value);
  // Nobody asked for more, and nine megabytes of `{}` would become two gigabytes of rows.
  const rows = page.rows.length > r.limit ? page.rows.slice(0, r.limit) : page.rows;
  const hasMore = page.hasMore || page.rows.length > r.limit;
  const records: LogRecord[] = new Array(rows.length);
  let exact: unknown[] | null = null;
  let near = r.order === 'asc' ? r.from : r.to - 1;
  for (let at = 0; at < rows.length; at += 1) {
    const record = logRecordOf(rows[at], near, () => {
      exact ??= exactRows(answer) ?? rows;
      return exact[at];
    });
    if (record.raw === null) near = record.timestamp;
    records[at] = record;
  }
  const { sentAt, receivedAt } = answer;
  const { kept, ...strays } = withoutStrays(
    records,
    { from: r.from, to: r.to, zone: r.pullZoneId },
    STRAY_FIELDS,
  );
  const serverNow = serverNowOf(answer);
  return { ok: true, value: { records: kept, ...strays, hasMore, serverNow, sentAt, receivedAt } };
}

function exactRows(answer: Answer): unknown[] | null {
  const json = jsonOf(answer);
  return json.ok ? (pageOf(json.value)?.rows ?? null) : null;
}

/** By hand: a schema would copy ten thousand rows to find that there is a list. */
function pageOf(body: unknown): { rows: unknown[]; hasMore: boolean } | null {
  if (typeof body !== 'object' || body === null) return null;
  const { data, pagination } = body as { data?: unknown; pagination?: { hasMore?: unknown } | null };
  const hasMore = pagination?.hasMore;
  return Array.isArray(data) && typeof hasMore === 'boolean' ? { rows: data, hasMore } : null;
}

function unlikePage(answer: Answer, body: unknown): Result<never> {
  const isNull = typeof body === 'object' && body !== null && 'data' in body && body.data === null;
  return isNull
    ? unusable(answer, 'noData')
    : unusable(answer, 'wrongShape', 'data (a list) and pagination.hasMore were expected');
}
