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

test('a letter with combining marks is one key press', () => {
  assert.deepEqual(chords('e\u0301x', NO_KEY), ['e\u0301', 'x']);
});

test('named keys keep their names', () => {
  assert.deepEqual(chords('', { ...NO_KEY, pageDown: true }), ['PgDn']);
  assert.deepEqual(chords('', { ...NO_KEY, tab: true, shift: true }), ['Shift-Tab']);
  assert.deepEqual(chords('d', { ...NO_KEY, ctrl: true }), ['Ctrl-d']);
});

test('keys with Alt do nothing rather than something else', () => {
  assert.deepEqual(chords('x', { ...NO_KEY, meta: true }), []);
});

test('only single characters and Space are printable', () => {
  assert.equal(isPrintable('x'), true);
  assert.equal(isPrintable('Space'), true);
  assert.equal(isPrintable('PgDn'), false);
});
