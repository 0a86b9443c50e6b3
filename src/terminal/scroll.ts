import { BLANK, codePointOf, type Grid } from './cells.ts';

/** Rows `top`…`bottom` (inclusive) whose content moves up by `by` rows, or down when it is negative. */
export type Scroll = { top: number; bottom: number; by: number };

/** The two columns at either edge hold markers and scroll bars that do not move with the text. */
const EDGE = 2;
const MAX_SHIFTS = 3;
const MAX_TWINS = 4;
/** A shift that spares less of the rows that changed is not worth the time that trying it takes. */
const LEAST_SPARED = 1 / 8;

/** The likely scrolls from one screen to the next, best first; whether one pays is for its bytes to tell. */
export function likelyScrolls(shown: Grid, wanted: Grid): Scroll[] {
  const before = rowHashes(shown);
  const after = rowHashes(wanted);
  const places = new Map<number, number[]>();
  for (let y = 0; y < before.length; y += 1) {
    const hash = before[y] ?? 0;
    const known = places.get(hash);
    if (known === undefined) places.set(hash, [y]);
    else known.push(y);
  }
  const blank = hashOf(new Uint32Array(wanted.columns).fill(BLANK), 0, wanted.columns);
  const matches = new Map<number, number[]>();
  let changed = 0;
  for (let y = 0; y < after.length; y += 1) {
    const hash = after[y] ?? 0;
    if (hash === before[y] || hash === blank) continue;
    changed += 1;
    const from = places.get(hash);
    if (from === undefined || from.length > MAX_TWINS) continue;
    for (const source of from) {
      const known = matches.get(source - y);
      if (known === undefined) matches.set(source - y, [y]);
      else known.push(y);
    }
  }
  return [...matches]
    .filter(([, rows]) => rows.length >= changed * LEAST_SPARED)
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, MAX_SHIFTS)
    .flatMap(([by, rows]) => regions(by, rows));
}

/** Moves the rows of a grid as the terminal does; rows that come in are blank. */
export function applyScroll(grid: Grid, { top, bottom, by }: Scroll): void {
  const { cells, columns } = grid;
  const start = top * columns;
  const end = (bottom + 1) * columns;
  const shift = Math.abs(by) * columns;
  if (by > 0) {
    cells.copyWithin(start, start + shift, end);
    cells.fill(BLANK, end - shift, end);
  } else {
    cells.copyWithin(start + shift, start, end - shift);
    cells.fill(BLANK, start, start + shift);
  }
}

/** All rows that moved alike, and when there are holes between them also the longest unbroken block. */
function regions(by: number, rows: readonly number[]): Scroll[] {
  const all = region(by, rows[0] ?? 0, rows.at(-1) ?? 0);
  let best = { from: 0, to: 0 };
  let from = 0;
  for (let index = 1; index <= rows.length; index += 1) {
    if (index < rows.length && (rows[index] ?? 0) === (rows[index - 1] ?? 0) + 1) continue;
    if (index - from > best.to - best.from) best = { from, to: index };
    from = index;
  }
  if (best.to - best.from === rows.length) return [all];
  return [all, region(by, rows[best.from] ?? 0, rows[best.to - 1] ?? 0)];
}

function region(by: number, first: number, last: number): Scroll {
  return by > 0 ? { top: first, bottom: last + by, by } : { top: first + by, bottom: last, by };
}

function rowHashes({ cells, columns, rows }: Grid): Int32Array {
  const hashes = new Int32Array(rows);
  const edge = columns > 8 * EDGE ? EDGE : 0;
  for (let y = 0; y < rows; y += 1) hashes[y] = hashOf(cells, y * columns + edge, (y + 1) * columns - edge);
  return hashes;
}

/** Over the letters only: a row keeps its text when the selection moves on or off it. */
function hashOf(cells: Uint32Array, from: number, to: number): number {
  let hash = 0;
  for (let index = from; index < to; index += 1)
    hash = Math.imul(hash ^ codePointOf(cells[index] ?? BLANK), 0x01000193);
  return hash;
}
