import { cacheStatusRow, type LogRecord } from '../../log.ts';
import type { TimeRange } from '../../tail/coverage.ts';

/** No answer is larger: a row that claims more counts as 0 bytes, which keeps the sums of a block exact. */
export const MOST_ROW_BYTES = 2 ** 43;

/** Sums over rows. A cache status on neither side of the hit ratio counts in `requests` and `bytes` alone. */
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

/** Traffic, and the part of it that tells of a failing origin. */
export type CacheSums = Traffic & {
  /** Requests answered with an old copy, since the origin is slow or down: STALE and UPDATING. */
  stale: number;
};

export type TrafficBucket = TimeRange & Traffic;

/** The traffic of a range of time, whole and cut into buckets of equal length. */
export type LogStats = { total: Traffic; buckets: TrafficBucket[] };

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

/** The traffic of several times, or of several logs, together. */
export function sumOf(parts: readonly Traffic[]): Traffic {
  const sums = noTraffic();
  for (const part of parts) addTraffic(sums, part);
  return sums;
}

export function noCacheSums(): CacheSums {
  return { ...noTraffic(), stale: 0 };
}

/** Adds a row, or subtracts it with `sign` -1. `served`: the side of the hit ratio that it counts on. */
export function addRow(
  sums: Traffic,
  served: 'edge' | 'origin' | null,
  isError: boolean,
  bytes: number,
  sign: 1 | -1 = 1,
): void {
  sums.requests += sign;
  sums.bytes += sign * bytes;
  if (served === 'edge') {
    sums.edgeRequests += sign;
    sums.edgeBytes += sign * bytes;
  } else if (served === 'origin') {
    sums.originRequests += sign;
    sums.originBytes += sign * bytes;
  }
  if (isError) sums.errors += sign;
}

export function addRecord(sums: CacheSums, { cacheStatus, statusCode, bytesSent }: LogRecord): void {
  addRow(sums, cacheStatusRow(cacheStatus).served, isServerError(statusCode), countedBytes(bytesSent));
  if (cacheStatus === 'STALE' || cacheStatus === 'UPDATING') sums.stale++;
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

const CACHE_SUMS = Object.keys(noCacheSums()) as (keyof CacheSums)[];

/** `weight`: what one of the requests counts. */
export function addCacheSums(sum: CacheSums, more: CacheSums, weight = 1): void {
  for (const name of CACHE_SUMS) sum[name] += more[name] * weight;
}

export function countedBytes(bytes: number | null): number {
  return bytes !== null && bytes > 0 && bytes <= MOST_ROW_BYTES ? Math.trunc(bytes) : 0;
}

export function isServerError(status: number | undefined): boolean {
  return status !== undefined && status >= 500 && status <= 599;
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
