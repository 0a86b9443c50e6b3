import { BLANK, type Grid } from './cells.ts';
import type { Pen } from './pen.ts';
import { writeRow } from './row-diff.ts';
import { applyScroll, type Scroll } from './scroll.ts';

/** `margins`: set the scrolling rows, then scroll at an edge. `lines`: delete or insert lines above the margin in force. */
type ScrollWay = 'margins' | 'lines';

/**
 * Writes a scroll together with the rows that come in, and does the same to `grid`. False, and nothing written, where
 * the way does not fit the margins in force.
 */
export function writeScroll(pen: Pen, grid: Grid, wanted: Grid, scroll: Scroll, way: ScrollWay): boolean {
  const { top, bottom, by } = scroll;
  if (way === 'lines' && (pen.bottom !== bottom || pen.top >= top)) return false;
  // What scrolls in takes the style in force on some terminals.
  pen.setBlankStyle(0);
  if (way === 'margins') pen.setMargins(top, bottom);
  applyScroll(grid, scroll);
  const incoming = by > 0 ? { from: bottom - by + 1, to: bottom } : { from: top, to: top - by - 1 };
  const isBlank = wanted.cells
    .subarray(incoming.from * wanted.columns, (incoming.to + 1) * wanted.columns)
    .every((cell) => cell === BLANK);
  if (way === 'margins' && by > 0 && !isBlank) writeFromBelow(pen, grid, wanted, scroll);
  else {
    pen.moveTo(pen.y === top && pen.x >= 0 ? pen.x : 0, top);
    const count = Math.abs(by) === 1 ? '' : String(Math.abs(by));
    if (way === 'margins' && by === -1) pen.put('\x1bM');
    else {
      pen.put(`\x1b[${count}${by > 0 ? 'M' : 'L'}`);
      // Inserting or deleting lines leaves the cursor in the first column on some terminals, in its column on others.
      if (pen.x !== 0) pen.x = -1;
    }
    for (let y = incoming.from; y <= incoming.to; y += 1) writeGridRow(pen, grid, wanted, y, y);
  }
  return true;
}

/** Each new row comes in at the bottom and is written there, while the rows above it move on. */
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
  const start = y * wanted.columns;
  writeRow(pen, place, { cells: grid.cells, start }, { cells: wanted.cells, start });
  grid.cells.set(wanted.cells.subarray(start, start + wanted.columns), start);
}
