import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { include, without } from '../../src/domain/time-ranges.ts';

const range = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 20 })).map(([from, length]) => ({
  from,
  to: from + length,
}));

const units = (ranges: readonly { from: number; to: number }[]) =>
  ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i));

test('ranges that were included cover what they covered, in order and apart', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), (added) => {
      const ranges: { from: number; to: number }[] = [];
      for (const one of added) include(ranges, one);
      assert.deepEqual(
        units(ranges),
        [...new Set(units(added))].sort((a, b) => a - b),
      );
      for (const [i, one] of ranges.entries()) assert.ok(i === 0 || one.from > (ranges[i - 1]?.to ?? 0));
    }),
  );
});

test('without the others is exactly what none of them covers', () => {
  fc.assert(
    fc.property(range, fc.array(range, { maxLength: 8 }), (wanted, added) => {
      const ranges: { from: number; to: number }[] = [];
      for (const one of added) include(ranges, one);
      const covered = new Set(units(added));
      assert.deepEqual(
        units(without(wanted, ranges)),
        units([wanted]).filter((unit) => !covered.has(unit)),
      );
    }),
  );
});
