import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved, placed, scrolled } from '../../src/state/list.ts';

const START = { cursor: 0, top: 0 };

test('moving past the visible rows scrolls by as little as shows the cursor', () => {
  assert.deepEqual(placed(START, 10, 100, 10), { cursor: 10, top: 1 });
  assert.deepEqual(placed({ cursor: 50, top: 45 }, 44, 100, 10), { cursor: 44, top: 44 });
});

test('a page down keeps one row of context', () => {
  assert.deepEqual(moved(START, 'pageDown', 100, 10), { cursor: 9, top: 9 });
});

test('lines without a cursor scroll by one or by a page, and as far as shows the last', () => {
  assert.equal(scrolled(0, 'down', 100, 10), 1);
  assert.equal(scrolled(0, 'pageDown', 100, 10), 9);
  assert.equal(scrolled(5, 'pageUp', 100, 10), 0);
  assert.equal(scrolled(0, 'last', 100, 10), 90);
  assert.equal(scrolled(90, 'down', 100, 10), 90);
  assert.equal(scrolled(95, 'up', 100, 10), 89, 'a window that grew');
  assert.equal(scrolled(0, 'last', 3, 10), 0);
});
