import type { LogRecord } from '../../domain/log.ts';
import { MASK, maskUrlSecrets } from '../../text/mask.ts';
import { timestampOf } from '../timestamp.ts';
import { RowValues, recordOf, shortRaw } from './log-row.ts';

/** Columns of a line, in the order of the public documentation; only extended zones have the last three. */
const FEWEST = 12;
const EXTENDED = 15;
const STATUS = /^\d{1,3}$/;
const DIGITS = /^\d{1,20}$/;

/**
 * One line of CDN logs v1 → a record; never throws. A line of another shape has `raw` set and the time `otherwise`
 * (Unix ms). `-` is empty, except as a cache status, where it is one.
 */
export function logRecordOfLine(line: string, otherwise: number): LogRecord {
  const parts = line.split('|');
  const good = isEntry(parts);
  // Where parts are missing, nobody knows which ones.
  const known = parts.length < FEWEST ? [] : parts;
  const part = (at: number): string => known[at] ?? '';
  const maybe = (at: number): string | null => {
    const value = part(at);
    return value === '-' || value === '' ? null : value;
  };
  // Masked as a whole: its host may hold a password.
  const url = maskUrlSecrets(maybe(7) ?? '');
  const row = {
    timestamp: part(2),
    pullZoneId: part(4),
    requestId: maybe(10),
    cacheStatus: part(0),
    statusCode: part(1),
    bytesSent: part(3),
    edgeLocation: maybe(8),
    ...urlParts(url),
    url,
    remoteIp: maybe(5),
    countryCode: maybe(11),
    userAgent: maybe(9),
    referer: maybe(6),
    bodyBytesSent: maybe(12),
    contentRange: maybe(13),
    authorizationHeader: maybe(14),
  };
  return { ...recordOf(row, new RowValues(), otherwise), raw: good ? null : rawLine(line, parts) };
}

function isEntry(parts: readonly string[]): boolean {
  const [cacheStatus = '', status = '', time = '', size = '', id = ''] = parts;
  const isWhole = parts.length === FEWEST || parts.length === EXTENDED;
  // A cache status is one word: more is a head that something wrote before the line.
  return (
    isWhole &&
    !cacheStatus.includes(' ') &&
    STATUS.test(status) &&
    timestampOf(time) !== null &&
    DIGITS.test(size) &&
    DIGITS.test(id)
  );
}

/** Without the URL parser: the path must print as it came. */
export function urlParts(url: string): Pick<LogRecord, 'scheme' | 'host' | 'path'> {
  const colon = url.indexOf('://');
  const rest = colon < 0 ? url : url.slice(colon + 3);
  const slash = rest.search(/[/?#]/);
  return {
    scheme: colon < 0 ? '' : url.slice(0, colon),
    host: slash < 0 ? rest : rest.slice(0, slash),
    path: slash < 0 ? '' : rest.slice(slash),
  };
}

/** Everything from the authorization column on may be a secret. */
function rawLine(line: string, parts: string[]): string {
  const shown = parts.length < EXTENDED ? line : [...parts.slice(0, EXTENDED - 1), MASK].join('|');
  return shortRaw(maskUrlSecrets(shown));
}
