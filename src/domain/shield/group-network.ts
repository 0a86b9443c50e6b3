import type { ShieldGroup } from './shield.ts';

/** Null: not known to be the same for all events of the group. */
export type GroupNetwork = { country: string | null; asn: string | null };

/**
 * The country and the AS of all events of a group. Its context has those of one event, which are those of all where the
 * group is of one event or one address, and a sample where it is of a rule, a fingerprint or a path.
 */
export function networkOf({ context, count, key }: ShieldGroup): GroupNetwork {
  const isOneClient = count === 1 || Boolean(key['ip']);
  return {
    country: key['country'] ?? (isOneClient ? context.country : null),
    asn: key['asn'] ?? (isOneClient ? context.asn : null),
  };
}
