/**
 * A CDN request log record. Field names are the API's own (logs v2), so that a record prints as it came.
 * Strings are untrusted: they go through `text/sanitise` before any terminal sees them.
 */
export type LogRecord = {
  /** Event time, Unix ms UTC. */
  timestamp: number;
  /** Decimal digits: ids may exceed 2^53. */
  pullZoneId: string;
  /** 32 hex digits; null where the source has none (v1 lines, refused rows). */
  requestId: string | null;
  /** One of CACHE_STATUSES, or any other word: the set is open. */
  cacheStatus: string;
  statusCode: number;
  /** Bytes. */
  bytesSent: number;
  edgeLocation: string;
  scheme: string;
  host: string;
  /** With query string; signed-URL tokens already masked. */
  path: string;
  url: string;
  /** May be anonymised: `1.2.3.0` style, `1.2.3.*` style, or absent. */
  remoteIp: string | null;
  countryCode: string | null;
  userAgent: string | null;
  referer: string | null;
  ja4Fingerprint: string | null;
  /** Decimal digits. */
  asn: string | null;
  asnOrganization: string | null;
  /** Bytes. */
  bodyBytesSent: number | null;
  contentRange: string | null;
  /** `MASK` where the API sent one: the value never leaves the parse boundary. */
  authorizationHeader: string | null;
  /** The row as it came, when it did not have the documented shape; every other field is then a best effort. */
  raw: string | null;
};

type CacheStatusRow = {
  letter: string;
  word: string;
  meaning: string;
  /** Which side of the hit ratio a request counts on; null = on neither. */
  served: 'edge' | 'origin' | null;
};

/** Cache statuses of the original specification; `EXPIRED` from the public documentation. An open set. */
export const CACHE_STATUSES = {
  HIT: { letter: 'H', word: 'HIT', meaning: 'served from cache', served: 'edge' },
  MISS: { letter: 'M', word: 'MISS', meaning: 'fetched from the origin', served: 'origin' },
  BYPASS: { letter: 'B', word: 'BYPASS', meaning: 'cache skipped by rule or header', served: 'origin' },
  REVALIDATED: { letter: 'R', word: 'REVALID', meaning: 'checked with the origin, reused', served: 'edge' },
  STALE: { letter: 'S', word: 'STALE', meaning: 'stale copy served, origin slow or down', served: 'edge' },
  UPDATING: { letter: 'U', word: 'UPDATE', meaning: 'stale copy served while refreshing', served: 'edge' },
  EXPIRED: { letter: 'E', word: 'EXPIRED', meaning: 'copy was too old, fetched again', served: 'origin' },
  '-': { letter: '-', word: '-', meaning: 'no cache interaction', served: null },
} as const satisfies Record<string, CacheStatusRow>;

type CacheStatus = keyof typeof CACHE_STATUSES;

/** An unknown word keeps its own name and takes the letter `?`; it counts on neither side of the hit ratio. */
export function cacheStatusRow(word: string): CacheStatusRow {
  return Object.hasOwn(CACHE_STATUSES, word)
    ? CACHE_STATUSES[word as CacheStatus]
    : { letter: '?', word, meaning: 'not a documented cache status', served: null };
}

/** A path without its query string. One that is nothing but a query string stays as it is. */
export function pageOf(path: string): string {
  const at = path.indexOf('?');
  return at > 0 ? path.slice(0, at) : path;
}
