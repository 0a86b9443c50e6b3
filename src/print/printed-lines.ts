import type { Format } from '../config/command-line.ts';
import { csvLine, ndjsonLine, plain, tableLines } from '../domain/handover/line-formats.ts';
import {
  gapLine,
  LOG_ROW_NAMES,
  logRow,
  type Row,
  SHIELD_EVENT_COLUMNS,
  shieldEventRow,
  shieldEventShape,
  shieldGroupColumns,
  shieldGroupRow,
  shieldGroupShape,
} from '../domain/handover/shapes.ts';
import type { LogRecord } from '../domain/log.ts';
import { EVENT_COLUMNS, type ShieldEvent, type ShieldGroup } from '../domain/shield/shield.ts';
import type { Gap } from '../domain/tail/coverage.ts';
import { asciiJson } from '../text/ascii-json.ts';
import { sanitise } from '../text/sanitise.ts';
import { csvLines, TABLE_CELL } from './printer.ts';

/** Log records and gaps as lines of one format, without line ends; `head` is the first line, where there is one. */
export type LineFormat = {
  head: string | null;
  row: (record: LogRecord) => string;
  gap: (gap: Gap) => string;
};

/** Title, least cells and the printed field. Nothing is cut: a longer value moves the rest of its line. */
const TABLE_COLUMNS = [
  ['TIME', 24, 'timestamp'],
  ['CACHE', 11, 'cacheStatus'],
  ['ST', 3, 'statusCode'],
  ['BYTES', 9, 'bytesSent'],
  ['EDG', 3, 'edgeLocation'],
  ['CC', 2, 'countryCode'],
  ['IP', 15, 'remoteIp'],
  ['URL', 0, 'url'],
] as const;

const LONGEST_CELL = 400;

/** As many CSV columns in every line, whatever rows come. A gap stands in the first one, where no time can be mistaken for it. */
const CSV_NAMES = [...LOG_ROW_NAMES, '_raw'];

export function formattedLines(format: Format): LineFormat {
  if (format === 'ndjson') {
    return {
      head: null,
      row: (record) => ndjsonLine(logRow(record)),
      gap: (gap) => ndjsonLine(gapLine(gap)),
    };
  }
  if (format === 'csv') {
    return {
      head: csvLine(CSV_NAMES),
      row(record) {
        const row = logRow(record);
        return csvLine(CSV_NAMES.map((name) => row[name] ?? null));
      },
      gap: (gap) => csvLine([ndjsonLine(gapLine(gap)), ...CSV_NAMES.slice(1).map(() => null)]),
    };
  }
  return {
    head: tableLine(TABLE_COLUMNS.map(([title]) => title)),
    row(record) {
      const row = logRow(record);
      return tableLine(
        TABLE_COLUMNS.map(([, , name]) => sanitise(plain(row[name] ?? null), 'strict', LONGEST_CELL)),
      );
    },
    gap: (gap) => `-- gap ${ndjsonLine(gapLine(gap))}`,
  };
}

function tableLine(cells: readonly string[]): string {
  return cells
    .map((cell, at) => cell.padEnd(TABLE_COLUMNS[at]?.[1] ?? 0))
    .join(' ')
    .trimEnd();
}

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
