import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../../src/domain/log.ts';
import { createRowCounter } from '../../../src/domain/logs/counted/count-rows.ts';
import { hitRatios } from '../../../src/domain/logs/sums/traffic.ts';
import {
  lensCounting,
  type MissLens,
  missLensOf,
  type ZoneShare,
} from '../../../src/domain/questions/misses/miss-lens.ts';
import type { TimeRange } from '../../../src/domain/tail/coverage.ts';
import type { IncidentKind } from '../../../src/simulator/traffic/incidents.ts';
import { fc } from '../../support/properties.ts';
import { anyRecord, RUNS, row } from '../log-rows.ts';
import { type Entry, MINUTE, type Scene, sceneOf } from '../scene.ts';

const shop = sceneOf('shop-frontend', 4);

type Options = { window: TimeRange; baseline: TimeRange; zones?: readonly string[]; valuesMost?: number };

/** A lens of rows, of one zone unless more are named. `covered`: what was read of its windows, ms. */
function lensOf({ window, baseline, zones = ['1'], valuesMost = 1_000 }: Options) {
  const windows = { now: window, before: baseline };
  const parts = zones.map((zone) => {
    const counterOf = (range: TimeRange) =>
      createRowCounter({ terms: [], anonymisation: 'none', of: lensCounting(range, valuesMost) });
    return { zone, counters: { now: counterOf(window), before: counterOf(baseline) } };
  });
  const whole = (covered: number) => ({ covered, weight: 1 });
  const shareOf = (
    covered = { now: window.to - window.from, before: baseline.to - baseline.from },
  ): ZoneShare => ({
    now: whole(covered.now),
    before: whole(covered.before),
  });
  return {
    add(record: LogRecord, zone = zones[0]) {
      const { counters } = parts.find((each) => each.zone === zone) ?? assert.fail();
      for (const side of ['now', 'before'] as const) {
        const { from, to } = windows[side];
        if (record.timestamp >= from && record.timestamp < to) counters[side].add(record);
      }
    },
    result: (covered?: { now: number; before: number }) =>
      missLensOf(
        windows,
        parts.map(({ zone, counters }) => ({
          zone,
          counts: { now: counters.now.counts(), before: counters.before.counts() },
          share: shareOf(covered),
          parameters: (page) => counters.now.queries?.parameters(page) ?? [],
        })),
      ),
  };
}

function lensOver(scene: Scene, from: number, to: number): MissLens {
  const lens = lensOf({ window: { from, to }, baseline: { from: from - (to - from), to: from } });
  for (const record of scene.records(from - (to - from), to)) lens.add(record);
  return lens.result();
}

const spans = (kind: IncidentKind): [number, number] => {
  const { from, to } = shop.incident(kind);
  return [from, to];
};

const HITS = ['HIT', 'REVALIDATED', 'STALE', 'UPDATING'];
const MISSES = ['MISS', 'BYPASS', 'EXPIRED'];
const countOf = (entries: readonly Entry[], words: readonly string[]) =>
  entries.filter(({ cacheStatus }) => words.includes(cacheStatus)).length;
const bytesOf = (entries: readonly Entry[], words: readonly string[]) =>
  entries.reduce((sum, entry) => sum + (words.includes(entry.cacheStatus) ? entry.bytesSent : 0), 0);

test('the hit ratio over time and by value is that of a recount of the log', () => {
  const [from, to] = spans('missStorm');
  const lens = lensOver(shop, from, to);
  const entries = shop.entries(from, to);
  const [hits, misses] = [countOf(entries, HITS), countOf(entries, MISSES)];
  assert.equal(hitRatios(lens.now).requests, hits / (hits + misses));
  assert.equal(
    hitRatios(lens.now).bytes,
    bytesOf(entries, HITS) / (bytesOf(entries, HITS) + bytesOf(entries, MISSES)),
  );
  for (const { from: start, to: end, sums } of lens.series) {
    const part = shop.entries(start, end);
    assert.deepEqual([sums.requests, sums.edgeRequests], [part.length, countOf(part, HITS)]);
  }
  const columns = { host: 'host', edge: 'edgeLocation' } as const;
  for (const dimension of ['host', 'edge'] as const) {
    for (const { value, now } of lens.by[dimension]) {
      const own = entries.filter((entry) => String(entry[columns[dimension]]) === value);
      assert.deepEqual([now.edgeRequests, now.originRequests], [countOf(own, HITS), countOf(own, MISSES)]);
    }
  }
});

test('a miss storm shows as its path, with the extra misses, the flip and the parameter that makes them', () => {
  const [from, to] = spans('missStorm');
  const lens = lensOver(shop, from, to);
  const [flip] = lens.worse;
  const [path = ''] = shop.incident('missStorm').cause['path'] ?? [];
  assert.equal(flip?.value, path);
  const own = (start: number, end: number) =>
    shop.entries(start, end).filter((entry) => String(entry['path']).split('?')[0] === path);
  const [now, before] = [own(from, to), own(from - (to - from), from)];
  const missRatio = countOf(before, MISSES) / (countOf(before, MISSES) + countOf(before, HITS));
  const expected = (countOf(now, MISSES) + countOf(now, HITS)) * missRatio;
  assert.ok(Math.abs((flip?.extraMisses ?? 0) - (countOf(now, MISSES) - expected)) < 1e-9);
  assert.equal(flip?.isFlipped, true);
  assert.deepEqual(
    lens.explosions.map((each) => [each.page, each.parameters[0]?.name, each.distinct, each.mostDistinct]),
    [
      [
        path,
        'utm_id',
        new Set(now.map((entry) => String(entry['path'])).filter((text) => text.includes('?'))).size,
        undefined,
      ],
    ],
  );
  assert.ok(Math.abs((lens.explosions[0]?.extraMisses ?? 0) - (flip?.extraMisses ?? 0)) < 1e-9);
});

test('a failing origin shows as a rise of stale answers and of errors; nothing else does', () => {
  const failing = lensOver(shop, ...spans('originFailure'));
  assert.deepEqual([failing.stale.hasRisen, failing.errors.hasRisen], [true, true]);
  const entries = shop.entries(...spans('originFailure'));
  const stale = countOf(entries, ['STALE', 'UPDATING']);
  assert.equal(failing.stale.now, stale / countOf(entries, [...HITS, ...MISSES]));
  const storm = lensOver(shop, ...spans('missStorm'));
  assert.equal(storm.stale.hasRisen, false);
});

test('in an hour without an incident hardly a path is said to be worse, and none to have flipped with an explosion', () => {
  const quiet = sceneOf('checkout', 100);
  let worse = 0;
  let paths = 0;
  for (let i = 1; i <= 20; i++) {
    const to = shop.incident('scanner').from - i * 20 * MINUTE;
    const lens = lensOver(quiet, to - 10 * MINUTE, to);
    worse += lens.worse.length;
    paths += lens.by.page.length;
    assert.deepEqual(lens.explosions, []);
    assert.equal(lens.stale.hasRisen, false);
  }
  assert.ok(paths > 1000, `${paths} paths`);
  assert.ok(worse / paths < 0.001, `${worse} of ${paths}`);
});

test('values that are not told apart are summed as one, last and by no name, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(anyRecord), fc.integer({ min: 1, max: 4 }), (records, valuesMost) => {
      const lens = lensOf({
        window: { from: 5_000, to: 9_000 },
        baseline: { from: 0, to: 4_000 },
        valuesMost,
      });
      for (const record of records) lens.add(record);
      const { by, now, before } = lens.result();
      const within = (from: number, to: number) => (record: LogRecord) =>
        record.timestamp >= from && record.timestamp < to;
      assert.equal(now.requests, records.filter(within(5_000, 9_000)).length);
      assert.equal(before.requests, records.filter(within(0, 4_000)).length);
      for (const rows of Object.values(by)) {
        assert.ok(rows.length <= 2 * valuesMost + 1);
        assert.ok(rows.slice(0, -1).every(({ value }) => value !== null));
        const sumOf = (figure: (each: (typeof rows)[number]) => number) =>
          rows.reduce((sum, each) => sum + figure(each), 0);
        assert.equal(
          sumOf((each) => each.now.requests),
          now.requests,
        );
        assert.equal(
          sumOf((each) => each.before.originBytes),
          before.originBytes,
        );
      }
    }),
    { numRuns: RUNS },
  );
});

test('a page that was asked for as variously before has no explosion', () => {
  const window = { from: 200_000, to: 300_000 };
  const explosions = (before: number, baseline: { from: number; to: number }) => {
    const lens = lensOf({ window, baseline });
    for (let i = 0; i < 120; i++) lens.add(row({ timestamp: 200_000 + i, path: `/search?q=${i}` }));
    for (let i = 0; i < before; i++) lens.add(row({ timestamp: i, path: `/search?q=${i}` }));
    return lens.result().explosions.map(({ page, distinctBefore }) => [page, distinctBefore]);
  };
  assert.deepEqual(explosions(0, { from: 0, to: 100_000 }), [['/search', 0]]);
  assert.deepEqual(explosions(40, { from: 0, to: 100_000 }), [['/search', 40]]);
  assert.deepEqual(explosions(41, { from: 0, to: 100_000 }), []);
  assert.deepEqual(explosions(80, { from: 0, to: 200_000 }), [['/search', 80]], 'half of it a minute');
});

test('what was asked before is compared over the time that was read, not over the whole window', () => {
  const lens = lensOf({
    window: { from: 200_000, to: 300_000 },
    baseline: { from: 100_000, to: 200_000 },
  });
  for (let i = 0; i < 120; i++) lens.add(row({ timestamp: 200_000 + i, path: `/search?q=${i}` }));
  for (let i = 0; i < 20; i++) lens.add(row({ timestamp: 100_000 + i, path: `/search?q=${i}` }));
  assert.equal(lens.result().explosions.length, 1);
  assert.equal(lens.result({ now: 100_000, before: 20_000 }).explosions.length, 0);
  assert.equal(lens.result({ now: 20_000, before: 20_000 }).explosions.length, 1);
});

test('without a request before nothing is said to have changed', () => {
  const lens = lensOf({
    window: { from: 0, to: 10_000 },
    baseline: { from: -10_000, to: 0 },
  });
  for (let i = 0; i < 50; i++) lens.add(row({ cacheStatus: 'MISS' }));
  const { worse, by, stale } = lens.result();
  assert.deepEqual([worse, by.page[0]?.extraMisses, stale.hasRisen], [[], null, false]);
});

test('pages that miss alike are told by their shape, once, and a page that is most of it by itself', () => {
  const worseOf = (
    now: (n: number) => string,
    before: (n: number) => string,
    zones: readonly string[] = ['1'],
  ) => {
    const lens = lensOf({ window: { from: 1_000, to: 2_000 }, baseline: { from: 0, to: 1_000 }, zones });
    for (let n = 0; n < 120; n++) {
      for (const zone of zones) {
        lens.add(row({ timestamp: n, path: before(n), cacheStatus: 'HIT' }), zone);
        lens.add(row({ timestamp: 1_000 + n, path: now(n), cacheStatus: 'MISS' }), zone);
      }
    }
    return lens.result().worse.map((each) => [each.zone, each.field, each.value, each.extraMisses]);
  };
  const ofId = (n: number) => `/reports/${n}/export?t=${n}`;
  const shape = '/reports/<n>/export';
  assert.deepEqual(
    worseOf((n) => ofId(n + 500), ofId),
    [[null, 'shape', shape, 120]],
    'no page was there before',
  );
  assert.deepEqual(
    worseOf(
      (n) => ofId(n % 3),
      (n) => ofId(n % 3),
    ),
    [[null, 'shape', shape, 120]],
    'each of three pages stands out by itself',
  );
  const mostly = (n: number) => (n < 70 ? ofId(1) : ofId(n % 2 === 0 ? 2 : 3));
  assert.deepEqual(
    worseOf(mostly, mostly),
    [
      [null, 'page', '/reports/1/export', 70],
      [null, 'page', '/reports/2/export', 25],
      [null, 'page', '/reports/3/export', 25],
    ],
    'one page is more than half of it',
  );
  assert.deepEqual(
    worseOf(
      () => '/a',
      () => '/a',
    ),
    [[null, 'page', '/a', 120]],
    'a page that is its own shape',
  );
  assert.deepEqual(
    worseOf((n) => ofId(n + 500), ofId, ['1', '2']).map(([zone, field]) => [zone, field]),
    [
      ['1', 'shape'],
      ['2', 'shape'],
    ],
    'each zone has its own',
  );
});
