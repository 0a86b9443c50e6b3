import assert from 'node:assert/strict';
import { test } from 'node:test';
import { occurrenceKey, SeenKeys } from '../../src/domain/tail/coverage-keys.ts';
import { fc } from '../support/properties.ts';

const START = Date.UTC(2026, 0, 1);

test('the keys of a range are counted exactly, whatever came twice', () => {
  const row = fc.record({
    time: fc.integer({ min: START, max: START + 5_000 }),
    key: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 200 }), fc.nat(5_000), fc.nat(5_000), (rows, from, to) => {
      const keys = new SeenKeys();
      const known = new Map<string, number>();
      for (const { time, key } of rows) {
        // Rows of one key have one time: time is part of the key.
        const own = occurrenceKey(key, time - START + 1);
        assert.equal(keys.has(time, own), known.has(`${time} ${own}`));
        keys.add(time, own);
        known.set(`${time} ${own}`, time);
      }
      const range = { from: START + from, to: START + to };
      const inRange = [...known.values()].filter((time) => time >= range.from && time < range.to);
      assert.equal(keys.count(range), inRange.length);
      assert.equal(keys.size, known.size);
    }),
  );
});
