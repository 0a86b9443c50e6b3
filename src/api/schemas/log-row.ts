import type { LogRecord, WireName } from '../../domain/log.ts';
import type { CodedRows } from '../../domain/logs/columns/coded-rows.ts';
import { MASK, maskHostSecrets, maskSecrets, maskUrlSecrets } from '../../text/mask.ts';
import { isObject } from '../http/json.ts';
import { masked } from '../masking.ts';
import { timestampOf } from '../timestamp.ts';

/** The length at which a raw row is truncated: it is there to be looked at, not to fill the memory. */
const RAW_LENGTH = 4_096;

const DIGITS = /^\d{1,20}$/;
const STATUS = /^\d{1,3}$/;

/** A row under the API's names. */
type WireRow = Partial<Record<WireName, unknown>>;

/** Identifies strays; a row that is not understood may have neither field of its own, and a batch has none. */
export const STRAY_FIELDS = {
  time: (row: LogRecord | CodedRows) => ('raw' in row && row.raw === null ? row.timestamp : null),
  zone: (row: LogRecord | CodedRows) => ('raw' in row && row.raw === null ? row.pullZoneId : null),
};

/**
 * One row → a record; never throws. A row of another shape (`WIRE_FIELDS`) has `raw` set and every field that can be
 * made out; without a time it takes `otherwise` (Unix ms), that of its neighbours. Unknown fields are dropped,
 * secrets masked.
 */
export function logRecordOf(row: unknown, otherwise: number): LogRecord {
  const isEntry = isObject(row);
  const values = new RowValues();
  const record = recordOf(isEntry ? row : {}, values, otherwise);
  return values.isOdd || !isEntry ? salvaged(record, row) : record;
}

/**
 * The record of a row, whatever its shape: `values` shows whether it is odd. By hand, at a sixth of the cost of a
 * schema; a property test compares the two.
 */
export function recordOf(row: WireRow, values: RowValues, otherwise: number): LogRecord {
  const url = values.unmasked(row.url) ?? values.odd('');
  const path = values.unmasked(row.path) ?? '';
  const host = values.unmasked(row.host) ?? '';
  const safeUrl = maskUrlSecrets(url);
  return {
    timestamp: values.time(row.timestamp) ?? Math.floor(otherwise),
    pullZoneId: values.id(row.pullZoneId),
    requestId: values.maybe(row.requestId),
    cacheStatus: values.maybe(row.cacheStatus) ?? '',
    statusCode: values.status(row.statusCode),
    bytesSent: values.amount(row.bytesSent),
    edgeLocation: values.text(row.edgeLocation),
    scheme: values.text(row.scheme),
    host: maskHostSecrets(host),
    // Most URLs end in the path: a part of a clean text is clean.
    path: safeUrl === url && url.endsWith(path) ? path : maskUrlSecrets(path),
    url: safeUrl,
    remoteIp: values.maybe(row.remoteIp),
    countryCode: values.maybe(row.countryCode),
    userAgent: values.maybe(row.userAgent),
    referer: values.maybe(row.referer),
    ja4Fingerprint: values.maybe(row.ja4Fingerprint),
    asn: values.maybeNumber(row.asn),
    asnOrganization: values.maybe(row.asnOrganization),
    bodyBytesSent: values.maybeAmount(row.bodyBytesSent),
    contentRange: values.maybe(row.contentRange),
    authorizationHeader: values.secret(row.authorizationHeader),
    raw: null,
  };
}

/**
 * Reads the values of a row and leaves no secret in its texts: visitors write into any of them. A value of another
 * type is odd, and read as far as possible.
 */
export class RowValues {
  isOdd = false;

  maybe(value: unknown): string | null {
    const text = this.unmasked(value);
    return text === null ? null : maskUrlSecrets(text);
  }

  /** For a text that is masked together with its surroundings. */
  unmasked(value: unknown): string | null {
    if (typeof value === 'string') return value;
    if (value === null || value === undefined) return null;
    this.isOdd = true;
    return typeof value === 'number' ? String(value) : null;
  }

  text(value: unknown): string {
    return this.maybe(value) ?? this.odd('');
  }

  maybeNumber(value: unknown): string | null {
    if (typeof value !== 'number') return this.maybe(value);
    if (Number.isFinite(value)) return String(value);
    return this.odd(String(value));
  }

  /** Digits: an id may exceed 2^53, and the JSON reader keeps those as digits. */
  id(value: unknown): string {
    if (typeof value === 'string' && DIGITS.test(value)) return value;
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? String(value)
      : this.odd('');
  }

  status(value: unknown): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 999) return value;
    return typeof value === 'string' && STATUS.test(value) ? Number(value) : this.odd(0);
  }

  /** Beyond 2^53 the nearest double. */
  maybeAmount(value: unknown): number | null {
    if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
    if (value === null || value === undefined) return null;
    return typeof value === 'string' && DIGITS.test(value) ? Number(value) : this.odd(null);
  }

  amount(value: unknown): number {
    return this.maybeAmount(value) ?? this.odd(0);
  }

  time(value: unknown): number | null {
    return timestampOf(value) ?? this.odd(null);
  }

  secret(value: unknown): string | null {
    this.unmasked(value);
    return value === null || value === undefined ? null : MASK;
  }

  odd<T>(instead: T): T {
    this.isOdd = true;
    return instead;
  }
}

/** No field need be what its name says: any may hold a secret. */
function salvaged(record: LogRecord, row: unknown): LogRecord {
  const fields = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === 'string' ? maskSecrets(value) : value,
  ]);
  return { ...(Object.fromEntries(fields) as LogRecord), raw: rawText(row) };
}

/** JSON text of a refused row, secrets masked, truncated. */
export function rawText(row: unknown): string {
  const whole = typeof row === 'string' ? (masked(row) as string) : JSON.stringify(masked(row));
  return shortRaw(whole);
}

/** The same of a text whose secrets are masked. */
export function shortRaw(whole: string): string {
  return whole.length > RAW_LENGTH ? `${whole.slice(0, RAW_LENGTH)}…` : whole;
}
