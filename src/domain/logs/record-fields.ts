import type { LogRecord } from '../log.ts';

/** One line of a record's detail. `field` is the query field it filters by; null = shown only. */
export type RecordField = { name: string; value: string; field: string | null };

/** Every field of a record in the order of the detail view; absent ones are left out. */
export function recordFields(record: LogRecord): RecordField[] {
  const rows: [string, string | null, string | null][] = [
    ['timestamp', new Date(record.timestamp).toISOString(), null],
    ['cacheStatus', record.cacheStatus, 'cache'],
    ['statusCode', String(record.statusCode), 'status'],
    ['bytesSent', String(record.bytesSent), 'bytes'],
    ['bodyBytesSent', record.bodyBytesSent === null ? null : String(record.bodyBytesSent), null],
    ['remoteIp', record.remoteIp, 'ip'],
    ['countryCode', record.countryCode, 'country'],
    ['asn', record.asn, 'asn'],
    ['asnOrganization', record.asnOrganization, 'org'],
    ['edgeLocation', record.edgeLocation, 'edge'],
    ['scheme', record.scheme, 'scheme'],
    ['host', record.host, 'host'],
    ['path', record.path, 'path'],
    ['url', record.url, 'url'],
    ['referer', record.referer, 'referer'],
    ['userAgent', record.userAgent, 'ua'],
    ['ja4Fingerprint', record.ja4Fingerprint, 'ja4'],
    ['requestId', record.requestId, 'id'],
    ['contentRange', record.contentRange, 'range'],
    ['authorizationHeader', record.authorizationHeader, null],
    ['pullZoneId', record.pullZoneId, 'zone'],
    ['as it came', record.raw, null],
  ];
  return rows.flatMap(([name, value, field]) =>
    value === null || value === '' ? [] : [{ name, value, field }],
  );
}
