import {
  codeSpan,
  csvLine,
  fenced,
  linesOf,
  ndjsonLine,
  plain,
  proseLine,
  sentences,
  tableHead,
  tableLine,
  valuesOf,
} from './line-formats.ts';
import { gapLine } from './shapes.ts';
import type { Sheet, SheetLine } from './sheet.ts';

export const SHEET_FORMATS = {
  ndjson: { title: 'NDJSON', ending: 'ndjson', says: 'one JSON object a line, as in a pipe; ASCII only' },
  csv: { title: 'CSV', ending: 'csv', says: 'every field quoted, formulas disarmed' },
  markdown: {
    title: 'Markdown',
    ending: 'md',
    says: 'a table, and of a view the command that reproduces it',
  },
} as const;

export type SheetFormat = keyof typeof SHEET_FORMATS;

/**
 * The source of a document: where its rows come from, and the command that reads them again, empty where there is
 * none.
 */
export type SheetSource = { title: string; command: string; at: number; notes: readonly string[] };

/** The texts of a document, each of whole lines: before the rows, of one line of the sheet, and after the rows. */
type SheetWriter = {
  head: string;
  line: (line: SheetLine) => string;
  /** `written`: rows that stand above it. */
  tail: (written: number) => string;
};

/** Writes a sheet in a format. NDJSON and CSV are as in a pipe; what is missing stands after the rows. */
export function sheetWriter(format: SheetFormat, sheet: Sheet, source: SheetSource): SheetWriter {
  switch (format) {
    case 'ndjson':
      return {
        head: '',
        line: (line) => `${ndjsonLine(line.kind === 'gap' ? gapLine(line.gap) : line.shape())}\n`,
        tail: (written) => linesOf(partialShapes(sheet, written).map(ndjsonLine)),
      };
    case 'csv': {
      const { columns } = sheet;
      const stated = (shape: object) => csvLine([ndjsonLine(shape), ...columns.slice(1).map(() => null)]);
      return {
        head: linesOf([csvLine(columns)]),
        line(line) {
          return linesOf([
            line.kind === 'gap' ? stated(gapLine(line.gap)) : csvLine(valuesOf(line.row(), columns)),
          ]);
        },
        tail: (written) => linesOf(partialShapes(sheet, written).map(stated)),
      };
    }
    case 'markdown':
      return {
        head: linesOf([
          `# edgescope: ${codeSpan(source.title)}`,
          '',
          sentences([`exported ${new Date(source.at).toISOString()}`, ...source.notes.map(proseLine)]),
          '',
          ...(source.command === '' ? [] : [...fenced(source.command, 'sh'), '']),
          ...tableHead(sheet.brief),
        ]),
        line: (line) => linesOf([markdownLine(line, sheet.brief)]),
        tail: (written) =>
          linesOf(['', `${written} of ${sheet.rows} ${sheet.what}.`, ...partialWords(sheet, written)]),
      };
  }
}

/** A sheet's line as a Markdown table row; a gap has its times in place of values. */
export function markdownLine(line: SheetLine, columns: readonly string[]): string {
  if (line.kind === 'row')
    return tableLine(valuesOf(line.row(), columns).map((cell) => codeSpan(plain(cell))));
  const { from, to, reason } = gapLine(line.gap)._gap;
  return tableLine([`**gap** ${codeSpan(`${from} to ${to}: ${reason}`)}`, ...columns.slice(1).map(() => '')]);
}

/** A sheet's line as bare text, not sanitised: the values of these columns, or what was not understood as it came. */
export function bareLine(line: SheetLine, columns: readonly string[]): string {
  if (line.kind === 'gap') {
    const { from, to, reason } = gapLine(line.gap)._gap;
    return `gap ${from} to ${to}: ${reason}`;
  }
  const row = line.row();
  const raw = row['_raw'] ?? null;
  if (raw !== null) return `not understood: ${plain(raw)}`;
  return valuesOf(row, columns)
    .map((cell) => plain(cell) || '-')
    .join(' ');
}

/** In words, what the rows written lack. */
function missingWords(sheet: Sheet, written: number): string[] {
  const lost = sheet.rows - written;
  return [
    ...sheet.missing,
    ...(lost > 0
      ? [`${lost} of ${sheet.rows} ${sheet.what} were dropped from memory while this was written`]
      : []),
  ];
}

function partialWords(sheet: Sheet, written: number): string[] {
  return missingWords(sheet, written).flatMap((words) => ['', `**Not complete:** ${proseLine(words)}.`]);
}

function partialShapes(sheet: Sheet, written: number): object[] {
  const why = missingWords(sheet, written);
  return why.length === 0 ? [] : [{ _partial: { [sheet.what]: written, of: sheet.of ?? null, why } }];
}
