import type { Result } from '../domain/failure.ts';
import { type LogsQuestion, logsPath } from '../domain/handover/wire-request.ts';
import type { LogRecord } from '../domain/log.ts';
import type { Cut } from '../domain/log-retention.ts';
import type { OfPart, RowPlace } from '../domain/logs/log-history.ts';
import { isAllOf, isBatch, type LogRows, recordsIn } from '../domain/logs/log-rows.ts';
import type { Term } from '../domain/query/query.ts';
import { type Strays, withoutStrays } from '../domain/strays.ts';
import type { Anonymisation } from '../domain/zone.ts';
import type { Call } from './caller.ts';
import { type Answer, failureOfStatus, jsonOf, parsedAhead, serverNowOf, unusable } from './http/response.ts';
import { keptCall } from './kept-call.ts';
import { logRecordOf, STRAY_FIELDS } from './schemas/log-row.ts';
import type { PageOptions } from './schemas/packed-page.ts';

/**
 * `history`: what a store is asked beside the filter, where it answers; `after` = the page behind a row, in the order
 * asked.
 */
export type LogSliceRequest = LogsQuestion & {
  history?: { terms?: readonly Term[]; anonymisation?: Anonymisation; after?: RowPlace | null };
};

export type LogSlice = Cut &
  OfPart & {
    /** In the server's order; rows of another shape are among them, as records with `raw` set. */
    rows: LogRows;
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
    read: (answer, rest) => sliceOf(answer, r, rest),
  };
}

/** Bytes of an answer from which its rows are packed in turns: parsing less takes 5 ms, and a packer not compiled yet longer. */
const PACKED_FROM = 1024 * 1024;

async function sliceOf(
  answer: Answer,
  r: LogSliceRequest,
  rest: () => Promise<void>,
): Promise<Result<LogSlice>> {
  const near = r.order === 'asc' ? r.from : r.to - 1;
  const packed = await packedOf(answer, { near, most: r.limit, scrub: answer.scrub, rest });
  // One more shows that there are more.
  const ready = packed ?? (await parsedAhead(answer, { most: r.limit + 1 }, rest));
  const json = jsonOf(ready);
  if (!json.ok) return json;
  const page = pageOf(json.value);
  if (page === null) return unlikePage(answer, json.value);
  const rows = packed === null ? parsedRows(page.rows.slice(0, r.limit), near) : unlessStray(packed.rows, r);
  const { sentAt, receivedAt } = answer;
  const { kept, ...strays } = withoutStrays(
    rows,
    { from: r.from, to: r.to, zone: r.pullZoneId },
    STRAY_FIELDS,
  );
  const hasMore = page.hasMore || page.rows.length > r.limit;
  const serverNow = serverNowOf(answer);
  return { ok: true, value: { rows: kept, ...strays, hasMore, serverNow, sentAt, receivedAt } };
}

/** The answer with its rows packed, and its JSON without them; null: it is parsed as others are. */
async function packedOf(answer: Answer, o: PageOptions): Promise<(Answer & { rows: LogRows }) | null> {
  if (answer.bytes.byteLength < PACKED_FROM || failureOfStatus(answer) !== null) return null;
  const { packedPage } = await import('./schemas/packed-page.ts');
  const page = await packedPage(answer.bytes, o);
  return page && { ...answer, rows: page.rows, json: { ok: true, value: page.around } };
}

/** A batch with strays becomes records, so that they can be left out. */
function unlessStray(rows: LogRows, r: LogSliceRequest): LogRows {
  return rows.flatMap((row) => (isBatch(row) && !isAllOf(row, r.pullZoneId, r) ? recordsIn(row) : [row]));
}

function parsedRows(rows: readonly unknown[], otherwise: number): LogRecord[] {
  let near = otherwise;
  return rows.map((row) => {
    const record = logRecordOf(row, near);
    if (record.raw === null) near = record.timestamp;
    return record;
  });
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
