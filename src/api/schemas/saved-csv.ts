import { TEXT_NAMES, WIRE_FIELDS } from '../../domain/log.ts';
import { unsanitise } from '../../text/sanitise.ts';

/** Texts that an entry always has, so that an empty cell is an empty text and no absence. */
const ALWAYS: ReadonlySet<string> = new Set(TEXT_NAMES.filter((name) => WIRE_FIELDS[name].absent !== 'null'));

/** Every field of what `--format csv` prints is quoted. */
const CELL = /"((?:[^"]|"")*)"(,|$)/y;

/** The column names of the first line of a printed log; null = the line is no such head. */
export function csvHead(line: string): string[] | null {
  const names = cellsOf(line);
  return names?.includes('timestamp') && names.includes('statusCode') ? names : null;
}

/** A printed row under the names of its columns, the JSON text of a printed gap, or null for anything else. */
export function csvEntry(
  line: string,
  head: readonly string[],
): Record<string, string | null> | string | null {
  const cells = cellsOf(line)?.map(printed);
  if (cells === undefined || cells.length !== head.length) return null;
  if (cells[0]?.startsWith('{"_gap"')) return cells[0];
  return Object.fromEntries(
    head.map((name, i) => {
      const cell = cells[i] ?? '';
      return [name, cell === '' && !ALWAYS.has(name) ? null : cell];
    }),
  );
}

function cellsOf(line: string): string[] | null {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (let match = CELL.exec(line); match !== null; match = CELL.exec(line)) {
    cells.push((match[1] ?? '').replaceAll('""', '"'));
    if (match[2] === '') return CELL.lastIndex === line.length ? cells : null;
  }
  return null;
}

/** The text before it was escaped and guarded from spreadsheets: see `csvLine`. */
function printed(cell: string): string {
  return unsanitise(/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell);
}
