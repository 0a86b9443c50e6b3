import { type LogRecord, pageOf } from '../log.ts';
import { termMatcher } from '../query/match.ts';
import type { Term } from '../query/query.ts';
import type { Strays } from '../strays.ts';

/** Why an origin failed, once. Texts are untrusted; signed-URL tokens are masked. */
export type OriginError = {
  logId: string | null;
  /** Unix ms. */
  timestamp: number;
  /** What the origin was asked for: a path with its query, or a whole URL. Null where unsaid. */
  url: string | null;
  /** One of `CAUSES`, or any other word; empty where unsaid. */
  code: string;
  /** The status of the answer to the client, where it is given. */
  status: number | null;
  /** The edge that met it, by its name in the CDN log. */
  edge: string | null;
  message: string | null;
  /** The row as it came, where it has no readable time; its time is then the start of the day. */
  raw: string | null;
};

/** An error, and the zone it is of. */
export type ZoneError = OriginError & { zoneId: string };

/** The errors of one UTC day of a zone; `unread` of them have no readable time. */
export type OriginErrorDay = { errors: readonly OriginError[]; unread: number; strays?: Strays };

/** The requested path without its query; null where unsaid. */
export function pathOfError({ url }: OriginError): string | null {
  if (url === null || url === '') return null;
  const path = url.startsWith('/') ? url : (/^[a-z][a-z+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? url);
  return pageOf(path === '' ? '/' : path);
}

/** What the platform counted of a zone in the hour from `at` (Unix ms UTC). Null = unsaid. */
export type StatHour = { at: number; requests: number | null; serverErrors: number | null };

export function codeWord(code: string): string {
  return code === '' ? 'no code' : code;
}

/** What an origin error tells of a row of the log. */
const TOLD_FIELDS: ReadonlySet<string> = new Set([
  'status',
  'edge',
  'path',
  'page',
  'shape',
  'zone',
  'cause',
]);

/** Whether an error is of the requests that these terms are about, by those that it can answer; the others are `ignored`. */
export function errorMatcher(terms: readonly Term[]): {
  passes: (error: ZoneError) => boolean;
  ignored: number;
} {
  const applied = terms.filter((term) => term.kind === 'field' && TOLD_FIELDS.has(term.field));
  return {
    ignored: terms.length - applied.length,
    passes: (error) =>
      applied.every((term) => termMatcher(term, 'none', () => codeWord(error.code))(recordOf(error))),
  };
}

/** As much of a row of the log as an error tells. */
function recordOf({ url, status, edge, timestamp, zoneId }: ZoneError): LogRecord {
  const path = url ?? '';
  return {
    timestamp,
    path,
    url: path,
    statusCode: status ?? 0,
    edgeLocation: edge ?? '',
    pullZoneId: zoneId,
  } as LogRecord;
}
