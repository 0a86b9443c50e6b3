import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VALUE_FIELDS } from '../../src/state/beside-model.ts';
import { logHistory } from '../../src/store/history-log.ts';
import { DIALECTS } from '../../src/store/sql/dialect.ts';
import { sql } from '../../src/store/sql/sql.ts';
import { storedOf } from '../../src/store/sql/tallies.ts';
import { countsOf, engineRows } from '../support/counts.ts';
import { type FakeStore, fakeStore } from '../support/fake-store.ts';
import { openPlatform } from '../support/platform.ts';
import { recordOf } from '../support/state.ts';
import { ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What a store has of the fields among the top values. */
const STORED = storedOf(VALUE_FIELDS, {
  dialect: DIALECTS.duckdb,
  table: sql`requests`,
  derivedAsNow: true,
});

const stamp = (time: number) => new Date(time).toISOString().slice(0, 19);

/** The program on an hour of a store: its older half is all answered 503, of which no row is on the newest page. */
async function scene(
  t: { after(close: () => Promise<void>): void },
  o: Partial<FakeStore> & { columns?: number } = {},
) {
  const platform = openPlatform({ seed: 7, rate: 10, incidents: false });
  const zone = String(platform.zones.find(({ name }) => name === ZONE)?.id);
  const border = Math.floor((platform.clock.now() - 3 * DAY) / MINUTE) * MINUTE;
  const from = border - 2 * HOUR;
  const rows = Array.from({ length: 3_600 }, (_, n) =>
    recordOf(n, {
      timestamp: from + n * 1_000,
      pullZoneId: zone,
      statusCode: n < 1_800 ? 503 : 200,
      countryCode: n < 900 ? 'AQ' : 'DE',
    }),
  );
  const counted = ([since = 0, till = 0]: readonly (string | number)[]) => {
    const covered = [{ from: Number(since), to: Number(till) }];
    const fields = store.asked.at(-1)?.includes('k1') ? STORED : (['country'] as const);
    const of = { kind: 'values', fields, most: 20, sums: false } as const;
    return engineRows(countsOf(rows, covered, { terms: [], anonymisation: 'none', of }), of);
  };
  const store: ReturnType<typeof fakeStore> = fakeStore({
    ...{ zone, rows, notes: [['read', 0, platform.clock.now()]], counted },
    ...o,
  });
  const { terminal } = await openSession({
    t,
    platform,
    columns: o.columns ?? 80,
    args: ['logs', ZONE, `from:${stamp(from)} to:${stamp(from + HOUR)}`, '--utc'],
    history: (of) => logHistory({ engine: 'duckdb', name: 'main', open: store.open, clock: of.clock }),
  });
  await terminal.waitFor(/HISTORY duckdb [\d.]+% read/);
  const questions = () => store.asked.filter((text) => text.includes('GROUPING SETS')).length;
  return { terminal, store, questions, from };
}

test('top values are counted by the store over all of the window, when somebody looks at them', async (t) => {
  const { terminal, questions } = await scene(t);
  assert.equal(questions(), 0);
  await terminal.type('<:values>');
  await terminal.waitFor('TOP VALUES of 3,600 rows');
  assert.match(terminal.text(), /duckdb counted all of the window/);
  assert.match(terminal.text(), /503 +50\.0%/);
  await terminal.type('\x1b');
  await terminal.type('<:values>');
  await terminal.waitFor('TOP VALUES of 3,600 rows');
  assert.equal(questions(), 1, 'what is known is not asked again');
});

test('where the store cannot count them they are of the rows read, and say so', async (t) => {
  const { terminal, questions } = await scene(t, { isDerivedBefore: true });
  await terminal.type('<:values>');
  await terminal.waitFor('TOP VALUES of 500 rows');
  assert.match(terminal.text(), /of the rows read alone: duckdb cannot count them/);
  assert.match(terminal.text(), /200 +100%/);
  assert.equal(questions(), 0);
});

test('a query line offers the values of all of the window, those with most rows first', async (t) => {
  const { terminal, questions } = await scene(t);
  await terminal.type('i');
  await terminal.type(' country:');
  await terminal.waitFor(/DE +AQ|DE.*AQ/);
  assert.equal(questions(), 1);
});

test('of a field that no store has, a query line offers the values of the rows read', async (t) => {
  const { terminal, questions } = await scene(t);
  await terminal.type('i');
  await terminal.type(' cause:');
  await terminal.waitFor('Tab: dns_lookup');
  assert.equal(questions(), 0);
});
