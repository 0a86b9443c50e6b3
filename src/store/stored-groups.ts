import type { LogGroup } from '../domain/logs/groups/log-group.ts';
import type { Answer } from './engines/engine.ts';

type Row = Answer['rows'][number];

/** The answer to `groupsOf` by these fields. `total` and `rows` are those of all groups, handed over or not. */
export function groupsRead(
  by: readonly string[],
  rows: readonly Row[],
): { groups: LogGroup[]; total: number; rows: number } {
  // By no field the rows that were not found are one group, too.
  const [first, ...more] = rows.filter((row) => Number(row[by.length]) > 0);
  if (first === undefined) return { groups: [], total: 0, rows: 0 };
  const [, , , , , , , total = 0, all = 0] = sumsOf(by, first);
  return { groups: [first, ...more].map((row) => groupOf(by, row)), total, rows: all };
}

function groupOf(by: readonly string[], row: Row): LogGroup {
  const [count = 0, bytes = 0, firstSeen = 0, lastSeen = 0, hits = 0, misses = 0, errors = 0] = sumsOf(
    by,
    row,
  );
  const key = Object.fromEntries(by.map((id, at) => [id, row[at] === '' ? null : String(row[at])]));
  return { key, count, bytes, firstSeen, lastSeen, hits, misses, errors };
}

function sumsOf(by: readonly string[], row: Row): number[] {
  return row.slice(by.length).map(Number);
}
