import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved, placed, scrolled } from '../../src/state/list.ts';

const START = { cursor: 0, top: 0 };

test('moving past the visible rows scrolls by as little as shows the cursor', () => {
  assert.deepEqual(placed(START, 10, 100, 10), { cursor: 10, top: 1 });
  assert.deepEqual(placed({ cursor: 50, top: 45 }, 44, 100, 10), { cursor: 44, top: 44 });
});

test('the cursor stays inside a list that became shorter', () => {
  assert.deepEqual(placed({ cursor: 90, top: 85 }, 90, 3, 10), { cursor: 2, top: 0 });
  assert.deepEqual(placed({ cursor: 9, top: 0 }, 9, 0, 10), { cursor: 0, top: 0 });
});

test('a page down keeps one row of context', () => {
  assert.deepEqual(moved(START, 'pageDown', 100, 10), { cursor: 9, top: 9 });
});

test('the first and the last row are one key away', () => {
  assert.deepEqual(moved({ cursor: 40, top: 35 }, 'first', 100, 10), { cursor: 0, top: 0 });
  assert.deepEqual(moved(START, 'last', 100, 10), { cursor: 99, top: 90 });
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

test('other commands do not move', () => {
  assert.equal(moved(START, 'help', 100, 10), null);
  assert.equal(scrolled(0, 'help', 100, 10), null);
});
