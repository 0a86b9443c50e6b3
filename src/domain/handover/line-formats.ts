import { fit, width } from '../../text/fit.ts';
import { asciiJson, sanitise } from '../../text/sanitise.ts';
import { type Cell, Digits, type Row } from './shapes.ts';

/** One JSON object in ASCII: all else is a \u escape, which harms no terminal and no pipe. */
export function ndjsonLine(value: object): string {
  return isFlat(value)
    ? asciiJson(value)
    : asciiJson(value, (_name, each) => (each instanceof Digits ? rawNumber(each.text) : each));
}

/** RFC 4180 with every field quoted; a field that a spreadsheet would run as a formula gets a leading quote mark. */
export function csvLine(cells: readonly Cell[]): string {
  return cells.map((cell) => `"${guarded(plain(cell)).replaceAll('"', '""')}"`).join(',');
}

/** A cell of a CSV line that is JSON, and stays so: in ASCII it acts on nothing, and an object is no formula. */
export function csvObject(value: object): string {
  return `"${ndjsonLine(value).replaceAll('"', '""')}"`;
}

/** The cells of a row under these names; null where it has none. */
export function valuesOf(row: Row, names: readonly string[]): Cell[] {
  return names.map((name) => row[name] ?? null);
}

/** A header and rows padded to the widest cell of each column, cut at `most` cells. Without rows `names` alone make the header. */
export function tableLines(
  rows: readonly Row[],
  most: number,
  names: readonly string[] = Object.keys(rows[0] ?? {}),
): string[] {
  const texts = rows.map((row) => valuesOf(row, names).map((cell) => sanitise(plain(cell), 'strict', most)));
  const widths = names.map((name, column) =>
    texts.reduce((widest, cells) => Math.max(widest, width(cells[column] ?? '')), name.length),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => fit(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(names.map((name) => name.toUpperCase())), ...texts.map(line)];
}

/** A cell as text; null is empty, lists are joined by spaces. */
export function plain(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Digits) return cell.text;
  return Array.isArray(cell) ? cell.join(' ') : String(cell);
}

function guarded(text: string): string {
  const safe = sanitise(text, 'strict');
  return /^[=+\-@]/.test(safe) ? `'${safe}` : safe;
}

/** Such an object holds no `Digits`, and is printed in a fifth of the time. */
function isFlat(value: object): boolean {
  for (const name in value) {
    const each = (value as Record<string, unknown>)[name];
    if (typeof each === 'object' && each !== null) return false;
  }
  return true;
}

/** The digits as a JSON number, however many there are. */
function rawNumber(digits: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(digits.replace(/^0+(?=\d)/, ''));
}

/** The length at which a notebook's table truncates untrusted text, and says so. */
const LONGEST_CELL = 300;

/**
 * Untrusted text as a code span, in which no renderer sees a link, a tag or a table: the characters that would end
 * the span or the cell are escapes, like every other that is not plain. An absent value is a bare dash.
 */
export function codeSpan(text: string | null, longest = LONGEST_CELL): string {
  if (text === null || text === '') return '-';
  const safe = sanitise(text, 'strict', longest).replaceAll('`', '\\x60').replaceAll('|', '\\x7c');
  return `\`${safe}\``;
}

export function tableHead(names: readonly string[]): string[] {
  return [tableLine(names.map((name) => codeSpan(name))), tableLine(names.map(() => '---'))];
}

/** Cells that are Markdown already: code spans, or words of our own. */
export function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Text as a line of prose: shown as it was written, and nothing in it is markup or a link. */
export function proseLine(text: string): string {
  return sanitise(text, 'text')
    .replace(/[\\`*_{}[\]<>()#+!|~&^$]|^[=-]|[=-](?=[=-])|(?<=[=-])[=-]/g, '\\$&')
    .replace(/:(?=\/)/g, '\\:')
    .replace(/@/g, '\\@')
    .replace(/\b(www)\./gi, '$1\\.')
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/** Clauses of Markdown as the sentences of one line. */
export function sentences(clauses: readonly string[]): string {
  return clauses.map((each) => `${each.charAt(0).toUpperCase()}${each.slice(1)}.`).join(' ');
}

/** A line as a fenced block, whose fence is longer than any run of backticks in it. */
export function fenced(line: string, language: string): string[] {
  const longest = Math.max(2, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, line, fence];
}

/** Lines as the text of a file. */
export function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
