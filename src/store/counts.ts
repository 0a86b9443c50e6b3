import type { CountedField, Counting, OneCounting, OneCounts } from '../domain/logs/counts.ts';
import type { LogGroup } from '../domain/logs/groups/log-group.ts';
import { type CacheSums, noCacheSums } from '../domain/logs/sums/traffic.ts';
import type { EngineAnswer } from './engines/engine.ts';
import { parametersOf, queriesOf } from './sql/query-strings.ts';
import { type Asking, groupsOf } from './sql/questions.ts';
import type { Sql } from './sql/sql.ts';
import { placeOfMark, storedOf, TALLY_SUM_NAMES, timeSums, topValuesSql } from './sql/tallies.ts';

type Row = EngineAnswer['rows'][number];

/** What an engine is asked to count rows, and what its answer comes to; null: it cannot count them exactly. */
export function countingOf(
  where: Sql,
  asking: Asking,
  of: OneCounting,
): { question: Sql; read: (rows: readonly Row[]) => OneCounts } | null {
  switch (of.kind) {
    case 'values': {
      const stored = of.mayLack ? { ...of, fields: storedOf(of.fields, asking) } : of;
      if (stored.fields.length === 0) return null;
      return asked(topValuesSql(where, asking, stored), (rows) => valuesRead(rows, stored));
    }
    case 'times':
      return asked(timeSums(where, asking, of.times), (rows) => ({
        kind: 'times',
        times: rows.map(([at, n, ...sums]) => ({ at: Number(at), sums: sumsOf(Number(n), sums) })),
      }));
    case 'groups':
      return asked(groupsOf(where, asking, of.by, of.most), (rows) => ({
        kind: 'groups',
        ...groupsRead(of.by, rows),
      }));
    case 'queryStrings':
      return asked(queriesOf(where, asking, of.most), (rows) => ({
        kind: 'queryStrings',
        pages: rows.map(([page, n, d]) => ({ page: String(page), requests: Number(n), distinct: Number(d) })),
        total: Number(rows[0]?.[3] ?? 0),
        // Of a list that was cut a page that is not in it has no more than the last one.
        unlisted: Number(rows[0]?.[3] ?? 0) > rows.length ? Number(rows.at(-1)?.[2] ?? 0) : 0,
      }));
    case 'parameters':
      return asked(parametersOf(where, asking, of.pages), (rows) => ({
        kind: 'parameters',
        parameters: rows.map(([page, name, d]) => ({
          page: String(page),
          name: String(name),
          distinct: Number(d),
        })),
      }));
  }
}

function asked<R>(question: Sql | null, read: R): { question: Sql; read: R } | null {
  return question === null ? null : { question, read };
}

function valuesRead(
  rows: readonly Row[],
  { fields, sums }: Extract<Counting, { kind: 'values' }>,
): OneCounts {
  const found = new Map<string, CountedField & { values: CountedField['values'][number][] }>(
    fields.map((id) => [id, { values: [], distinct: 0, blank: 0 }]),
  );
  let all = 0;
  for (const [mark, value, n, distinct, total, blank, ...more] of rows) {
    const field = found.get(fields[placeOfMark(Number(mark), fields.length)] ?? '');
    if (field === undefined) continue;
    all = Number(total);
    field.distinct = Number(distinct);
    field.blank = Number(blank);
    const count = Number(n);
    field.values.push({
      value: value === '' ? null : String(value),
      count,
      sums: sums ? sumsOf(count, more) : null,
    });
  }
  return { kind: 'values', rows: all, fields: found };
}

function sumsOf(requests: number, sums: readonly (string | number)[]): CacheSums {
  const entries = TALLY_SUM_NAMES.map((name, at) => [name, Number(sums[at] ?? 0)]);
  return { ...noCacheSums(), requests, ...Object.fromEntries(entries) };
}

/** The answer to `groupsOf` by these fields. `total` and `rows` are those of all groups, handed over or not. */
export function groupsRead(
  by: readonly string[],
  rows: readonly Row[],
): { groups: LogGroup[]; total: number; rows: number } {
  // By no field the rows that were not found are one group, too.
  const [first, ...more] = rows.filter((row) => Number(row[by.length]) > 0);
  if (first === undefined) return { groups: [], total: 0, rows: 0 };
  const [, , , , , , , total = 0, all = 0] = figuresOf(by, first);
  return { groups: [first, ...more].map((row) => groupOf(by, row)), total, rows: all };
}

function groupOf(by: readonly string[], row: Row): LogGroup {
  const [count = 0, bytes = 0, firstSeen = 0, lastSeen = 0, hits = 0, misses = 0, errors = 0] = figuresOf(
    by,
    row,
  );
  const key = Object.fromEntries(by.map((id, at) => [id, row[at] === '' ? null : String(row[at])]));
  return { key, count, bytes, firstSeen, lastSeen, hits, misses, errors };
}

function figuresOf(by: readonly string[], row: Row): number[] {
  return row.slice(by.length).map(Number);
}
