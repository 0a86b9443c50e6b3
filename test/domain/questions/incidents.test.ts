import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../../src/domain/failure.ts';
import { type Inquiry, type LogNeed, spread } from '../../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import { EMPTY_QUERY } from '../../../src/domain/query/query.ts';
import { incidentsInquiry } from '../../../src/domain/questions/incidents/ask-incidents.ts';
import {
  planWords,
  type SamplePlan,
  samplePlan,
} from '../../../src/domain/questions/incidents/zone-samples.ts';
import type { PullZone } from '../../../src/domain/zone.ts';
import { fc } from '../../support/properties.ts';
import { recordOf, zoneOf } from '../../support/state.ts';
import { RUNS } from '../log-rows.ts';
import { HOUR, MINUTE, NOON, newScene } from '../scene.ts';

const SPAN = 3 * HOUR;
const range = { from: NOON - SPAN, to: NOON };

const zonesOf = (...names: string[]): PullZone[] => names.map((name, at) => zoneOf(`${at + 1}`, name));
const ask = (zones: readonly PullZone[], plan: SamplePlan = samplePlan(zones, SPAN)): Inquiry =>
  incidentsInquiry({ plan, query: EMPTY_QUERY, range });

type Odd = (zone: string, at: number, n: number) => Partial<LogRecord> | null;

/** So many requests a second of each zone, of which these are odd; a sample holds as many as it asks for. */
function answered(inquiry: Inquiry, odd: Odd, perSecond = 10, needs = inquiry.needs): Inquiry {
  for (const need of needs) {
    assert.ok(need.kind === 'logs');
    const rows = rowsOf(need, odd, perSecond);
    const records = rows.slice(0, need.rows);
    inquiry.add(need, { kind: 'logs', records, hasMore: rows.length > records.length });
  }
  return inquiry;
}

function rowsOf(
  { zoneId, range: { from, to }, rows = 0 }: LogNeed,
  odd: Odd,
  perSecond: number,
): LogRecord[] {
  const step = 1000 / perSecond;
  const first = Math.ceil(from / step);
  const length = Math.max(0, Math.min(rows + 1, Math.ceil(to / step) - first));
  return Array.from({ length }, (_, index) => {
    const n = first + index;
    const usual = { timestamp: n * step, pullZoneId: zoneId, statusCode: 200, cacheStatus: 'HIT' };
    const named = { path: `/p/${n % 50}`, asn: `${n % 40}`, remoteIp: `192.0.2.${n % 200}` };
    return recordOf(0, { ...usual, ...named, ...odd(zoneId, n * step, n) });
  });
}

const minutesAgo = (minutes: number) => NOON - minutes * MINUTE;
const calm: Odd = () => null;
const rowsTold = (inquiry: Inquiry) => inquiry.table().sections[0]?.rows ?? [];
const clock = (at: number) => new Date(at).toISOString().slice(11, 16);
/** `02:10-02:16` as Unix ms of the day of the scene. */
const between = (cell = ''): [number, number] => {
  const [from = 0, to = 0] = cell
    .split('-')
    .map((text) => Date.parse(`${new Date(NOON).toISOString().slice(0, 10)}T${text}:00Z`));
  return [from, to];
};

test('what fails for as long as was read stands out by its level, since before that', () => {
  const standing: Odd = (zone, _, n) =>
    zone === '2' && n % 10 < 3 ? { statusCode: 502, cacheStatus: 'MISS' } : null;
  const inquiry = answered(ask(zonesOf('calm', 'burning')), standing);
  const { headline, verdict } = inquiry.table();
  assert.equal(verdict, 'wrong');
  assert.match(
    headline,
    /^burning: 30\.\d% of requests answered 502 by the origin since before 09:0\d, as far back as was read$/,
  );
});

test('two zones that fail at once are told together with the time between which it began, and that it goes on', () => {
  const began = minutesAgo(50);
  const inquiry = answered(ask(zonesOf('shop', 'checkout', 'mobile-api')), (zone, at, n) =>
    zone !== '1' && at >= began && n % 3 === 0 ? { statusCode: 503, cacheStatus: 'MISS' } : null,
  );
  const { headline, verdict } = inquiry.table();
  assert.match(
    headline,
    /^checkout and mobile-api, both: 3[34]\.\d% of requests answered 503 by the origin since 11:\d\d-11:\d\d$/,
  );
  assert.equal(verdict, 'wrong');
  const told = rowsTold(inquiry);
  assert.deepEqual(
    told.map(({ cells }) => cells[0]),
    ['checkout and mobile-api', '  checkout', '  mobile-api'],
  );
  for (const { cells, leads } of told) {
    const [from, to] = between(cells[1]);
    assert.ok(from <= began && began <= to && to - from <= 6 * MINUTE, cells[1]);
    assert.equal(cells[2], 'on');
    // Enter opens the failing requests, from a moment at which all was well.
    const { window, terms } = leads?.query ?? EMPTY_QUERY;
    assert.ok(window?.kind === 'absolute' && window.from <= began && window.from >= began - 6 * MINUTE);
    assert.deepEqual(terms, [{ kind: 'field', field: 'status', op: 'eq', values: ['5xx'], negated: false }]);
  }
  assert.deepEqual(
    told.map(({ leads }) => leads?.zones),
    [['2', '3'], ['2'], ['3']],
  );
});

test('zones whose origin fails are asked why, once, and each is told its own cause', () => {
  const zones = zonesOf('shop', 'checkout', 'mobile-api');
  const inquiry = incidentsInquiry({
    plan: samplePlan(zones, SPAN),
    query: EMPTY_QUERY,
    range,
    withCauses: true,
  });
  answered(inquiry, (zone, at, n) =>
    zone !== '1' && at >= minutesAgo(50) && n % 3 === 0 ? { statusCode: 503, cacheStatus: 'MISS' } : null,
  );
  const needs = inquiry.follow?.next() ?? [];
  assert.deepEqual(needs.map((need) => need.kind === 'originErrors' && need.zoneId).toSorted(), ['2', '3']);
  assert.ok(inquiry.needs.length + needs.length <= (inquiry.follow?.most ?? 0));
  assert.deepEqual(inquiry.follow?.next(), []);
  for (const need of needs) {
    const of = { logId: null, url: '/p/1', status: 503, edge: null, message: null, raw: null };
    const code = need.kind === 'originErrors' && need.zoneId === '2' ? 'dns_lookup' : 'http_timeout';
    const errors = Array.from({ length: 9 }, (_, n) => ({
      ...of,
      code,
      timestamp: minutesAgo(40) + n * 1000,
    }));
    inquiry.add(need, { kind: 'originErrors', value: { errors, unread: 0 } });
  }
  const told = rowsTold(inquiry).map(({ cells }) => [cells[0]?.trim(), cells.at(-1)]);
  assert.deepEqual(told.slice(1).toSorted(), [
    ['checkout', 'dns_lookup status:503'],
    ['mobile-api', 'http_timeout status:503'],
  ]);
  assert.match(inquiry.table().coverage, /origin errors of 2 of 2 days$/);
  assert.deepEqual(inquiry.rest(), []);
  const calmed = incidentsInquiry({
    plan: samplePlan(zones, SPAN),
    query: EMPTY_QUERY,
    range,
    withCauses: true,
  });
  assert.deepEqual(answered(calmed, calm).follow?.next(), []);
});

test('what is over tells when it ended, and is no part of what goes on', () => {
  const inquiry = answered(ask(zonesOf('shop', 'api')), (zone, at, n) => {
    const isLong = zone === '1' && at >= minutesAgo(60) && at < minutesAgo(40) && n % 2 === 0;
    const isNow = zone === '2' && at >= minutesAgo(60) && n % 5 === 0;
    return isLong || isNow ? { statusCode: 502 } : null;
  });
  const told = rowsTold(inquiry);
  assert.deepEqual(
    told.map(({ cells }) => cells[0]),
    ['api', 'shop'],
  );
  const [from, to] = between(told[1]?.cells[2]);
  assert.ok(from <= minutesAgo(40) && minutesAgo(40) <= to, told[1]?.cells[2]);
});

test('two zones with different matters at one time are two matters', () => {
  const inquiry = answered(ask(zonesOf('shop', 'api')), (zone, at, n) => {
    if (at < minutesAgo(60) || n % 3 !== 0) return null;
    return zone === '1' ? { asn: '64500', path: '/login' } : { asn: '64999', path: '/export' };
  });
  assert.deepEqual(
    rowsTold(inquiry)
      .map(({ cells }) => cells[0]?.trim())
      .sort(),
    ['api', 'shop'],
  );
});

test('one sender in two zones is one matter, and Enter asks both for it', () => {
  const inquiry = answered(ask(zonesOf('shop', 'api')), (_, at, n) =>
    at >= minutesAgo(60) && n % 3 === 0 ? { asn: '64500' } : null,
  );
  const [together] = rowsTold(inquiry);
  assert.equal(together?.cells[0], 'shop and api');
  assert.match(together?.cells.join(' ') ?? '', / 3[34]\.\d% 0% sure one sender asn:64500$/);
  assert.deepEqual(together?.leads?.query.terms, [
    { kind: 'field', field: 'asn', op: 'eq', values: ['64500'], negated: false },
  ]);
});

test('a hit ratio that falls is told as it was and as it is', () => {
  const inquiry = answered(ask(zonesOf('shop')), (_, at, n) =>
    n % 10 === 0 || (at >= minutesAgo(30) && n % 2 === 0) ? { cacheStatus: 'MISS' } : null,
  );
  const [misses] = rowsTold(inquiry);
  assert.match(misses?.cells.join(' ') ?? '', / 5\d\.\d% 10\.\d% sure misses/);
});

test('nothing stands out only where all was read; what was not is named in the same sentence', () => {
  const zones = zonesOf('shop', 'api', 'docs');
  const whole = answered(ask(zones), calm);
  assert.match(whole.table().headline, /^nothing stands out from the usual in 138 samples of 3 zones$/);
  assert.equal(whole.table().verdict, 'calm');
  const part = ask(zones);
  for (const need of part.needs) {
    if (need.kind !== 'logs' || need.zoneId !== '2') answered(part, calm, 10, [need]);
    else part.add(need, { kind: 'failed', failure: failureOf('timeout') });
  }
  const table = part.table();
  assert.match(table.headline, /^of the 66\.7% of the samples read: nothing stands out .*; api not read$/);
  assert.equal(table.verdict, 'unknown');
  assert.match(table.coverage, /^92 of 138 samples of 3 zones, one every 4m; 18,308 rows; api not read$/);
  assert.equal(part.rest().length, 46);
  // Of a zone of which all but one sample were read it cannot be said either.
  const nearly = ask(zones);
  answered(nearly, calm, 10, nearly.needs.slice(0, -1));
  assert.match(nearly.table().headline, /^of the 99\.3% of the samples read: nothing stands out/);
  assert.equal(nearly.table().verdict, 'unknown');
});

test('the first samples of a zone stand for nothing: what is usual is not known yet', () => {
  const zones = zonesOf('shop', 'api');
  const odd: Odd = (zone, at, n) =>
    zone === '1' && at > minutesAgo(80) && n % 2 === 0 ? { statusCode: 503, cacheStatus: 'MISS' } : null;
  const inquiry = ask(zones);
  answered(inquiry, odd, 10, inquiry.needs.slice(0, 14));
  assert.equal(
    inquiry.table().headline,
    'which zone, since when? too few samples of each are read to tell what is usual',
  );
  assert.deepEqual(rowsTold(inquiry), []);
  answered(inquiry, odd, 10, inquiry.needs.slice(14));
  assert.match(
    inquiry.table().headline,
    /^shop: 50\.\d% of requests answered 503 by the origin since 10:3\d-10:4\d$/,
  );
});

test('a zone of too few requests is said to tell nothing', () => {
  const zones = zonesOf('shop', 'quiet');
  const inquiry = ask(zones);
  for (const need of inquiry.needs) {
    answered(inquiry, calm, need.kind === 'logs' && need.zoneId === '2' ? 0.1 : 10, [need]);
  }
  const { headline, verdict } = inquiry.table();
  assert.match(headline, /; too few requests to tell of quiet$/);
  assert.equal(verdict, 'unknown');
});

test('a plan of 18 zones meets what lasts five minutes, and one of 50,000 is bounded and says whom it leaves out', () => {
  const planOf = (count: number, span = SPAN) => {
    const zones = Array.from({ length: count }, (_, n) => zoneOf(`${n}`, `z${n}`, { logging: n !== 1 }));
    const plan = samplePlan(zones, span);
    return { plan, requests: ask(zones, plan).needs.length };
  };
  const few = planOf(19);
  assert.deepEqual([few.plan.step, few.requests, few.plan.silent], [4 * MINUTE, 828, 1]);
  assert.equal(planWords(few.plan, few.requests), '46 of each, 18 zones, about 28s');
  for (const count of [2, 30, 61, 1_000, 50_000]) {
    for (const span of [SPAN, 24 * HOUR]) {
      const { plan, requests } = planOf(count, span);
      assert.ok(requests <= 1_320, `${count}: ${requests}`);
      assert.ok(plan.zones.length === count - 1 || plan.zones.length === 60);
      assert.equal(plan.zones[0]?.id, '0');
    }
  }
  const many = planOf(1_000);
  assert.equal(planWords(many.plan, many.requests), '21 of each, the first 60 of 999, about 42s');
  const { headline, verdict } = answered(ask([], many.plan), calm, 1).table();
  assert.match(
    headline,
    /^nothing stands out .* of 60 zones; of 999 zones 60 are asked; 1 zone has no log to read$/,
  );
  assert.equal(verdict, 'unknown');
});

test('any number of first items lies in other places than the others, and all of them are there', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (items) => {
      const places = items.map((_, at) => at);
      assert.deepEqual(
        spread(places).toSorted((a, b) => a - b),
        places,
      );
    }),
    { numRuns: RUNS },
  );
});

test('the failing origin of the demo is told of both its zones with its begin', () => {
  // All seeds are the matter of `npm run test:causes`.
  for (const seed of [1, 7, 12]) {
    const scenes = ['checkout', 'mobile-api'].map((name) => newScene(name, 40, seed));
    const zones = scenes.map(({ zone }) => zone);
    const failure = scenes[0]?.incidents.find(
      ({ kind, from, to }) => kind === 'originFailure' && from < NOON && to > NOON,
    );
    assert.ok(failure, `seed ${seed}`);
    const plan = samplePlan(zones, SPAN / 2);
    const inquiry = incidentsInquiry({
      plan,
      query: EMPTY_QUERY,
      range: { from: NOON - SPAN / 2, to: NOON },
    });
    for (const need of inquiry.needs) {
      assert.ok(need.kind === 'logs');
      const scene = scenes.find(({ zone }) => zone.id === need.zoneId);
      const records: LogRecord[] = [];
      // As many seconds as fill the sample.
      for (let from = need.range.from; from < need.range.to && records.length < 201; from += 10_000) {
        records.push(...(scene?.records(from, Math.min(from + 10_000, need.range.to)) ?? []));
      }
      inquiry.add(need, { kind: 'logs', records: records.slice(0, 200), hasMore: records.length > 200 });
    }
    const [together] = rowsTold(inquiry);
    assert.match(
      together?.cells[0] ?? '',
      /^(?:checkout and mobile-api|mobile-api and checkout)$/,
      `seed ${seed}`,
    );
    const [from, to] = between(together?.cells[1]);
    assert.ok(
      // Cells tell whole minutes.
      from <= failure.from && failure.from < to + MINUTE,
      `seed ${seed}: ${together?.cells[1]}, ${clock(failure.from)}`,
    );
    assert.equal(together?.cells[2], 'on');
  }
});
