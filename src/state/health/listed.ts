import { canBeRead, type PullZone } from '../../domain/zone.ts';
import { kept } from '../kept.ts';

/** What is counted and looked up of a list of zones. */
type Listed = { byId: ReadonlyMap<string, PullZone>; readable: number; logging: number; shielded: number };

/** A list of zones never changes in place, so that what 50,000 of them come to is found out once. */
export const listedOf = kept(
  (items: readonly PullZone[]): Listed => ({
    byId: new Map(items.map((zone) => [zone.id, zone])),
    readable: items.filter(canBeRead).length,
    logging: items.filter(({ logging }) => logging).length,
    shielded: items.filter(({ shieldZoneId }) => shieldZoneId).length,
  }),
);
