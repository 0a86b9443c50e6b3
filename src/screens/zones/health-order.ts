import { blockedPerMinute } from '../../domain/health/zone-health.ts';
import { narrowZones } from '../../domain/query/zone-search.ts';
import { canBeRead, type PullZone } from '../../domain/zone.ts';
import type { HealthState, KnownHealth, ZoneSort } from '../../state/health-model.ts';
import { memoised } from '../../state/memoised.ts';
import type { State } from '../../state/model.ts';

type Figure = (known: KnownHealth) => number | null;

/** What each order goes by, the largest first; what is not known comes last, and equals stay as the platform lists them. */
const FIGURES: Record<Exclude<ZoneSort, 'name' | 'list'>, Figure> = {
  // What does not stand out has no place by chance.
  worst: ({ score }) => (score === null || score.parts.length === 0 ? null : score.score),
  requests: ({ figures }) => figures?.requestsPerSecond ?? null,
  // Where few come from the cache there is more to look at.
  hit: ({ figures }) => negated(figures?.hitRatio),
  clientErrors: ({ figures }) => figures?.clientErrorRatio ?? null,
  errors: ({ figures }) => figures?.errorRatio ?? null,
  blocked: ({ health }) => blockedPerMinute(health.blocked),
  age: ({ figures }) => negated(figures?.to),
};

/** The zones as the picker lists them: narrowed best match first, else in its order. */
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
  // Nothing of these is read later: they stand last from the beginning, and nothing jumps over them.
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

/** A list of zones never changes in place, so that what 50,000 of them come to is found out once. */
export const listedOf = memoised(
  (items: readonly PullZone[]): Listed => ({
    byId: new Map(items.map((zone) => [zone.id, zone])),
    readable: items.filter(canBeRead).length,
    logging: items.filter(({ logging }) => logging).length,
    shielded: items.filter(({ shieldZoneId }) => shieldZoneId).length,
  }),
);

/** Of how many of the zones that have a log there are figures, which an order by them is of; zones not listed yet may have one. */
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
