import type { HealthReading } from '../domain/health/health-plan.ts';
import type { HealthScore } from '../domain/health/health-score.ts';
import type { HealthFigures, ZoneHealth } from '../domain/health/zone-health.ts';
import type { PullZone } from '../domain/zone.ts';

/** What the picker is sorted by; `list`: as the platform lists its zones. */
export const ZONE_SORTS = [
  'worst',
  'requests',
  'hit',
  'clientErrors',
  'errors',
  'blocked',
  'age',
  'name',
  'list',
] as const;

export type ZoneSort = (typeof ZONE_SORTS)[number];

/** What is known of one zone, and what it comes to; null: no rows were read. */
export type KnownHealth = { health: ZoneHealth; figures: HealthFigures | null; score: HealthScore | null };

/**
 * A request about a zone that is under way; `turn` tells two of the same zone apart. `isSecond`: the zone is not on screen, and
 * its turn in the round is over with this one.
 */
export type HealthAsk = { zone: PullZone; reading: HealthReading; turn: number; isSecond: boolean };

export type HealthState = {
  known: ReadonlyMap<string, KnownHealth>;
  asking: readonly HealthAsk[];
  /** The number of the newest request. */
  turn: number;
  /** Zones that are not on screen and are asked about once more before the round goes on. */
  more: readonly string[];
  /** Where in the list the round over the zones that are not on screen stands. */
  next: number;
  isStopped: boolean;
  /** When the list was put in order last, Unix ms. */
  orderedAt: number;
  sort: ZoneSort;
  reversed: boolean;
  /** How far our clock is ahead of the server's, ms. */
  clockAhead: number;
};

export const NO_HEALTH_STATE: HealthState = {
  known: new Map(),
  asking: [],
  turn: 0,
  more: [],
  next: 0,
  isStopped: false,
  orderedAt: 0,
  sort: 'worst',
  reversed: false,
  clockAhead: 0,
};
