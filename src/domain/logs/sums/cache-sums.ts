import { cacheStatusRow, type LogRecord } from '../../log.ts';
import { addTraffic, countedBytes, noTraffic, type Traffic } from './traffic.ts';

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
