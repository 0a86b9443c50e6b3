import { BLANK, codePointOf, isContinuation, styleIdOf } from './cells.ts';
import type { Pen } from './pen.ts';

/** Fewer blanks cost no more to print than to erase. */
const ERASE_FROM = 4;

/** Turns the row `shown` at screen row `y` into `wanted`, by the cheaper of two ways. */
export function writeRow(pen: Pen, y: number, shown: Uint32Array, wanted: Uint32Array): void {
  const before = pen.save();
  const first = firstDifference(shown, wanted);
  if (first === -1) return;
  writeRuns(pen, y, shown, wanted, first);
  if (blanksOverText(shown, wanted, first) < 2 * ERASE_FROM) return;
  const direct = pen.save();
  pen.restore(before);
  writeOnErased(pen, y, wanted, first);
  if (pen.bytes >= direct.bytes) pen.restore(direct);
}

function firstDifference(shown: Uint32Array, wanted: Uint32Array): number {
  for (let x = 0; x < wanted.length; x += 1) {
    if (shown[x] !== wanted[x]) return x;
  }
  return -1;
}

function blanksOverText(shown: Uint32Array, wanted: Uint32Array, first: number): number {
  let count = 0;
  for (let x = first; x < wanted.length; x += 1) {
    if (wanted[x] === BLANK && shown[x] !== BLANK) count += 1;
  }
  return count;
}

/** Erase from the first difference on, then print what is not blank. */
function writeOnErased(pen: Pen, y: number, wanted: Uint32Array, first: number): void {
  advance(pen, y, first, wanted);
  erase(pen);
  const blank = new Uint32Array(wanted.length).fill(BLANK);
  blank.set(wanted.subarray(0, first));
  writeRuns(pen, y, blank, wanted, first);
}

function writeRuns(pen: Pen, y: number, shown: Uint32Array, wanted: Uint32Array, first: number): void {
  const tail = eraseFrom(shown, wanted);
  const limit = tail?.from ?? wanted.length;
  for (let x = first; x < limit; ) {
    const cell = wanted[x] ?? BLANK;
    if (cell === shown[x]) {
      x += 1;
      continue;
    }
    advance(pen, y, x, wanted);
    x += print(pen, wanted, x);
  }
  if (tail === null) return;
  if (pen.y !== y || pen.x < tail.from || pen.x > tail.to) advance(pen, y, tail.from, wanted);
  erase(pen);
}

/** The part of the row's end to erase: `from` is its first blank, `to` the first of them that shows something now. */
function eraseFrom(shown: Uint32Array, wanted: Uint32Array): { from: number; to: number } | null {
  let end = wanted.length;
  while (end > 0 && wanted[end - 1] === BLANK) end -= 1;
  let first = -1;
  let last = -1;
  for (let x = end; x < wanted.length; x += 1) {
    if (shown[x] === BLANK) continue;
    if (first === -1) first = x;
    last = x;
  }
  if (first === -1 || last - first + 1 < ERASE_FROM) return null;
  return { from: end, to: first };
}

function erase(pen: Pen): void {
  pen.setBlankStyle(0);
  pen.put('\x1b[K');
}

/** Moves to a cell of the row, or prints the unchanged cells up to it where that is shorter. */
function advance(pen: Pen, y: number, x: number, wanted: Uint32Array): void {
  if (pen.y === y && pen.x === x) return;
  const before = pen.save();
  const next = styleIdOf(wanted[x] ?? BLANK);
  pen.moveTo(x, y);
  const moved = pen.save();
  pen.setStyle(next);
  const moveCost = pen.bytes - before.bytes;
  pen.restore(before);
  if (pen.y !== y || pen.x === -1 || pen.x > x) pen.moveTo(0, y);
  // Nothing can be printed from the second half of a wide letter. A cell is at least a byte: a gap longer than the
  // move can only lose.
  const isPrintable = !isContinuation(wanted[pen.x] ?? BLANK);
  if (isPrintable && x - pen.x < moveCost - (pen.bytes - before.bytes)) {
    for (let at = pen.x; at < x; ) at += print(pen, wanted, at);
    const printed = pen.save();
    pen.setStyle(next);
    if (pen.x === x && pen.bytes - before.bytes < moveCost) {
      pen.restore(printed);
      return;
    }
  }
  pen.restore(moved);
}

/** Prints the letter at `x`; returns the cells it took. */
function print(pen: Pen, wanted: Uint32Array, x: number): number {
  const cell = wanted[x] ?? BLANK;
  if (cell === BLANK) pen.setBlankStyle(styleAfterBlanks(wanted, x));
  else pen.setStyle(styleIdOf(cell));
  const next = wanted[x + 1];
  const cells = next !== undefined && isContinuation(next) && codePointOf(cell) !== 0 ? 2 : 1;
  pen.glyph(cell, cells);
  return cells;
}

function styleAfterBlanks(wanted: Uint32Array, from: number): number {
  for (let x = from; x < wanted.length; x += 1) {
    const cell = wanted[x] ?? BLANK;
    if (cell !== BLANK) return styleIdOf(cell);
  }
  return 0;
}
