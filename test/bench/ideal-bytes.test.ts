import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emulator, type Grid } from '../support/emulator.ts';
import { changedCells, idealBytes } from './ideal-bytes.ts';

function grid(output: string, columns = 40, rows = 10): Promise<Grid> {
  const emulator = new Emulator(columns, rows, 7788, () => {});
  return new Promise((resolve) => emulator.write(Buffer.from(output), () => resolve(emulator.grid())));
}

// Rows that share nothing but their colour: a letter each, over and over.
function lettered(from: number, to: number): string {
  const row = (i: number) => `\x1b[32mHIT\x1b[m ${String.fromCharCode(97 + i).repeat(20)}`;
  return Array.from({ length: to - from }, (_, i) => row(from + i)).join('\r\n');
}

test('nothing changed costs nothing', async () => {
  assert.equal(idealBytes(await grid('abc'), await grid('abc')), 0);
});

test('one character costs its cursor move and itself', async () => {
  assert.equal(idealBytes(await grid('abc'), await grid('abX')), '\x1b[1;3HX'.length);
});

test('text that goes away is erased with one sequence', async () => {
  assert.equal(idealBytes(await grid('a long line that goes'), await grid('a')), '\x1b[1;2H\x1b[K'.length);
});

test('a changed colour is set and unset around the run', async () => {
  assert.equal(
    idealBytes(await grid('a word'), await grid('a \x1b[31mword\x1b[m')),
    '\x1b[1;3H\x1b[31mword\x1b[m'.length,
  );
});

test('from one colour to another costs the new colour alone', async () => {
  const [before, after] = await Promise.all([grid('ab'), grid('\x1b[31ma\x1b[32mb')]);
  assert.equal(idealBytes(before, after), '\x1b[1H\x1b[31ma\x1b[32mb\x1b[m'.length);
});

test('a list that moves up by one costs a scroll and one row, not all rows', async () => {
  const [before, after] = await Promise.all([grid(lettered(0, 10)), grid(lettered(1, 11))]);
  assert.equal(idealBytes(before, after), `\x1b[S\x1b[10H${lettered(10, 11)}`.length);
});

test('a list that moves below a header scrolls a region', async () => {
  const [before, after] = await Promise.all([
    grid(`head\r\n${lettered(3, 11)}\r\nfoot`),
    grid(`head\r\n${lettered(0, 8)}\r\nfoot`),
  ]);
  assert.equal(idealBytes(before, after), `\x1b[2;9r\x1b[r\x1b[3T\x1b[2H${lettered(0, 3)}`.length);
});

test('the estimate is never above a plain repaint', async () => {
  const [before, after] = await Promise.all([grid(lettered(0, 10)), grid(lettered(10, 20))]);
  assert.ok(idealBytes(before, after) <= `\x1b[H${lettered(10, 20)}`.length);
});

test('changed cells are counted by character and by style', async () => {
  assert.equal(changedCells(await grid('abc'), await grid('a\x1b[1mb\x1b[mX')), 2);
});
