type Align = 'left' | 'right';

/** Printable ASCII and the signs this program draws: one cell each in every terminal, so length is width. */
const ONE_CELL_EACH = /^[ -~\u00b7\u2026\u2500-\u259f]*$/;

/**
 * What Unicode's EastAsianWidth calls wide or fullwidth, as far as sanitised text can hold it: CJK, kana, Hangul, Yi,
 * fullwidth forms. A package would know emoji too, which never get here, and costs every start ten milliseconds.
 */
const TWO_CELLS =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u3247\u3250-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2fb}\u{20000}-\u{3fffd}]/u;

/** Cells of a sanitised text; East-Asian wide letters take two. */
export function width(s: string): number {
  if (ONE_CELL_EACH.test(s)) return s.length;
  let cells = 0;
  for (const letter of s) cells += cellsOf(letter);
  return cells;
}

/**
 * An already sanitised text in exactly `columns` cells: padded with spaces, or cut at its end with `mark` as the last
 * sign (`…`, or one ASCII sign where the terminal is ASCII). A wide letter that would straddle the edge leaves a space.
 */
export function fit(s: string, columns: number, align: Align = 'left', mark = '…'): string {
  if (columns <= 0) return '';
  const isOneCellEach = ONE_CELL_EACH.test(s);
  const cells = isOneCellEach ? s.length : width(s);
  if (cells === columns) return s;
  if (cells < columns) {
    const blank = ' '.repeat(columns - cells);
    return align === 'left' ? s + blank : blank + s;
  }
  return (isOneCellEach ? s.slice(0, columns - 1) : fit(firstOf(s, columns - 1), columns - 1)) + mark;
}

/** A sanitised text without the letters of its first `columns` cells, and how many cells those took. */
export function withoutFirst(s: string, columns: number): { text: string; cells: number } {
  let [at, cells] = [0, 0];
  for (const letter of s) {
    if (cells >= columns) break;
    at += letter.length;
    cells += cellsOf(letter);
  }
  return { text: s.slice(at), cells };
}

/** A sanitised text from a cell on, with `mark` for what stands before it; letters stay whole. */
export function fromCell(s: string, cell: number, mark = '…'): string {
  if (cell <= 0 || s === '') return s;
  const { text, cells } = withoutFirst(s, cell + 1);
  return mark + ' '.repeat(Math.max(0, cells - cell - 1)) + text;
}

/** As many letters of a sanitised text as fit in `room` cells. */
export function firstOf(s: string, room: number): string {
  let [at, left] = [0, room];
  for (const letter of s) {
    left -= cellsOf(letter);
    if (left < 0) break;
    at += letter.length;
  }
  return s.slice(0, at);
}

function cellsOf(letter: string): 1 | 2 {
  return TWO_CELLS.test(letter) ? 2 : 1;
}

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
