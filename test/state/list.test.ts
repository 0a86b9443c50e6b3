import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrolled } from '../../src/state/list.ts';

test('lines without a cursor scroll by one or by a page, and as far as shows the last', () => {
  assert.equal(scrolled(0, 'down', 100, 10), 1);
  assert.equal(scrolled(0, 'pageDown', 100, 10), 9);
  assert.equal(scrolled(5, 'pageUp', 100, 10), 0);
  assert.equal(scrolled(0, 'last', 100, 10), 90);
  assert.equal(scrolled(90, 'down', 100, 10), 90);
  assert.equal(scrolled(95, 'up', 100, 10), 89, 'a window that grew');
  assert.equal(scrolled(0, 'last', 3, 10), 0);
});
