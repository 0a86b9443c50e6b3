import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorShare } from '../../src/screens/log/painting/rates-line.ts';

test('one error of three requests is told as that, and alarms nobody', () => {
  assert.deepEqual(errorShare(1, 3), { text: '1 of 3', slot: 'text' });
  assert.deepEqual(errorShare(4, 5), { text: '4 of 5', slot: 'text' });
  assert.deepEqual(errorShare(0, 3), { text: '0%', slot: 'dim' });
  assert.deepEqual(errorShare(0, 0), { text: '-', slot: 'dim' });
});

test('errors alarm by their number and by the share that they surely are', () => {
  assert.deepEqual(errorShare(6, 20), { text: '6 of 20', slot: 'error' });
  assert.deepEqual(errorShare(30, 1000), { text: '3.0%', slot: 'error' });
  // Six of five hundred may be less than one in a hundred.
  assert.deepEqual(errorShare(6, 500), { text: '1.2%', slot: 'text' });
  assert.deepEqual(errorShare(40, 20_000), { text: '0.2%', slot: 'text' });
});
