/**
 * The screen as packed cells: the low 21 bits are a code point, the high 11 bits an interned style. A wide letter takes
 * two cells, the second one with code point 0 and the style of the first.
 */
export type Grid = {
  readonly columns: number;
  readonly rows: number;
  readonly cells: Uint32Array;
  /** The same cells, row by row. */
  readonly lines: readonly Uint32Array[];
};

/**
 * `foreground`: 0 default, 1–256 palette colour + 1, above that `TRUE_COLOUR | rgb`; `flags`: a sum of `FLAGS`; `link`: the
 * address that a click opens, empty = none.
 */
export type Style = { readonly foreground: number; readonly flags: number; readonly link: string };

export const FLAGS = { bold: 1, dim: 2, italic: 4, underline: 8, inverse: 16, strike: 32 } as const;

/** Flags that show on a cell without a letter, so that such a blank is no plain blank. */
export const FLAGS_SEEN_ON_BLANK = FLAGS.underline | FLAGS.inverse | FLAGS.strike;

export const TRUE_COLOUR = 0x1000000;

/** A space in the default style. */
export const BLANK = 0x20;

const CODE_BITS = 21;
const CODE_MASK = (1 << CODE_BITS) - 1;
export const MAX_STYLES = 1 << (32 - CODE_BITS);
const FLAG_SETS = 64;

const styles: Style[] = Array.from({ length: FLAG_SETS }, (_, flags) => ({ foreground: 0, flags, link: '' }));
const styleIds = new Map<number, number>(
  styles.map((style, id) => [keyOf(style.foreground, style.flags), id]),
);
/** Of the styles with a link, by its address and theirs. */
const linkedIds = new Map<string, number>();

export function createGrid(columns: number, rows: number): Grid {
  const cells = new Uint32Array(columns * rows).fill(BLANK);
  const lines = Array.from({ length: rows }, (_, y) => cells.subarray(y * columns, (y + 1) * columns));
  return { columns, rows, cells, lines };
}

/** The number of a style; once 2,048 styles are in use a new one loses its colour, never its meaning (the flags). */
export function styleId(foreground: number, flags: number): number {
  const key = keyOf(foreground, flags);
  const known = styleIds.get(key);
  if (known !== undefined) return known;
  if (styles.length >= MAX_STYLES) return flags;
  const id = styles.length;
  styles.push({ foreground, flags, link: '' });
  styleIds.set(key, id);
  return id;
}

/** The number of a style with this link; the style alone where there is no number left. */
function linkedId(style: number, link: string): number {
  const key = `${style} ${link}`;
  const known = linkedIds.get(key);
  if (known !== undefined) return known;
  if (styles.length >= MAX_STYLES) return style;
  const id = styles.length;
  styles.push({ ...styleOf(style), link });
  linkedIds.set(key, id);
  return id;
}

export function styleOf(id: number): Style {
  return styles[id] ?? { foreground: 0, flags: 0, link: '' };
}

/** A space whose style cannot be seen becomes the plain blank, so that cells that look equal are equal. */
export function packCell(codePoint: number, style: number): number {
  if (codePoint === BLANK && (styleOf(style).flags & FLAGS_SEEN_ON_BLANK) === 0) return BLANK;
  return ((style << CODE_BITS) | codePoint) >>> 0;
}

export function codePointOf(cell: number): number {
  return cell & CODE_MASK;
}

export function styleIdOf(cell: number): number {
  return cell >>> CODE_BITS;
}

export function isContinuation(cell: number): boolean {
  return (cell & CODE_MASK) === 0;
}

/** Copies `line` to (`x`, `y`), `width` cells, blanks after its end; no half of a wide letter stays on either edge. */
export function paintLine(grid: Grid, line: Uint32Array, x: number, y: number, width: number): void {
  const from = Math.max(0, x);
  const to = Math.min(grid.columns, x + width);
  const cells = grid.lines[y];
  if (cells === undefined || from >= to) return;
  if (from > 0 && isContinuation(cells[from] ?? BLANK)) cells[from - 1] = BLANK;
  if (to < grid.columns && isContinuation(cells[to] ?? BLANK)) cells[to] = BLANK;
  const kept = Math.min(line.length, to - x);
  if (kept > from - x)
    cells.set(from === x && kept === line.length ? line : line.subarray(from - x, kept), from);
  cells.fill(BLANK, Math.max(from, x + kept), to);
  if (isContinuation(cells[from] ?? BLANK)) cells[from] = BLANK;
  if (isContinuation(line[to - x] ?? BLANK)) cells[to - 1] = BLANK;
}

/** An address, and the rows whose first letters are its own; it has no blanks. */
export type Link = { y: number; height: number; url: string };

/** Links the letters of an address. */
export function linkLetters({ lines }: Grid, { y, height, url }: Link): void {
  let left = url.length;
  for (const cells of lines.slice(y, y + height)) {
    for (let x = 0; x < cells.length && left > 0; x += 1) {
      const cell = cells[x] ?? BLANK;
      if (cell === BLANK) continue;
      cells[x] = packCell(codePointOf(cell), linkedId(styleIdOf(cell), url));
      left -= 1;
    }
  }
}

function keyOf(foreground: number, flags: number): number {
  return foreground * FLAG_SETS + flags;
}
