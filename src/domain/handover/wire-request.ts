import { shellCommand } from '../../text/shell-command.ts';
import type { ServerLogFilter } from '../query/push-down.ts';
import { LARGEST_SHIELD_PAGE, type ShieldSearchRequest } from '../shield/shield.ts';
import { ndjsonLine } from './line-formats.ts';

/** A value of a query string; one that is undefined is left out. */
type QueryValue = string | number | boolean | undefined;

/** A question to logs v2. `from` inclusive, `to` exclusive, Unix ms. `limit` 1…10000. */
export type LogsQuestion = {
  pullZoneId: string;
  from: number;
  to: number;
  order: 'asc' | 'desc';
  limit: number;
  offset?: number;
  filter: ServerLogFilter;
};

const DIGITS = /^\d{1,20}$/;
const LARGEST_LOG_PAGE = 10_000;

/** Path and query string of a question to logs v2; null when the id of the zone is no id. */
export function logsPath(r: LogsQuestion): string | null {
  const id = idSegment(r.pullZoneId);
  if (id === null) return null;
  const { status, cacheStatus, ...plain } = r.filter;
  const query = queryText({
    from: new Date(Math.floor(r.from)).toISOString(),
    to: new Date(Math.ceil(r.to)).toISOString(),
    order: r.order,
    limit: bounded(r.limit, 1, LARGEST_LOG_PAGE),
    offset: r.offset === undefined || r.offset <= 0 ? undefined : Math.trunc(r.offset),
    status: status?.join(','),
    cacheStatus: cacheStatus?.join(','),
    edgeLocation: plain.edgeLocation,
    remoteIp: plain.remoteIp,
    urlContains: plain.urlContains,
    userAgentContains: plain.userAgentContains,
    refererContains: plain.refererContains,
    requestId: plain.requestId,
  });
  return `/v2/pullzones/${id}/logs${query}`;
}

/** The path of a Shield search; null when the id is none. */
export function shieldSearchPath(shieldZoneId: string): string | null {
  const id = idSegment(shieldZoneId);
  return id === null ? null : `/shield/event-logs/${id}/search`;
}

/** The body of a Shield search. The server refuses unknown properties, so only those set are sent. */
export function shieldSearchBody(r: ShieldSearchRequest): Readonly<Record<string, unknown>> {
  return {
    from: Math.floor(r.from),
    to: Math.ceil(r.to),
    ...(r.query === null || r.query === '' ? {} : { query: r.query }),
    ...(r.filters.length === 0 ? {} : { filters: r.filters }),
    ...(r.groupBy.length === 0 ? {} : { groupBy: r.groupBy }),
    page: Math.max(0, Math.trunc(r.page)),
    pageSize: bounded(r.pageSize, 1, LARGEST_SHIELD_PAGE),
    ...((r.buckets ?? r.sparks) === undefined ? {} : { buckets: r.buckets ?? r.sparks }),
  };
}

/** The first page of a UTC day (`YYYY-MM-DD`) of Shield events, or the page of a token; null when a part is none. */
export function shieldDayPath(shieldZoneId: string, day: string, token: string | null): string | null {
  const id = idSegment(shieldZoneId);
  const parts = dayParts(day);
  const last = token === null || token === '' ? '' : tokenSegment(token);
  if (id === null || parts === null || last === null) return null;
  return `/shield/event-logs/${id}/${parts.month}-${parts.date}-${parts.year}${last}`;
}

/** A server's token as a part of a path; null where it cannot be one. */
function tokenSegment(token: string): string | null {
  // Dots alone would be a step up in the path, however encoded; half a pair of surrogates has no code.
  if (token === '.' || token === '..' || !token.isWellFormed()) return null;
  return `/${encodeURIComponent(token)}`;
}

/** `?a=1&b=2`, values percent-encoded, those undefined left out; empty when nothing is left. */
export function queryText(values: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value).replaceAll('%20', '+')}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** An id as a path segment; null for anything but decimal digits, which could lead elsewhere. */
export function idSegment(id: string): string | null {
  return DIGITS.test(id) ? id : null;
}

/** `YYYY-MM-DD` of a real day → its parts; else null. */
export function dayParts(day: string): { year: string; month: string; date: string; start: number } | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const start = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day
    ? null
    : { year, month, date, start };
}

export function bounded(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.trunc(value)));
}

/** A request of the API as it leaves, without its credentials. */
export type WireRequest = { method: 'GET' | 'POST'; url: string; body?: Readonly<Record<string, unknown>> };

/** The variable that the copied command takes the key from; the key itself is in no text. */
const KEY_VARIABLE = 'EDGESCOPE_ACCESS_KEY';

/**
 * The request as one line for a shell. The key comes from the environment through curl's standard input: everybody on
 * the machine can read a process's arguments.
 */
export function curlOf({ method, url, body }: WireRequest): string | null {
  const words = ['curl', '-sS', '--compressed', '-H', '@-'];
  if (method === 'POST') words.push('-H', 'Content-Type: application/json');
  if (body !== undefined) words.push('--data-raw', ndjsonLine(body));
  const command = shellCommand([...words, url]);
  return command && `printf 'AccessKey: %s\\n' "$${KEY_VARIABLE}" | ${command}`;
}
