import { cacheStatusRow, type LogRecord } from '../../log.ts';
import { MOST_ROW_BYTES } from './tally-kernel.ts';

/** Sums over rows. A cache status that counts on neither side of the hit ratio is in `requests` and `bytes` alone. */
export type Traffic = {
  requests: number;
  bytes: number;
  edgeRequests: number;
  edgeBytes: number;
  originRequests: number;
  originBytes: number;
  /** Requests answered with 5xx. */
  errors: number;
};

export function noTraffic(): Traffic {
  return {
    requests: 0,
    bytes: 0,
    edgeRequests: 0,
    edgeBytes: 0,
    originRequests: 0,
    originBytes: 0,
    errors: 0,
  };
}

export function addTraffic(sum: Traffic, more: Traffic): void {
  sum.requests += more.requests;
  sum.bytes += more.bytes;
  sum.edgeRequests += more.edgeRequests;
  sum.edgeBytes += more.edgeBytes;
  sum.originRequests += more.originRequests;
  sum.originBytes += more.originBytes;
  sum.errors += more.errors;
}

export function countedBytes(bytes: number | null): number {
  return bytes !== null && bytes > 0 && bytes <= MOST_ROW_BYTES ? Math.trunc(bytes) : 0;
}

/** Traffic, and of it what tells a failing origin and what was never cached. */
export type CacheSums = Traffic & {
  /** Requests answered with an old copy, since the origin is slow or down: STALE and UPDATING. */
  stale: number;
  /** Requests that went past the cache. */
  bypassed: number;
};

export function noCacheSums(): CacheSums {
  return { ...noTraffic(), stale: 0, bypassed: 0 };
}

/** The side that a record counts on is that of its cache status; `-` and unknown words count on neither. */
export function addRecord(sums: CacheSums, { cacheStatus, statusCode, bytesSent }: LogRecord): void {
  const bytes = countedBytes(bytesSent);
  const { served } = cacheStatusRow(cacheStatus);
  sums.requests++;
  sums.bytes += bytes;
  if (served === 'edge') {
    sums.edgeRequests++;
    sums.edgeBytes += bytes;
  } else if (served === 'origin') {
    sums.originRequests++;
    sums.originBytes += bytes;
  }
  if (statusCode >= 500 && statusCode <= 599) sums.errors++;
  if (cacheStatus === 'STALE' || cacheStatus === 'UPDATING') sums.stale++;
  if (cacheStatus === 'BYPASS') sums.bypassed++;
}

export function addCacheSums(sum: CacheSums, more: CacheSums): void {
  addTraffic(sum, more);
  sum.stale += more.stale;
  sum.bypassed += more.bypassed;
}

/** Served by the edge ÷ (by the edge + by the origin); null when nothing counts on either side. */
export function hitRatios(sums: Traffic): { requests: number | null; bytes: number | null } {
  return {
    requests: ratioOf(sums.edgeRequests, sums.edgeRequests + sums.originRequests),
    bytes: ratioOf(sums.edgeBytes, sums.edgeBytes + sums.originBytes),
  };
}

export function ratioOf(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}
