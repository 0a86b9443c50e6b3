import {
  codePointOf,
  createGrid,
  type Grid,
  isContinuation,
  paintLine,
  styleIdOf,
  styleOf,
} from '../../src/terminal/cells.ts';
import { parseStyledLine } from '../../src/terminal/styled-text.ts';
import { type Cell, Emulator } from '../support/emulator.ts';

/** A seeded source of numbers in [0, 1) (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 0x100000000;
  };
}

export function gridOf(lines: readonly string[], columns: number, rows: number): Grid {
  const grid = createGrid(columns, rows);
  for (const [y, line] of lines.slice(0, rows).entries())
    paintLine(grid, parseStyledLine(line), 0, y, columns);
  return grid;
}

export function newEmulator(columns: number, rows: number): Emulator {
  return new Emulator(columns, rows, 7788, () => {});
}

export function feed(emulator: Emulator, data: string): Promise<void> {
  return new Promise((done) => emulator.write(Buffer.from(data), done));
}

/** What a person sees of a cell: blanks show no colour and no weight. */
function look(char: string, colour: Cell['fg'], flags: readonly boolean[]): string {
  const isBlank = char === ' ';
  const [bold, dim, italic, underline, inverse, strike] = flags;
  const marks = `${underline ? 'u' : ''}${inverse ? 'i' : ''}${strike ? 's' : ''}`;
  if (isBlank && marks === '') return ' ';
  return `${char}/${colour ?? '-'}/${marks}${bold ? 'b' : ''}${dim ? 'd' : ''}${italic ? 't' : ''}`;
}

/** The first cell in which the emulator's screen differs from the grid, in words; null when there is none. */
export function firstDifference(emulator: Emulator, grid: Grid): string | null {
  for (let y = 0; y < grid.rows; y += 1) {
    for (let x = 0; x < grid.columns; x += 1) {
      const cell = emulator.cell(x, y);
      const packed = grid.cells[y * grid.columns + x] ?? 0;
      if (cell.bg !== null) return `background at ${x},${y}`;
      if (isContinuation(packed)) {
        if (cell.width !== 0) return `half a wide letter at ${x},${y}`;
        continue;
      }
      const seen = look(cell.char, cell.fg, [
        cell.bold,
        cell.dim,
        cell.italic,
        cell.underline,
        cell.inverse,
        cell.strikethrough,
      ]);
      const wanted = lookOf(packed);
      if (seen !== wanted) return `at ${x},${y}: wanted ${wanted}, the terminal shows ${seen}`;
    }
  }
  return null;
}

function lookOf(packed: number): string {
  const { foreground, flags } = styleOf(styleIdOf(packed));
  const colour =
    foreground === 0
      ? null
      : foreground <= 256
        ? foreground - 1
        : `#${(foreground & 0xffffff).toString(16).padStart(6, '0')}`;
  const bits = [1, 2, 4, 8, 16, 32].map((bit) => (flags & bit) !== 0);
  return look(String.fromCodePoint(codePointOf(packed)), colour, bits);
}
