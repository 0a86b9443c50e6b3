import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { oldestAsked } from '../../src/domain/log-retention.ts';
import { LOG_FIELDS, type LogField } from '../../src/domain/query/fields.ts';
import { countsOf, engineRows } from '../support/counts.ts';
import { type FakeStore, fakeStore } from '../support/fake-store.ts';
import { recordOf } from '../support/state.ts';
import { bench, MINUTE, objectsOf, ZONE } from './support.ts';

const DAY = 24 * 60 * MINUTE;

/** An hour of five days ago in a store, of which the newer half has a bot. */
function scene(o: Partial<FakeStore> = {}) {
  const { sim, zone, printed } = bench();
  const pullZoneId = String(zone.id);
  const now = Math.floor(sim.clock.now());
  const from = Math.floor((oldestAsked(now, 'logs') - 2 * DAY) / MINUTE) * MINUTE;
  const middle = from + 30 * MINUTE;
  const rows: LogRecord[] = Array.from({ length: 3_600 }, (_, n) => {
    const timestamp = from + n * 1_000;
    const isBot = timestamp >= middle && n % 3 === 0;
    return recordOf(n, { timestamp, pullZoneId, userAgent: isBot ? 'bot/1' : 'browser' });
  });
  const fields = Object.keys(LOG_FIELDS).filter(
    (id) => (LOG_FIELDS[id as keyof typeof LOG_FIELDS] as LogField).groups,
  );
  const of = { kind: 'values', fields, most: 20_000, sums: false } as const;
  const store = fakeStore({
    zone: pullZoneId,
    rows,
    notes: [['read', 0, now]],
    // The first two values of the statement are the time that it asks about.
    counted: ([since = 0, till = 0]) => {
      const covered = [{ from: Number(since), to: Number(till) }];
      return engineRows(countsOf(rows, covered, { terms: [], anonymisation: 'none', of }), of);
    },
    ...o,
  });
  const history = async () => ({ ok: true as const, value: store.open });
  const iso = (time: number) => new Date(time).toISOString();
  const args = ['ask', 'compare', ZONE, '--from', iso(middle), '--to', iso(from + 60 * MINUTE)];
  return {
    store,
    args,
    from,
    middle,
    ask: (more: string[] = []) => printed([...args, ...more], { history }),
    printed,
  };
}

test('a window that the platform keeps no more is compared by one question of the store a window', async () => {
  const { ask, store } = scene();
  const { code, out, err } = await ask(['--fail-if-found']);
  assert.equal(code, 10);
  const [first] = objectsOf(out) as { coverage: string }[];
  assert.ok(objectsOf(out).some((row) => row['value'] === 'bot/1'));
  assert.match(
    first?.coverage ?? '',
    /^all of this window read, all of .*; 3,600 rows, 3,600 of them counted by the store/,
  );
  assert.match(err, /HISTORY duckdb: what is older than \S+Z comes from the store main/);
  assert.match(err, /against the window before: 2 requests to the store\n/);
  assert.match(err, /the store read 154 rows, 2.0K, for 2 answers/);
  assert.equal(store.asked.filter((text) => text.includes('GROUPING SETS')).length, 2);
  assert.ok(
    store.asked.every((text) => !text.includes('ORDER BY timestamp')),
    'no row is read',
  );
  assert.ok(store.isClosed());
});

test('misses are counted by the store too, and their price has what it may be asked for once more', async () => {
  const { args, printed, store } = scene();
  const history = async () => ({ ok: true as const, value: store.open });
  const misses = args.map((word) => (word === 'compare' ? 'misses' : word));
  const { out, err } = await printed(misses, { history });
  assert.match(err, /against the window before: \d requests, of them 5 to the store\n/);
  assert.match(
    String(objectsOf(out)[0]?.['coverage']),
    /^all of this window .* rows, [\d,]+ of them counted by the store/,
  );
  assert.ok(
    store.asked.every((text) => !text.includes('ORDER BY timestamp')),
    'no row is read',
  );
});

const WITHOUT_A_GAP = /timestamp < \S+ OR \(timestamp >= /;

test('gaps of the store are left out of the question, and of the coverage', async () => {
  const { from } = scene();
  const { ask, store } = scene({
    notes: [
      ['read', from, from + 45 * MINUTE],
      ['overload', from + 45 * MINUTE, from + 60 * MINUTE],
    ],
  });
  const { out } = await ask();
  const coverage = String(objectsOf(out)[0]?.['coverage']);
  assert.match(coverage, /^50\.0% of this window read, .* counted by the store, which lacks 15m of it/);
  const [counted] = store.asked.filter((text) => text.includes('GROUPING SETS') && WITHOUT_A_GAP.test(text));
  assert.ok(counted, 'the rows of the gap are not counted');
});

test('what other functions derived is read and not counted, which the answer says', async () => {
  const { ask, store } = scene({ isDerivedBefore: true });
  const { code, out } = await ask();
  assert.equal(code, 0);
  assert.ok(objectsOf(out).some((row) => row['value'] === 'bot/1'));
  assert.match(
    String(objectsOf(out)[0]?.['coverage']),
    /cannot count these rows \(.* derived in another way/,
  );
  assert.equal(store.asked.filter((text) => text.includes('GROUPING SETS')).length, 0);
});

test('a store that does not answer fails the question with its own words, and without one the window is refused', async () => {
  for (const fails of ['open', 'page'] as const) {
    const { ask } = scene({ fails });
    const { code, err } = await ask();
    assert.equal(code, 1, fails);
    assert.match(err, /store main does not answer/i, fails);
  }
  const { printed, args } = scene();
  const { code, err } = await printed(args);
  assert.equal(code, 2);
  assert.match(err, /older than what is kept/);
});
