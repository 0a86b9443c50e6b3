import assert from 'node:assert/strict';
import test from 'node:test';
import { linkLetters } from '../../src/terminal/cells.ts';
import { Painter } from '../../src/terminal/painter.ts';
import { runs } from '../support/properties.ts';
import { feed, firstDifference, gridOf, newEmulator, seeded } from './frames.ts';

const RUNS = runs(1);
const STYLES = [
  '1',
  '2',
  '3',
  '4',
  '7',
  '9',
  '31',
  '92',
  '38;5;208',
  '38;2;9;80;200',
  '1;7',
  '2;36',
  '39',
  '22',
  '27',
  '0',
];
const WORDS = [
  'GET',
  'HIT',
  '200',
  '日本',
  'é',
  '┌─┐',
  '▌',
  '한글',
  '/a/b',
  '     ',
  '          ',
  '…',
  'x',
  '404 MISS',
];

function randomLine(random: () => number, columns: number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  if (random() < 0.1) return '';
  let line = random() < 0.3 ? '' : `\x1b[${pick(STYLES)}m`;
  const words = Math.floor(random() * (columns / 4)) + 1;
  for (let count = 0; count < words; count += 1) {
    line += pick(WORDS);
    if (random() < 0.4) line += ' ';
    if (random() < 0.4) line += `\x1b[${pick(STYLES)}m`;
  }
  return line;
}

function nextFrame(random: () => number, lines: readonly string[], columns: number): string[] {
  const next = [...lines];
  const rows = next.length;
  const at = (): number => Math.floor(random() * rows);
  const change = random();
  const [top, bottom] = [at(), at()].sort((a, b) => a - b) as [number, number];
  const by = Math.floor(random() * 4) + 1;
  if (change < 0.3) {
    const fresh = Array.from({ length: by }, () => randomLine(random, columns));
    next.splice(top, Math.min(by, bottom - top + 1));
    next.splice(Math.max(top, bottom - by + 1), 0, ...fresh);
  } else if (change < 0.6) {
    const fresh = Array.from({ length: by }, () => randomLine(random, columns));
    next.splice(Math.max(top, bottom - by + 1), Math.min(by, bottom - top + 1));
    next.splice(top, 0, ...fresh);
  } else if (change < 0.7) next[top] = `\x1b[7m${next[top]}`;
  else if (change < 0.8) next[top] = (next[top] ?? '').replaceAll('200', '304').replace(' ', 'x');
  else if (change < 0.9) for (let count = 0; count < by; count += 1) next[at()] = randomLine(random, columns);
  else if (change < 0.93) next.reverse();
  else return Array.from({ length: rows }, () => randomLine(random, columns));
  if (random() < 0.3) next[rows - 1] = `status ${Math.floor(random() * 100)}`;
  return Array.from({ length: rows }, (_, y) => next[y] ?? '');
}

test('a terminal that got only differences shows every cell, colour and attribute of the wanted frame', async () => {
  for (let seed = 1; seed <= 40 * RUNS; seed += 1) {
    const random = seeded(seed);
    const columns = 8 + Math.floor(random() * 40);
    const rows = 2 + Math.floor(random() * 14);
    const emulator = newEmulator(columns, rows);
    const painter = new Painter(columns, rows);
    let lines = Array.from({ length: rows }, () => randomLine(random, columns));
    await feed(emulator, `\x1b[?7l${painter.repaint(gridOf(lines, columns, rows), null)}`);
    for (let frame = 0; frame < 50; frame += 1) {
      lines = nextFrame(random, lines, columns);
      const grid = gridOf(lines, columns, rows);
      const cursor =
        random() < 0.3 ? { x: Math.floor(random() * columns), y: Math.floor(random() * rows) } : null;
      const isAgain = random() < 0.02;
      await feed(emulator, isAgain ? painter.repaint(grid, cursor) : painter.update(grid, cursor));
      const wrong = firstDifference(emulator, grid);
      assert.equal(wrong, null, `${wrong} (seed ${seed}, frame ${frame})`);
      assert.equal(emulator.modes().cursorVisible, cursor !== null);
      if (cursor !== null) assert.deepEqual(emulator.cursor, cursor, `seed ${seed}, frame ${frame}`);
    }
    emulator.dispose();
  }
});

test('the letters of an address are a link, on whatever lines it takes, and nothing else is', async () => {
  const url = 'https://dash.bunny.net/cdn/2';
  const painter = new Painter(20, 3);
  const frame = (link: Parameters<typeof linkLetters>[1] | null) => {
    const grid = gridOf([' https://dash.bunny', ' .net/cdn/2 copied', 'hints'], 20, 3);
    if (link !== null) linkLetters(grid, link);
    return grid;
  };
  const linked = painter.update(frame({ y: 0, height: 2, url }), null);
  const open = `\x1b]8;;${url}\x1b\\`;
  const [, inside = ''] = linked.split(open);
  const [letters = ''] = inside.split('\x1b]8;;\x1b\\');
  assert.equal(letters.replace(/\x1b(?:\[[\d;]*[A-Za-z]|[DEM])/g, ''), url);
  const cleared = painter.update(frame(null), null);
  assert.ok(cleared.includes('https://dash.bunny') && !cleared.includes(open));
  const foreign = painter.update(frame({ y: 0, height: 1, url: 'https://x/\x1b\\\x1b[2J' }), null);
  assert.ok(!foreign.includes('\x1b]8;;h') && !foreign.includes('\x1b[2J'));
});
