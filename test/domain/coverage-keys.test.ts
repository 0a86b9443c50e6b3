import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketOf, occurrenceKey, rowKey, SeenKeys } from '../../src/domain/tail/coverage-keys.ts';
import { fc } from '../support/properties.ts';
import { recordWith } from '../support/rows.ts';

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

test('what is forgotten leaves in whole buckets, the oldest first where there are too many', () => {
  const keys = new SeenKeys();
  for (let i = 0; i < 10_000; i += 1) keys.add(START + i, i + 1);
  keys.prune((range) => range.to <= bucketOf(START + 2_000).from);
  assert.equal(keys.size, 8_000);
  assert.equal(keys.has(START + 1_999, 2_000), false);
  assert.equal(keys.has(START + 2_000, 2_001), true);
  assert.equal(keys.evict(5_000), bucketOf(START + 5_000).from);
  assert.equal(keys.size, 5_000);
});

test('rows differ in key when they differ in id, in time, or without an id in any field', () => {
  const record = recordWith({ timestamp: START, requestId: 'a'.repeat(32), path: '/' });
  const bare = { ...record, requestId: null };
  const keys = [
    record,
    { ...record, requestId: 'b'.repeat(32) },
    { ...record, timestamp: START + 1 },
    bare,
    { ...bare, path: '/x' },
  ].map(rowKey);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(rowKey({ ...record }), rowKey(record));
  assert.ok(keys.every((key) => Number.isSafeInteger(key) && key > 0));
});
