import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelOf, scaleTop } from '../../../src/domain/timeline/scale.ts';
import { fc, runs } from '../../support/properties.ts';

const anyTotals = fc.array(fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 1e9 })), {
  maxLength: 120,
});

test('the top of a scale is a number that is easily read, and no less than what is ordinary', () => {
  assert.equal(scaleTop([]), 1);
  assert.equal(scaleTop([0, 0]), 1);
  assert.equal(scaleTop([7, 3]), 8);
  assert.equal(scaleTop([1000]), 1000);
  assert.equal(scaleTop([1001]), 1200);
});

test('a few peaks are cut rather than flatten the rest, and a lasting rise is none', () => {
  const quiet = Array.from({ length: 60 }, () => 10);
  assert.equal(scaleTop([...quiet, 5000]), 20);
  assert.equal(scaleTop([...quiet, ...Array.from({ length: 20 }, () => 5000)]), 5000);
  assert.equal(scaleTop([...quiet, 40]), 40);
  // Of a few steps none is ordinary.
  assert.equal(scaleTop([10, 10, 5000]), 5000);
});

test('a level is between nothing and full, nothing for nothing alone', () => {
  fc.assert(
    fc.property(anyTotals, (totals) => {
      const top = scaleTop(totals);
      for (const total of totals) {
        const level = levelOf(total, top);
        assert.ok(level >= 0 && level <= 1);
        assert.equal(level === 0, total === 0);
      }
    }),
    { numRuns: runs(200) },
  );
});
