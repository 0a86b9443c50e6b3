import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../../src/domain/failure.ts';
import type { AnswerTable } from '../../../src/domain/inquiry/answer-table.ts';
import type { Inquiry, LogNeed, Met } from '../../../src/domain/inquiry/inquiry.ts';
import {
  eachWords,
  hedgeOf,
  LogReading,
  zoneReads,
  zonesRead,
} from '../../../src/domain/inquiry/log-reading.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import { EMPTY_QUERY } from '../../../src/domain/query/query.ts';
import { parseQuery } from '../../../src/domain/query/query-text.ts';
import type { PullZone, Zones } from '../../../src/domain/zone.ts';
import { fc } from '../../support/properties.ts';
import { recordOf, zoneOf } from '../../support/state.ts';
import { RUNS } from '../log-rows.ts';
import { comparing } from './ask-scene.ts';

const HOUR = 3_600_000;
const now = { from: 8 * HOUR, to: 9 * HOUR };
const before = { from: 7 * HOUR, to: 8 * HOUR };
const [shop, api, docs]: [PullZone, PullZone, PullZone] = [
  zoneOf('1', 'shop'),
  zoneOf('2', 'api'),
  zoneOf('3', 'docs'),
];

const many = (count: number): Zones => [
  shop,
  ...Array.from({ length: count - 1 }, (_, n) => zoneOf(`${n + 10}`, `z${n}`)),
];

const logNeeds = (needs: Inquiry['needs']) => needs.filter((need): need is LogNeed => need.kind === 'logs');

/** Rows of a need, so many a minute, which these differ in. */
function rowsOf(
  need: LogNeed,
  perMinute: number,
  more: (at: number, n: number) => Partial<LogRecord> = () => ({}),
) {
  const step = 60_000 / perMinute;
  const first = Math.ceil(need.range.from / step);
  return Array.from({ length: Math.max(0, Math.ceil(need.range.to / step) - first) }, (_, index) => {
    const n = first + index;
    const timestamp = n * step;
    return recordOf(0, { timestamp, pullZoneId: need.zoneId, ...more(timestamp, n) });
  });
}

const whole = (records: LogRecord[]): Met => ({ kind: 'logs', records, hasMore: false });
/** The beginning of an answer, as far as this share of its time. */
const cut = (need: LogNeed, records: LogRecord[], share: number): Met => {
  const to = need.range.from + share * (need.range.to - need.range.from);
  return { kind: 'logs', records: records.filter(({ timestamp }) => timestamp <= to), hasMore: true };
};
const failed: Met = { kind: 'failed', failure: failureOf('timeout') };

const sectionOf = (table: AnswerTable, title: RegExp) =>
  table.sections.find((each) => title.test(each.title));

test('any number of first requests lies evenly over zones, windows and time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 12 }), (count, parts) => {
      const zones = many(count);
      const { needs } = new LogReading({
        zones: zoneReads(zones, EMPTY_QUERY, parts),
        windows: { now: [now], before: [before] },
      });
      for (let n = 1; n <= needs.length; n++) {
        const first = needs.slice(0, n);
        const each = zones.flatMap(({ id }) =>
          (['now', 'before'] as const).map((side) =>
            first.filter((need) => need.zoneId === id && need.side === side),
          ),
        );
        const lengths = each.map(({ length }) => length);
        assert.ok(Math.max(...lengths) - Math.min(...lengths) <= 1, `${n}: ${lengths.join()}`);
        for (const own of each.filter(({ length }) => length > 1)) {
          const { from, to } = own[0]?.side === 'now' ? now : before;
          const times = [...own.map(({ range }) => range.from), to].toSorted((a, b) => a - b);
          const widest = Math.max(...times.map((time, at) => time - (times[at - 1] ?? from)));
          // Slices that no power of two divides lie one beside where they would.
          assert.ok(widest <= (2 / own.length + 1 / parts) * (to - from) + 1);
        }
      }
    }),
    { numRuns: RUNS },
  );
});

test('several zones share the usual price, each with two requests a window at least', () => {
  const prices = [1, 2, 3, 6, 40].map((count) => {
    const inquiry = comparing('compare', {
      zones: many(count),
      now,
      before: [before],
      against: 'before',
    });
    return [inquiry.needs.length, eachWords(many(count), inquiry)];
  });
  assert.deepEqual(prices, [
    [12, ''],
    [12, 'at most 6 of each of 2 zones'],
    [12, 'at most 4 of each of 3 zones'],
    [24, 'at most 4 of each of 6 zones'],
    [160, 'at most 4 of each of 40 zones'],
  ]);
});

test('rows never count for more than they are, and all zones count as far as the least read one', () => {
  const shares = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(shares, (each) => {
      const zones = many(each.length);
      const reading = new LogReading({
        zones: zoneReads(zones, EMPTY_QUERY, 4),
        windows: { now: [now], before: [before] },
      });
      for (const need of reading.needs) {
        const share = need.side === 'now' ? (each[zones.findIndex(({ id }) => id === need.zoneId)] ?? 1) : 1;
        const last = need.range.from + Math.floor(share * (need.range.to - need.range.from));
        reading.add(need, { kind: 'logs', records: [recordOf(0, { timestamp: last })], hasMore: share < 1 });
      }
      const { share, of } = reading.weights('now');
      for (const zone of zones) {
        const weight = of.get(zone.id) ?? 0;
        assert.ok(weight > 0 && weight <= 1);
        assert.ok(Math.abs(weight * reading.share('now', now, zone) - share) < 1e-9);
      }
      assert.deepEqual(
        [...reading.weights('before').of.values()],
        zones.map(() => 1),
      );
      // Evenly read there is nothing to weigh, and nothing to say of it.
      assert.equal(zonesRead(reading).length, new Set(of.values()).size > 1 || share < 0 ? 1 : 0);
    }),
    { numRuns: RUNS },
  );
});

test('a zone that failed is named, and so is one of which only one window is known', () => {
  const reading = new LogReading({
    zones: zoneReads([shop, api, docs], EMPTY_QUERY, 6),
    windows: { now: [now], before: [before] },
  });
  for (const need of reading.needs) {
    const isRead = need.zoneId === '1' || (need.zoneId === '2' && need.side === 'now');
    reading.add(need, isRead ? whole([]) : failed);
  }
  assert.equal(hedgeOf(reading), 'of the 50.0% read, without api and docs: ');
  assert.deepEqual(zonesRead(reading), ['docs not read', 'api not counted: one of the windows was not read']);
  assert.deepEqual(reading.compared, [shop]);
  assert.equal(reading.weights('now').of.has('2'), false);
});

test('a zone that was read further does not rise for it, and what really rose does', () => {
  const zones: Zones = [shop, api];
  const comparisonOf = (isBroken: boolean) => {
    const inquiry = comparing('compare', {
      zones,
      now,
      before: [before],
      against: 'the hour before',
    });
    for (const need of logNeeds(inquiry.needs)) {
      const records = rowsOf(need, 20, (at, n) => ({
        host: need.zoneId === '1' ? 'shop.example' : 'api.example',
        statusCode: isBroken && need.zoneId === '2' && at >= now.from && n % 2 === 0 ? 503 : 200,
      }));
      // Of api a tenth of the hour before is read: counted as they are, its rows would be ten times as many now.
      inquiry.add(
        need,
        need.zoneId === '2' && need.side === 'before' ? cut(need, records, 0.1) : whole(records),
      );
    }
    return inquiry.table();
  };
  const calm = comparisonOf(false);
  assert.match(
    calm.headline,
    /^of the 77\.\d% read: nothing stands out against the hour before so far; the total is as before$/,
  );
  assert.match(calm.coverage, /zones read unevenly: rows weighed as if 100% and \d+\.\d% of each was read$/);
  const broken = comparisonOf(true);
  assert.match(broken.headline, /status:503 is new: /);
});

test('zones are a dimension by their names where there are several, and none where there is one', () => {
  const asked = (zones: Zones) => {
    const inquiry = comparing('compare', {
      zones,
      now,
      before: [before],
      against: 'the hour before',
    });
    for (const need of logNeeds(inquiry.needs)) {
      const isBusy = need.zoneId === '2' && need.side === 'now';
      inquiry.add(need, whole(rowsOf(need, isBusy ? 60 : 10)));
    }
    return inquiry.table();
  };
  const table = asked([shop, api]);
  assert.match(
    table.headline,
    /^zone:api is more frequent: 85\.7% now, 50\.0% before \(3,600 and 600\); the total rose 250%$/,
  );
  assert.match(table.sections[1]?.title ?? '', /^zone:/);
  const row = sectionOf(table, /^zone:/)?.rows[0];
  assert.deepEqual([row?.cells[0], row?.value], ['api', { field: 'zone', value: '2' }]);
  const [term] = row?.leads?.query.terms ?? [];
  assert.ok(term?.kind === 'field' && term.field === 'zone' && term.values[0] === '2');
  assert.equal(sectionOf(asked([shop]), /^zone:/), undefined);
});

test('a filter by the name of a zone counts its rows alone', () => {
  const parsed = parseQuery('zone:api', 'logs', 0);
  assert.ok(parsed.ok);
  const inquiry = comparing('compare', {
    zones: [shop, api],
    terms: parsed.query.terms,
    now,
    before: [before],
    against: 'before',
  });
  for (const need of logNeeds(inquiry.needs)) inquiry.add(need, whole(rowsOf(need, 10)));
  assert.match(sectionOf(inquiry.table(), /^status:/)?.title ?? '', /^status: 600 now, 600 before$/);
});

test('misses are told zone by zone: pages of one path are two where they are of two zones', () => {
  const inquiry = comparing('misses', {
    zones: [shop, api],
    now,
    before,
    against: 'before',
    rows: null,
  });
  for (const need of logNeeds(inquiry.needs)) {
    const isBad = need.zoneId === '2' && need.side === 'now';
    const records = rowsOf(need, 20, (_, n) => ({
      path: '/',
      statusCode: 200,
      cacheStatus: isBad && n % 2 === 0 ? 'MISS' : 'HIT',
    }));
    inquiry.add(need, whole(records));
  }
  const table = inquiry.table();
  assert.match(table.headline, /^hit ratio 75\.0% now, 100% before; most misses above usual: \/ of api$/);
  assert.deepEqual(
    sectionOf(table, /^pages or shapes that miss/)?.rows.map(({ cells, leads }) => [
      cells[0],
      cells[1],
      cells[4],
      leads?.query.terms.map((term) => (term.kind === 'field' ? `${term.field}:${term.values.join()}` : '')),
    ]),
    [['api', '/', '600', ['zone:2', 'page:/']]],
  );
  assert.deepEqual(
    sectionOf(table, /^by zone/)?.rows.map(({ cells }) => [cells[0], cells[1], cells[2]]),
    [
      ['api', '50.0%', '100%'],
      ['shop', '100%', '100%'],
    ],
  );
});

test('a hit ratio over zones is that of their traffic, however far each was read', () => {
  // Of each hundred requests shop has 90, all hits; api has 10, all misses. Of shop a fifth is read.
  const inquiry = comparing('misses', {
    zones: [shop, api],
    now,
    before,
    against: 'before',
    rows: null,
  });
  for (const need of logNeeds(inquiry.needs)) {
    const isShop = need.zoneId === '1';
    const records = rowsOf(need, isShop ? 90 : 10, () => ({ cacheStatus: isShop ? 'HIT' : 'MISS' }));
    inquiry.add(need, isShop ? cut(need, records, 0.2) : whole(records));
  }
  assert.match(inquiry.table().headline, /hit ratio (?:89|90)\.\d% now, (?:89|90)\.\d% before/);
});
