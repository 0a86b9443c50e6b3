import type { Format } from '../config/command-line.ts';
import { csvLine, ndjsonLine, plain } from '../domain/handover/line-formats.ts';
import { gapLine, LOG_ROW_NAMES, logRow } from '../domain/handover/shapes.ts';
import type { LogRecord } from '../domain/log.ts';
import type { Gap } from '../domain/tail/coverage.ts';
import { sanitise } from '../text/sanitise.ts';

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
