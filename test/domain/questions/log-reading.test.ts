import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogNeed, Met } from '../../../src/domain/inquiry/inquiry.ts';
import { hedgeOf, LogReading, zoneReads } from '../../../src/domain/inquiry/log-reading.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import { EMPTY_QUERY } from '../../../src/domain/query/query.ts';
import { zoneOf } from '../../support/state.ts';

const HOUR = 3_600_000;
const now = { from: 8 * HOUR, to: 16 * HOUR };
const before = { from: 0, to: 8 * HOUR };

const shop = zoneOf('1', 'shop');

function readingOf(parts: number): LogReading {
  return new LogReading({
    zones: zoneReads([shop], EMPTY_QUERY, parts),
    windows: { now: [now], before: [before] },
  });
}

/** A busy zone: of each request the first `share` of its time fits into the answer. */
function cutAt({ range }: LogNeed, share: number): Met {
  const timestamp = range.from + (range.to - range.from) * share;
  return { kind: 'logs', records: [{ timestamp, raw: null } as LogRecord], hasMore: true };
}

/** The longest time without a request, of the whole window. */
function widestGap(needs: readonly LogNeed[], { from, to }: { from: number; to: number }): number {
  const times = [...needs.map(({ range }) => range.from), to].toSorted((a, b) => a - b);
  return Math.max(...times.map((time, at) => time - (times[at - 1] ?? from))) / (to - from);
}

test('any number of first requests lies evenly in both windows, and so do those for the rest', () => {
  for (const parts of [3, 5, 8]) {
    const reading = readingOf(parts);
    const check = (needs: readonly LogNeed[]) => {
      for (let n = 2; n <= needs.length; n++) {
        for (const [side, range] of [
          ['now', now],
          ['before', before],
        ] as const) {
          const own = needs.slice(0, n).filter((need) => need.side === side);
          assert.ok(own.length >= Math.floor(n / 2), `${side} is as many of the first ${n}`);
          assert.ok(widestGap(own, range) <= 2 / own.length, `${own.length} of ${parts}`);
        }
      }
    };
    check(reading.needs);
    for (const need of reading.needs) reading.add(need, cutAt(need, 0.25));
    assert.equal(reading.rest().length, 2 * parts);
    check(reading.rest());
    assert.equal(hedgeOf(reading), 'of the 25.0% read: ');
  }
});

test('a window in two parts costs as much as one, and its share is of both', () => {
  const parts = [
    { from: 0, to: HOUR },
    { from: 3 * HOUR, to: 8 * HOUR },
  ];
  const reading = new LogReading({
    zones: zoneReads([shop], EMPTY_QUERY, 6),
    windows: { now: [now], before: parts },
  });
  const asked = reading.needs.filter(({ side }) => side === 'before');
  assert.deepEqual(asked.map(({ range }) => range.from / HOUR).toSorted(), [0, 3, 4, 5, 6, 7]);
  for (const need of asked.filter(({ range }) => range.from >= 3 * HOUR))
    reading.add(need, { kind: 'logs', records: [], hasMore: false });
  assert.equal(reading.share('before'), 5 / 6);
  assert.equal(reading.length('before'), 6 * HOUR);
});

test('how much of a part was read is told by the time that answers cover', () => {
  const reading = readingOf(4);
  const [first] = reading.needs;
  assert.ok(first?.side === 'now' && first.range.from === now.from);
  reading.add(first, cutAt(first, 0.5));
  const quarter = (at: number) => ({ from: now.from + at * 2 * HOUR, to: now.from + (at + 1) * 2 * HOUR });
  assert.deepEqual(
    [0, 1, 2, 3].map((at) => reading.share('now', quarter(at))),
    [0.5, 0, 0, 0],
  );
  assert.deepEqual(
    [reading.share('now'), reading.share('before'), reading.covered('now', shop)],
    [1 / 8, 0, HOUR],
  );
  for (const need of reading.rest()) reading.add(need, { kind: 'logs', records: [], hasMore: false });
  assert.deepEqual([reading.shareOfAll, hedgeOf(reading), reading.rest()], [1, '', []]);
});
