import { blockedPerMinute } from '../../domain/health/zone-health.ts';
import { narrowZones } from '../../domain/query/zone-search.ts';
import { canBeRead, type PullZone } from '../../domain/zone.ts';
import type { HealthState, KnownHealth, ZoneSort } from '../../state/health-model.ts';
import { memoised } from '../../state/memoised.ts';
import type { State } from '../../state/model.ts';

type Figure = (known: KnownHealth) => number | null;

/** The figure each order sorts by, the largest first; unknown comes last, and equals stay in the platform's order. */
const FIGURES: Record<Exclude<ZoneSort, 'name' | 'list'>, Figure> = {
  // A zone that does not stand out has no place by chance.
  worst: ({ score }) => (score === null || score.parts.length === 0 ? null : score.score),
  requests: ({ figures }) => figures?.requestsPerSecond ?? null,
  // The fewer hits, the more there is to look at.
  hit: ({ figures }) => negated(figures?.hitRatio),
  clientErrors: ({ figures }) => figures?.clientErrorRatio ?? null,
  errors: ({ figures }) => figures?.errorRatio ?? null,
  blocked: ({ health }) => blockedPerMinute(health.blocked),
  age: ({ figures }) => negated(figures?.to),
};

/** The zones as the picker lists them: while narrowed the best match first, else in its order. */
export function orderedZones({ zones, health }: Pick<State, 'zones' | 'health'>): readonly PullZone[] {
  if (zones.narrow !== '') return narrowZones(zones.items, zones.narrow);
  return sortedZones(zones.items, health);
}

function sortedZones(
  items: readonly PullZone[],
  { known, sort, reversed }: HealthState,
): readonly PullZone[] {
  if (sort === 'list') return reversed ? items.toReversed() : items;
  if (sort === 'name') {
    const sorted = items.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    return reversed ? sorted.reverse() : sorted;
  }
  const figure = FIGURES[sort];
  const figures = new Map<PullZone, number>();
  const { byId } = listedOf(items);
  for (const [id, of] of known) {
    const zone = byId.get(id);
    const value = figure(of);
    if (zone && value !== null) figures.set(zone, reversed ? -value : value);
  }
  const first: PullZone[] = [];
  const others: PullZone[] = [];
  // These are never read, so they stand last from the beginning and nothing jumps over them.
  const last: PullZone[] = [];
  for (const zone of items) (figures.has(zone) ? first : canBeRead(zone) ? others : last).push(zone);
  first.sort((a, b) => (figures.get(b) ?? 0) - (figures.get(a) ?? 0));
  return [...first, ...others, ...last];
}

function negated(n: number | null | undefined): number | null {
  return n === null || n === undefined ? null : -n;
}

/** What is counted and looked up of a list of zones. */
type Listed = { byId: ReadonlyMap<string, PullZone>; readable: number; logging: number; shielded: number };

/** A list of zones never changes in place, so what 50,000 of them come to is computed once. */
export const listedOf = memoised(
  (items: readonly PullZone[]): Listed => ({
    byId: new Map(items.map((zone) => [zone.id, zone])),
    readable: items.filter(canBeRead).length,
    logging: items.filter(({ logging }) => logging).length,
    shielded: items.filter(({ shieldZoneId }) => shieldZoneId).length,
  }),
);

/**
 * Of the zones that have a log, how many have the figures they are sorted by; zones not listed yet may have a log,
 * too.
 */
export function figuresRead({ zones, health }: Pick<State, 'zones' | 'health'>): {
  read: number;
  of: number;
} {
  const { items, total } = zones;
  const unlisted = Math.max(0, (total ?? items.length) - items.length);
  return { read: withFigures(health.known, { items }), of: listedOf(items).readable + unlisted };
}

const withFigures = memoised(
  (known: HealthState['known'], { items }: { items: readonly PullZone[] }): number => {
    const { byId } = listedOf(items);
    let read = 0;
    for (const [id, { figures }] of known) {
      const zone = figures === null ? undefined : byId.get(id);
      if (zone && canBeRead(zone)) read += 1;
    }
    return read;
  },
);
