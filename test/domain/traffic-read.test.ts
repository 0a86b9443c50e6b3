import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noTraffic, type Traffic } from '../../src/domain/logs/sums/traffic.ts';
import { requestRate, requestsIn, trafficRead } from '../../src/domain/logs/sums/traffic-read.ts';
import { joinedRanges, type TimeRange, timeShared } from '../../src/domain/tail/coverage.ts';
import { fc } from '../support/properties.ts';

const SECOND = 1000;
const seconds = (from: number, to: number): TimeRange => ({ from: from * SECOND, to: to * SECOND });

/** So many rows a second, whatever was read; `held`: the times of which rows came. */
function steady(perSecond: number, held: readonly TimeRange[]) {
  return (range: TimeRange): Traffic => ({
    ...noTraffic(),
    requests: (timeShared(range, held) / SECOND) * perSecond,
  });
}

test('a rate is that of the traffic, whatever was read of it and whatever came besides', () => {
  const range = fc.tuple(fc.nat(3600), fc.nat(600)).map(([from, long]) => seconds(from, from + long + 1));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), fc.array(range, { maxLength: 4 }), (read, besides) => {
      const whole = joinedRanges(read);
      const held = joinedRanges([...read, ...besides]);
      const window = seconds(0, 3600);
      const { total, parts } = trafficRead(steady(20, held), window, whole, 12);
      const rate = requestRate(total.sums.requests, total.read);
      assert.equal(rate === null, timeShared(window, whole) === 0);
      if (rate !== null) assert.ok(Math.abs(rate - 20) < 1e-6, `${rate}`);
      for (const part of parts) {
        const each = requestsIn(part, 300 * SECOND);
        assert.equal(each === null, part.read < 150 * SECOND);
        if (each !== null) assert.ok(Math.abs(each * SECOND - 20) < 1e-6);
      }
      assert.ok(Math.abs(parts.reduce((sum, part) => sum + part.read, 0) - total.read) < 1e-6);
    }),
  );
});

test('a few rows within less than a second tell no rate', () => {
  assert.equal(requestRate(2, 8), null);
  assert.equal(requestRate(500, 80), 6250);
  assert.equal(requestRate(2, SECOND), 2);
  assert.equal(requestRate(0, SECOND), 0);
  assert.equal(requestRate(500, 0), null);
});
