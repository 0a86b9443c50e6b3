import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OriginError, pathOfError } from '../../../src/domain/evidence/origin-error.ts';
import { originTally } from '../../../src/domain/evidence/origin-tally.ts';
import { originMatcher } from '../../../src/domain/evidence/told-causes.ts';
import { originErrorWith } from '../../support/rows.ts';

const T = Date.UTC(2026, 7, 20, 2);
const MINUTE = 60_000;

const error = (parts: Partial<OriginError> = {}) =>
  originErrorWith({ timestamp: T, url: '/a', status: 502, edge: 'DE', ...parts });

const ROW = { timestamp: T, path: '/a?x=1', edgeLocation: 'DE', statusCode: 502 };

test('the path of an error is that of its URL, whole or without its host, and without its query', () => {
  const paths = [
    ['/a/b?q=1', '/a/b'],
    ['https://o.example/a/b?q=1', '/a/b'],
    ['https://o.example', '/'],
    ['HTTP://[::1]:8080/a#b', '/a'],
    ['a', 'a'],
    ['', null],
    [null, null],
  ] as const;
  for (const [url, path] of paths) assert.equal(pathOfError(error({ url })), path, String(url));
});

test('a row gets the error that is nearest in time among those of its path', () => {
  const near = error({ timestamp: T + 300 });
  const match = originMatcher([
    error({ timestamp: T + 900 }),
    near,
    error({ timestamp: T, url: '/b' }),
    error({ timestamp: T, raw: 'x' }),
    error({ timestamp: T, url: null }),
  ]);
  assert.deepEqual(match(ROW), { error: near, apart: 300, isSameEdge: true });
  assert.equal(match({ ...ROW, path: '/c' }), null);
  assert.equal(match({ ...ROW, timestamp: T + 11_000 }), null);
  assert.equal(originMatcher([])(ROW), null);
});

test('of two errors as near the one of the same edge is taken, another edge is said, and one of another status is none', () => {
  const own = error({ timestamp: T + 1_500 });
  const other = error({ timestamp: T, edge: 'NY' });
  assert.equal(originMatcher([other, own])(ROW)?.error, own);
  assert.deepEqual(originMatcher([other])(ROW), { error: other, apart: 0, isSameEdge: false });
  const late = error({ timestamp: T + 4_000 });
  assert.equal(originMatcher([error({ status: 504 }), late])(ROW)?.error, late);
  assert.equal(originMatcher([error({ status: 504 })])(ROW), null);
  assert.equal(originMatcher([error({ status: null }), late])(ROW)?.apart, 0);
});

test('only a timeout may be told a minute away: one log may tell the beginning, the other the end', () => {
  const timeout = error({ code: 'http_timeout', timestamp: T + 61_000, status: 504 });
  const row = { ...ROW, statusCode: 504 };
  assert.equal(originMatcher([timeout])(row)?.apart, 61_000);
  assert.equal(originMatcher([error({ timestamp: T + 61_000, status: 504 })])(row), null);
  assert.equal(originMatcher([{ ...timeout, timestamp: T + 90_000 }])(row), null);
});

test('codes are counted within a time, and of each the newest run, of which a few errors a day are none', () => {
  const trickle = Array.from({ length: 8 }, (_, i) =>
    error({ code: 'http_timeout', timestamp: T + i * 20 * MINUTE }),
  );
  const storm = Array.from({ length: 60 }, (_, i) => error({ timestamp: T + 90 * MINUTE + i * 5_000 }));
  const slow = Array.from({ length: 30 }, (_, i) =>
    error({ code: 'http_timeout', timestamp: T + 91 * MINUTE + i * 5_000 }),
  );
  const all = [...trickle, ...storm, ...slow, error({ code: 'other', timestamp: T + 500 * MINUTE })];
  const tally = originTally(all, { from: T, to: T + 200 * MINUTE });
  assert.deepEqual(tally, {
    total: 98,
    causes: [
      {
        code: 'dns_lookup',
        count: 60,
        isOf5xx: true,
        run: { from: T + 90 * MINUTE, to: T + 95 * MINUTE - 5_000, count: 60, of: 90 },
      },
      {
        code: 'http_timeout',
        count: 38,
        isOf5xx: true,
        run: { from: T + 91 * MINUTE, to: T + 93.5 * MINUTE - 5_000, count: 30, of: 60 },
      },
    ],
  });
  assert.deepEqual(originTally([], { from: T, to: T + 1 }), { total: 0, causes: [] });
});
