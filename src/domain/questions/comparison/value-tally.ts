import type { LogRecord } from '../../log.ts';
import type { CountedField, Counts as CountedRows } from '../../logs/counts.ts';
import { fieldReader } from '../../query/field-reader.ts';
import type { LogField } from '../../query/fields.ts';
import type { ValueCounts } from './comparison.ts';

type Counts = ReadonlyMap<string | null, number>;

/** `isCut`: there are more values than these; `distinct`: how many, null = not known; `isByCount`: these are those with most rows. */
type Listed = { counts: Counts; isCut: boolean; distinct: number | null; isByCount: boolean };

/** How often each value of each field came in the rows of one zone, be they added or counted elsewhere. */
type ValueTally = {
  add(record: LogRecord): void;
  addCounts(counts: Counted): void;
  of(field: string): Listed;
  /** Whether the largest values alone were told of a field. */
  isCut(field: string): boolean;
  /** Whether rows were counted elsewhere, but not by this field. */
  isLacking(field: string): boolean;
  readonly rows: number;
};

type Counted = Extract<CountedRows, { kind: 'values' }>;

/** `room`: values kept of one field. */
export function createValueTally(
  fields: readonly (readonly [id: string, field: LogField])[],
  room: number,
): ValueTally {
  const counts = new Map(fields.map(([id]) => [id, new Map<string | null, number>()]));
  const readers = fields.map(([id, field]) => [id, fieldReader(field, room)] as const);
  const cut = new Set<string>();
  const elsewhere: Counted[] = [];
  let rows = 0;
  return {
    add(record) {
      rows++;
      for (const [id, read] of readers) {
        const own = counts.get(id);
        if (own && !isCounted(own, read(record), room)) cut.add(id);
      }
    },
    addCounts: (more) => elsewhere.push(more),
    of(id) {
      const own = counts.get(id) ?? new Map<string | null, number>();
      const distinct = cut.has(id) ? null : own.size;
      const listed = { counts: own, isCut: cut.has(id), distinct, isByCount: false };
      return joined([
        ...(rows > 0 || elsewhere.length === 0 ? [listed] : []),
        ...elsewhere.map(({ fields: found }) => listedOf(found.get(id))),
      ]);
    },
    isLacking: (id) => elsewhere.some(({ fields: found }) => !found.has(id)),
    isCut: (id) => elsewhere.some(({ fields: found }) => listedOf(found.get(id)).isCut),
    get rows() {
      return elsewhere.reduce((sum, counted) => sum + counted.rows, rows);
    },
  };
}

function listedOf(field: CountedField | undefined): Listed {
  const { values = [], distinct = 0 } = field ?? {};
  const counts = new Map(values.map(({ value, count }) => [value, count]));
  return { counts, isCut: distinct > counts.size, distinct, isByCount: true };
}

/** Several lists of one field as one. What a cut list leaves out is not known of it: such a value is in no list of them all. */
function joined(lists: readonly Listed[]): Listed {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  const all = new Map<string | null, number>();
  for (const { counts } of lists) for (const [value, n] of counts) all.set(value, (all.get(value) ?? 0) + n);
  const cut = lists.filter(({ isCut }) => isCut);
  for (const value of all.keys()) if (!cut.every(({ counts }) => counts.has(value))) all.delete(value);
  return { counts: all, isCut: cut.length > 0, distinct: cut.length > 0 ? null : all.size, isByCount: false };
}

/** Whether there was room for the value. */
function isCounted(counts: Map<string | null, number>, raw: string | number | null, room: number): boolean {
  const value = raw === null || raw === '' ? null : String(raw);
  const known = counts.get(value);
  if (known === undefined && counts.size >= room) return false;
  counts.set(value, (known ?? 0) + 1);
  return true;
}

/** The counts of several zones as one; a row of each counts `weight`, and `total` is of all its rows, listed or not. */
export function weighed(
  parts: readonly (Listed & { total: number; weight: number })[],
): Omit<ValueCounts, 'length'> {
  const [only] = parts.length === 1 ? parts : [];
  const all = new Map<string | null, number>();
  for (const { counts, weight } of parts) {
    for (const [value, n] of counts) all.set(value, (all.get(value) ?? 0) + n * weight);
  }
  const values = [...all].map(([value, count]) => ({ value, count }));
  const unlisted = parts.reduce((sum, { counts, total, weight }) => {
    const listed = [...counts.values()].reduce((rows, n) => rows + n, 0);
    // Whole numbers are taken from each other: what is listed whole leaves nothing, not the error of a fraction.
    return sum + (total - listed) * weight;
  }, 0);
  return {
    values,
    total: values.reduce((sum, { count }) => sum + count, 0) + unlisted,
    distinct: only ? only.distinct : parts.some(({ isCut }) => isCut) ? null : values.length,
    isByCount: only?.isByCount ?? false,
  };
}
