import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  partOfAction,
  partOfCache,
  partOfStatus,
  SERIES,
  type SeriesId,
} from '../../../src/domain/timeline/series.ts';

function named(series: SeriesId, part: number): string | undefined {
  return SERIES[series][part]?.id;
}

test('a status has the part of its hundreds, whatever else came stands apart', () => {
  const part = (status: number) => named('status', partOfStatus(status));
  assert.deepEqual([200, 299, 304, 404, 499, 500, 599].map(part), [
    '2xx',
    '2xx',
    '3xx',
    '4xx',
    '4xx',
    '5xx',
    '5xx',
  ]);
  assert.deepEqual(
    [0, 100, 199, 600, -1, Number.NaN].map(part),
    Array.from({ length: 6 }, () => 'other'),
  );
});

test('a cache status has a part, and one that nobody knows stands apart', () => {
  const part = (status: string) => named('cache', partOfCache(status));
  const known = {
    HIT: 'hit',
    MISS: 'miss',
    EXPIRED: 'miss',
    BYPASS: 'bypass',
    STALE: 'stale',
    UPDATING: 'stale',
  };
  for (const [status, id] of Object.entries({ ...known, REVALIDATED: 'revalidated' }))
    assert.equal(part(status), id, status);
  assert.equal(part('-'), 'other');
  assert.equal(part('\x1b[31mHIT'), 'other');
});

test('an action has its part in any case; none and a new one stand apart', () => {
  const part = (action: string | null) => named('action', partOfAction(action));
  assert.deepEqual(['blocked', 'Challenged', 'LOGGED', 'teleported', null].map(part), [
    'blocked',
    'challenged',
    'logged',
    'other',
    'other',
  ]);
});
