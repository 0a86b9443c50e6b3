import type { CauseOf } from '../../origin-cause.ts';
import { type LogField, logField } from '../../query/fields.ts';
import { COUNTED, type LogColumns, type RowChoice } from '../columns/log-columns.ts';
import { type GroupSums, Tally } from '../sums/group-sums.ts';
import type { TrafficMeter } from '../sums/traffic-meter.ts';
import type { Parts } from './book-work.ts';
import { groupIndexOf } from './group-index.ts';
import { dimensionsOf, type LogDimension } from './log-dimensions.ts';

export type LogGroup = GroupSums & {
  /** Value by field id; null where the record has none. */
  key: Readonly<Record<string, string | null>>;
};

/** `total`: distinct groups; `rows`: those in all of them. */
export type BookGroups = { groups: readonly LogGroup[]; total: number; rows: number };

/** Groups compared in one part of the work. */
const COMPARED_AT_ONCE = 1 << 14;
/** The cost of that a group, and of finding out whether a URL is known: see `Part`. */
const COMPARED_COST = 5;
const MERGED_COST = 250;

/**
 * Groups rows by these fields: the `limit` largest groups, and how many there are. Ties are ordered by bytes, then by
 * the earlier first row. `chunks`: only so many of the newest chunks are read. `since`: only rows from this time on
 * count. `causeOf`: the known origin errors. Throws a RangeError for an unknown field id. Rows added between the
 * parts are not counted; none may be removed.
 */
export function* groupParts(
  columns: LogColumns,
  meter: TrafficMeter,
  fields: readonly string[],
  limit: number,
  choice: RowChoice,
  causeOf: CauseOf,
  { chunks = columns.states.length, since = null }: { chunks?: number; since?: number | null } = {},
): Parts<BookGroups> {
  const parts = fields.map((field) => dimensionsOf(columns, fieldCalled(field), causeOf));
  const index = groupIndexOf(parts.flat(), columns.states);
  const tally = new Tally(columns, meter);
  const last = columns.states.length - 1;
  const first = Math.max(0, last + 1 - chunks);
  const own = since === null ? choice : { mask: choice.mask | COUNTED, bits: choice.bits | COUNTED };
  for (let done = 0; done <= last - first; done++) {
    // The last one first: the others are full, and stay as they are.
    const chunk = done === 0 ? last : first + done - 1;
    if (since !== null) columns.markSince(chunk, since, COUNTED);
    index.number(chunk, own, tally.groups);
    tally.add(chunk, own, index.limit());
    yield { cost: columns.rowsUsed(chunk) * index.cost, share: (done + 1) / (last - first + 1) };
  }
  const keyOf = (group: number) => keyFrom(fields, parts, index.codes(group));
  if (fields.some((field) => fieldCalled(field).column === 'url') && columns.coded.url.dictionary.size > 0) {
    yield* mergeEqual(tally, keyOf);
  }
  const { chosen, total, rows } = yield* largest(tally, limit);
  const groups = chosen.map((group) => ({ key: keyOf(group), ...tally.of(group) }));
  return { total, groups, rows };
}

/** Throws a RangeError for an unknown field id. */
export function fieldCalled(id: string): LogField {
  const field = logField(id);
  if (field === null) throw new RangeError(`CDN logs have no field ${id}`);
  return field;
}

/** The values behind the codes of a group, by field id. */
export function keyFrom(
  fields: readonly string[],
  parts: readonly (readonly LogDimension[])[],
  codes: readonly number[],
): Record<string, string | null> {
  let next = 0;
  return Object.fromEntries(
    fields.map((field, i) => {
      const values = (parts[i] as readonly LogDimension[]).map((part) => part.value(codes[next++] as number));
      return [field, values.length === 1 ? (values[0] ?? null) : urlFrom(values)];
    }),
  );
}

function urlFrom([stored, scheme, host, path]: readonly (string | null)[]): string {
  return stored ?? `${scheme ?? ''}://${host ?? ''}${path ?? ''}`;
}

/** A URL stored whole and one stored in parts may be the same text. */
function* mergeEqual(
  tally: Tally,
  keyOf: (group: number) => Readonly<Record<string, string | null>>,
): Parts<void> {
  const groups = new Map<string, number>();
  for (let group = 0; group < tally.size; group++) {
    if (group % COMPARED_AT_ONCE === 0)
      yield { cost: Math.min(COMPARED_AT_ONCE, tally.size - group) * MERGED_COST, share: 1 };
    if (tally.count(group) === 0) continue;
    const key = JSON.stringify(keyOf(group));
    const known = groups.get(key);
    if (known === undefined) groups.set(key, group);
    else tally.merge(known, group);
  }
}

/** The numbers of the largest groups in order, the number of groups with rows, and the number of all their rows. */
function* largest(
  tally: Tally,
  limit: number,
): Parts<Pick<BookGroups, 'total' | 'rows'> & { chosen: number[] }> {
  const most = Math.max(0, Math.floor(limit));
  const order = (...pair: [number, number]): number => {
    const [a, b] = [tally.of(pair[0]), tally.of(pair[1])];
    return b.count - a.count || b.bytes - a.bytes || a.firstSeen - b.firstSeen;
  };
  let chosen: number[] = [];
  let worst: number | undefined;
  let [total, rows] = [0, 0];
  for (let group = 0; group < tally.size; group++) {
    if (group % COMPARED_AT_ONCE === 0)
      yield { cost: Math.min(COMPARED_AT_ONCE, tally.size - group) * COMPARED_COST, share: 1 };
    const count = tally.count(group);
    if (count === 0) continue;
    total++;
    rows += count;
    if (worst !== undefined && order(group, worst) >= 0) continue;
    chosen.push(group);
    // Sorted only at twice as many as asked for, so that each group costs a share of a sort.
    if (chosen.length >= 2 * most + 64) {
      chosen = chosen.sort(order).slice(0, most);
      worst = chosen[most - 1];
    }
  }
  return { chosen: chosen.sort(order).slice(0, most), total, rows };
}

/** What a list of groups is sorted by. */
export type GroupSort = 'count' | 'bytes' | 'errors' | 'misses' | 'last' | 'key';

/** Counts of two sources over different rows as one: the `limit` largest groups, in the order of `groupParts`. */
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
