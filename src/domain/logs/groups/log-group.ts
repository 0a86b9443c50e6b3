import type { CauseOf } from '../../origin-cause.ts';
import { type LogField, logField } from '../../query/fields.ts';
import { COUNTED, type LogColumns, type RowChoice } from '../columns/log-columns.ts';
import { BYTES, ERRORS, FIRST, HITS, LAST, MISSES, Tally, WIDTH } from '../sums/group-sums.ts';
import type { TrafficMeter } from '../sums/traffic-meter.ts';
import type { Parts } from './book-work.ts';
import { groupIndexOf } from './group-index.ts';
import { dimensionsOf, type LogDimension } from './log-dimensions.ts';

export type LogGroup = {
  /** Value by field id; null where the record has none. */
  key: Readonly<Record<string, string | null>>;
  count: number;
  bytes: number;
  /** Event times. */
  firstSeen: number;
  lastSeen: number;
  /** Requests served by the edge, and by the origin; a redirect or a block counts for neither. */
  hits: number;
  misses: number;
  /** Requests answered with 5xx. */
  errors: number;
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
  const { sums } = tally;
  const { chosen, total, rows } = yield* largest(sums, limit);
  const groups = chosen.map((group) => groupFrom(sums, group, keyOf(group)));
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
  const { sums } = tally;
  for (let group = 0; group * WIDTH < sums.length; group++) {
    if (group % COMPARED_AT_ONCE === 0) yield { cost: COMPARED_AT_ONCE * MERGED_COST, share: 1 };
    if (sums[group * WIDTH] === 0) continue;
    const key = JSON.stringify(keyOf(group));
    const known = groups.get(key);
    if (known === undefined) groups.set(key, group);
    else tally.merge(known, group);
  }
}

/** The numbers of the largest groups in order, the number of groups with rows, and the number of all their rows. */
function* largest(
  sums: Float64Array,
  limit: number,
): Parts<Pick<BookGroups, 'total' | 'rows'> & { chosen: number[] }> {
  const most = Math.max(0, Math.floor(limit));
  const order = (a: number, b: number): number =>
    (sums[b * WIDTH] as number) - (sums[a * WIDTH] as number) ||
    (sums[b * WIDTH + BYTES] as number) - (sums[a * WIDTH + BYTES] as number) ||
    (sums[a * WIDTH + FIRST] as number) - (sums[b * WIDTH + FIRST] as number);
  let chosen: number[] = [];
  let worst: number | undefined;
  let [total, rows] = [0, 0];
  for (let group = 0; group * WIDTH < sums.length; group++) {
    if (group % COMPARED_AT_ONCE === 0) yield { cost: COMPARED_AT_ONCE * COMPARED_COST, share: 1 };
    if (sums[group * WIDTH] === 0) continue;
    total++;
    rows += sums[group * WIDTH] as number;
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

function groupFrom(sums: Float64Array, group: number, key: LogGroup['key']): LogGroup {
  const at = group * WIDTH;
  return {
    key,
    count: sums[at] as number,
    bytes: sums[at + BYTES] as number,
    firstSeen: sums[at + FIRST] as number,
    lastSeen: sums[at + LAST] as number,
    hits: sums[at + HITS] as number,
    misses: sums[at + MISSES] as number,
    errors: sums[at + ERRORS] as number,
  };
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
