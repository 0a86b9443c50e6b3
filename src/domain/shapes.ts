import type { ApiKey } from './api-key.ts';
import type { Gap } from './coverage.ts';
import type { LogRecord } from './log.ts';
import type { LogGroup } from './log-group.ts';
import type { PullZone } from './zone.ts';

/** A printable value. `Digits` is a whole number kept exact beyond 2^53: it prints as a JSON number. */
export type Cell = string | number | boolean | null | Digits | readonly string[];
export type Digits = { digits: string };
export type Row = Record<string, Cell>;

/** A CDN log record under the API's own field names, secrets masked where it was parsed. */
export function logRow(record: LogRecord): Row {
  return {
    timestamp: new Date(record.timestamp).toISOString(),
    pullZoneId: digits(record.pullZoneId),
    requestId: record.requestId,
    cacheStatus: record.cacheStatus,
    statusCode: record.statusCode,
    bytesSent: record.bytesSent,
    edgeLocation: record.edgeLocation,
    scheme: record.scheme,
    host: record.host,
    path: record.path,
    url: record.url,
    remoteIp: record.remoteIp,
    countryCode: record.countryCode,
    userAgent: record.userAgent,
    referer: record.referer,
    ja4Fingerprint: record.ja4Fingerprint,
    asn: digits(record.asn),
    asnOrganization: record.asnOrganization,
    bodyBytesSent: record.bodyBytesSent,
    contentRange: record.contentRange,
    authorizationHeader: record.authorizationHeader,
    ...(record.raw === null ? {} : { _raw: record.raw }),
  };
}

/** Rows of a log counted by some fields: `{key,count,bytes,hits,errors,firstSeen,lastSeen}`, times in Unix ms. */
export function logGroupShape({ key, count, bytes, hits, errors, firstSeen, lastSeen }: LogGroup): object {
  return { key, count, bytes, hits, errors, firstSeen, lastSeen };
}

/** The same as flat cells, times in ISO 8601; no field that groups has the name of a sum. */
export function logGroupRow({ key, count, bytes, hits, errors, firstSeen, lastSeen }: LogGroup): Row {
  const sums: Row = {
    count,
    bytes,
    hits,
    errors,
    firstSeen: new Date(firstSeen).toISOString(),
    lastSeen: new Date(lastSeen).toISOString(),
  };
  return { ...key, ...sums };
}

export function logGroupColumns(by: readonly string[]): string[] {
  return [...by, 'count', 'bytes', 'hits', 'errors', 'firstSeen', 'lastSeen'];
}

/** A hole in the printed log: `{"_gap":{…}}` as NDJSON, so that no reader takes the lines for complete. */
export function gapLine(gap: Gap): {
  _gap: { from: string; to: string; reason: string; rows: number | null };
} {
  return {
    _gap: {
      from: new Date(gap.from).toISOString(),
      to: new Date(gap.to).toISOString(),
      reason: gap.reason,
      rows: gap.rows,
    },
  };
}

export function zoneRow(zone: PullZone): Row {
  return {
    id: digits(zone.id),
    name: zone.name,
    hostnames: zone.hostnames,
    shieldZoneId: zone.shieldZoneId ? digits(zone.shieldZoneId) : null,
    logging: zone.logging,
    suspended: zone.suspended,
  };
}

/** Never the value: the fingerprint tells two keys apart. */
export function keyRow(key: ApiKey): Row {
  return { id: digits(key.id), roles: key.roles, fingerprint: key.secret?.fingerprint ?? null };
}

function digits(text: string | null): Cell {
  if (text === null) return null;
  return /^\d+$/.test(text) ? { digits: text } : text;
}
