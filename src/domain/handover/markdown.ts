import { sanitise, unsanitise } from '../../text/sanitise.ts';

/** Untrusted text in a table of a notebook is cut here, and says so. */
const LONGEST_CELL = 300;

/**
 * Untrusted text as a code span, in which no renderer sees a link, a tag or a table: the two characters that would end
 * the span or the cell are escapes like every other that is not plain. An absent value is a bare dash.
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

/** Text of the user's own as a paragraph: shown as it was written, and nothing in it is markup or a link. */
export function proseLine(text: string): string {
  return sanitise(text, 'text')
    .replace(/[\\`*_{}[\]<>()#+!|~&^$=-]/g, '\\$&')
    .replace(/:(?=\/)/g, '\\:')
    .replace(/@/g, '\\@')
    .replace(/\b(www)\./gi, '$1\\.')
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/** The text that `proseLine` was given. */
export function textOfProse(prose: string): string {
  return unsanitise(prose.replace(/\\([!-/:-@[-`{-~])/g, '$1'));
}

/** A line as a fenced block, whose fence is longer than any run of backticks in it. */
export function fenced(line: string, language: string): string[] {
  const longest = Math.max(2, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, line, fence];
}
