import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry, Need } from '../../../src/domain/inquiry/inquiry.ts';
import { LogReading, zoneReads } from '../../../src/domain/inquiry/log-reading.ts';
import type { CountedField, Counts } from '../../../src/domain/logs/counts.ts';
import { noCacheSums } from '../../../src/domain/logs/sums/traffic.ts';
import { EMPTY_QUERY } from '../../../src/domain/query/query.ts';
import { LensFollowUp } from '../../../src/domain/questions/misses/lens-follow-up.ts';
import {
  lensCounting,
  type MissLens,
  missLensOf,
  pairsOf,
} from '../../../src/domain/questions/misses/miss-lens.ts';
import type { TimeRange } from '../../../src/domain/tail/coverage.ts';
import { MINUTE, sceneOf } from '../scene.ts';
import { answeredAll, comparing, figuresOf, metBy, storedMetBy } from './ask-scene.ts';

const shop = sceneOf('shop-frontend', 4);
const storm = shop.incident('missStorm');
const now = { from: storm.from - 10 * MINUTE, to: storm.from + 20 * MINUTE };
const before = { from: now.from - 30 * MINUTE, to: now.from };

function misses(storedUntil?: number): Inquiry {
  const windows = { now, before, against: 'the window before' };
  return comparing('misses', { zones: [shop.zone], ...windows, rows: null, storedUntil });
}

test('misses of what a store counted are those of all rows, with query strings and their parameter', () => {
  const rows = misses();
  answeredAll(rows, (need) => metBy(shop, need));
  assert.match(rows.table().headline, /query strings explode/);
  const inquiry = misses(now.to);
  // A count for each window, and one for the parameters of the pages that explode.
  assert.equal(
    answeredAll(inquiry, (need) => storedMetBy(shop)(need)),
    3,
  );
  assert.deepEqual(figuresOf(inquiry.table()), figuresOf(rows.table()));
  assert.match(
    inquiry.table().coverage,
    /^all of this window read, all of the window before read; ([\d,]+) rows, \1 of them counted by the store$/,
  );
  assert.deepEqual(inquiry.rest(), []);
});

test('what a store counted of a part of a window adds up with the rows of the rest', () => {
  const rows = misses();
  answeredAll(rows, (need) => metBy(shop, need));
  for (const until of [now.from, now.from + 12 * MINUTE]) {
    const inquiry = misses(until);
    answeredAll(inquiry, storedMetBy(shop));
    const { headline, sections, coverage } = inquiry.table();
    assert.equal(headline, rows.table().headline);
    const exact = sections.filter(({ title }) => title !== 'query strings that explode');
    // Which query strings the two parts have in common nobody knows: there are at least as many as one has.
    assert.deepEqual(
      exact,
      rows.table().sections.filter(({ title }) => title !== 'query strings that explode'),
    );
    assert.match(coverage, /of them counted by the store/);
  }
});

test('what a store lacks is no part of the figures, and is said', () => {
  const inquiry = misses(now.to);
  answeredAll(inquiry, storedMetBy(shop, [{ from: now.to - 15 * MINUTE, to: now.to }]));
  const { headline, coverage, sections } = inquiry.table();
  assert.match(headline, /^of the 75\.0% read: /);
  assert.match(coverage, /^50\.0% of this window read, .* counted by the store, which lacks 15m of it/);
  const times = sections.find(({ title }) => title === 'over time')?.rows ?? [];
  assert.deepEqual(
    times.map(({ cells }) => cells[1]),
    ['100%', '100%', '100%', '100%', ...Array(4).fill('not read')],
  );
});

test('where a store cannot count they are read, and what it gives up is said', () => {
  const rows = misses();
  answeredAll(rows, (need) => metBy(shop, need));
  const refused = misses(now.to);
  answeredAll(refused, (need) =>
    need.kind === 'logs' && need.counts ? { kind: 'uncounted', why: 'ua~\u00e9' } : metBy(shop, need),
  );
  assert.deepEqual(figuresOf(refused.table()), figuresOf(rows.table()));
  assert.match(refused.table().coverage, /cannot count these rows \(ua~\u00e9\): they are read/);

  const part = misses(now.to);
  const givenUp = (need: Need) => {
    const met = storedMetBy(shop)(need);
    if (met.kind !== 'counts' || met.counts.kind !== 'several') return met;
    const parts = met.counts.parts.map((each) =>
      each.kind === 'queryStrings' ? ({ kind: 'none', why: 'it took more than 4 GB' } as const) : each,
    );
    return { ...met, counts: { kind: 'several', parts } } as const;
  };
  answeredAll(part, givenUp);
  assert.match(part.table().coverage, /a part of it given up: it took more than 4 GB/);
  const { rows: exploding, note } =
    part.table().sections.find(({ title }) => title === 'query strings that explode') ?? assert.fail();
  assert.deepEqual(exploding, []);
  assert.notEqual(part.table().verdict, 'calm');
  assert.match(note ?? '', /^query strings were not all counted$/);
});

/** What a store counts of both windows, as a question about misses reads it. */
function countedReading(most: number) {
  const counted = new LogReading({
    zones: zoneReads([shop.zone], EMPTY_QUERY, 1),
    windows: { now: [now], before: [before] },
    counted: { until: now.to, of: (side) => lensCounting(side === 'now' ? now : before, most) },
  });
  const whole = (range: TimeRange) => ({ covered: range.to - range.from, weight: 1 });
  return {
    counted,
    result: () =>
      missLensOf({ now, before }, [
        {
          zone: shop.zone.id,
          counts: { now: counted.counts('now', shop.zone), before: counted.counts('before', shop.zone) },
          share: { now: whole(now), before: whole(before) },
          parameters: () => [],
        },
      ]),
  };
}

test('a value that one window has among its largest is asked for by name in the other, and is then told as of all rows', () => {
  const [whole, { counted, result }] = [countedReading(10_000), countedReading(40)];
  for (const need of whole.counted.needs) whole.counted.add(need, storedMetBy(shop)(need));
  const follow = new LensFollowUp(counted);
  for (const need of counted.needs) counted.add(need, storedMetBy(shop)(need));
  const told = ({ by }: MissLens) =>
    by.page.filter(({ value }) => value !== null).map(({ value, ...row }) => [value, row] as const);
  const known = told(result()).length;
  const more = follow.next(() => []);
  assert.deepEqual(
    follow.next(() => []),
    [],
  );
  for (const need of more) if (need.kind === 'logs') assert.ok(follow.add(need, storedMetBy(shop)(need)));
  const named = told(result());
  assert.ok(named.length > known, `${known} pages were in both lists`);
  const all = new Map(told(whole.result()));
  for (const [value, row] of named) assert.deepEqual(row, all.get(value), String(value));
  // What is not told apart is in the sum of the others.
  const requests = ({ by }: MissLens) => by.page.reduce((sum, row) => sum + row.now.requests, 0);
  assert.equal(requests(result()), requests(whole.result()));
});

test('a page that the list of one window leaves out is told apart in neither, and its rows are among the others', () => {
  const sums = (requests: number, originRequests: number) => ({
    ...noCacheSums(),
    requests,
    originRequests,
    edgeRequests: requests - originRequests,
  });
  const counts = (
    pages: Record<string, [number, number]>,
    all: [number, number],
    distinct: number,
  ): Counts => {
    const field: CountedField = {
      distinct,
      blank: 0,
      values: Object.entries(pages).map(([value, own]) => ({ value, count: own[0], sums: sums(...own) })),
    };
    return {
      kind: 'several',
      parts: [
        { kind: 'values', rows: all[0], fields: new Map([['page', field]]) },
        { kind: 'times', times: [{ at: 0, sums: sums(...all) }] },
      ],
    };
  };
  const { values, others } = pairsOf(
    {
      now: counts({ '/a': [500, 400], '/b': [300, 300] }, [1_000, 800], 9),
      before: counts({ '/a': [500, 10], '/c': [200, 5] }, [900, 30], 3),
    },
    'page',
  );
  assert.deepEqual(
    [...values, [null, others] as const].map(([value, { now: n, before: b }]) => [
      ...[value, n.requests, n.originRequests, b.requests],
    ]),
    [
      ['/a', 500, 400, 500],
      [null, 500, 400, 400],
    ],
  );
});
