import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import test from 'node:test';
import { Box, render, Text } from 'ink';
import { TerminalScreen } from '../../src/terminal/cell-screen.ts';
import type { Emulator } from '../support/emulator.ts';
import { runs } from '../support/properties.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { FakeStdout } from './fakes.ts';
import { feed, newEmulator, seeded } from './frames.ts';

const RUNS = runs(1);
const COLUMNS = 30;
const ROWS = 6;
const FRAME = ['┌', '│', '┐', '└', '┘', '─'];
const hostile = (
  JSON.parse(readFileSync(new URL('../data/hostile-strings.json', import.meta.url), 'utf8')) as {
    input: string;
  }[]
).map(({ input }) => input);

function open(emulator: Emulator) {
  const clock = new VirtualClock();
  const stdout = new FakeStdout(COLUMNS, ROWS);
  const screen = new TerminalScreen({ stdout: stdout.asStdout(), clock });
  screen.start();
  emulator.onReply(() => {});
  const settle = async (): Promise<void> => {
    screen.invalidate('key');
    clock.pass(0);
    await feed(emulator, stdout.take());
  };
  return { screen, settle };
}

/** The border in its place and colour, and nothing that a terminal does besides showing letters. */
function assertUnharmed(emulator: Emulator, what: string): void {
  for (let x = 0; x < COLUMNS; x += 1) {
    for (let y = 0; y < ROWS; y += 1) {
      const cell = emulator.cell(x, y);
      assert.equal(cell.bg, null, `${what}: a background`);
      assert.doesNotMatch(cell.char, /\p{Control}|\p{Format}|\p{Mark}|\p{Emoji_Presentation}/u, what);
      if (x > 0 && x < COLUMNS - 1 && y > 0 && y < ROWS - 1) continue;
      assert.ok(
        FRAME.includes(cell.char),
        `${what}: the border at ${x},${y} is ${JSON.stringify(cell.char)}`,
      );
      assert.deepEqual([cell.fg, cell.bold, cell.inverse], [null, false, false], `${what}: a border's style`);
    }
  }
  assert.deepEqual(emulator.events, [], what);
  const { alternateScreen, cursorVisible, mouse, focusEvents, wraparound, applicationCursor } =
    emulator.modes();
  assert.deepEqual(
    { alternateScreen, cursorVisible, mouse, focusEvents, wraparound, applicationCursor },
    {
      alternateScreen: true,
      cursorVisible: false,
      mouse: false,
      focusEvents: false,
      wraparound: false,
      applicationCursor: false,
    },
    what,
  );
}

function box(): string[] {
  const edge = '─'.repeat(COLUMNS - 2);
  return [
    `┌${edge}┐`,
    ...Array.from({ length: ROWS - 2 }, () => `│${' '.repeat(COLUMNS - 2)}│`),
    `└${edge}┘`,
  ];
}

function fuzzed(random: () => number): string {
  const parts = [
    '\x1b',
    '[',
    ']',
    '0;t',
    '\x07',
    '\x9b',
    '\x9d',
    '\x90',
    '2J',
    '?1049l',
    'm',
    '41',
    '38;5;',
    'c',
    '\u202e',
  ];
  const more = [
    'e\u0301',
    '👩‍💻',
    '🇩🇪',
    '\u200b',
    '\ufe0f',
    '\x00',
    '\x7f',
    '\r',
    '\b',
    '\t',
    '日',
    'ก\u0e33',
    '\ud800',
    '\u{e0041}',
    'a',
  ];
  const pool = [...parts, ...more];
  return Array.from({ length: 1 + random() * 12 }, () => pool[Math.floor(random() * pool.length)]).join('');
}

test('no hostile string in a region acts on the terminal, with no sanitiser before it', async () => {
  const emulator = newEmulator(COLUMNS, ROWS);
  const { screen, settle } = open(emulator);
  screen.inkStdout.write(box().join('\n'));
  const random = seeded(12);
  for (const input of [...hostile, ...Array.from({ length: 250 * RUNS }, () => fuzzed(random))]) {
    const lines = [input, `ok ${input}`, `${input} ok`, 'still here'];
    screen.setRegion('r', { x: 1, y: 1, width: COLUMNS - 2, height: ROWS - 2 }, lines);
    await settle();
    assertUnharmed(emulator, JSON.stringify(input));
    assert.equal(emulator.lines()[4]?.slice(1, 11), 'still here');
  }
  emulator.dispose();
});

test('no hostile string in a frame of Ink acts on the terminal, with no sanitiser before it', async () => {
  const emulator = newEmulator(COLUMNS, ROWS);
  const { screen, settle } = open(emulator);
  const random = seeded(12);
  const view = (text: string) => (
    <Box width={COLUMNS} height={ROWS} borderStyle="single" flexDirection="column" overflow="hidden">
      <Box height={2} overflow="hidden">
        <Text wrap="truncate">{text}</Text>
      </Box>
      <Text wrap="truncate">still here</Text>
    </Box>
  );
  const stdin = Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.ReadStream;
  const ink = render(view(''), {
    stdout: screen.inkStdout,
    stdin,
    debug: true,
    interactive: true,
    patchConsole: false,
    exitOnCtrlC: false,
  });
  // Ink measures a tab as nothing and draws it as a cell, over its own border.
  const fuzz = Array.from({ length: 150 * RUNS }, () => fuzzed(random).replaceAll('\t', ''));
  for (const input of [...hostile, ...fuzz]) {
    ink.rerender(view(input));
    await settle();
    assertUnharmed(emulator, JSON.stringify(input));
  }
  ink.unmount();
  emulator.dispose();
});
