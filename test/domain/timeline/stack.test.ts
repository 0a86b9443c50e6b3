import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_COLUMN, stacked } from '../../../src/domain/timeline/stack.ts';
import { fc, runs } from '../../support/properties.ts';

const anyCounts = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1e6 })), {
  minLength: 4,
  maxLength: 6,
});
const anyHeight = fc.integer({ min: 1, max: 9 });
const anyLevel = fc.double({ min: 0, max: 1, noNaN: true });

test('a column is never higher than its place, its parts lie worst first, and something is at least a cell', () => {
  fc.assert(
    fc.property(anyCounts, anyLevel, anyHeight, (counts, level, height) => {
      const column = stacked(counts, level, height);
      const isEmpty = counts.every((count) => count === 0);
      assert.equal(column.parts.length === 0, isEmpty);
      if (isEmpty) return assert.equal(column, EMPTY_COLUMN);
      assert.ok(column.parts.length <= height);
      assert.ok(column.eighths >= 1 && column.eighths <= 8);
      assert.equal(
        8 * (column.parts.length - 1) + column.eighths,
        Math.max(1, Math.round(level * height * 8)),
      );
      assert.deepEqual(
        column.parts,
        column.parts.toSorted((a, b) => a - b),
      );
      assert.ok(column.parts.every((part) => (counts[part] as number) > 0));
    }),
    { numRuns: runs(400) },
  );
});

test('each part has a cell as long as there are cells: the largest first, then the worst', () => {
  assert.deepEqual(stacked([1, 1, 0, 1000, 0], 1, 4).parts, [0, 1, 3, 3]);
  assert.deepEqual(stacked([1, 1, 1, 1000, 1], 1, 3).parts, [0, 1, 3]);
  assert.deepEqual(stacked([0, 0, 0, 9, 0], 1, 2).parts, [3, 3]);
  assert.deepEqual(stacked([500, 0, 0, 500, 0], 1, 4).parts, [0, 0, 3, 3]);
});

test('a cell that stands alone shows the worst part that is an eighth of it', () => {
  const alone = (counts: number[]) => stacked(counts, 1, 1).parts;
  assert.deepEqual(alone([12, 0, 0, 88, 0]), [3]);
  assert.deepEqual(alone([13, 0, 0, 87, 0]), [0]);
  assert.deepEqual(alone([1, 20, 0, 79, 0]), [1]);
});

test('a level fills cells by eighths', () => {
  const at = (level: number) => stacked([0, 0, 0, 5], level, 2);
  assert.deepEqual(at(0.001), { parts: [3], eighths: 1 });
  assert.deepEqual(at(0.5), { parts: [3], eighths: 8 });
  assert.deepEqual(at(9 / 16), { parts: [3, 3], eighths: 1 });
});
