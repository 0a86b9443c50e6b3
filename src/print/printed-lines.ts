import type { Format } from '../config/command/command-line.ts';
import { csvLine, ndjsonLine, plain, valuesOf } from '../domain/handover/line-formats.ts';
import {
  gapLine,
  LOG_ROW_NAMES,
  logRow,
  type Row,
  SHIELD_EVENT_COLUMNS,
  shieldEventRow,
  shieldEventShape,
} from '../domain/handover/shapes.ts';
import type { LogRecord } from '../domain/log.ts';
import { zoneNameOf } from '../domain/query/zone-terms.ts';
import { EVENT_COLUMNS, type ShieldEvent } from '../domain/shield/shield.ts';
import type { Gap } from '../domain/tail/coverage.ts';
import type { PullZone } from '../domain/zone.ts';
import { width } from '../text/fit.ts';
import { asciiJson, sanitise } from '../text/sanitise.ts';

/** Log records and gaps as lines of one format, without line ends; `head` is the first line, if there is one. */
export type LineFormat = ItemLines<LogRecord> & { gap: (gap: Gap) => string };

type ItemLines<T> = { head: string | null; row: (item: T) => string };

/** A printed field, its title and its least cells in a table. */
type TableColumn = readonly [title: string, cells: number, name: string];

/** How items are printed: as JSON, as cells under `names`, and as columns of a table with `space` between them. */
type Printed<T> = {
  json: (item: T) => string;
  cells: (item: T) => Row;
  names: readonly string[];
  table: readonly TableColumn[];
  space: string;
};

/** Longer values of a table are truncated; a value wider than its column shifts the rest of its line. */
const LONGEST_CELL = 400;

/** Cells of the names of zones in a table. */
const WIDEST_ZONE = 24;

const RECORDS: Printed<LogRecord> = {
  json: (record) => ndjsonLine(logRow(record)),
  cells: logRow,
  // As many CSV columns in every line, whatever rows come.
  names: [...LOG_ROW_NAMES, '_raw'],
  table: [
    ['TIME', 24, 'timestamp'],
    ['CACHE', 11, 'cacheStatus'],
    ['ST', 3, 'statusCode'],
    ['BYTES', 9, 'bytesSent'],
    ['EDG', 3, 'edgeLocation'],
    ['CC', 2, 'countryCode'],
    ['IP', 15, 'remoteIp'],
    ['URL', 0, 'url'],
  ],
  space: ' ',
};

const EVENTS: Printed<ShieldEvent> = {
  json: (event) => asciiJson(shieldEventShape(event)),
  cells: shieldEventRow,
  names: SHIELD_EVENT_COLUMNS,
  table: [
    ['TIMESTAMP', 24, 'timestamp'],
    ...EVENT_COLUMNS.map(
      ({ dimension, printed }): TableColumn => [dimension.toUpperCase(), printed, dimension],
    ),
    ['LOGID', 32, 'logId'],
    ['LOG', 0, 'log'],
  ],
  space: '  ',
};

/** `zones`: those that are read; of several a table names each row's. */
export function formattedLines(format: Format, zones: readonly PullZone[] = []): LineFormat {
  const printed = zones.length > 1 ? withZones(zones) : RECORDS;
  return { ...linesOf(format, printed), gap: (gap) => gapText(format, ndjsonLine(gapLine(gap))) };
}

function withZones(zones: readonly PullZone[]): Printed<LogRecord> {
  const widest = Math.max(...zones.map(({ name }) => width(sanitise(name, 'strict', LONGEST_CELL))));
  const [time, ...others] = RECORDS.table as [TableColumn];
  return {
    ...RECORDS,
    // The id is a field of its own and prints with the row; a name is for readers of the table alone.
    cells: (record) => ({ ...logRow(record), zone: zoneNameOf(zones, record.pullZoneId) }),
    table: [time, ['ZONE', Math.min(widest, WIDEST_ZONE), 'zone'], ...others],
  };
}

/** Events as text of a format, below the head where wanted. */
export function eventText(format: Format, events: readonly ShieldEvent[], hasHead: boolean): string {
  const { head, row } = linesOf(format, EVENTS);
  const lines = [...(hasHead && head !== null ? [head] : []), ...events.map(row)];
  return lines.map((line) => `${line}\n`).join('');
}

function linesOf<T>(format: Format, { json, cells, names, table, space }: Printed<T>): ItemLines<T> {
  const tableLine = (texts: readonly string[]) =>
    texts
      .map((text, at) => text.padEnd(table[at]?.[1] ?? 0))
      .join(space)
      .trimEnd();
  switch (format) {
    case 'ndjson':
      return { head: null, row: json };
    case 'csv':
      return { head: csvLine(names), row: (item) => csvLine(valuesOf(cells(item), names)) };
    case 'table':
      return {
        head: tableLine(table.map(([title]) => title)),
        row(item) {
          const shown = valuesOf(
            cells(item),
            table.map(([, , name]) => name),
          );
          return tableLine(shown.map((value) => sanitise(plain(value), 'strict', LONGEST_CELL)));
        },
      };
  }
}

/** In CSV a gap stands in the first column, where no time can be mistaken for it. */
function gapText(format: Format, gap: string): string {
  if (format === 'csv') return csvLine([gap, ...RECORDS.names.slice(1).map(() => null)]);
  return format === 'table' ? `-- gap ${gap}` : gap;
}
