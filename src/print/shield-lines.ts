import type { Format } from '../config/command-line.ts';
import { plain, tableLines } from '../domain/handover/line-formats.ts';
import type { Row } from '../domain/handover/shapes.ts';
import {
  SHIELD_EVENT_COLUMNS,
  shieldEventRow,
  shieldEventShape,
  shieldGroupColumns,
  shieldGroupRow,
  shieldGroupShape,
} from '../domain/handover/shield-shapes.ts';
import { EVENT_COLUMNS, type ShieldEvent, type ShieldGroup } from '../domain/shield/shield.ts';
import { asciiJson, sanitise } from '../text/sanitise.ts';
import { csvLines, TABLE_CELL } from './rows.ts';

const CELL = 400;

/** Columns of the rows, and the least cells of each in a table. */
const ROW_COLUMNS: readonly [name: string, cells: number][] = [
  ['timestamp', 24],
  ...EVENT_COLUMNS.map(({ dimension, printed }): [string, number] => [dimension, printed]),
  ['logId', 32],
  ['log', 0],
];

/** Groups as lines of a format; `isFirst`: with the head. */
export function groupLines(
  format: Format,
  dims: readonly string[],
  groups: readonly ShieldGroup[],
  isFirst: boolean,
): string {
  const columns = shieldGroupColumns(dims);
  const lines =
    format === 'ndjson'
      ? groups.map((group) => asciiJson(shieldGroupShape(group)))
      : format === 'csv'
        ? csvLines(columns, groups.map(shieldGroupRow)).slice(isFirst ? 0 : 1)
        : tableLines(groups.map(shieldGroupRow), TABLE_CELL, columns).slice(isFirst ? 0 : 1);
  return lines.map((text) => `${text}\n`).join('');
}

/** Events as lines of a format; the head stands before the first ones. */
export function rowLines(format: Format, events: readonly ShieldEvent[], isFirst: boolean): string {
  const lines =
    format === 'ndjson'
      ? events.map((event) => asciiJson(shieldEventShape(event)))
      : format === 'csv'
        ? csvLines(SHIELD_EVENT_COLUMNS, events.map(shieldEventRow)).slice(isFirst ? 0 : 1)
        : rowTable(events.map(shieldEventRow)).slice(isFirst ? 0 : 1);
  return lines.map((text) => `${text}\n`).join('');
}

/** Nothing is cut but the request context, which is a document of its own. */
function rowTable(rows: readonly Row[]): string[] {
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(ROW_COLUMNS[at]?.[1] ?? 0))
      .join('  ')
      .trimEnd();
  return [
    line(ROW_COLUMNS.map(([name]) => name.toUpperCase())),
    ...rows.map((row) =>
      line(ROW_COLUMNS.map(([name]) => sanitise(plain(row[name] ?? null), 'strict', CELL))),
    ),
  ];
}
