import { firstOf, fit, width } from './fit.ts';

/**
 * An already sanitised text in lines of at most `columns` cells, 2 at least, broken between words, or inside one that is
 * longer than a line. Its leading spaces indent every line.
 */
export function wrapText(text: string, columns: number): string[] {
  const indent = /^ */.exec(text)?.[0].slice(0, Math.max(0, columns - 8)) ?? '';
  // A wide letter takes two cells.
  const room = Math.max(2, columns - indent.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.trim().split(/ +/)) {
    let rest = word;
    // Its width would be taken of all that is left, once a line.
    for (let part = firstOf(rest, room); part.length < rest.length; part = firstOf(rest, room)) {
      if (line !== '') lines.push(line);
      line = '';
      lines.push(part);
      rest = rest.slice(part.length);
    }
    if (line !== '' && width(line) + 1 + width(rest) > room) {
      lines.push(line);
      line = rest;
    } else {
      line = line === '' ? rest : `${line} ${rest}`;
    }
  }
  return [...lines, line].map((each) => indent + each);
}

/** An already sanitised sentence in exactly `columns` cells: where it is longer, cut behind a word, with `mark` there. */
export function fitWords(text: string, columns: number, mark = '…'): string {
  if (width(text) <= columns) return fit(text, columns);
  const [first = ''] = wrapText(text, columns - mark.length - 1);
  return fit(`${first} ${mark}`, columns);
}
