import type { LogRecord } from '../../log.ts';
import { fieldReader } from '../../query/field-reader.ts';
import type { LogField } from '../../query/fields.ts';
import type { ValueCounts } from './comparison.ts';

type Counts = ReadonlyMap<string | null, number>;

/** How often each value of each field came in the rows of one zone. `isCut`: there were more values than there is room for. */
export type ValueTally = {
  add(record: LogRecord): void;
  of(field: string): { counts: Counts; isCut: boolean };
  readonly rows: number;
};

/** `room`: values kept of one field. */
export function createValueTally(
  fields: readonly (readonly [id: string, field: LogField])[],
  room: number,
): ValueTally {
  const counts = new Map(fields.map(([id]) => [id, new Map<string | null, number>()]));
  const readers = fields.map(([id, field]) => [id, fieldReader(field, room)] as const);
  const cut = new Set<string>();
  let rows = 0;
  return {
    add(record) {
      rows++;
      for (const [id, read] of readers) {
        const own = counts.get(id);
        if (own && !isCounted(own, read(record), room)) cut.add(id);
      }
    },
    of: (id) => ({ counts: counts.get(id) ?? new Map(), isCut: cut.has(id) }),
    get rows() {
      return rows;
    },
  };
}

/** Whether there was room for the value. */
function isCounted(counts: Map<string | null, number>, raw: string | number | null, room: number): boolean {
  const value = raw === null ? null : String(raw);
  const known = counts.get(value);
  if (known === undefined && counts.size >= room) return false;
  counts.set(value, (known ?? 0) + 1);
  return true;
}

/** The counts of several zones as one; a row of each counts `weight`, and `total` is of all its rows, listed or not. */
export function weighed(
  parts: readonly { counts: Counts; isCut: boolean; total: number; weight: number }[],
): Pick<ValueCounts, 'values' | 'total' | 'distinct'> {
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
    distinct: parts.some(({ isCut }) => isCut) ? null : values.length,
  };
}
