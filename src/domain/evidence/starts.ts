import { hitRatios, ratioOf, type TrafficBucket } from '../logs/sums/traffic.ts';
import type { Start } from './change.ts';

/** A rise needs so many requests, errors and share of a bucket, and so many times the usual share. */
const RISE = { requests: 20, errors: 5, share: 0.05, factor: 3 } as const;
/** The hit ratio falls by so much below the usual one. */
const FALL = 0.2;

/** When errors rose or the hit ratio fell, by traffic in buckets of equal length: the first of those in a row. */
export function startsIn(buckets: readonly TrafficBucket[]): Start[] {
  const counted = buckets.filter(({ requests }) => requests >= RISE.requests);
  const usualErrors = middleOf(counted.flatMap(({ errors, requests }) => ratioOf(errors, requests) ?? []));
  const usualHits = middleOf(counted.flatMap((bucket) => hitRatios(bucket).requests ?? []));
  const isFailing = (bucket: TrafficBucket) =>
    bucket.requests >= RISE.requests &&
    bucket.errors >= RISE.errors &&
    bucket.errors / bucket.requests >= Math.max(RISE.share, RISE.factor * (usualErrors ?? 0));
  const isMissing = (bucket: TrafficBucket) => {
    const ratio = hitRatios(bucket).requests;
    return bucket.requests >= RISE.requests && ratio !== null && ratio < (usualHits ?? 0) - FALL;
  };
  return [
    ...firsts(buckets, isFailing).map(({ from: at }) => ({ at, what: '5xx rose' })),
    ...firsts(buckets, isMissing).map(({ from: at }) => ({ at, what: 'misses rose' })),
  ];
}

/** The first bucket may be in the middle of it, and is no beginning. */
function firsts(
  buckets: readonly TrafficBucket[],
  isUnusual: (bucket: TrafficBucket) => boolean,
): TrafficBucket[] {
  return buckets.filter(
    (bucket, i) => i > 0 && isUnusual(bucket) && !isUnusual(buckets[i - 1] as TrafficBucket),
  );
}

function middleOf(values: number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >>> 1] ?? null;
}
