/** Lower bounds of (server's clock − our clock), ms, newest last. */
export type ServerTime = { readonly bounds: readonly number[] };

/** Answers remembered: old enough to span the full second that a `Date` header rounds away, young enough to forget a stray clock. */
const MOST_BOUNDS = 40;

export const UNKNOWN_SERVER_TIME: ServerTime = { bounds: [] };

/**
 * Learns from a `Date` header. `date`: Unix ms, rounded down to the second by the server; `receivedAt`: our monotonic
 * clock when the answer was there. The server's clock showed at least `date` then, so the difference is a lower bound,
 * and the greatest of several is the best one.
 */
export function observeDate(time: ServerTime, date: number, receivedAt: number): ServerTime {
  return { bounds: [...time.bounds.slice(1 - MOST_BOUNDS), date - receivedAt] };
}

/**
 * A time that the server's clock has surely reached, whole Unix ms. Without any `Date` header it is our own clock less
 * `margin` ms: then nothing but the user's clock vouches for it.
 */
export function serverNow(time: ServerTime, local: number, margin: number): number {
  return Math.floor(time.bounds.length === 0 ? local - margin : local + Math.max(...time.bounds));
}

export function isServerTimeKnown(time: ServerTime): boolean {
  return time.bounds.length > 0;
}
