import type { LogRecord } from '../log.ts';
import { LOG_FIELDS, type LogField } from '../query/fields.ts';

/** One line of a record's detail. `field` is the query field it filters by; null = shown only. */
export type RecordField = { name: string; value: string; field: string | null };

/** In the order of the detail view: when and what, who, where, what else. */
const ORDER = [
  ...(['timestamp', 'cacheStatus', 'statusCode', 'bytesSent', 'bodyBytesSent'] as const),
  ...(['remoteIp', 'countryCode', 'asn', 'asnOrganization', 'edgeLocation'] as const),
  ...(['scheme', 'host', 'path', 'url', 'referer', 'userAgent', 'ja4Fingerprint'] as const),
  ...(['requestId', 'contentRange', 'authorizationHeader', 'pullZoneId', 'raw'] as const),
] satisfies readonly (keyof LogRecord)[];

const FIELD_OF = new Map(
  Object.entries<LogField>(LOG_FIELDS).flatMap(([id, { column, derive }]) =>
    derive || column === null ? [] : [[column, id]],
  ),
);

/** Every field of a record in the order of the detail view, without absent ones. */
export function recordFields(record: LogRecord): RecordField[] {
  return ORDER.flatMap((name) => {
    const value = name === 'timestamp' ? new Date(record.timestamp).toISOString() : record[name];
    if (value === null || value === '') return [];
    const shown = name === 'raw' ? 'as it came' : name;
    return [{ name: shown, value: String(value), field: FIELD_OF.get(name) ?? null }];
  });
}
