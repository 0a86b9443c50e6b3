import { createGrid, type Grid, type Link, linkLetters, paintLine } from './cells.ts';
import { parseStyledLine } from './styled-text.ts';

export type Rect = { x: number; y: number; width: number; height: number };

/** Parsed lines kept: a few screens of them. */
const KEPT_LINES = 512;

const NO_LINE = new Uint32Array(0);

/** Ink's frame with the regions painted over it; no line is parsed twice. */
export class Composition {
  link: Link | null = null;
  #frame: readonly string[] = [];
  readonly #regions = new Map<string, { rect: Rect; lines: readonly string[] }>();
  #parsed = new Map<string, Uint32Array>();
  #parsedBefore = new Map<string, Uint32Array>();
  #grid: Grid;
  /** The line that fills each row of the grid; null where several parts do. */
  #filling: (string | null)[] = [];

  constructor(columns: number, rows: number) {
    this.#grid = createGrid(columns, rows);
  }

  resize(columns: number, rows: number): void {
    this.#grid = createGrid(columns, rows);
    this.#filling = [];
    this.#parsed = new Map();
    this.#parsedBefore = new Map();
  }

  setFrame(frame: string): void {
    this.#frame = frame.split('\n');
  }

  setRegion(id: string, rect: Rect, lines: readonly string[]): void {
    this.#regions.set(id, { rect, lines });
  }

  clearRegion(id: string): void {
    this.#regions.delete(id);
  }

  /** The wanted screen; always the same grid, to be read before the next call. Most rows are as they were. */
  compose(): Grid {
    const grid = this.#grid;
    for (let y = 0; y < grid.rows; y += 1) {
      const line = this.#fillingOf(y);
      if (line !== null && line === this.#filling[y]) continue;
      this.#filling[y] = line;
      paintLine(grid, this.#cellsOf(line ?? this.#frame[y] ?? ''), 0, y, grid.columns);
      if (line === null) this.#paintRegions(y);
    }
    if (this.link === null) return grid;
    linkLetters(grid, this.link);
    this.#filling.fill(null, this.link.y, this.link.y + this.link.height);
    return grid;
  }

  /** The one line that a row shows, null where there are several. */
  #fillingOf(y: number): string | null {
    let line: string | null = this.#frame[y] ?? '';
    for (const { rect, lines } of this.#regions.values()) {
      if (y < rect.y || y >= rect.y + rect.height) continue;
      line = rect.x === 0 && rect.width >= this.#grid.columns ? (lines[y - rect.y] ?? '') : null;
    }
    return line;
  }

  #paintRegions(y: number): void {
    for (const { rect, lines } of this.#regions.values()) {
      if (y < rect.y || y >= rect.y + rect.height) continue;
      paintLine(this.#grid, this.#cellsOf(lines[y - rect.y] ?? ''), rect.x, y, rect.width);
    }
  }

  #cellsOf(line: string): Uint32Array {
    if (line === '') return NO_LINE;
    const known = this.#parsed.get(line);
    if (known !== undefined) return known;
    const cells = this.#parsedBefore.get(line) ?? parseStyledLine(line, this.#grid.columns);
    if (this.#parsed.size >= KEPT_LINES) {
      this.#parsedBefore = this.#parsed;
      this.#parsed = new Map();
    }
    this.#parsed.set(line, cells);
    return cells;
  }
}
