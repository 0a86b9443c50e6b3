import type { ShieldDimension } from '../domain/shield/shield.ts';
import type { SimRow } from './rows.ts';
import { DIMENSIONS } from './shield-events.ts';
import type { SimZone } from './zones.ts';

/** A group of a search, as it is summed up. */
export type Group = {
  key: Record<string, string>;
  count: number;
  firstSeen: number;
  lastSeen: number;
  country: string;
  asn: string;
  blocked: number;
  challenged: number;
  logged: number;
  features: Set<string>;
  ruleIds: Set<string>;
};

/** Groups by their count, the one seen last first among equals. */
export function groupsOf(
  found: readonly SimRow[],
  zone: SimZone,
  groupBy: readonly ShieldDimension[],
): Group[] {
  const groups = new Map<string, Group>();
  for (const row of found) {
    const values = groupBy.map((name) => DIMENSIONS[name](row, zone));
    const id = values.join('\u0000');
    const group = groups.get(id) ?? newGroup(groupBy, values, row);
    groups.set(id, group);
    group.count += 1;
    group.firstSeen = Math.min(group.firstSeen, row.t);
    group.lastSeen = Math.max(group.lastSeen, row.t);
    if (row.action !== null) group[row.action] += 1;
    group.features.add(row.rule?.feature ?? '');
    group.ruleIds.add(row.rule?.ruleId ?? '');
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || b.lastSeen - a.lastSeen);
}

/** Country and ASN of the context are those of the group's newest event. */
function newGroup(groupBy: readonly ShieldDimension[], values: readonly string[], row: SimRow): Group {
  return {
    key: Object.fromEntries(groupBy.map((name, i) => [name, values[i] as string])),
    count: 0,
    firstSeen: row.t,
    lastSeen: row.t,
    country: row.client.country,
    asn: String(row.client.asn),
    blocked: 0,
    challenged: 0,
    logged: 0,
    features: new Set(),
    ruleIds: new Set(),
  };
}
