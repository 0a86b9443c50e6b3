import { type Grid, PLAIN_STYLE } from '../support/emulator.ts';

type Pen = { y: number | null; x: number; style: string };

// Codes that undo each slot of a style, in the order of STYLE_SLOTS.
const OFF_CODES = ['39', '49', '22', '22', '23', '24', '27', '29'];
const CLEAR_TO_END = 3;
// Rewriting so many unchanged cells costs no more than moving the cursor over them.
const GAP = 4;
const styleCosts = new Map<string, number>();

/**
 * An estimate of the fewest bytes that turn one screen into another of the same size, with cursor moves, changed runs,
 * erase to the end of the line, and one scroll of the region that makes most rows right. The cursor's own final place
 * is not counted.
 */
export function idealBytes(before: Grid, after: Grid): number {
  const rows = after.chars.length;
  const keysBefore = before.chars.map((_, y) => rowKey(before, y));
  const keysAfter = after.chars.map((_, y) => rowKey(after, y));
  let best = repaintCost(before, keysBefore, after, keysAfter);
  for (let n = 1 - rows; n < rows; n++) {
    const region = n === 0 ? null : scrollRegion(keysBefore, keysAfter, n);
    if (region === null) continue;
    const [top, bottom] = region;
    const scrolled = scroll(before, top, bottom, n);
    const keys = scrolled.chars.map((_, y) => rowKey(scrolled, y));
    const wholeScreen = top === 0 && bottom === rows - 1;
    const regionCost = wholeScreen ? 0 : `\x1b[${top + 1};${bottom + 1}r\x1b[r`.length;
    const scrollCost = 3 + (Math.abs(n) > 1 ? String(Math.abs(n)).length : 0);
    best = Math.min(best, regionCost + scrollCost + repaintCost(scrolled, keys, after, keysAfter));
  }
  return best;
}

export function changedCells(before: Grid, after: Grid): number {
  let changed = 0;
  for (let y = 0; y < after.chars.length; y++) {
    for (let x = 0; x < (after.chars[y]?.length ?? 0); x++) if (differs(before, after, y, x)) changed++;
  }
  return changed;
}

function repaintCost(before: Grid, keysBefore: string[], after: Grid, keysAfter: string[]): number {
  const pen: Pen = { y: null, x: 0, style: PLAIN_STYLE };
  let cost = 0;
  for (let y = 0; y < keysAfter.length; y++) {
    if (keysBefore[y] !== keysAfter[y]) cost += rowCost(before, after, y, pen);
  }
  return cost + styleCost(pen.style, PLAIN_STYLE);
}

function rowCost(before: Grid, after: Grid, y: number, pen: Pen): number {
  const chars = after.chars[y] ?? [];
  const styles = after.styles[y] ?? [];
  const columns = chars.length;
  const tail = blankTail(chars, styles);
  let clears = false;
  for (let x = tail; x < columns && !clears; x++) clears = differs(before, after, y, x);
  const limit = clears ? tail : columns;
  let cost = 0;
  for (let x = 0; x < limit; ) {
    if (!differs(before, after, y, x)) {
      x++;
      continue;
    }
    let last = x;
    for (let run = x; run < limit && run - last <= GAP; run++) if (differs(before, after, y, run)) last = run;
    cost += moveCost(pen, y, x);
    for (let i = x; i <= last; i++) {
      cost += styleCost(pen.style, styles[i] as string) + Buffer.byteLength(chars[i] as string);
      pen.style = styles[i] as string;
    }
    pen.y = y;
    pen.x = last + 1;
    x = last + 1;
  }
  if (!clears) return cost;
  const style = styles[columns - 1] as string;
  cost += moveCost(pen, y, tail) + styleCost(pen.style, style) + CLEAR_TO_END;
  Object.assign(pen, { y, x: tail, style });
  return cost;
}

// Where the blanks begin that one erase can write: of one style, which may only colour the background.
function blankTail(chars: string[], styles: string[]): number {
  const style = styles.at(-1) as string;
  if (style.split('|').some((code, slot) => slot > 1 && code !== '')) return chars.length;
  let tail = chars.length;
  while (tail > 0 && chars[tail - 1] === ' ' && styles[tail - 1] === style) tail--;
  return tail;
}

function moveCost(pen: Pen, y: number, x: number): number {
  if (pen.y === y && pen.x === x) return 0;
  const absolute = x === 0 ? `\x1b[${y + 1}H`.length : `\x1b[${y + 1};${x + 1}H`.length;
  if (pen.y === null) return absolute;
  const [down, right] = [y - pen.y, x - pen.x];
  // Line feeds, backspaces and a carriage return are a byte each.
  const vertical = down >= 0 ? Math.min(down, stepCost(down)) : stepCost(-down);
  const horizontal = right >= 0 ? stepCost(right) : Math.min(-right, stepCost(-right));
  return Math.min(absolute, vertical + Math.min(horizontal, 1 + stepCost(x)));
}

// `CSI n` and a letter, where a single step needs no number.
function stepCost(n: number): number {
  if (n === 0) return 0;
  return n === 1 ? 3 : 3 + String(n).length;
}

function styleCost(from: string, to: string): number {
  if (from === to) return 0;
  const key = `${from}>${to}`;
  const known = styleCosts.get(key);
  if (known !== undefined) return known;
  const [a, b] = [from.split('|'), to.split('|')];
  const anew = b.filter((code) => code !== '');
  const resetCost = anew.length === 0 ? 3 : `\x1b[0;${anew.join(';')}m`.length;
  // 22 ends bold and dim alike, so the one that stays is set again.
  const endsWeight = (a[2] !== '' && b[2] === '') || (a[3] !== '' && b[3] === '');
  const changes = b.flatMap((code, slot) => {
    if (code === '') return a[slot] === '' ? [] : [OFF_CODES[slot] as string];
    return a[slot] === code && !(endsWeight && (slot === 2 || slot === 3)) ? [] : [code];
  });
  const cost = Math.min(resetCost, `\x1b[${[...new Set(changes)].join(';')}m`.length);
  styleCosts.set(key, cost);
  return cost;
}

// The rows from the first to the last that a scroll by `n` makes right, as the region to scroll; null if fewer than two.
function scrollRegion(before: string[], after: string[], n: number): [number, number] | null {
  const fits = after.map((key, y) => key === before[y + n] && key !== before[y]);
  if (fits.filter(Boolean).length < 2) return null;
  const [first, last] = [fits.indexOf(true), fits.lastIndexOf(true)];
  return n > 0 ? [first, Math.min(last + n, after.length - 1)] : [Math.max(first + n, 0), last];
}

function scroll(grid: Grid, top: number, bottom: number, n: number): Grid {
  const columns = grid.chars[0]?.length ?? 0;
  return {
    chars: moved(grid.chars, top, bottom, n, Array<string>(columns).fill(' ')),
    styles: moved(grid.styles, top, bottom, n, Array<string>(columns).fill(PLAIN_STYLE)),
  };
}

function moved<T>(rows: T[], top: number, bottom: number, n: number, blank: T): T[] {
  return rows.map((row, y) => {
    if (y < top || y > bottom) return row;
    return y + n >= top && y + n <= bottom ? (rows[y + n] as T) : blank;
  });
}

function rowKey(grid: Grid, y: number): string {
  return `${(grid.chars[y] ?? []).join('')}\n${(grid.styles[y] ?? []).join()}`;
}

function differs(before: Grid, after: Grid, y: number, x: number): boolean {
  return before.chars[y]?.[x] !== after.chars[y]?.[x] || before.styles[y]?.[x] !== after.styles[y]?.[x];
}
