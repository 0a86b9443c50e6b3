import type { BookGroups, LogGroup } from './log-group.ts';

/** What two sources counted of different rows as one: the `limit` largest groups, in the order of `groupParts`. */
export function joinedGroups(
  some: BookGroups,
  others: BookGroups,
  by: readonly string[],
  limit: number,
): BookGroups {
  // A store has no text where the program has none or an empty one.
  const keyOf = ({ key }: LogGroup) => JSON.stringify(by.map((field) => key[field] || null));
  const joined = new Map(some.groups.map((group) => [keyOf(group), group]));
  for (const group of others.groups) {
    const known = joined.get(keyOf(group));
    joined.set(keyOf(group), known === undefined ? group : sumOf(known, group));
  }
  const groups = [...joined.values()].sort(
    (a, b) => b.count - a.count || b.bytes - a.bytes || a.firstSeen - b.firstSeen,
  );
  return { groups: groups.slice(0, limit), total: groups.length, rows: some.rows + others.rows };
}

function sumOf(a: LogGroup, b: LogGroup): LogGroup {
  return {
    key: a.key,
    count: a.count + b.count,
    bytes: a.bytes + b.bytes,
    firstSeen: Math.min(a.firstSeen, b.firstSeen),
    lastSeen: Math.max(a.lastSeen, b.lastSeen),
    hits: a.hits + b.hits,
    misses: a.misses + b.misses,
    errors: a.errors + b.errors,
  };
}
