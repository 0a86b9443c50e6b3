import type { OriginError } from '../../src/domain/evidence/origin-error.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import type { ShieldEvent } from '../../src/domain/shield/shield.ts';

/** A row of the log; its URL is that of its parts unless it has another. */
export function recordWith(more: Partial<LogRecord> = {}): LogRecord {
  const base = {
    timestamp: 1_000,
    pullZoneId: '4711',
    requestId: '0123456789abcdef0123456789abcdef',
    cacheStatus: 'HIT',
    statusCode: 200,
    bytesSent: 1_200,
    edgeLocation: 'DE',
    scheme: 'https',
    host: 'www.example.com',
    path: '/index.html',
    remoteIp: '192.0.2.7',
    countryCode: 'DE',
    userAgent: 'curl/8.5.0',
    referer: null,
    ja4Fingerprint: null,
    asn: '64500',
    asnOrganization: 'Example Net',
    bodyBytesSent: 1_000,
    contentRange: null,
    authorizationHeader: null,
    raw: null,
    ...more,
  };
  return { url: `${base.scheme}://${base.host}${base.path}`, ...base };
}

/** An event of Shield. */
export function eventWith(more: Partial<ShieldEvent> = {}): ShieldEvent {
  return { logId: null, timestamp: 1_000, fields: {}, log: null, raw: null, ...more };
}

/** What an origin did wrong. */
export function originErrorWith(more: Partial<OriginError> = {}): OriginError {
  const what = { url: '/p/90?x=1', code: 'dns_lookup', status: 503, edge: 'FRA' };
  return { logId: null, timestamp: 1_000, ...what, message: null, raw: null, ...more };
}
