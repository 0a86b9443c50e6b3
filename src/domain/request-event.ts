import { duration } from '../text/units.ts';
import { explain, type FailureKind, failureOf } from './failure.ts';
import type { Strays } from './strays.ts';

/** Why a request is not sent yet. */
export type Wait = {
  /** Unix ms, at the latest. */
  until: number;
  /** A place in the quota, the outcome of the try before, or that of another process where it stopped all requests. */
  because: 'quota' | FailureKind;
  /** HTTP status of that try, if it had one. */
  status: number | null;
};

/** One HTTP request, or one question to a store, in the life of the program, as the request log shows it. Holds no secret. */
export type RequestEvent = {
  id: number;
  /** Unix ms at which it was asked for. */
  at: number;
  method: string;
  host: string;
  /** Path and query, secrets masked. */
  path: string;
  phase: 'waiting' | 'sent' | 'done';
  /** Why it waits; null = for nothing that takes a second. */
  wait: Wait | null;
  /** HTTP status once there is one. */
  status: number | null;
  /** ms spent waiting for a place in the quota. */
  waited: number;
  /** ms from sending to the end of the answer. */
  took: number | null;
  /** Decoded bytes of the answer. */
  bytes: number | null;
  /** Rows that a store read for its answer, where it says so; absent for a request. */
  rows?: number;
  /** What it brought that nobody asked for; absent: nothing. */
  strays?: Strays;
  /** `ok`, or the kind of the failure. */
  outcome: string | null;
};

/** What is unknown of a request that was not sent. */
export const UNSENT = {
  wait: null,
  status: null,
  waited: 0,
  took: null,
  bytes: null,
  outcome: null,
} as const;

/** Why a request to a host waits, as a clause. */
export function waitReason({ because, status }: Wait, host: string): string {
  if (because === 'quota') return `as many requests went to ${host} as may`;
  return explain(failureOf(because, { host, status })).what.replace(/\.$/, '');
}

/** `waits 39s, 429` */
export function waitWords({ until, because, status }: Wait, now: number): string {
  return `waits ${secondsTo(until, now)}, ${because === 'quota' ? because : (status ?? 'fault')}`;
}

/** `waits 39s more: api.example limits the rate of requests (HTTP 429)` */
export function waitSentence(wait: Wait, host: string, now: number): string {
  return `waits ${secondsTo(wait.until, now)} more: ${waitReason(wait, host)}`;
}

function secondsTo(until: number, now: number): string {
  return duration(Math.ceil(Math.max(0, until - now) / 1000) * 1000);
}

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

/** The quota that runs out first, of those of several zones; null without any. */
export function tightestQuota(quotas: readonly QuotaSnapshot[]): QuotaSnapshot | null {
  const left = ({ used, cap, frozenUntil }: QuotaSnapshot) => (frozenUntil === null ? 1 - used / cap : -1);
  return quotas.toSorted((a, b) => left(a) - left(b))[0] ?? null;
}

/**
 * The totals of the program's requests. `cancelled`: by the program, since nobody waited any more. `newest`: the
 * greatest id seen; `bytes`: decoded; `waited`: ms, for the quota.
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
