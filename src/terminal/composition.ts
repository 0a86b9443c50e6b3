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

  constructor(columns: number, rows: number) {
    this.#grid = createGrid(columns, rows);
  }

  resize(columns: number, rows: number): void {
    this.#grid = createGrid(columns, rows);
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

  /** The wanted screen; always the same grid, to be read before the next call. */
  compose(): Grid {
    const grid = this.#grid;
    for (let y = 0; y < grid.rows; y += 1)
      paintLine(grid, this.#cellsOf(this.#frame[y] ?? ''), 0, y, grid.columns);
    for (const { rect, lines: painted } of this.#regions.values()) {
      for (let row = 0; row < rect.height; row += 1) {
        paintLine(grid, this.#cellsOf(painted[row] ?? ''), rect.x, rect.y + row, rect.width);
      }
    }
    if (this.link !== null) linkLetters(grid, this.link);
    return grid;
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
