import { codePointOf, FLAGS_SEEN_ON_BLANK, styleOf } from './cells.ts';
import { transition } from './sgr.ts';

/** What is known of the terminal between two writes. `x` −1: the column is unknown; `y` −1: the row, too. */
export type PenState = {
  out: string;
  bytes: number;
  x: number;
  y: number;
  style: number;
  /** The scrolling rows, both inclusive; they stay set from frame to frame, because a list scrolls again and again. */
  top: number;
  bottom: number;
};

const ESC = '\x1b';

/** Collects one frame of output and knows where that leaves the cursor; `save` and `restore` try alternatives. */
export class Pen {
  out = '';
  bytes = 0;
  x = -1;
  y = -1;
  style = 0;
  top = 0;
  bottom: number;
  readonly columns: number;
  readonly rows: number;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.bottom = rows - 1;
  }

  save(): PenState {
    const { out, bytes, x, y, style, top, bottom } = this;
    return { out, bytes, x, y, style, top, bottom };
  }

  restore(state: PenState): void {
    this.out = state.out;
    this.bytes = state.bytes;
    this.x = state.x;
    this.y = state.y;
    this.style = state.style;
    this.top = state.top;
    this.bottom = state.bottom;
  }

  /** The collected frame; the position, style and margins stay. */
  take(): string {
    const { out } = this;
    this.out = '';
    this.bytes = 0;
    return out;
  }

  /** A sequence of our own, ASCII only. */
  put(sequence: string): void {
    this.out += sequence;
    this.bytes += sequence.length;
  }

  setStyle(style: number): void {
    if (style === this.style) return;
    this.put(transition(this.style, style));
    this.style = style;
  }

  /** Blanks show no colour: any style without visible marks will do. */
  setBlankStyle(next: number): void {
    if (!isSeenOnBlank(this.style)) return;
    this.setStyle(isSeenOnBlank(next) ? 0 : next);
  }

  /** Prints the letter of a cell (`cells` wide) in the current style. */
  glyph(cell: number, cells: number): void {
    const point = codePointOf(cell);
    this.out += point < 0x80 ? String.fromCharCode(point) : String.fromCodePoint(point);
    this.bytes += utf8Length(point);
    const x = this.x + cells;
    // Without autowrap terminals differ on where the cursor is after the last column.
    this.x = x >= this.columns ? -1 : x;
  }

  moveTo(x: number, y: number): void {
    if (x === this.x && y === this.y) return;
    this.put(this.#shortestMove(x, y));
    this.x = x;
    this.y = y;
  }

  /** Sets the scrolling rows, after which terminals put the cursor into the first cell. */
  setMargins(top: number, bottom: number): void {
    if (top === this.top && bottom === this.bottom) return;
    const last = bottom === this.rows - 1 ? '' : `;${bottom + 1}`;
    this.put(`${ESC}[${top === 0 ? '' : top + 1}${last}r`);
    this.top = top;
    this.bottom = bottom;
    this.x = 0;
    this.y = 0;
  }

  /** Down one row, scrolling at the bottom margin, to the first column. */
  nextLine(): void {
    this.put(`${ESC}E`);
    this.x = 0;
  }

  #shortestMove(x: number, y: number): string {
    const absolute = `${ESC}[${y === 0 ? '' : y + 1}${x === 0 ? '' : `;${x + 1}`}H`;
    if (this.y === -1) return absolute;
    const relative = y === this.y ? this.#alongRow(x) : this.#acrossRows(x, y);
    return relative !== null && relative.length < absolute.length ? relative : absolute;
  }

  #alongRow(x: number): string {
    if (x === 0) return '\r';
    const column = `${ESC}[${x + 1}G`;
    if (this.x === -1) return column;
    const distance = Math.abs(x - this.x);
    if (x < this.x && distance <= 3) return '\b'.repeat(distance);
    const step = `${ESC}[${distance === 1 ? '' : distance}${x > this.x ? 'C' : 'D'}`;
    return step.length < column.length ? step : column;
  }

  /** ESC D, ESC E and ESC M instead of LF: a tty driver turns LF into CR LF, but leaves these alone. */
  #acrossRows(x: number, y: number): string | null {
    if (y === this.y + 1 && this.y !== this.bottom) {
      if (x === 0) return `${ESC}E`;
      if (x === this.x) return `${ESC}D`;
    }
    if (x !== this.x) return null;
    return y === this.y - 1 && this.y !== this.top ? `${ESC}M` : `${ESC}[${y + 1}d`;
  }
}

function isSeenOnBlank(style: number): boolean {
  const { flags, link } = styleOf(style);
  return (flags & FLAGS_SEEN_ON_BLANK) !== 0 || link !== '';
}

function utf8Length(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
