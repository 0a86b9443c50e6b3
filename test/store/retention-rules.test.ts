import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takenBefore } from '../../src/store/sql/retention-rules.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 20);

/** How many days before now rows begin to be taken by these rules; null: none are. */
function days(ttl: string): number | null {
  const rules = ttl === '' ? '' : ` TTL ${ttl}`;
  const definition = `ReplacingMergeTree(detail) PARTITION BY toYYYYMMDD(timestamp) ORDER BY (pullZoneId, toStartOfMinute(timestamp))${rules} SETTINGS ttl_only_drop_parts = 1, index_granularity = 8192`;
  const before = takenBefore(definition, NOW);
  return before === null ? null : (NOW - before) / DAY;
}

test('a table without a rule keeps its rows, and so does one that moves or packs them', () => {
  for (const rules of [
    '',
    "timestamp + toIntervalDay(7) TO VOLUME 'cold', toDateTime(timestamp) + toIntervalDay(9) TO DISK 'far'",
    'toDateTime(timestamp) + toIntervalMonth(1) RECOMPRESS CODEC(ZSTD(9), Delta)',
  ])
    assert.equal(days(rules), null, rules);
});

test('rows are taken from when the shortest rule says, and no later than that can mean', () => {
  assert.equal(days('toDateTime(timestamp) + toIntervalDay(400)'), 400);
  assert.equal(days('timestamp + toIntervalWeek(2) DELETE'), 14);
  assert.equal(days('timestamp + toIntervalHour(36)'), 1.5);
  assert.equal(days('timestamp + toIntervalQuarter(1)'), 90);
  // The last row of a day goes with the first, and February has 28 days.
  assert.equal(days('toDate(timestamp) + toIntervalMonth(3)'), 83);
  assert.equal(days('toStartOfDay(timestamp) + toIntervalDay(3)'), 2);
  // Of some rows alone, or as a sum of them: rows are missing all the same.
  assert.equal(
    days('timestamp + toIntervalYear(1), timestamp + toIntervalDay(30) WHERE statusCode < 400'),
    30,
  );
  assert.equal(days('timestamp + toIntervalDay(9) GROUP BY pullZoneId SET bytesSent = sum(bytesSent)'), 9);
  assert.equal(days("timestamp + toIntervalDay(1) TO VOLUME 'cold', timestamp + toIntervalDay(5)"), 5);
});

test('by a rule that is not understood any row may be gone', () => {
  for (const rules of [
    'toStartOfMonth(timestamp) + toIntervalDay(400)',
    'timestamp + toIntervalNanosecond(400)',
    "if(pullZoneId = '7', toDateTime(timestamp) + toIntervalDay(1), toDateTime(timestamp) + toIntervalDay(90))",
    'addDays(timestamp, 400)',
  ])
    assert.equal(days(rules), 0, rules);
});
