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
  /** The row as it came, where it has another shape; every other field is then a best effort. */
  raw: string | null;
};

/**
 * A field of logs v2. An `id` is a whole number or its digits, a `number` a number or a text, both kept as text; a
 * `url` may hold a signed token; of a `secret` only the presence is kept. `absent`: the value of a record where the
 * row lacks the field or has null; where that is refused, the row is kept raw.
 */
type WireField = {
  type: 'time' | 'id' | 'number' | 'status' | 'amount' | 'text' | 'url' | 'secret';
  absent: '' | 'null' | 'refused';
};

/** The fields of a record by the API's names, in its order, without `raw`. */
export const WIRE_FIELDS = {
  timestamp: { type: 'time', absent: 'refused' },
  pullZoneId: { type: 'id', absent: 'refused' },
  requestId: { type: 'text', absent: 'null' },
  cacheStatus: { type: 'text', absent: '' },
  statusCode: { type: 'status', absent: 'refused' },
  bytesSent: { type: 'amount', absent: 'refused' },
  edgeLocation: { type: 'text', absent: 'refused' },
  scheme: { type: 'text', absent: 'refused' },
  host: { type: 'text', absent: '' },
  path: { type: 'url', absent: '' },
  url: { type: 'url', absent: 'refused' },
  remoteIp: { type: 'text', absent: 'null' },
  countryCode: { type: 'text', absent: 'null' },
  userAgent: { type: 'text', absent: 'null' },
  referer: { type: 'url', absent: 'null' },
  ja4Fingerprint: { type: 'text', absent: 'null' },
  asn: { type: 'number', absent: 'null' },
  asnOrganization: { type: 'text', absent: 'null' },
  bodyBytesSent: { type: 'amount', absent: 'null' },
  contentRange: { type: 'text', absent: 'null' },
  authorizationHeader: { type: 'secret', absent: 'null' },
} as const satisfies Record<Exclude<keyof LogRecord, 'raw'>, WireField>;

export type WireName = keyof typeof WIRE_FIELDS;

export const WIRE_NAMES = Object.keys(WIRE_FIELDS) as WireName[];

const TEXT_TYPES = ['id', 'number', 'text', 'url'] as const;

/** The fields that a record holds as text. */
export type TextName = {
  [N in WireName]: (typeof WIRE_FIELDS)[N]['type'] extends (typeof TEXT_TYPES)[number] ? N : never;
}[WireName];

export const TEXT_NAMES = WIRE_NAMES.filter((name): name is TextName =>
  (TEXT_TYPES as readonly string[]).includes(WIRE_FIELDS[name].type),
);

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

/** A path without its query string; one that is only a query string stays as it is. */
export function pageOf(path: string): string {
  const at = path.indexOf('?');
  return at > 0 ? path.slice(0, at) : path;
}
