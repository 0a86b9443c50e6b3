import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  apart,
  countApart,
  type DifferingValue,
  decadesOf,
  differing,
  type Tallied,
  wilsonLeast,
} from '../../src/domain/differing.ts';
import { SHIELD_DIMENSIONS, type ShieldDimension } from '../../src/domain/shield/shield.ts';
import { MORE } from '../../src/domain/thresholds.ts';
import type { SimRow } from '../../src/simulator/traffic/rows.ts';
import { fc } from '../support/properties.ts';
import { RUNS } from './log-rows.ts';
import { MINUTE, type Scene, sceneOf } from './scene.ts';

const HOURLY = 60 * MINUTE;

function tally(counts: Record<string, number>, more: Partial<Tallied> = {}): Tallied {
  const values = Object.entries(counts).map(([value, count]) => ({ value, count }));
  return {
    length: HOURLY,
    values,
    total: values.reduce((sum, { count }) => sum + count, 0),
    distinct: values.length,
    isByCount: true,
    ...more,
  };
}

/** The list as a server gives its first `n`, the largest first. */
function cut(whole: Tallied, n: number): Tallied {
  return { ...whole, values: whole.values.toSorted((a, b) => b.count - a.count).slice(0, n) };
}

const counts = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  fc.integer({ min: 1, max: 400 }),
  {
    minKeys: 1,
    noNullPrototype: true,
  },
);

const waysOf = ({ values }: { values: readonly DifferingValue[] }) =>
  values.map(({ value, way, excess }) => [value, way, Math.round(excess)]);

test('a value that came out of nowhere is new, and what is left of the others is less', () => {
  const { values } = differing(tally({ de: 100, ro: 300 }), tally({ de: 100, fr: 20 }));
  assert.deepEqual(
    values.map(({ value, countNow, countUsual, isNew, way, excess }) => [
      ...[value, countNow, countUsual, isNew, way, Math.round(excess)],
    ]),
    [
      ['ro', 300, 0, true, 'more', 300],
      ['fr', 0, 20, false, 'less', -67],
      ['de', 100, 100, false, null, -233],
    ],
  );
});

test('a usual time of another length is scaled to this one', () => {
  const short = { length: 10 * MINUTE };
  assert.equal(differing(tally({ de: 100 }, short), tally({ de: 360 })).totalExpected, 60);
  // The share of it fell from all to a half, but it is as frequent as it was.
  const [ro, de] = differing(tally({ de: 60, ro: 60 }, short), tally({ de: 360 })).values;
  assert.deepEqual([ro?.value, ro?.way, de?.value, de?.way], ['ro', 'more', 'de', null]);
});

test('traffic that doubled as a whole makes no value more frequent', () => {
  assert.deepEqual(differing(tally({ de: 4000, fr: 200 }), tally({ de: 2000, fr: 100 })).values, []);
});

test('what kept its number while all else fell is not more frequent', () => {
  assert.deepEqual(
    waysOf(differing(tally({ shop: 100, kept: 103, bot: 60 }), tally({ shop: 900, kept: 100, gone: 50 }))),
    [
      ['bot', 'more', 60],
      ['shop', 'less', -125],
      ['gone', 'less', -13],
      ['kept', null, 78],
    ],
  );
});

test('what is less while all else is still less is not more frequent, however much its share grew', () => {
  assert.deepEqual(waysOf(differing(tally({ kept: 120, shop: 100 }), tally({ kept: 200, shop: 9_000 }))), [
    ['shop', 'less', -115],
    ['kept', null, 115],
  ]);
});

test('fewer than five events above the usual share are nothing, however new they are', () => {
  const ofX = (x: number) =>
    differing(tally({ x }), tally({ a: 1000 })).values.find(({ value }) => value === 'x');
  const few = ofX(MORE.excess - 1);
  assert.ok((few?.g2 ?? 0) > MORE.g2);
  assert.equal(few?.way, null);
  assert.equal(ofX(MORE.excess)?.way, 'more');
});

test('without an event before there are no shares to compare with, and the number alone decides', () => {
  const { values } = differing(tally({ many: 9, few: 4 }), tally({}));
  assert.deepEqual(
    values.map(({ value, shareUsual, g2, isNew, way }) => [value, shareUsual, g2, isNew, way]),
    [
      ['many', null, null, true, 'more'],
      ['few', null, null, true, null],
    ],
  );
});

test('a value that a cut list leaves out had at most so many events, and is never called new', () => {
  const before = cut(tally({ a: 500, b: 90, c: 40, d: 9, e: 1 }), 2);
  const row = differing(tally({ c: 80 }), before).values.find(({ value }) => value === 'c');
  // 50 events are not listed and three values share them, so one has at most 48.
  assert.deepEqual([row?.countUsual, row?.isAtMostUsual, row?.isNew], [48, true, false]);
  const most = (value: string, usual: Tallied) =>
    differing(tally({ [value]: 80 }), usual).values.find((each) => each.value === value)?.countUsual;
  assert.equal(most('c', { ...before, isByCount: false, distinct: null }), 50);
  const small = { ...before, values: [{ value: 'a', count: 10 }], total: 60, distinct: null };
  assert.equal(most('c', small), 10);
  assert.equal(most('c', { ...small, isByCount: false }), 50);
  assert.equal(most('x', cut(tally({ a: 60, b: 50, c: 49, d: 48 }), 2)), 50);
});

test('a value that is not in a cut list now is not more frequent for what the list leaves out', () => {
  const now = { ...cut(tally({ a: 50, b: 40, c: 30 }), 1), distinct: null };
  assert.deepEqual(
    differing(now, tally({ a: 50, z: 5 })).values.map(({ value }) => value),
    ['a'],
  );
});

test('of a list that was cut now a value surely fell by what all the rest leaves it, and no further', () => {
  const now = { ...cut(tally({ a: 50, b: 9, c: 1 }), 1), isByCount: false };
  const row = differing(now, tally({ a: 50, b: 90, c: 1 })).values.find(({ value }) => value === 'b');
  assert.deepEqual([row?.countNow, row?.isAtMostNow, row?.isNew, row?.way], [9, true, false, 'less']);
});

test('G² is 2 N times the mutual information, worked out another way', () => {
  // One value kept as it came out, beside the identity that checks the formula.
  assert.equal(
    Math.round((apart({ part: 110, of: 110 + 2442 }, { part: 111, of: 111 + 29_114 }) ?? 0) * 100) / 100,
    270.72,
  );
  fc.assert(
    fc.property(fc.nat(500), fc.nat(5000), fc.nat(500), fc.nat(5000), (k1, rest1, k2, rest2) => {
      const [n1, n2] = [k1 + rest1, k2 + rest2];
      fc.pre(n1 > 0 && n2 > 0);
      const entropy = (...cells: number[]) => {
        const sum = cells.reduce((a, b) => a + b, 0);
        return -cells.reduce((all, k) => (k === 0 ? all : all + (k / sum) * Math.log(k / sum)), 0);
      };
      const information = entropy(k1 + k2, rest1 + rest2) + entropy(n1, n2) - entropy(k1, rest1, k2, rest2);
      const expected = 2 * (n1 + n2) * information;
      assert.ok(Math.abs((apart({ part: k1, of: n1 }, { part: k2, of: n2 }) ?? -1) - expected) < 1e-6);
    }),
    { numRuns: RUNS },
  );
  assert.equal(apart({ part: 0, of: 0 }, { part: 3, of: 9 }), null);
  assert.ok(Math.abs(decadesOf(2 * Math.log(1000)) - 3) < 1e-9);
});

test('a number of events is as far from the expected one as the Poisson likelihoods of the two say', () => {
  const logLikelihood = (mean: number, count: number) => count * Math.log(mean) - mean;
  for (const [count, expected] of [
    [30, 10],
    [2, 10],
    [10, 10],
  ] as const) {
    const apart = 2 * (logLikelihood(count, count) - logLikelihood(expected, count));
    assert.ok(Math.abs(countApart(count, expected) - apart) < 1e-9, `${count} and ${expected}`);
  }
  assert.equal(countApart(0, 4), 8);
});

test('what some values have above their usual share the others lack', () => {
  fc.assert(
    fc.property(counts, counts, fc.integer({ min: 1, max: 6 }), (now, usual, length) => {
      const { values } = differing(tally(now), { ...tally(usual), length: length * 20 * MINUTE });
      assert.ok(Math.abs(values.reduce((sum, { excess }) => sum + excess, 0)) < 1e-9 * 3000);
      const order = values.map(({ way }) => ['more', 'less', null].indexOf(way));
      assert.deepEqual(order, order.toSorted());
    }),
    { numRuns: RUNS },
  );
});

test('a cut baseline never makes a value look newer or more risen than the whole one does', () => {
  fc.assert(
    fc.property(counts, counts, fc.nat(4), fc.boolean(), (now, before, n, isByCount) => {
      const whole = new Map(differing(tally(now), tally(before)).values.map((row) => [row.value, row]));
      for (const row of differing(tally(now), { ...cut(tally(before), n), isByCount }).values) {
        if (row.excess < 0) continue;
        const known = whole.get(row.value);
        assert.ok((known?.excess ?? 0) > 0, `${row.value} is more only beside the cut list`);
        assert.ok(row.countUsual >= (known?.countUsual ?? 0));
        assert.ok(!row.isNew || known?.isNew);
        assert.ok(row.way === null || known?.way === 'more');
      }
    }),
    { numRuns: RUNS },
  );
});

/** Events by dimension, counted from the simulator's rows by hand. */
function shieldTallies(scene: Scene, from: number, to: number): Map<ShieldDimension, Tallied> {
  const events = scene.events(from, to);
  return new Map(
    SHIELD_DIMENSIONS.map((dimension) => {
      const found: Record<string, number> = {};
      for (const { fields } of events) {
        const value = fields[dimension] ?? '';
        found[value] = (found[value] ?? 0) + 1;
      }
      return [dimension, tally(found, { length: to - from })];
    }),
  );
}

for (const [name, kind] of [
  ['shop-frontend', 'layer7Attack'],
  ['shop-frontend', 'scanner'],
  ['shop-frontend', 'credentialStuffing'],
  ['api-gateway', 'wafMisfire'],
] as const) {
  test(`the planted cause of ${kind} stands at the top, and no innocent network or fingerprint does`, () => {
    const scene = sceneOf(name);
    const { from, to, cause } = scene.incident(kind);
    const now = shieldTallies(scene, from, to);
    const before = shieldTallies(scene, from - (to - from), from);
    const found = [...now].flatMap(([dimension, each]) =>
      differing(each, before.get(dimension) as Tallied)
        .values.filter(({ way }) => way === 'more')
        .map((row) => ({ dimension, row })),
    );
    for (const dimension of ['ruleId', 'asn', 'ja4'] as const) {
      // The minutes before have too few events for the two rules of a scanner to differ from chance.
      if (kind === 'scanner' && dimension === 'ruleId') continue;
      const wanted = cause[dimension];
      const top = found.filter((each) => each.dimension === dimension).map(({ row }) => row.value ?? '');
      if (wanted === undefined) {
        // A misfire hits visitors of every network alike; a scanner has one fingerprint though its truth names none.
        if (kind === 'wafMisfire') assert.deepEqual(top, [], dimension);
        continue;
      }
      assert.ok(top.length > 0, `${dimension} of ${kind}`);
      assert.deepEqual(
        top.filter((value) => !wanted.includes(value)),
        [],
        dimension,
      );
    }
  });
}

test('in the CDN log a failing origin shows as stale answers, and a miss storm as its path', () => {
  const scene = sceneOf('shop-frontend');
  const compared = (kind: 'originFailure' | 'missStorm', keyOf: (row: SimRow) => string) => {
    const { from, to } = scene.incident(kind);
    const [now, before] = [
      [from, to],
      [from - (to - from), from],
    ].map(([start = 0, end = 0]) => {
      const found: Record<string, number> = {};
      for (const row of scene.rows(start, end)) found[keyOf(row)] = (found[keyOf(row)] ?? 0) + 1;
      return tally(found, { length: end - start });
    });
    return differing(now as Tallied, before as Tallied).values.filter(({ way }) => way === 'more');
  };
  const caches = compared('originFailure', (row) => row.cache).map(({ value }) => value);
  assert.deepEqual(caches.toSorted(), ['STALE', 'UPDATING']);
  const [storm] = compared('missStorm', (row) => row.path.split('?')[0] ?? '');
  assert.deepEqual([storm?.value], scene.incident('missStorm').cause['path']);
});

test('the least share is the root of the score equation', () => {
  // One value kept as it came out, beside the equation that checks the formula.
  assert.equal(wilsonLeast(81, 263)?.toFixed(4), '0.2553');
  assert.equal(wilsonLeast(0, 0), null);
  fc.assert(
    fc.property(fc.nat(300), fc.integer({ min: 1, max: 300 }), (part, rest) => {
      const n = part + rest;
      const least = wilsonLeast(part, n) ?? -1;
      assert.ok(least >= 0 && least <= part / n);
      // |p − least| is 1.96 standard errors of `least`.
      assert.ok(Math.abs((part / n - least) ** 2 - (1.96 ** 2 * least * (1 - least)) / n) < 1e-9);
    }),
    { numRuns: RUNS },
  );
});
