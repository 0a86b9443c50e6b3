import type { Failure } from '../failure.ts';
import type { LogRecord } from '../log.ts';
import type { Gap, TimeRange } from './coverage.ts';

/**
 * `quiet`: answers are fine, no rows come. `offline`: nothing answers. `failed`: the server refuses (credentials,
 * logging off) and only the user can change that; it is still asked now and then.
 */
export type TailStatus = 'connecting' | 'live' | 'quiet' | 'rateLimited' | 'offline' | 'failed' | 'stopped';

/**
 * What the tail knows of its own truth. `since`, `retryAt` and `lastRowAt` (when the last new row came) are Unix ms of
 * our clock; every other time is event time, on the server's.
 */
export type TailReport = {
  status: TailStatus;
  /** When this status began. */
  since: number;
  /** Everything before this event time is read or named as a gap. */
  completeTo: number | null;
  /** Everything before this event time was read again after the lateness bound; null while nothing was. */
  watermark: number | null;
  /** The share of a window with an end that answers cover, 0…1; null where there is no end. */
  readShare: number | null;
  /** The times that complete answers cover, apart from each other, oldest first. */
  read: readonly TimeRange[];
  seen: number;
  unique: number;
  /** Rows that turned up in time that had been read before, later than rows of this stream do (`OrdinaryDelay`). */
  late: number;
  duplicates: number;
  /** Rows without the documented shape, shown raw. */
  bad: number;
  gaps: readonly Gap[];
  /** What the user asked for of them and is still being read, the one under way first. */
  reading: readonly TimeRange[];
  retryAt: number | null;
  failure: Failure | null;
  lastRowAt: number | null;
  serverNow: number | null;
  /** How far our clock is ahead of the server's, ms, where the answers show that it is wrong. */
  clockAhead: number | null;
};

export type TailRow = { record: LogRecord; late: boolean };

export type TailEvent = { rows: TailRow[]; report: TailReport };
