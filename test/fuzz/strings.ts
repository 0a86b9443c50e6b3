import assert from 'node:assert/strict';
import { BLANK, codePointOf, createGrid, isContinuation, paintLine } from '../../src/terminal/cells.ts';
import { Painter } from '../../src/terminal/painter.ts';
import { glyphCells, parseStyledLine } from '../../src/terminal/styled-text.ts';
import { fit, width } from '../../src/text/fit.ts';
import { sanitise, unsanitise } from '../../src/text/sanitise.ts';
import { randomOf } from '../effects/support/model-rows.ts';
import { HOSTILE } from '../session/rewriting.ts';
import { Emulator } from '../support/emulator.ts';

export type StringFigures = { tried: number; shown: number; leaked: number };

const COLUMNS = 80;
const ROWS = 24;
/** What an emulator looks at costs a thousand times what a check of cells does. */
const SHOWN_EVERY = 40;
const INTRODUCERS = ['\x1b', '\x9b', '\x9d', '\x90', '\x1b[', '\x1b]', '\x1bP', '\x1b_', '\x1b^', '\x1bX'];
const PIECES = [
  ...INTRODUCERS,
  '0;owned\x07',
  '52;c;b3duZWQ=\x1b\\',
  '2J',
  '?1049l',
  '38;2;1;2;3m',
  '41m',
  '8m',
  '6n',
  'c',
  '\x07',
  '\r',
  '\n',
  '\b',
  '\t',
  '\x7f',
  '\x00',
  '\\x1b',
  '\\',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ufeff',
  '\ufe0f',
  'e\u0301',
  '\u0e33',
  '\u{1f469}\u200d\u{1f4bb}',
  '\u{1f1e9}\u{1f1ea}',
  '\u{e0041}',
  '\ud800',
  '\udfff',
  '日本',
  '한글',
  '─│┌',
  'Ω',
  'Ж',
  'a',
  ' ',
  '...(+7)',
];

/** One string after another, the same for the same seed. */
export function* stringsOf(seed: number, count: number): Generator<string> {
  const random = randomOf(seed);
  const whole = (most: number) => Math.floor(random() * most);
  const piece = (): string => {
    const draw = random();
    if (draw < 0.5) return PIECES[whole(PIECES.length)] ?? '';
    if (draw < 0.7) return String.fromCharCode(whole(0x100));
    if (draw < 0.85) return String.fromCharCode(whole(0x10000));
    if (draw < 0.95) return String.fromCodePoint(whole(0x110000));
    const { input } = HOSTILE[whole(HOSTILE.length)] ?? { input: '' };
    const at = whole(input.length);
    return input.slice(at, at + 1 + whole(12));
  };
  for (let i = 0; i < count; i += 1) yield Array.from({ length: 1 + whole(14) }, piece).join('');
}

/** Each string through the sanitiser alone, the filter alone, and every so often on to an emulator. */
export async function fuzzStrings(seed: number, count: number): Promise<StringFigures> {
  const figures: StringFigures = { tried: 0, shown: 0, leaked: 0 };
  let shown: string[] = [];
  for (const input of stringsOf(seed, count)) {
    figures.tried += 1;
    const strict = sanitise(input, 'strict');
    const text = sanitise(input, 'text');
    assert.match(strict, /^[ -~]*$/);
    assert.equal(unsanitise(strict), input, 'strict comes back');
    assert.equal(unsanitise(text), input, 'text comes back');
    const cut = sanitise(input, 'strict', 5);
    if (input.length > 5) assert.match(cut, /\.\.\.\(\+\d+\)$/);
    assert.equal(width(fit(text, 20)), 20);
    // What the sanitiser lets through is let through by the filter as well, sign by sign.
    assert.equal(textOf(parseStyledLine(text)), text, 'the layers agree');
    figures.leaked += leaksOf(parseStyledLine(input));
    if (figures.tried % SHOWN_EVERY === 0) shown.push(input);
    if (shown.length < ROWS) continue;
    await onScreen(shown);
    figures.shown += shown.length;
    shown = [];
  }
  return figures;
}

/** Cells that are neither an allowed sign nor the second half of one. */
function leaksOf(cells: Uint32Array): number {
  let leaks = 0;
  for (const [i, cell] of cells.entries()) {
    const point = codePointOf(cell);
    const isAllowed = isContinuation(cell)
      ? glyphCells(codePointOf(cells[i - 1] ?? BLANK)) === 2 || codePointOf(cells[i - 1] ?? BLANK) === 0x3f
      : glyphCells(point) > 0 || (point >= 0x20 && point < 0x7f);
    if (!isAllowed) leaks += 1;
  }
  return leaks;
}

function textOf(cells: Uint32Array): string {
  return [...cells]
    .filter((cell) => !isContinuation(cell))
    .map((cell) => String.fromCodePoint(codePointOf(cell)))
    .join('');
}

/** A screen of strings that met no sanitiser: the emulator shows what the cells say, and does nothing besides. */
async function onScreen(lines: readonly string[]): Promise<void> {
  const emulator = new Emulator(COLUMNS, ROWS, 7788, () => {});
  emulator.onReply(() => {});
  const grid = createGrid(COLUMNS, ROWS);
  for (const [y, line] of lines.entries()) paintLine(grid, parseStyledLine(line, COLUMNS), 0, y, COLUMNS);
  const frame = Buffer.from(`\x1b[?7l${new Painter(COLUMNS, ROWS).repaint(grid, null)}`);
  await new Promise<void>((resolve) => emulator.write(frame, resolve));
  assert.deepEqual(emulator.events, [], JSON.stringify(lines));
  const wanted = Array.from({ length: ROWS }, (_, y) =>
    textOf(grid.cells.subarray(y * COLUMNS, (y + 1) * COLUMNS)).trimEnd(),
  );
  assert.deepEqual(emulator.lines(), wanted);
  const { styles } = emulator.grid();
  for (const style of styles.flat()) assert.equal(style.split('|')[1], '', 'a background');
  emulator.dispose();
}
