import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerTable } from '../../../src/domain/inquiry/answer-table.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import { recordOf, zoneOf } from '../../support/state.ts';
import { comparing } from './ask-scene.ts';

const HOUR = 3_600_000;
const now = { from: 8 * HOUR, to: 9 * HOUR };
const before = { from: 7 * HOUR, to: 8 * HOUR };

/** So many rows of each hour, evenly, which these differ in. */
function compared(
  counts: { now: number; before: number },
  more: (isNow: boolean, n: number) => Partial<LogRecord>,
): AnswerTable {
  const inquiry = comparing('compare', {
    ...{ zones: [zoneOf('1', 'shop')], now, before: [before] },
    against: 'the hour before',
  });
  for (const need of inquiry.needs) {
    assert.ok(need.kind === 'logs');
    const { side, range } = need;
    const step = HOUR / counts[side];
    const first = Math.ceil(range.from / step);
    const records = Array.from({ length: Math.max(0, Math.ceil(range.to / step) - first) }, (_, at) =>
      recordOf(0, { timestamp: (first + at) * step, ...more(side === 'now', first + at) }),
    );
    inquiry.add(need, { kind: 'logs', records, hasMore: false });
  }
  return inquiry.table();
}

const titled = ({ sections }: AnswerTable, title: RegExp) =>
  sections.find((each) => title.test(each.title))?.rows.map(({ cells }) => cells) ?? [];

test('errors that are new come first although the total fell, and what fell comes after', () => {
  const table = compared({ now: 7_200, before: 7_272 }, (isNow, n) =>
    isNow && n % 10 === 0
      ? { statusCode: 503, cacheStatus: 'MISS' }
      : { statusCode: 200, cacheStatus: 'HIT' },
  );
  assert.equal(table.headline, 'status:503 is new: 10.0% (720); the total fell 1.0%');
  assert.deepEqual([table.verdict, table.tone], ['wrong', 'notable']);
  assert.deepEqual(titled(table, /^more frequent against the hour before$/), [
    ['status', '503', '720', '720', 'new', '10.0%', '0%'],
    ['cache', 'MISS', '720', '720', 'new', '10.0%', '0%'],
  ]);
  assert.deepEqual(
    titled(table, /^less frequent$/).map(([field, value, extra]) => [field, value, extra]),
    [
      ['status', '200', '-720'],
      ['cache', 'HIT', '-720'],
    ],
  );
  assert.deepEqual(
    table.sections.slice(0, 2).map(({ title }) => title),
    ['more frequent against the hour before', 'less frequent'],
  );
  const words = JSON.stringify(table);
  assert.doesNotMatch(words, /G2|Dunning|explains/);
});

test('errors of a few requests do not come before what most of the traffic is', () => {
  const { headline } = compared({ now: 10_000, before: 5_000 }, (isNow, n) => ({
    userAgent: isNow && n % 2 === 0 ? 'curl' : 'browser',
    statusCode: isNow && n % 100 === 1 ? 503 : 200,
  }));
  assert.equal(headline, 'ua:curl is new: 50.0% (5,000); the total rose 100%');
});

test('where nothing is more frequent that is said first, and then what is less', () => {
  const { headline, verdict } = compared({ now: 1_000, before: 2_000 }, (isNow, n) => ({
    asn: !isNow && n % 2 === 0 ? '64500' : '64501',
  }));
  assert.equal(
    headline,
    'nothing is more frequent against the hour before; asn:64500 is less frequent: 0% now, 50.0% before (0 and 1,000); the total fell 50.0%',
  );
  assert.equal(verdict, 'wrong');
  const calm = compared({ now: 1_000, before: 1_000 }, () => ({}));
  assert.equal(calm.headline, 'nothing stands out against the hour before; the total is as before');
  assert.equal(calm.verdict, 'calm');
});
