import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../../src/domain/failure.ts';
import { EMPTY_QUERY, type Query } from '../../../src/domain/query/query.ts';
import { parseQuery } from '../../../src/domain/query/query-text.ts';
import { accountPlan } from '../../../src/domain/questions/anomalies/account-plan.ts';
import { accountInquiry } from '../../../src/domain/questions/anomalies/ask-account.ts';
import { incidentsInquiry } from '../../../src/domain/questions/anomalies/ask-incidents.ts';
import { ZoneSamples } from '../../../src/domain/questions/anomalies/zone-samples.ts';
import type { Inquiry, Met, Need } from '../../../src/domain/questions/inquiry/inquiry.ts';
import { type TimeRange, without } from '../../../src/domain/tail/coverage.ts';
import { countsOf } from '../../support/counts.ts';
import { HOUR, MINUTE, NOON, sceneOf } from '../scene.ts';
import { metBy } from './ask-scene.ts';

const scene = sceneOf('shop-frontend', 4);
const range = { from: NOON - 4 * HOUR, to: NOON };
const STEP = 4 * MINUTE;

function storeOf(gaps: readonly TimeRange[] = []): (need: Need) => Met {
  return (need) => {
    if (need.kind !== 'logs' || need.counts === undefined) return metBy(scene, need);
    const covered = gaps.reduce((left, gap) => without(left, gap), [need.range]);
    return {
      kind: 'counts',
      covered,
      counts: countsOf(scene.records(need.range.from, need.range.to), covered, need.counts),
    };
  };
}

/** All that samples need, answered; how many needs that were. */
function answered(
  samples: Pick<Inquiry, 'needs' | 'add'> & { next: () => readonly Need[] },
  met: (need: Need) => Met,
): number {
  let asked = 0;
  for (let needs = samples.needs; needs.length > 0; needs = samples.next())
    for (const need of needs) {
      asked += 1;
      samples.add(need, met(need));
    }
  return asked;
}

function samplesOf(query: Query, storedUntil?: number): ZoneSamples & { next: () => readonly Need[] } {
  const samples = new ZoneSamples({ zone: scene.zone, query, range, step: STEP, rows: 1e9, storedUntil });
  return Object.assign(samples, { next: () => samples.follow() });
}

function queryOf(text: string): Query {
  const parsed = parseQuery(text, 'logs', NOON);
  assert.ok(parsed.ok);
  return parsed.query;
}

test('what stands out in counts of a store is what stands out in all of the rows, for two requests', () => {
  for (const query of [EMPTY_QUERY, queryOf('status:5xx')]) {
    const rows = samplesOf(query);
    answered(rows, (need) => metBy(scene, need));
    for (const until of [range.to, NOON - 2 * HOUR - MINUTE]) {
      const counts = samplesOf(query, until);
      const asked = answered(counts, storeOf());
      if (until === range.to) assert.ok(asked <= 2, `${asked} requests`);
      const found = counts.looked.found.map(({ values, ...each }) => ({
        ...each,
        values: values.map((value) => JSON.stringify(value)).sort(),
      }));
      const expected = rows.looked.found.map(({ values, ...each }) => ({
        ...each,
        values: values.map((value) => JSON.stringify(value)).sort(),
      }));
      if (until === range.to) {
        assert.deepEqual(found, expected);
        const sizes = [counts, rows].map(({ looked }) => looked.read.map((sample) => sample.rows));
        assert.deepEqual(sizes[0], sizes[1]);
      }
      assert.ok(expected.length > 1);
      assert.equal(found.length, expected.length);
      assert.deepEqual(counts.rest(), []);
    }
  }
});

test('steps that a store lacks are no samples, and what it lacks of others is said', () => {
  const inquiry = incidentsInquiry({ zone: scene.zone, query: EMPTY_QUERY, range, storedUntil: range.to });
  const gap = { from: NOON - 62 * MINUTE, to: NOON - 50 * MINUTE };
  answered({ ...inquiry, next: () => inquiry.follow?.next() ?? [] }, storeOf([gap]));
  const { coverage } = inquiry.table();
  assert.match(
    coverage,
    /^58 of 60 samples, one every 4m, [\d,]+ rows, all rows of 58 samples counted by the store, the store lacks 12m$/,
  );
  assert.deepEqual(inquiry.rest(), []);
});

test('rows that a store cannot count are sampled; where it does not tell which values come together, that is said', () => {
  const inquiry = incidentsInquiry({ zone: scene.zone, query: EMPTY_QUERY, range, storedUntil: range.to });
  const next = () => inquiry.follow?.next() ?? [];
  const asked = answered({ ...inquiry, next }, (need) =>
    need.kind === 'logs' && need.counts ? { kind: 'uncounted', why: 'page is old' } : metBy(scene, need),
  );
  assert.equal(asked, 1 + 60);
  assert.match(
    inquiry.table().coverage,
    /60 of 60 samples.*cannot count these rows \(page is old\): some are read/,
  );

  const alone = incidentsInquiry({ zone: scene.zone, query: EMPTY_QUERY, range, storedUntil: range.to });
  answered({ ...alone, next: () => alone.follow?.next() ?? [] }, (need) =>
    need.kind === 'logs' && need.counts?.of.kind === 'pairs'
      ? { kind: 'failed', failure: failureOf('timeout') }
      : storeOf()(need),
  );
  assert.match(alone.table().coverage, /of 60 samples not known which values the same rows have/);
});

test('of several zones each is counted by a request of its own, and one that the store lacks in part is not called quiet', () => {
  const api = { ...scene.zone, id: '99', name: 'api' };
  const plan = accountPlan([scene.zone, api], range.to - range.from);
  const gap = { from: NOON - HOUR, to: NOON - HOUR + 1_000 };
  const inquiry = accountInquiry({ plan, query: EMPTY_QUERY, range, storedUntil: range.to });
  assert.equal(inquiry.needs.length, 2);
  const asked = answered({ ...inquiry, next: () => inquiry.follow?.next() ?? [] }, (need) =>
    storeOf(need.kind === 'logs' && need.zoneId === api.id ? [gap] : [])(need),
  );
  assert.ok(asked <= 4);
  const table = inquiry.table();
  const unsure = table.sections.find(({ title }) => /cannot be told/.test(title));
  assert.deepEqual(
    unsure?.rows.map(({ cells }) => cells),
    [['api', 'the store lacks 1s']],
  );
  assert.match(table.coverage, /all rows of 120 samples counted by the store; the store lacks 1s/);
});
