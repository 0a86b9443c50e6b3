import { BLANK, createGrid, type Grid } from './cells.ts';
import { Pen, type PenState } from './pen.ts';
import { writeRow } from './row-diff.ts';
import { likelyScrolls, type Scroll, writeScroll } from './scroll.ts';

export type CursorPlace = { x: number; y: number } | null;

/** A frame this cheap is not worth looking for scrolled rows: a scroll and a row cost as much. */
const SMALL_FRAME = 100;
const MAX_SCROLLS = 3;

/** Turns what a terminal shows into wanted screens with as few bytes as it can find, and keeps what is shown. */
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

  /** Everything again, whatever is on the terminal now. */
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
    let best: { scroll: Scroll; way: 'margins' | 'lines'; whole: PenState } | null = null;
    for (const scroll of likelyScrolls(shown, wanted)) {
      for (const way of ['margins', 'lines'] as const) {
        trial.cells.set(shown.cells);
        pen.restore(start);
        if (!writeScroll(pen, trial, wanted, scroll, way)) continue;
        const most = best?.whole.bytes ?? limit;
        writeRows(pen, trial, wanted, most);
        if (pen.bytes < most) best = { scroll, way, whole: pen.save() };
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

/** Row by row from where the cursor is, then from the top; stops when the frame is dearer than `limit` bytes. */
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
