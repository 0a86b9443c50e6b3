import { shieldFieldOf } from '../query/fields.ts';
import { shieldMatcher } from '../query/match.ts';
import type { Term } from '../query/query.ts';
import type { ShieldContext, ShieldGroup } from './shield.ts';

/**
 * Groups as shown: `parts` as read, summed over what is not shown, less what is excluded here. Parts that were not
 * understood stand raw below the others and count nothing.
 */
export type ShieldTable = {
  parts: readonly ShieldGroup[];
  groups: readonly ShieldGroup[];
  /** The last of `groups` is from an older answer: it stays because the cursor is on it. */
  hasApart: boolean;
  /** Parts of another shape. */
  bad: number;
  /** Events in the parts read, and those of them that an exclusion hides. */
  events: number;
  hidden: number;
  /** The largest count, for the bars. */
  most: number;
};

const ORDERS = {
  count: (a, b) => b.count - a.count,
  blocked: (a, b) => (b.context.blocked ?? 0) - (a.context.blocked ?? 0),
  challenged: (a, b) => (b.context.challenged ?? 0) - (a.context.challenged ?? 0),
  logged: (a, b) => (b.context.logged ?? 0) - (a.context.logged ?? 0),
  last: (a, b) => (b.lastSeen ?? 0) - (a.lastSeen ?? 0),
  first: (a, b) => (a.firstSeen ?? 0) - (b.firstSeen ?? 0),
} as const satisfies Record<string, (a: ShieldGroup, b: ShieldGroup) => number>;

export type ShieldSort = keyof typeof ORDERS | 'key';

/** In the order in which a key goes through them. */
export const SHIELD_SORTS = [...Object.keys(ORDERS), 'key'] as readonly ShieldSort[];

/** Parts kept of one question: at about 1 kB a part this is some 20 MB. */
export const MOST_PARTS = 20_000;

export const NO_TABLE: ShieldTable = {
  parts: [],
  groups: [],
  hasApart: false,
  bad: 0,
  events: 0,
  hidden: 0,
  most: 0,
};

type TableShape = {
  dims: readonly string[];
  local: readonly Term[];
  sort: ShieldSort;
  reversed: boolean;
};

/** The table of these parts. Sums of finer parts are exact as soon as all parts are read. */
export function tableOf(parts: readonly ShieldGroup[], shape: TableShape): ShieldTable {
  const matches = shape.local.length === 0 ? null : shieldMatcher(shape.local);
  const byKey = new Map<string, ShieldGroup>();
  let events = 0;
  let hidden = 0;
  const raw: ShieldGroup[] = [];
  for (const part of parts) {
    if (part.raw !== null) {
      raw.push(part);
      continue;
    }
    events += part.count;
    if (matches && !matches(part.key)) {
      hidden += part.count;
      continue;
    }
    const shown = withKey(part, shape.dims);
    const id = groupId(shown, shape.dims);
    const known = byKey.get(id);
    byKey.set(id, known ? merged(known, part) : shown);
  }
  const groups = sortedGroups([...byKey.values()], shape);
  const most = groups.reduce((max, { count }) => Math.max(max, count), 0);
  return { parts, groups: [...groups, ...raw], hasApart: false, bad: raw.length, events, hidden, most };
}

/** The table in another order; what was not understood stays below, and what is kept for the cursor last. */
export function resortedTable(table: ShieldTable, shape: Omit<TableShape, 'local'>): ShieldTable {
  const end = table.groups.length - (table.hasApart ? 1 : 0);
  const sorted = sortedGroups(table.groups.slice(0, end - table.bad), shape);
  return { ...table, groups: [...sorted, ...table.groups.slice(end - table.bad)] };
}

/** The table with a group missing from the newest answer as its last line. */
export function withApart(table: ShieldTable, group: ShieldGroup): ShieldTable {
  return { ...table, groups: [...table.groups, group], hasApart: true };
}

/** More parts; a known one (pages shift while events come) replaces the older. */
export function withParts(
  before: readonly ShieldGroup[],
  more: readonly ShieldGroup[],
  asked: readonly string[],
): ShieldGroup[] {
  const parts = createParts(asked);
  parts.add(before);
  parts.add(more);
  return parts.all().slice(0, MOST_PARTS);
}

/** The same without bound, page by page, for a reader that holds no view of them. */
export function createParts(asked: readonly string[]) {
  const byKey = new Map<string, ShieldGroup>();
  return {
    add(more: readonly ShieldGroup[]): void {
      // A part that was not understood has no key and stands for itself.
      for (const part of more) {
        byKey.set(part.raw === null ? groupId(part, asked) : `${part.raw}\u0000${byKey.size}`, part);
      }
    },
    all: () => [...byKey.values()],
  };
}

/** Tells a group from all others by these dimensions. */
export function groupId(group: ShieldGroup, dims: readonly string[]): string {
  return group.raw ?? dims.map((dimension) => group.key[dimension] ?? '').join('\u0000');
}

function sortedGroups(
  groups: readonly ShieldGroup[],
  { dims, sort, reversed }: Pick<TableShape, 'dims' | 'sort' | 'reversed'>,
): ShieldGroup[] {
  // Many groups share a count: their keys, which then decide, are joined once and not at each comparison.
  const sorted = groups
    .map((group) => ({ group, id: groupId(group, dims) }))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .map(({ group }) => group);
  if (sort !== 'key') sorted.sort((a, b) => ORDERS[sort](a, b) || b.count - a.count);
  return reversed ? sorted.reverse() : sorted;
}

function withKey(part: ShieldGroup, dims: readonly string[]): ShieldGroup {
  if (dims.length === Object.keys(part.key).length && dims.every((dimension) => dimension in part.key))
    return part;
  const partOf = (dimension: string) => {
    const field = shieldFieldOf(dimension);
    return field?.derive ? field.get(part.key) : (part.key[dimension] ?? null);
  };
  return { ...part, key: Object.fromEntries(dims.map((dimension) => [dimension, partOf(dimension)])) };
}

function merged(a: ShieldGroup, b: ShieldGroup): ShieldGroup {
  return {
    key: a.key,
    count: a.count + b.count,
    firstSeen: joined(a.firstSeen, b.firstSeen, Math.min),
    lastSeen: joined(a.lastSeen, b.lastSeen, Math.max),
    context: mergedContext(a.context, b.context),
    ...mergedSparks(a, b),
    raw: null,
  };
}

/** Parts with equally many steps are summed step by step. */
function mergedSparks(
  { sparkline: a }: ShieldGroup,
  { sparkline: b }: ShieldGroup,
): Pick<ShieldGroup, 'sparkline'> {
  if (a === undefined || b === undefined || a.length !== b.length) return {};
  return { sparkline: a.map((each, at) => each + (b[at] ?? 0)) };
}

function mergedContext(a: ShieldContext, b: ShieldContext): ShieldContext {
  return {
    country: a.country === b.country ? a.country : null,
    asn: a.asn === b.asn ? a.asn : null,
    blocked: joined(a.blocked, b.blocked, sum),
    challenged: joined(a.challenged, b.challenged, sum),
    logged: joined(a.logged, b.logged, sum),
    features: [...new Set([...a.features, ...b.features])],
    ruleIds: [...new Set([...a.ruleIds, ...b.ruleIds])],
  };
}

const sum = (a: number, b: number) => a + b;

/** Two figures joined; an unknown one leaves the other. */
function joined(a: number | null, b: number | null, join: (a: number, b: number) => number): number | null {
  return a === null || b === null ? (a ?? b) : join(a, b);
}

/** Null: not known to be the same for all events of the group. */
type GroupNetwork = { country: string | null; asn: string | null };

/**
 * The country and AS of all events of a group. Its context has those of one event: they hold for all where the group
 * is of one event or one address, and are a sample where it is of a rule, a fingerprint or a path.
 */
export function networkOf({ context, count, key }: ShieldGroup): GroupNetwork {
  const isOneClient = count === 1 || Boolean(key['ip']);
  return {
    country: key['country'] ?? (isOneClient ? context.country : null),
    asn: key['asn'] ?? (isOneClient ? context.asn : null),
  };
}
