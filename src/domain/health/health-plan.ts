import { MINUTE } from '../../text/units.ts';
import type { Failure } from '../failure.ts';
import type { LogRecord } from '../log.ts';
import { type Strays, straysIn } from '../strays.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { HEALTH_MEMORY, withRead } from './read-traffic.ts';
import { RECENT, type ZoneHealth } from './zone-health.ts';

/** One request about a zone's health. Rows are asked for from the newest down, at most `limit`. */
export type HealthReading =
  | { kind: 'rows'; range: TimeRange; limit: number }
  | { kind: 'blocked'; range: TimeRange; isBefore: boolean };

/** The answer to it. `serverNow`: what the server's clock has reached, Unix ms. */
export type HealthAnswer =
  | {
      kind: 'rows';
      records: readonly LogRecord[];
      hasMore: boolean;
      serverNow: number | null;
      strays?: Strays;
    }
  | { kind: 'blocked'; blocked: number; strays?: Strays }
  | { kind: 'failed'; failure: Failure };

/** Rows of a reading: enough for a share of 5xx to be sure at a glance, and they arrive at once. */
const NEWEST_ROWS = 500;
const PAST_ROWS = 200;

/** The newest seconds are left out: rows of them are still to come, and their rate would look too low. */
export const SETTLING = 3_000;

/** The past is known once something of each of so many parts of its hour is. */
const PAST_PARTS = 5;
const PAST_PART = 11 * MINUTE;

/** Blocked counts change slower than they cost: their searches share one quota of the whole account. */
const BLOCKED_EVERY = 120_000;
const BLOCKED_BEFORE_EVERY = 30 * MINUTE;

/**
 * What to read of a zone next, the most telling first; null: nothing is due. `every`: the greatest age of rows, ms.
 * `now`: the server's. Without a Shield zone nothing is blocked. `isNewest`: only the newest rows are asked for.
 */
export function nextReading(
  health: ZoneHealth,
  o: { now: number; every: number; hasShield: boolean; isNewest?: boolean },
): HealthReading | null {
  const now = o.now - SETTLING;
  const recent = { from: minuteOf(now - RECENT), to: now };
  const isKnown = health.bins.length > 0;
  // A quiet zone sends its whole hour at once.
  const range = isKnown ? recent : { from: minuteOf(now - HEALTH_MEMORY), to: now };
  if (o.now - health.readAt >= o.every) return { kind: 'rows', range, limit: NEWEST_ROWS };
  if (!isKnown || health.failure !== null || o.isNewest) return null;
  const blocked = o.hasShield ? blockedReading(health, now) : null;
  return blocked ?? pastReading(health, now);
}

/** The health with the answer to a reading. Time that a server with a slow clock cannot know yet counts as unread. */
export function withAnswer(
  health: ZoneHealth,
  reading: HealthReading,
  answer: HealthAnswer,
  now: number,
): ZoneHealth {
  if (answer.kind === 'failed' && reading.kind === 'rows')
    return { ...health, failure: answer.failure, readAt: now };
  // A refusal is asked again no sooner than an answer.
  if (answer.kind === 'failed' && reading.kind === 'blocked') return withBlocked(health, reading, null);
  if (answer.kind === 'blocked' && reading.kind === 'blocked') {
    // Nobody knows how many events the strays replaced.
    return withBlocked(health, reading, straysIn(answer) ? null : answer.blocked);
  }
  if (answer.kind !== 'rows' || reading.kind !== 'rows') return health;
  const read = readOf(reading.range, answer);
  const bins = read === null ? health.bins : withRead(health.bins, read, answer.records);
  const isNewest = reading.range.to > (health.bins.at(-1)?.to ?? 0);
  const strayed = straysIn(answer) !== null;
  const hasStrays = isNewest ? strayed : health.hasStrays || strayed;
  return { ...health, bins, hasStrays, ...(isNewest ? { failure: null, readAt: now } : {}) };
}

function withBlocked(
  health: ZoneHealth,
  { range, isBefore }: Extract<HealthReading, { kind: 'blocked' }>,
  blocked: number | null,
): ZoneHealth {
  return { ...health, [isBefore ? 'blockedBefore' : 'blocked']: { ...range, blocked } };
}

/** The time of which an answer from the newest row down holds all rows; null: of none. */
function readOf(
  { from, to: asked }: TimeRange,
  { records, hasMore, serverNow }: Extract<HealthAnswer, { kind: 'rows' }>,
): TimeRange | null {
  const to = serverNow === null ? asked : Math.min(asked, serverNow);
  const times = records.filter(({ raw }) => raw === null).map(({ timestamp }) => timestamp);
  if (!hasMore) return to > from ? { from, to } : null;
  if (times.length === 0) return null;
  // The oldest row's own millisecond may lack rows.
  const first = Math.floor(times.reduce((least, time) => Math.min(least, time))) + 1;
  return first < to ? { from: Math.max(from, first), to } : null;
}

/** Whether the hour before is read, or cannot be. `now`: the server's. */
export function isPastRead(health: ZoneHealth, now: number): boolean {
  if (health.failure !== null) return true;
  return health.bins.length > 0 && pastReading(health, now - SETTLING) === null;
}

function pastReading({ bins }: ZoneHealth, now: number): HealthReading | null {
  const end = now - RECENT;
  for (let part = 0; part < PAST_PARTS; part++) {
    const to = end - part * PAST_PART;
    const from = to - PAST_PART;
    if (bins.some((bin) => bin.to > from && bin.to <= to)) continue;
    const middle = minuteOf(to - PAST_PART / 2);
    return { kind: 'rows', range: { from: middle - 2 * MINUTE, to: middle }, limit: PAST_ROWS };
  }
  return null;
}

function blockedReading({ blocked, blockedBefore }: ZoneHealth, now: number): HealthReading | null {
  const range = { from: now - RECENT, to: now };
  if (blocked === null || now - blocked.to >= BLOCKED_EVERY)
    return { kind: 'blocked', range, isBefore: false };
  // Without blocks now, earlier ones mean nothing.
  if (!blocked.blocked) return null;
  if (blockedBefore !== null && now - blockedBefore.to < BLOCKED_BEFORE_EVERY) return null;
  return { kind: 'blocked', range: { from: now - HEALTH_MEMORY, to: now - RECENT }, isBefore: true };
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE) * MINUTE;
}
