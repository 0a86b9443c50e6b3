import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventReading } from '../../../src/domain/inquiry/event-reading.ts';
import type { Met } from '../../../src/domain/inquiry/inquiry.ts';

const answerOf = (total: number, totalPages: number): Met => ({
  kind: 'shield',
  answer: {
    kind: 'rows',
    events: [{ logId: 'a', timestamp: 1, fields: {}, log: null, raw: null }],
    groups: [],
    total,
    totalPages,
    page: 0,
    bad: 0,
  },
});

test('of a server that speaks of countless pages twenty are read, and the reading is not called whole', () => {
  const reading = new EventReading({ shieldZoneId: '1', range: { from: 0, to: 1000 } });
  for (const need of reading.needs) reading.add(need, answerOf(1e12, 1e12));
  assert.deepEqual(
    reading.rest().map(({ ask }) => ask.page),
    Array.from({ length: 19 }, (_, i) => i + 1),
  );
  assert.equal(reading.isWhole, false);
  for (const need of reading.rest()) reading.add(need, answerOf(1e12, 1e12));
  assert.deepEqual(reading.rest(), []);
  assert.equal(reading.isWhole, false);
});

test('a reading is whole when every page that the answers tell of was read', () => {
  const reading = new EventReading({ shieldZoneId: '1', range: { from: 0, to: 1000 } });
  for (const need of reading.needs) reading.add(need, answerOf(2, 2));
  assert.equal(reading.isWhole, false);
  for (const need of reading.rest()) reading.add(need, answerOf(2, 2));
  assert.equal(reading.isWhole, true);
  assert.equal(reading.words('events'), 'all 2 events');
});
