import { BLANK, codePointOf, createGrid, type Grid, isContinuation, styleIdOf } from './cells.ts';
import { Pen, type PenState } from './pen.ts';

export type CursorPlace = { x: number; y: number } | null;

/** A cheaper frame, or rest of one, is not searched for scrolled rows: a scroll and a row cost as much. */
const SMALL_FRAME = 100;
const MAX_SCROLLS = 3;

/** Turns what a terminal shows into the wanted screen with as few bytes as it can find, and remembers what is shown. */
export class Painter {
  readonly #shown: Grid;
  readonly #trial: Grid;
  readonly #pen: Pen;
  #isCursorShown = false;

  constructor(columns: number, rows: number) {
    this.#shown = createGrid(columns, rows);
    this.#trial = createGrid(columns, rows);
    this.#pen = new Pen(columns, rows);
  }

  /** Everything again, whatever the terminal shows. */
  repaint(wanted: Grid, cursor: CursorPlace): string {
    const pen = this.#pen;
    pen.put('\x1b[m\x1b[r\x1b[H\x1b[2J');
    pen.restore({ ...pen.save(), x: 0, y: 0, style: 0, top: 0, bottom: pen.rows - 1 });
    this.#shown.cells.fill(BLANK);
    writeRows(pen, this.#shown, wanted, Number.POSITIVE_INFINITY);
    this.#isCursorShown = cursor === null;
    return this.#finish(wanted, cursor);
  }

  /** Only the difference; empty when there is none. */
  update(wanted: Grid, cursor: CursorPlace): string {
    this.#writeDifference(wanted);
    return this.#finish(wanted, cursor);
  }

  #writeDifference(wanted: Grid): void {
    const pen = this.#pen;
    const shown = this.#shown;
    let start = pen.save();
    writeRows(pen, shown, wanted, SMALL_FRAME);
    if (pen.bytes <= SMALL_FRAME) return;
    let best: PenState | null = null;
    for (let count = 0; count < MAX_SCROLLS; count += 1) {
      const found = this.#cheapestScroll(start, wanted, best?.bytes ?? Number.POSITIVE_INFINITY);
      if (found === null) break;
      best = found.whole;
      if (count === 0) {
        pen.restore(start);
        writeRows(pen, shown, wanted, best.bytes);
        if (pen.bytes <= best.bytes) return;
      }
      if (found.rest <= SMALL_FRAME) {
        pen.restore(best);
        return;
      }
      pen.restore(start);
      writeScroll(pen, shown, wanted, found.scroll, found.way);
      start = pen.save();
    }
    pen.restore(start);
    writeRows(pen, shown, wanted, Number.POSITIVE_INFINITY);
  }

  #cheapestScroll(start: PenState, wanted: Grid, limit: number) {
    const pen = this.#pen;
    const shown = this.#shown;
    const trial = this.#trial;
    let best: { scroll: Scroll; way: 'margins' | 'lines'; whole: PenState; rest: number } | null = null;
    for (const scroll of likelyScrolls(shown, wanted)) {
      for (const way of ['margins', 'lines'] as const) {
        trial.cells.set(shown.cells);
        pen.restore(start);
        if (!writeScroll(pen, trial, wanted, scroll, way)) continue;
        const scrolled = pen.bytes;
        const most = best?.whole.bytes ?? limit;
        writeRows(pen, trial, wanted, most);
        if (pen.bytes < most) best = { scroll, way, whole: pen.save(), rest: pen.bytes - scrolled };
      }
    }
    return best;
  }

  #finish(wanted: Grid, cursor: CursorPlace): string {
    const pen = this.#pen;
    this.#shown.cells.set(wanted.cells);
    pen.setStyle(0);
    if (cursor !== null) pen.moveTo(within(cursor.x, pen.columns), within(cursor.y, pen.rows));
    if (this.#isCursorShown !== (cursor !== null)) pen.put(cursor === null ? '\x1b[?25l' : '\x1b[?25h');
    this.#isCursorShown = cursor !== null;
    return pen.take();
  }
}

/** Row by row from the cursor on, then from the top; stops when the frame costs more than `limit` bytes. */
function writeRows(pen: Pen, shown: Grid, wanted: Grid, limit: number): void {
  const first = Math.max(0, pen.y);
  for (let count = 0; count < wanted.rows && pen.bytes <= limit; count += 1) {
    const y = (first + count) % wanted.rows;
    writeRow(pen, y, shown.lines[y] as Uint32Array, wanted.lines[y] as Uint32Array);
  }
}

function within(place: number, size: number): number {
  return Math.max(0, Math.min(size - 1, place));
}

/** Rows `top`…`bottom` (inclusive) whose content moves up by `by` rows, or down when it is negative. */
type Scroll = { top: number; bottom: number; by: number };

/** The two columns at either edge hold markers and scroll bars, which do not move with the text. */
const EDGE = 2;
const MAX_SHIFTS = 3;
const MAX_TWINS = 4;
/** A shift that spares less of the changed rows is not worth trying. */
const LEAST_SPARED = 1 / 8;

/** The likely scrolls between two screens, best first; their bytes show whether one pays. */
function likelyScrolls(shown: Grid, wanted: Grid): Scroll[] {
  const before = rowHashes(shown);
  const after = rowHashes(wanted);
  const places = Map.groupBy(before.keys(), (y) => before[y] ?? 0);
  const changed = [...after.keys()].filter((y) => after[y] !== before[y]);
  const shifts = changed.flatMap((y) => {
    const from = places.get(after[y] ?? 0) ?? [];
    return from.length > MAX_TWINS ? [] : from.map((source) => ({ y, by: source - y }));
  });
  return [...Map.groupBy(shifts, ({ by }) => by)]
    .filter(([, rows]) => rows.length >= changed.length * LEAST_SPARED)
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, MAX_SHIFTS)
    .flatMap(([by, rows]) => regions(by, rows));
}

/** Moves the rows of a grid as the terminal does; rows that come in are blank. */
function applyScroll(grid: Grid, { top, bottom, by }: Scroll): void {
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

/** All rows that moved alike, and where they have holes also the longest unbroken block. */
function regions(by: number, moved: readonly { y: number }[]): Scroll[] {
  const rows = moved.map(({ y }) => y);
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

function rowHashes({ columns, lines }: Grid): Int32Array {
  const edge = columns > 8 * EDGE ? EDGE : 0;
  return Int32Array.from(lines, (line) => hashOf(line, edge));
}

/** Of the letters alone: a row keeps its text when the selection moves on or off it. */
function hashOf(line: Uint32Array, edge: number): number {
  let hash = 0;
  for (let x = edge; x < line.length - edge; x += 1)
    hash = Math.imul(hash ^ codePointOf(line[x] ?? BLANK), 0x01000193);
  return hash;
}

/** `margins`: set the scrolling rows, then scroll at an edge. `lines`: delete or insert lines above the margin in force. */
type ScrollWay = 'margins' | 'lines';

/**
 * Writes a scroll together with the rows that come in, and does the same to `grid`. False, and nothing written, where
 * the way does not fit the margins set.
 */
function writeScroll(pen: Pen, grid: Grid, wanted: Grid, scroll: Scroll, way: ScrollWay): boolean {
  const { top, bottom, by } = scroll;
  if (way === 'lines' && (pen.bottom !== bottom || pen.top >= top)) return false;
  // On some terminals scrolled-in rows take the current style.
  pen.setBlankStyle(0);
  if (way === 'margins') pen.setMargins(top, bottom);
  applyScroll(grid, scroll);
  const incoming = by > 0 ? { from: bottom - by + 1, to: bottom } : { from: top, to: top - by - 1 };
  const isBlank = wanted.lines
    .slice(incoming.from, incoming.to + 1)
    .every((line) => line.every((cell) => cell === BLANK));
  if (way === 'margins' && by > 0 && !isBlank) writeFromBelow(pen, grid, wanted, scroll);
  else {
    pen.moveTo(pen.y === top && pen.x >= 0 ? pen.x : 0, top);
    const count = Math.abs(by) === 1 ? '' : String(Math.abs(by));
    if (way === 'margins' && by === -1) pen.put('\x1bM');
    else {
      pen.put(`\x1b[${count}${by > 0 ? 'M' : 'L'}`);
      // After inserting or deleting lines the cursor is in the first column on some terminals, in its own on others.
      if (pen.x !== 0) pen.x = -1;
    }
    for (let y = incoming.from; y <= incoming.to; y += 1) writeGridRow(pen, grid, wanted, y, y);
  }
  return true;
}

/** Each new row comes in at the bottom and is written there, while the rows above move on. */
function writeFromBelow(pen: Pen, grid: Grid, wanted: Grid, { bottom, by }: Scroll): void {
  for (let y = bottom - by + 1; y <= bottom; y += 1) {
    pen.setBlankStyle(0);
    if (pen.y === bottom) pen.nextLine();
    else {
      pen.moveTo(0, bottom);
      pen.put('\x1bD');
    }
    writeGridRow(pen, grid, wanted, y, bottom);
  }
}

/** Writes the wanted row `y` into the blank row that is at `place` on the screen now. */
function writeGridRow(pen: Pen, grid: Grid, wanted: Grid, y: number, place: number): void {
  const [shown, line] = [grid.lines[y], wanted.lines[y]] as [Uint32Array, Uint32Array];
  writeRow(pen, place, shown, line);
  shown.set(line);
}

/** Fewer blanks cost no more to print than to erase. */
const ERASE_FROM = 4;

/** Turns the row `shown` at screen row `y` into `wanted`, by the cheaper of two ways. */
function writeRow(pen: Pen, y: number, shown: Uint32Array, wanted: Uint32Array): void {
  const first = firstDifference(shown, wanted);
  if (first === -1) return;
  const before = pen.save();
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
