import type { Failure } from '../failure.ts';
import type { Gap, TimeRange } from './coverage.ts';

/**
 * `quiet`: answers are fine, no rows come. `offline`: nothing answers. `failed`: the server refuses (credentials,
 * logging off) and only the user can change that; it is still asked now and then.
 */
export type TailStatus = 'connecting' | 'live' | 'quiet' | 'rateLimited' | 'offline' | 'failed' | 'stopped';

/**
 * What the tail knows of its coverage. `since`, `retryAt` and `lastRowAt` (when the last new row came) are Unix ms of our clock;
 * every other time is event time, on the server's.
 */
export type TailReport = {
  status: TailStatus;
  /** When this status began. */
  since: number;
  /** Nothing before this event time is asked for; null before the first answer. */
  origin: number | null;
  /** Everything before this event time is read or named as a gap. */
  completeTo: number | null;
  /** Everything before this event time is final; null while nothing is. */
  watermark: number | null;
  /** The share of a closed window that answers cover, 0…1; null without an end. */
  readShare: number | null;
  /** The disjoint ranges that complete answers cover, oldest first. */
  read: readonly TimeRange[];
  seen: number;
  unique: number;
  /** Rows in time already read, later than is ordinary for this stream (`OrdinaryDelay`). */
  late: number;
  duplicates: number;
  /** Rows without the documented shape, shown raw. */
  bad: number;
  gaps: readonly Gap[];
  /** Gaps being read on the user's order, the current one first. */
  reading: readonly TimeRange[];
  retryAt: number | null;
  failure: Failure | null;
  lastRowAt: number | null;
  serverNow: number | null;
  /** How far our clock is ahead of the server's, ms, where the answers show it. */
  clockAhead: number | null;
};
