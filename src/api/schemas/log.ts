import * as z from 'zod';
import type { LogRecord } from '../../domain/log.ts';
import { MASK, maskSecrets, maskUrlSecrets } from '../../text/mask.ts';
import { masked } from '../masking.ts';
import { timestampOf } from '../timestamp.ts';
import { amount, id, maybeText, timestamp } from './scalars.ts';

/** A raw row is cut here: it is there to be looked at, not to fill the memory. */
const RAW_LENGTH = 4_096;

const text = z.lazy(() => z.string());
const optional = z.lazy(() =>
  z
    .string()
    .nullish()
    .transform((value) => value ?? null),
);
/** What a record always has and the answer may leave out. */
const textOrNone = z.lazy(() =>
  z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
);
const status = z.lazy(() =>
  z.union([
    z.int().min(0).max(999),
    z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number),
  ]),
);

/** The documented shape, unknown fields let through and dropped, secrets masked. */
export const logEntry = z.lazy(() =>
  z
    .object({
      timestamp,
      pullZoneId: id,
      requestId: optional,
      cacheStatus: textOrNone,
      statusCode: status,
      bytesSent: amount,
      edgeLocation: text,
      scheme: text,
      host: textOrNone,
      path: textOrNone,
      url: text,
      remoteIp: optional,
      countryCode: optional,
      userAgent: optional,
      referer: optional,
      ja4Fingerprint: optional,
      asn: maybeText,
      asnOrganization: optional,
      bodyBytesSent: amount.nullish().transform((value) => value ?? null),
      contentRange: optional,
      authorizationHeader: optional,
    })
    .transform(
      (entry): LogRecord => ({
        ...entry,
        path: maskUrlSecrets(entry.path),
        url: maskUrlSecrets(entry.url),
        referer: entry.referer === null ? null : maskUrlSecrets(entry.referer),
        authorizationHeader: entry.authorizationHeader === null ? null : MASK,
        raw: null,
      }),
    ),
);

/**
 * One row → a record; never throws. A row without the documented shape comes back with `raw` set and every field that
 * can be made out; its time, when it has none, is `otherwise` (Unix ms), where its neighbours are.
 */
export function logRecordOf(row: unknown, otherwise: number): LogRecord {
  const fast = fastLogRecord(row);
  if (fast !== null) return fast;
  const parsed = logEntry.safeParse(row);
  return parsed.success ? parsed.data : salvaged(row, otherwise);
}

/**
 * The schema by hand, for a row exactly as documented, at a sixth of the cost; null = ask the schema. Numbers
 * beyond 2^53 may come rounded here: what would print them is left to the schema. A property test holds the two
 * together.
 */
export function fastLogRecord(row: unknown): LogRecord | null {
  if (typeof row !== 'object' || row === null) return null;
  const entry = row as Record<string, unknown>;
  const { pullZoneId, statusCode, bytesSent, edgeLocation, scheme, url } = entry;
  const { bodyBytesSent, authorizationHeader } = entry;
  if (typeof entry['timestamp'] !== 'string') return null;
  const time = timestampOf(entry['timestamp']);
  if (time === null) return null;
  if (typeof pullZoneId !== 'number' || !Number.isSafeInteger(pullZoneId) || pullZoneId < 0) return null;
  if (typeof statusCode !== 'number' || !isStatus(statusCode)) return null;
  if (typeof bytesSent !== 'number' || !isAmount(bytesSent)) return null;
  if (typeof edgeLocation !== 'string' || typeof scheme !== 'string') return null;
  const cacheStatus = entry['cacheStatus'] ?? '';
  const host = entry['host'] ?? '';
  const path = entry['path'] ?? '';
  if (typeof cacheStatus !== 'string' || typeof url !== 'string') return null;
  if (typeof host !== 'string' || typeof path !== 'string') return null;
  const requestId = entry['requestId'] ?? null;
  const remoteIp = entry['remoteIp'] ?? null;
  const countryCode = entry['countryCode'] ?? null;
  const userAgent = entry['userAgent'] ?? null;
  const referer = entry['referer'] ?? null;
  const ja4Fingerprint = entry['ja4Fingerprint'] ?? null;
  const asnOrganization = entry['asnOrganization'] ?? null;
  const contentRange = entry['contentRange'] ?? null;
  const asn = entry['asn'] ?? null;
  const bodyBytes = bodyBytesSent ?? null;
  const authorization = authorizationHeader ?? null;
  if (!isMaybeText(requestId) || !isMaybeText(remoteIp) || !isMaybeText(countryCode)) return null;
  if (!isMaybeText(userAgent) || !isMaybeText(referer) || !isMaybeText(ja4Fingerprint)) return null;
  if (!isMaybeText(asnOrganization) || !isMaybeText(contentRange) || !isMaybeText(authorization)) return null;
  if (asn !== null && typeof asn !== 'string' && !Number.isSafeInteger(asn)) return null;
  if (bodyBytes !== null && !(typeof bodyBytes === 'number' && isAmount(bodyBytes))) return null;
  const safeUrl = maskUrlSecrets(url);
  return {
    timestamp: time,
    pullZoneId: String(pullZoneId),
    requestId,
    cacheStatus,
    statusCode,
    bytesSent,
    edgeLocation,
    scheme,
    host,
    // Most URLs end in the path: what is clean as a whole is clean in its part.
    path: safeUrl === url && url.endsWith(path) ? path : maskUrlSecrets(path),
    url: safeUrl,
    remoteIp,
    countryCode,
    userAgent,
    referer: referer === null ? null : maskUrlSecrets(referer),
    ja4Fingerprint,
    asn: asn === null ? null : String(asn),
    asnOrganization,
    bodyBytesSent: bodyBytes,
    contentRange,
    authorizationHeader: authorization === null ? null : MASK,
    raw: null,
  };
}

/** JSON text of a refused row, secrets masked, cut. */
export function rawText(row: unknown): string {
  const whole = typeof row === 'string' ? (masked(row) as string) : JSON.stringify(masked(row));
  return shortRaw(whole);
}

/** The same of a text whose secrets are masked. */
export function shortRaw(whole: string): string {
  return whole.length > RAW_LENGTH ? `${whole.slice(0, RAW_LENGTH)}…` : whole;
}

function salvaged(row: unknown, otherwise: number): LogRecord {
  const entry = (typeof row === 'object' && row !== null && !Array.isArray(row) ? row : {}) as Record<
    string,
    unknown
  >;
  // No field need be what its name says: any may hold a secret.
  const words = (name: string): string | null => {
    const value = entry[name];
    return typeof value === 'string' ? maskSecrets(value) : typeof value === 'number' ? String(value) : null;
  };
  const size = (name: string): number | null => {
    const parsed = amount.safeParse(entry[name]);
    return parsed.success ? parsed.data : null;
  };
  const statusCode = status.safeParse(entry['statusCode']);
  const pullZoneId = id.safeParse(entry['pullZoneId']);
  return {
    timestamp: timestampOf(entry['timestamp']) ?? Math.floor(otherwise),
    pullZoneId: pullZoneId.success ? pullZoneId.data : '',
    requestId: words('requestId'),
    cacheStatus: words('cacheStatus') ?? '',
    statusCode: statusCode.success ? statusCode.data : 0,
    bytesSent: size('bytesSent') ?? 0,
    edgeLocation: words('edgeLocation') ?? '',
    scheme: words('scheme') ?? '',
    host: words('host') ?? '',
    path: words('path') ?? '',
    url: words('url') ?? '',
    remoteIp: words('remoteIp'),
    countryCode: words('countryCode'),
    userAgent: words('userAgent'),
    referer: words('referer'),
    ja4Fingerprint: words('ja4Fingerprint'),
    asn: words('asn'),
    asnOrganization: words('asnOrganization'),
    bodyBytesSent: size('bodyBytesSent'),
    contentRange: words('contentRange'),
    authorizationHeader: (entry['authorizationHeader'] ?? null) === null ? null : MASK,
    raw: rawText(row),
  };
}

function isMaybeText(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isStatus(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 999;
}

function isAmount(value: number): boolean {
  return value >= 0 && value < Number.POSITIVE_INFINITY;
}
