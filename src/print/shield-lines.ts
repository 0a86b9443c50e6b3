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
import type { ShieldEvent, ShieldGroup } from '../domain/shield/shield.ts';
import { asciiJson } from '../text/ascii-json.ts';
import { sanitise } from '../text/sanitise.ts';
import { csvLines, TABLE_CELL } from './rows.ts';

const CELL = 400;

/** Columns of the rows, and the least cells of each in a table: pages come one after another, so none may decide. */
const ROW_COLUMNS = {
  timestamp: 24,
  action: 10,
  ruleId: 8,
  ip: 15,
  country: 7,
  asn: 6,
  feature: 9,
  url: 40,
  ua: 30,
  ja4: 36,
  logId: 32,
  log: 0,
} as const satisfies Record<string, number>;

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
  const columns = Object.entries(ROW_COLUMNS);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(columns[at]?.[1] ?? 0))
      .join('  ')
      .trimEnd();
  return [
    line(columns.map(([name]) => name.toUpperCase())),
    ...rows.map((row) => line(columns.map(([name]) => sanitise(plain(row[name] ?? null), 'strict', CELL)))),
  ];
}
