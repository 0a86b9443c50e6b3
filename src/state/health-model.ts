import type { HealthReading } from '../domain/health/health-plan.ts';
import type { HealthScore } from '../domain/health/health-score.ts';
import type { HealthFigures, ZoneHealth } from '../domain/health/zone-health.ts';
import type { PullZone } from '../domain/zone.ts';

/** What the picker sorts by; `list`: the platform's own order. */
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

/** What is known of a zone, and its figures; null: no rows were read. */
export type KnownHealth = { health: ZoneHealth; figures: HealthFigures | null; score: HealthScore | null };

/**
 * A request under way about a zone's health; `turn` tells two of one zone apart. `isSecond`: the zone is off the
 * screen, and this request ends its turn in the round.
 */
export type HealthAsk = { zone: PullZone; reading: HealthReading; turn: number; isSecond: boolean };

export type HealthState = {
  known: ReadonlyMap<string, KnownHealth>;
  asking: readonly HealthAsk[];
  /** The number of the newest request. */
  turn: number;
  /** Zones off the screen that are asked about once more before the round goes on. */
  more: readonly string[];
  /** The place in the list of the round over zones off the screen. */
  next: number;
  isStopped: boolean;
  /** When the list was last sorted, Unix ms. */
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
