import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry, LogNeed, Met } from '../../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import { recordOf, zoneOf } from '../../support/state.ts';
import { HOUR, MINUTE, sceneOf } from '../scene.ts';
import { answered, comparing, figuresOf, metBy } from './ask-scene.ts';

const shop = sceneOf('shop-frontend');
const storm = shop.incident('missStorm');

function lensOf(now: { from: number; to: number }, rows: number | null = null): Inquiry {
  const before = { from: now.from - (now.to - now.from), to: now.from };
  return comparing('misses', {
    zones: [shop.zone],
    now,
    before,
    against: 'the window before',
    rows,
  });
}

/** What a server answers that gives so many rows at most. */
function cutTo(rows: number, need: LogNeed): Met {
  const met = metBy(shop, need);
  return met.kind === 'logs' && met.records.length > rows
    ? { ...met, records: met.records.slice(0, rows), hasMore: true }
    : met;
}

function readOf(inquiry: Inquiry, needs: readonly LogNeed[], rows: number): Inquiry {
  for (const need of needs) inquiry.add(need, cutTo(rows, need));
  return inquiry;
}

const needsOf = (inquiry: Inquiry) => inquiry.needs.filter((need) => need.kind === 'logs');
const timesOf = (inquiry: Inquiry) =>
  inquiry
    .table()
    .sections.find(({ title }) => title === 'over time')
    ?.rows.map(({ cells }) => cells) ?? [];

/** Half an hour in which nothing is planted. */
const calm = { from: storm.to + 5 * MINUTE, to: storm.to + 35 * MINUTE };

test('a "nothing" of a part says of how much it is, and what was not read has no figures', () => {
  const inquiry = lensOf(calm);
  const needs = needsOf(inquiry);
  assert.equal(needs.length, 16);
  assert.match(inquiry.table().headline, /^what misses more than before\? this window is not read yet$/);
  readOf(inquiry, needs.slice(0, 4), 200);
  const part = inquiry.table();
  assert.match(
    part.headline,
    /^of the \d\.\d% read: hit ratio [\d.]+% now, [\d.]+% the window before; nothing misses more than before$/,
  );
  assert.equal(part.verdict, 'unknown');
  const read = timesOf(inquiry).map(([, share, requests]) => [share === 'not read', requests === '////']);
  assert.deepEqual(
    read.map(([isUnread]) => isUnread),
    [false, true, true, true, false, true, true, true],
  );
  assert.ok(read.every(([isUnread, isHatched]) => isUnread === isHatched));
  readOf(inquiry, needs.slice(4), 200);
  // The last row of a cut answer is left to the next one.
  assert.ok(timesOf(inquiry).every(([, share, requests]) => /^\d/.test(share ?? '') && requests === '199'));
  const whole = answered(lensOf(calm), shop);
  assert.match(whole.table().headline, /^hit ratio .*; nothing misses more than before$/);
  assert.equal(whole.table().verdict, 'calm');
  answered(inquiry, shop, inquiry.rest());
  assert.deepEqual(figuresOf(inquiry.table()), figuresOf(whole.table()));
  assert.equal(inquiry.table().coverage, whole.table().coverage);
});

test('while the window before is unread nothing is said to be worse, new or exploding', () => {
  const inquiry = lensOf(storm);
  for (const need of needsOf(inquiry)) if (need.side === 'now') inquiry.add(need, metBy(shop, need));
  const { headline, sections } = inquiry.table();
  assert.match(headline, /the window before is not read yet$/);
  assert.deepEqual(
    sections.map(({ title }) => title),
    ['over time'],
  );
});

test('a storm is found in a part of it, and the verdict names the part', () => {
  const span = { from: storm.from - 10 * MINUTE, to: storm.from + 20 * MINUTE };
  const inquiry = lensOf(span);
  readOf(inquiry, needsOf(inquiry), 300);
  const { headline, verdict } = inquiry.table();
  assert.match(headline, /^of the [\d.]+% read: hit ratio .*; query strings explode at /);
  assert.ok(headline.endsWith(storm.cause['path']?.[0] ?? '?'));
  assert.equal(verdict, 'wrong');
});

/** An answer about a zone whose rows of each minute are these. */
function missesOf(rowsOf: (isNow: boolean, n: number) => Partial<LogRecord>) {
  const now = { from: 8 * HOUR, to: 9 * HOUR };
  const before = { from: 7 * HOUR, to: 8 * HOUR };
  const inquiry = comparing('misses', {
    ...{ zones: [zoneOf('1', 'shop')], now, before, against: 'the hour before', rows: 1 },
    withCauses: true,
  });
  for (const need of needsOf(inquiry)) {
    const records = Array.from({ length: (need.range.to - need.range.from) / 100 }, (_, at) => {
      const timestamp = need.range.from + at * 100;
      return recordOf(0, { timestamp, ...rowsOf(need.side === 'now', timestamp / 100) });
    });
    inquiry.add(need, { kind: 'logs', records, hasMore: false });
  }
  return { inquiry, asked: inquiry.follow?.next() ?? [] };
}

const HIT = { path: '/', cacheStatus: 'HIT', statusCode: 200 };

test('what makes most extra misses leads: a storm of query strings beats the stray errors of the origin', () => {
  // Of each hundred requests one in two is of the storm, and now one fails that did not before.
  const { inquiry, asked } = missesOf((isNow, n) => {
    if (isNow && n % 100 === 1) return { ...HIT, statusCode: 504, cacheStatus: 'MISS' };
    return isNow && n % 2 === 0 ? { ...HIT, path: `/sale?utm_id=${n}`, cacheStatus: 'MISS' } : HIT;
  });
  const { headline, sections } = inquiry.table();
  assert.match(headline, /; query strings explode at \/sale$/);
  assert.deepEqual(asked, [], 'nobody is asked why the origin fails');
  const risen = sections.find(({ title }) => title === 'the origin')?.rows.map(({ cells }) => cells.at(-1));
  assert.deepEqual(risen, ['', 'risen'], 'that they rose is told all the same');
});

test('an origin that fails leads where errors are two in a hundred requests, and as many as the misses', () => {
  const failing = (share: number) =>
    missesOf((isNow, n) =>
      isNow && n % 1000 < share * 1000 ? { ...HIT, statusCode: 504, cacheStatus: 'MISS' } : HIT,
    );
  const { inquiry, asked } = failing(0.03);
  assert.match(inquiry.table().headline, /; the origin is in trouble: stale answers or errors rise$/);
  assert.deepEqual(
    asked.map(({ kind }) => kind),
    ['originErrors'],
  );
  // It failed before as well: that is no rise, and good it is not.
  const standing = missesOf((_, n) => (n % 10 === 0 ? { ...HIT, statusCode: 502, cacheStatus: '-' } : HIT));
  assert.match(standing.inquiry.table().headline, /; 5xx are 10\.0% of the requests, as before$/);
  assert.deepEqual([standing.inquiry.table().verdict, standing.asked.length], ['wrong', 1]);
  const stray = failing(0.01);
  assert.match(stray.inquiry.table().headline, /; most misses above usual: \/$/);
  assert.deepEqual(stray.asked, []);
});

test('the price goes by the rows that are expected: a few answers hold a quiet window', () => {
  assert.deepEqual(
    [0, 30_000, 42_000, 80_000, 2_000_000, null].map((rows) => lensOf(calm, rows).needs.length),
    [6, 6, 10, 16, 16, 16],
  );
});

test('a comparison of parts says of how much it is', () => {
  const now = { from: storm.from, to: storm.to };
  const inquiry = comparing('compare', {
    zones: [shop.zone],
    now,
    before: [{ from: now.from - HOUR, to: now.to - HOUR }],
    against: 'a day earlier',
  });
  readOf(inquiry, needsOf(inquiry), 150);
  assert.match(
    inquiry.table().headline,
    /^of the [\d.]+% read: \w+:\S+ is (?:new|more frequent): [\d.]+%.*; the total rose \d/,
  );
  answered(inquiry, shop, inquiry.rest());
  assert.match(inquiry.table().headline, /^\w+:\S+ is (?:new|more frequent): /);
});
