import { canBeRead, type PullZone } from '../../domain/zone.ts';

/** What is counted and looked up of a list of zones. */
type Listed = { byId: ReadonlyMap<string, PullZone>; readable: number; logging: number; shielded: number };

/** A list of zones never changes in place, so that what 50,000 of them come to is found out once. */
const known = new WeakMap<readonly PullZone[], Listed>();

export function listedOf(items: readonly PullZone[]): Listed {
  const before = known.get(items);
  if (before) return before;
  const listed: Listed = {
    byId: new Map(items.map((zone) => [zone.id, zone])),
    readable: items.filter(canBeRead).length,
    logging: items.filter(({ logging }) => logging).length,
    shielded: items.filter(({ shieldZoneId }) => shieldZoneId).length,
  };
  known.set(items, listed);
  return listed;
}
