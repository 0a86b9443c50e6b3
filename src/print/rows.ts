import { csvLine, ndjsonLine, tableLines } from '../domain/handover/line-formats.ts';
import type { Row } from '../domain/handover/shapes.ts';
import type { Printer } from './printer.ts';

/** The widest cell of a printed table. */
export const TABLE_CELL = 60;

/**
 * Prints rows in the format asked for; `objects` stand for them as NDJSON where those say more than cells can. `names`
 * make the head where there may be no rows to tell them.
 */
export async function printRows(
  o: Printer,
  rows: readonly Row[],
  objects: readonly object[] = rows,
  names: readonly string[] = Object.keys(rows[0] ?? {}),
): Promise<number> {
  const lines =
    o.format === 'ndjson'
      ? objects.map(ndjsonLine)
      : o.format === 'csv'
        ? csvLines(names, rows)
        : tableLines(rows, TABLE_CELL, names);
  await o.write(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

/** A table as lines of CSV, the head first. */
export function csvLines(names: readonly string[], rows: readonly Row[]): string[] {
  return [csvLine(names), ...rows.map((row) => csvLine(names.map((name) => row[name] ?? null)))];
}
