import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GroupShape, grownShape, NO_SHAPE } from '../../src/domain/logs/groups/group-shape.ts';
import type { LogGroup } from '../../src/domain/logs/groups/log-group.ts';

const UPLOADS = '/wp-content/uploads/2026/11/';

function grown(known: GroupShape, ...pages: (string | null)[]): GroupShape {
  const groups = pages.map(
    (page): LogGroup => ({
      key: { page },
      count: 1,
      bytes: 0,
      firstSeen: 0,
      lastSeen: 0,
      hits: 0,
      misses: 0,
      errors: 0,
    }),
  );
  return grownShape(known, ['page'], groups, (_, value) => value);
}

test('cells are those of the longest key, in steps, and only grow', () => {
  const first = grown(NO_SHAPE, '/', '/a/little');
  assert.equal(first.cells, 16);
  assert.equal(grown(first, '/a/little/more').cells, 16);
  assert.equal(grown(first, '/a/little/more-of-it').cells, 24);
  assert.equal(grown(first, '/').cells, 16);
});

test('a directory that groups share only gets shorter, and never comes back', () => {
  const first = grown(NO_SHAPE, `${UPLOADS}a.jpg`, `${UPLOADS}b.jpg`);
  assert.equal(first.directories['page'], UPLOADS);
  const second = grown(first, '/wp-content/uploads/2026/10/a.jpg');
  assert.equal(second.directories['page'], '/wp-content/uploads/2026/');
  assert.equal(grown(second, `${UPLOADS}a.jpg`).directories['page'], '/wp-content/uploads/2026/');
  const none = grown(second, '/');
  assert.equal(none.directories['page'], '');
  assert.equal(grown(none, `${UPLOADS}a.jpg`).directories['page'], '');
});

test('no groups say nothing of their shape', () => {
  assert.equal(grown(NO_SHAPE), NO_SHAPE);
  assert.equal(grown(NO_SHAPE, null, `${UPLOADS}a.jpg`).directories['page'], '');
});
