import { shieldMatcher } from './match.ts';
import type { Term } from './query.ts';
import type { ShieldContext, ShieldGroup } from './shield.ts';

/** Groups as shown: `parts` as they were read, summed over what is not shown and less what is excluded here. */
export type ShieldTable = {
  parts: readonly ShieldGroup[];
  groups: readonly ShieldGroup[];
  /** Events in the parts read, and those of them that an exclusion hides. */
  events: number;
  hidden: number;
  /** The largest count, for the bars. */
  most: number;
};

export type ShieldSort = 'count' | 'blocked' | 'challenged' | 'logged' | 'first' | 'last' | 'key';

export const SHIELD_SORTS: readonly ShieldSort[] = [
  'count',
  'blocked',
  'challenged',
  'logged',
  'last',
  'first',
  'key',
];

export const NO_TABLE: ShieldTable = { parts: [], groups: [], events: 0, hidden: 0, most: 0 };

export type TableShape = {
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
  for (const part of parts) {
    events += part.count;
    if (matches && !matches(part.key)) {
      hidden += part.count;
      continue;
    }
    const id = groupId(part, shape.dims);
    const known = byKey.get(id);
    byKey.set(id, known ? merged(known, part) : withKey(part, shape.dims));
  }
  const groups = sortedGroups([...byKey.values()], shape);
  return { parts, groups, events, hidden, most: groups.reduce((max, { count }) => Math.max(max, count), 0) };
}

/** More parts; one that is known already (pages shift while events come) takes the place of the older. */
export function withParts(
  before: readonly ShieldGroup[],
  more: readonly ShieldGroup[],
  asked: readonly string[],
): ShieldGroup[] {
  const byKey = new Map(before.map((part) => [groupId(part, asked), part]));
  for (const part of more) byKey.set(groupId(part, asked), part);
  return [...byKey.values()];
}

/** Tells a group from all others by these dimensions. */
export function groupId(group: ShieldGroup, dims: readonly string[]): string {
  return dims.map((dimension) => group.key[dimension] ?? '').join('\u0000');
}

export function sortedGroups(
  groups: readonly ShieldGroup[],
  { dims, sort, reversed }: Pick<TableShape, 'dims' | 'sort' | 'reversed'>,
): ShieldGroup[] {
  const order: Record<ShieldSort, (a: ShieldGroup, b: ShieldGroup) => number> = {
    count: (a, b) => b.count - a.count,
    blocked: (a, b) => (b.context.blocked ?? 0) - (a.context.blocked ?? 0),
    challenged: (a, b) => (b.context.challenged ?? 0) - (a.context.challenged ?? 0),
    logged: (a, b) => (b.context.logged ?? 0) - (a.context.logged ?? 0),
    first: (a, b) => (a.firstSeen ?? 0) - (b.firstSeen ?? 0),
    last: (a, b) => (b.lastSeen ?? 0) - (a.lastSeen ?? 0),
    key: (a, b) => compareText(groupId(a, dims), groupId(b, dims)),
  };
  const sorted = groups.toSorted(
    (a, b) => order[sort](a, b) || b.count - a.count || compareText(groupId(a, dims), groupId(b, dims)),
  );
  return reversed ? sorted.reverse() : sorted;
}

function withKey(part: ShieldGroup, dims: readonly string[]): ShieldGroup {
  if (dims.length === Object.keys(part.key).length) return part;
  return {
    ...part,
    key: Object.fromEntries(dims.map((dimension) => [dimension, part.key[dimension] ?? null])),
  };
}

function merged(a: ShieldGroup, b: ShieldGroup): ShieldGroup {
  return {
    key: a.key,
    count: a.count + b.count,
    firstSeen: least(a.firstSeen, b.firstSeen),
    lastSeen: most(a.lastSeen, b.lastSeen),
    context: mergedContext(a.context, b.context),
    contextRaw: a.contextRaw,
  };
}

function mergedContext(a: ShieldContext, b: ShieldContext): ShieldContext {
  return {
    country: a.country === b.country ? a.country : null,
    asn: a.asn === b.asn ? a.asn : null,
    blocked: sum(a.blocked, b.blocked),
    challenged: sum(a.challenged, b.challenged),
    logged: sum(a.logged, b.logged),
    features: [...new Set([...a.features, ...b.features])],
    ruleIds: [...new Set([...a.ruleIds, ...b.ruleIds])],
  };
}

function sum(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}

function least(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function most(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
