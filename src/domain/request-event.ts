/** One HTTP request, or one question to a store, in the life of the program, as the request log shows it. Holds no secret. */
export type RequestEvent = {
  id: number;
  /** Unix ms at which it was asked for. */
  at: number;
  method: string;
  host: string;
  /** Path and query, secrets masked. */
  path: string;
  phase: 'queued' | 'sent' | 'done';
  /** HTTP status once there is one. */
  status: number | null;
  /** ms spent waiting for a place in the quota. */
  waited: number;
  /** ms from sending to the end of the answer. */
  took: number | null;
  /** Decoded bytes of the answer. */
  bytes: number | null;
  /** Rows that a store read for its answer, where it says so; absent of a request. */
  rows?: number;
  /** `ok`, or the kind of the failure. */
  outcome: string | null;
};

/** What is not known of a request that was not sent. */
export const UNSENT = { status: null, waited: 0, took: null, bytes: null, outcome: null } as const;

export type QuotaSnapshot = {
  /** Requests that the server may still count in its present window. */
  used: number;
  /** The server's own limit. */
  cap: number;
  /** Whether a request that somebody waits for would have to wait for a place now. */
  isSpent: boolean;
  /** Unix ms until which nothing is sent, after a 429. */
  frozenUntil: number | null;
  /** True when the ledger shared with other processes is broken and this process keeps to an eighth. */
  degraded: boolean;
};

/** The quota, of those of several zones, that stands in the way first; null of none. */
export function tightestQuota(quotas: readonly QuotaSnapshot[]): QuotaSnapshot | null {
  const left = ({ used, cap, frozenUntil }: QuotaSnapshot) => (frozenUntil === null ? 1 - used / cap : -1);
  return quotas.toSorted((a, b) => left(a) - left(b))[0] ?? null;
}

/**
 * What the requests of the program came to. `cancelled`: by the program itself, since nobody waited for them any more.
 * `newest`: the greatest id seen; `bytes`: decoded; `waited`: ms, for the quota.
 */
export type RequestTotals = {
  newest: number;
  asked: number;
  ok: number;
  cancelled: number;
  failed: number;
  bytes: number;
  waited: number;
};
