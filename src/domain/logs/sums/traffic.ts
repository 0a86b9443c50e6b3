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
