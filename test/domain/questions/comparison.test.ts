import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compare,
  logLikelihood,
  outstanding,
  STANDS_OUT,
  type ValueCounts,
} from '../../../src/domain/questions/comparison/comparison.ts';
import { SHIELD_DIMENSIONS, type ShieldDimension } from '../../../src/domain/shield/shield.ts';
import type { SimRow } from '../../../src/simulator/traffic/rows.ts';
import { fc } from '../../support/properties.ts';
import { RUNS } from '../log-rows.ts';
import { MINUTE, type Scene, sceneOf } from '../scene.ts';

const HOURLY = 60 * MINUTE;

function tally(counts: Record<string, number>, more: Partial<ValueCounts> = {}): ValueCounts {
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
function cut(whole: ValueCounts, n: number): ValueCounts {
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

test('a value that came out of nowhere is new, stands out and explains what it added', () => {
  const { rows, moved } = compare(tally({ de: 100, ro: 300 }), tally({ de: 100, fr: 20 }));
  assert.equal(moved, 300);
  assert.deepEqual(
    rows.map(({ value, countNow, countBefore, isNew, explains, standsOut }) => [
      value,
      countNow,
      countBefore,
      isNew,
      explains,
      standsOut,
    ]),
    [['ro', 300, 0, true, 1, true]],
  );
});

test('a baseline of another length is scaled to this one', () => {
  const [row] = compare(
    tally({ de: 100 }, { length: 10 * MINUTE }),
    tally({ de: 360 }, { length: 60 * MINUTE }),
  ).rows;
  assert.deepEqual([row?.expected, row?.excess, row?.shareBefore], [60, 40, 1]);
});

test('traffic that doubled as a whole makes no value stand out', () => {
  const { rows, moved } = compare(tally({ de: 4000, fr: 200 }), tally({ de: 2000, fr: 100 }));
  assert.equal(moved, 2100);
  assert.deepEqual(
    rows.map(({ standsOut }) => standsOut),
    [false, false],
  );
});

test('fewer than five events never stand out, however new they are', () => {
  const ofX = (x: number) =>
    compare(tally({ x }), tally({ a: 1000 })).rows.find(({ value }) => value === 'x');
  const few = ofX(STANDS_OUT.count - 1);
  assert.ok((few?.g2 ?? 0) > STANDS_OUT.g2);
  assert.equal(few?.standsOut, false);
  assert.equal(ofX(STANDS_OUT.count)?.standsOut, true);
});

test('without an event before there are no shares to compare with, and the count alone decides', () => {
  const { rows } = compare(tally({ many: 9, few: 4 }), tally({}));
  assert.deepEqual(
    rows.map(({ value, shareBefore, g2, isNew, standsOut }) => [value, shareBefore, g2, isNew, standsOut]),
    [
      ['many', null, null, true, true],
      ['few', null, null, true, false],
    ],
  );
});

test('a value that a cut list leaves out had at most so many events, and is never called new', () => {
  const before = cut(tally({ a: 500, b: 90, c: 40, d: 9, e: 1 }), 2);
  const row = compare(tally({ c: 80 }), before).rows.find(({ value }) => value === 'c');
  // 50 events are not listed and three values share them, so one has at most 48.
  assert.deepEqual([row?.countBefore, row?.isAtMost, row?.isNew, row?.excess], [48, true, false, 32]);
  const most = (value: string, baseline: ValueCounts) =>
    compare(tally({ [value]: 80 }), baseline).rows.find((each) => each.value === value)?.countBefore;
  assert.equal(most('c', { ...before, isByCount: false, distinct: null }), 50);
  const small = { ...before, values: [{ value: 'a', count: 10 }], total: 60, distinct: null };
  assert.equal(most('c', small), 10);
  assert.equal(most('c', { ...small, isByCount: false }), 50);
  assert.equal(most('x', cut(tally({ a: 60, b: 50, c: 49, d: 48 }), 2)), 50);
});

test('events that are not listed now share in the rise as one value', () => {
  const now = cut(tally({ a: 100, b: 60, c: 40 }), 1);
  const { rows, moved } = compare(now, tally({ b: 30 }));
  assert.equal(moved, 170);
  assert.equal(rows[0]?.explains, 100 / 170);
});

test('where the total fell a value that kept its number explains nothing, and does not stand out', () => {
  const { rows, way, moved } = compare(
    tally({ shop: 100, kept: 103, bot: 60 }),
    tally({ shop: 900, kept: 100, gone: 50 }),
  );
  assert.deepEqual([way, moved], ['fell', 850]);
  assert.deepEqual(
    rows.map(({ value, explains, isAgainst, standsOut }) => [value, explains, isAgainst, standsOut]),
    [
      ['shop', 800 / 850, false, true],
      ['bot', 0, true, true],
      ['gone', 50 / 850, false, true],
      ['kept', 0, true, false],
    ],
  );
});

test('of a list that was cut now a value surely fell by what all the rest leaves it, and no further', () => {
  const now = { ...cut(tally({ a: 50, b: 9, c: 1 }), 1), isByCount: false };
  const row = compare(now, tally({ a: 50, b: 90, c: 1 })).rows.find(({ value }) => value === 'b');
  assert.deepEqual([row?.countNow, row?.isAtMostNow, row?.excess, row?.isNew], [9, true, -81, false]);
});

test('G² is 2 N times the mutual information, worked out another way', () => {
  // One value kept as it came out, beside the identity that checks the formula.
  assert.equal(Math.round((logLikelihood(110, 110 + 2442, 111, 111 + 29_114) ?? 0) * 100) / 100, 270.72);
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
      assert.ok(Math.abs((logLikelihood(k1, n1, k2, n2) ?? -1) - expected) < 1e-6);
    }),
    { numRuns: RUNS },
  );
  assert.equal(logLikelihood(0, 0, 3, 9), null);
});

test('what the values explain adds up to all that moved as the total did', () => {
  fc.assert(
    fc.property(counts, counts, fc.integer({ min: 1, max: 6 }), (now, before, length) => {
      const { rows, moved } = compare(tally(now), {
        ...tally(before),
        length: length * 20 * MINUTE,
      });
      const sum = rows.reduce((all, { explains }) => all + explains, 0);
      assert.ok(Math.abs(sum - (moved > 0 ? 1 : 0)) < 1e-9);
      assert.ok(rows.every(({ explains }) => explains >= 0 && explains <= 1));
    }),
    { numRuns: RUNS },
  );
});

test('a cut baseline never makes a value look newer or more risen than the whole one does', () => {
  fc.assert(
    fc.property(counts, counts, fc.nat(4), fc.boolean(), (now, before, n, isByCount) => {
      const whole = new Map(compare(tally(now), tally(before)).rows.map((row) => [row.value, row]));
      for (const row of compare(tally(now), { ...cut(tally(before), n), isByCount }).rows) {
        const known = whole.get(row.value);
        assert.ok(known, `${row.value} rose only in the cut list`);
        assert.ok(row.countBefore >= known.countBefore);
        assert.ok(!row.isNew || known.isNew);
        assert.ok(!row.standsOut || known.standsOut);
      }
    }),
    { numRuns: RUNS },
  );
});

/** Events by dimension, counted from the simulator's rows by hand. */
function shieldTallies(scene: Scene, from: number, to: number): Map<ShieldDimension, ValueCounts> {
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
    const found = outstanding(
      new Map(
        [...now].map(([dimension, each]) => [dimension, compare(each, before.get(dimension) as ValueCounts)]),
      ),
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
    return compare(now as ValueCounts, before as ValueCounts).rows.filter(({ standsOut }) => standsOut);
  };
  const caches = compared('originFailure', (row) => row.cache).map(({ value }) => value);
  assert.deepEqual(caches.toSorted(), ['STALE', 'UPDATING']);
  const [storm] = compared('missStorm', (row) => row.path.split('?')[0] ?? '');
  assert.deepEqual([storm?.value], scene.incident('missStorm').cause['path']);
  assert.ok((storm?.explains ?? 0) > 0.8);
});
