import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelOf, scaleOf } from '../../../src/domain/timeline/scale.ts';
import { fc, runs } from '../../support/properties.ts';

const anyTotals = fc.array(fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 1e9 })), {
  maxLength: 120,
});

test('the top of a scale is a number that is easily read, and no less than what is ordinary', () => {
  assert.equal(scaleOf([]).top, 1);
  assert.equal(scaleOf([0, 0]).top, 1);
  assert.equal(scaleOf([7, 3]).top, 8);
  assert.equal(scaleOf([1000]).top, 1000);
  assert.equal(scaleOf([1001]).top, 1200);
});

test('a few peaks are cut rather than flatten the rest, and a lasting rise is none', () => {
  const quiet = Array.from({ length: 60 }, () => 10);
  assert.equal(scaleOf([...quiet, 5000]).top, 20);
  assert.equal(scaleOf([...quiet, ...Array.from({ length: 20 }, () => 5000)]).top, 5000);
  assert.equal(scaleOf([...quiet, 40]).top, 40);
  assert.equal(scaleOf([...quiet, 5000], true).top, 5000);
  // Of a few steps none is ordinary.
  assert.equal(scaleOf([10, 10, 5000]).top, 5000);
});

test('a logarithmic scale cuts no peak and keeps the order of heights', () => {
  fc.assert(
    fc.property(anyTotals, (totals) => {
      const scale = scaleOf(totals, true);
      assert.ok(totals.every((total) => total <= scale.top));
      const sorted = totals.toSorted((a, b) => a - b).map((total) => levelOf(total, scale));
      assert.deepEqual(
        sorted,
        sorted.toSorted((a, b) => a - b),
      );
    }),
    { numRuns: runs(200) },
  );
});

test('a level is between nothing and full, nothing for nothing alone', () => {
  fc.assert(
    fc.property(anyTotals, fc.boolean(), (totals, isLog) => {
      const scale = scaleOf(totals, isLog);
      for (const total of totals) {
        const level = levelOf(total, scale);
        assert.ok(level >= 0 && level <= 1);
        assert.equal(level === 0, total === 0);
      }
    }),
    { numRuns: runs(200) },
  );
});
