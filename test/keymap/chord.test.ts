import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Key } from 'ink';
import { chords, isPrintable } from '../../src/keymap/chord.ts';

const NO_KEY = {} as Key;

test('several letters in one read are as many key presses', () => {
  assert.deepEqual(chords('jjjk', NO_KEY), ['j', 'j', 'j', 'k']);
});

test('a chunk that mixes letters with Return, Tab and control characters is taken apart in order', () => {
  assert.deepEqual(chords('ab\r\t\x04 \x7f', NO_KEY), [
    'a',
    'b',
    'Enter',
    'Tab',
    'Ctrl-d',
    'Space',
    'Backspace',
  ]);
});

test('named keys keep their names', () => {
  assert.deepEqual(chords('', { ...NO_KEY, pageDown: true }), ['PgDn']);
  assert.deepEqual(chords('', { ...NO_KEY, tab: true, shift: true }), ['Shift-Tab']);
  assert.deepEqual(chords('d', { ...NO_KEY, ctrl: true }), ['Ctrl-d']);
});

test('Esc and a key in one read, which is also what a terminal sends for Alt, are the two keys', () => {
  const alt = { ...NO_KEY, meta: true };
  assert.deepEqual(chords('x', alt, '\x1bx'), ['Esc', 'x']);
  assert.deepEqual(chords('/', NO_KEY, '\x1b/'), ['Esc', '/']);
  assert.deepEqual(chords(' ', alt, '\x1b '), ['Esc', 'Space']);
  assert.deepEqual(chords('', { ...alt, return: true }, '\x1b\r'), ['Esc', 'Enter']);
  assert.deepEqual(chords('', { ...alt, escape: true }, '\x1b\x1b'), ['Esc', 'Esc']);
  assert.deepEqual(chords('', { ...alt, upArrow: true }, '\x1b\x1b[A'), ['Esc', 'Up']);
  assert.deepEqual(chords('[', NO_KEY, '\x1b['), ['Esc', '[']);
  assert.deepEqual(chords('😀', NO_KEY, '\x1b😀'), ['Esc', '😀']);
});

test('a sequence of the terminal is one key, and Alt told apart from Esc does nothing', () => {
  assert.deepEqual(chords('', { ...NO_KEY, escape: true }, '\x1b'), ['Esc']);
  assert.deepEqual(chords('', { ...NO_KEY, upArrow: true }, '\x1b[A'), ['Up']);
  assert.deepEqual(chords('', { ...NO_KEY, home: true }, '\x1bOH'), ['Home']);
  assert.deepEqual(chords('x', { ...NO_KEY, meta: true }, '\x1b[120;3u'), []);
});

test('function keys have their names, however a terminal sends them, and no text comes of them', () => {
  const meta = { ...NO_KEY, meta: true };
  for (const [raw, name] of [
    ['\x1bOP', 'F1'],
    ['\x1b[11~', 'F1'],
    ['\x1b[[A', 'F1'],
    ['\x1b[1;2P', 'F1'],
    ['\x1b[13~', 'F3'],
    ['\x1bOS', 'F4'],
    ['\x1b[[E', 'F5'],
    ['\x1b[15~', 'F5'],
    ['\x1b[15;5~', 'F5'],
    ['\x1b[21~', 'F10'],
    ['\x1b[24~', 'F12'],
  ] as const) {
    assert.deepEqual(chords('', meta, raw), [name], raw);
    assert.equal(isPrintable(name), false);
  }
  assert.deepEqual(chords('', { ...NO_KEY, pageDown: true }, '\x1b[6~'), ['PgDn']);
  assert.deepEqual(chords('', { ...NO_KEY, delete: true }, '\x1b[3~'), ['Delete']);
});
