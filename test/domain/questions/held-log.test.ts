import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sightingOfRecord } from '../../../src/domain/clients/client-identity.ts';
import { type Held, priceBeside, Recall } from '../../../src/domain/inquiry/held-log.ts';
import type { Inquiry, LogNeed } from '../../../src/domain/inquiry/inquiry.ts';
import { LogBook } from '../../../src/domain/logs/log-book.ts';
import { EMPTY_QUERY } from '../../../src/domain/query/query.ts';
import { bypassInquiry, bypassQuestion } from '../../../src/domain/questions/clients/ask-bypass.ts';
import { incidentsInquiry } from '../../../src/domain/questions/incidents/ask-incidents.ts';
import { samplePlan } from '../../../src/domain/questions/incidents/zone-samples.ts';
import { shared, type TimeRange, timeShared, without } from '../../../src/domain/tail/coverage.ts';
import { fc, runs } from '../../support/properties.ts';
import { MINUTE, NOON, sceneOf } from '../scene.ts';
import { answered, asking, comparing, figuresOf } from './ask-scene.ts';

const shop = sceneOf('shop-frontend', 4);
const before: TimeRange = { from: NOON - 20 * MINUTE, to: NOON - 10 * MINUTE };
const now: TimeRange = { from: NOON - 10 * MINUTE, to: NOON };
const [first] = shop.records(now.from, now.to);
const { zone } = shop;

/** Each question of the CDN log, asked anew. */
const QUESTIONS: Record<string, () => Inquiry> = {
  compared: () =>
    comparing('compare', { zones: [zone], now, before: [before], against: 'the window before' }),
  misses: () => comparing('misses', { zones: [zone], now, before, against: 'the window before', rows: null }),
  bypassCheck: () => {
    const question = bypassQuestion('country', 'DE', zone);
    assert.ok(question.ok);
    return bypassInquiry({ asked: [{ zone, question }], left: [], range: now });
  },
  timeline: () => {
    assert.ok(first);
    return asking('timeline', { zones: [zone], range: now, sighting: sightingOfRecord(first) });
  },
  rule: () => {
    const terms = [{ kind: 'field', field: 'country', op: 'eq', values: ['DE'], negated: false }] as const;
    return asking('rule', { zones: [zone], terms, range: now });
  },
  incidents: () =>
    incidentsInquiry({
      ...{ plan: { ...samplePlan([zone], 60 * MINUTE), step: MINUTE }, query: EMPTY_QUERY },
      range: { from: before.from, to: now.to },
    }),
};

/** What is held of the scene: every row of some times, and none of the others. */
function heldOf(ranges: readonly TimeRange[]): Held {
  const book = new LogBook({ capacity: 1_000_000 });
  const records = ranges.flatMap(({ from, to }) => shop.records(from, to));
  book.append(records.map((record) => ({ record, late: false })));
  const log = {
    zoneId: zone.id,
    filter: {},
    ranges: () => ranges,
    rows: (range: TimeRange, most: number) => book.between(range, most),
  };
  return { logs: [log], events: [] };
}

function recalled(inquiry: Inquiry, held: Held): Inquiry {
  const recall = new Recall(inquiry, inquiry.needs, held);
  for (let turns = 0; !recall.isOver; turns++) {
    assert.ok(turns < 10_000, 'it comes to an end');
    recall.step();
  }
  return inquiry;
}

const seconds = fc.array(fc.integer({ min: 0, max: 1200 }), { minLength: 2, maxLength: 6 }).map((all) => {
  const sorted = [...new Set(all)].toSorted((a, b) => a - b);
  return sorted.flatMap((from, at): TimeRange[] => {
    const to = sorted[at + 1];
    return at % 2 === 1 || to === undefined
      ? []
      : [{ from: before.from + from * 1000, to: before.from + to * 1000 }];
  });
});

for (const [name, asked] of Object.entries(QUESTIONS)) {
  test(`${name}: what is held, and the rest asked for, answer as all of it asked for; no request repeats what is held`, () => {
    const whole = answered(asked(), shop).table();
    fc.assert(
      fc.property(seconds, (ranges) => {
        const inquiry = recalled(asked(), heldOf(ranges));
        const rest = inquiry.rest();
        for (const need of rest as LogNeed[]) {
          // A sample is held whole or not at all, and one request asks for all that a timeline lacks.
          if (name === 'incidents' || name === 'timeline') continue;
          assert.equal(timeShared(need.range, ranges), 0);
        }
        const told = answered(inquiry, shop, rest).table();
        assert.deepEqual([figuresOf(told), told.isWhole], [figuresOf(whole), whole.isWhole]);
        assert.deepEqual(inquiry.rest(), []);
      }),
      { numRuns: runs(5) },
    );
  });
}

test('the price beside what is held is the number of requests that are left', () => {
  for (const ranges of [[], [now], [before, now], [{ from: now.from + MINUTE, to: now.to - MINUTE }]]) {
    const held = heldOf(ranges);
    const price = priceBeside(QUESTIONS['compared']?.() as Inquiry, held);
    assert.equal(price, recalled(QUESTIONS['compared']?.() as Inquiry, held).rest().length);
  }
});

test('what a store counts is told by rows only where all of them are held', () => {
  const compared = () =>
    comparing('misses', {
      ...{ zones: [zone], now, before, against: 'the window before', rows: null },
      storedUntil: now.to,
    });
  const some = heldOf([{ from: now.from + MINUTE, to: now.to }]);
  assert.ok(new Recall(compared(), compared().needs, some).isEmpty);
  const all = recalled(compared(), heldOf([now]));
  assert.deepEqual(
    all.rest().map((need) => need.kind === 'logs' && need.side),
    ['before'],
  );
});

test('rows under a filter answer what it selects, and nothing wider', () => {
  const held = heldOf([before, now]);
  const narrow: Held = { ...held, logs: held.logs.map((log) => ({ ...log, filter: { status: ['5xx'] } })) };
  const wider = QUESTIONS['compared']?.() as Inquiry;
  assert.ok(new Recall(wider, wider.needs, narrow).isEmpty);
  const errors = {
    ...EMPTY_QUERY,
    terms: [{ kind: 'field', field: 'status', op: 'eq', values: ['503'], negated: false } as const],
  };
  const asked = comparing('compare', {
    zones: [zone],
    terms: errors.terms,
    now,
    before: [before],
    against: 'the window before',
  });
  assert.deepEqual(recalled(asked, narrow).rest(), []);
});

test('rows that are let go while they are told are not said to be read', () => {
  const ranges = [{ from: now.from, to: now.to }];
  const held = heldOf(ranges);
  const inquiry = QUESTIONS['misses']?.() as Inquiry;
  const recall = new Recall(inquiry, inquiry.needs, held);
  recall.step();
  const edge = now.to - MINUTE;
  ranges[0] = { from: edge, to: now.to };
  while (!recall.isOver) recall.step();
  const left = (inquiry.rest() as LogNeed[]).filter(({ side }) => side === 'now');
  assert.ok(left.length > 0);
  assert.equal(
    left.reduce((sum, { range }) => sum + timeShared(range, [{ from: edge, to: now.to }]), 0),
    0,
  );
});

test('what ranges share and what is left of them make up the whole', () => {
  fc.assert(
    fc.property(
      seconds,
      fc.integer({ min: 0, max: 1200 }),
      fc.integer({ min: 1, max: 600 }),
      (ranges, at, long) => {
        const cut = { from: before.from + at * 1000, to: before.from + (at + long) * 1000 };
        const inside = ranges.flatMap((range) => shared(range, [cut]));
        const length = (all: readonly TimeRange[]) => all.reduce((sum, { from, to }) => sum + to - from, 0);
        const outside = without(ranges, cut);
        assert.equal(length(inside) + length(outside), length(ranges));
        assert.deepEqual(
          outside.flatMap((range) => shared(range, [cut])),
          [],
        );
      },
    ),
    { numRuns: runs(30) },
  );
});
