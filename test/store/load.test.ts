import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { recordsOf } from '../../src/domain/logs/log-rows.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { StoreFailure } from '../../src/store/engines/store-failure.ts';
import { createNumbering, loadRows } from '../../src/store/load.ts';
import { type ArrivingRows, StoredColumns } from '../../src/store/sql/stored-columns.ts';
import type { StoredRow } from '../../src/store/sql/stored-row.ts';
import { createCoder } from '../support/coded.ts';
import { recordOf } from '../support/state.ts';
import { arriving, rowsOf, storedColumns } from '../support/stored.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const PLACE = { dialect: 'duckdb', database: '', cluster: null, days: null } as const;

/** Keeps what is put, and fails with what it is told to fail with first. */
function fakeEngine(failures: StoreFailure[] = []) {
  const batches: (readonly StoredRow[])[] = [];
  const engine: Engine = {
    place: PLACE,
    store: 'main',
    ask: async () => ({ rows: [], read: null }),
    run: async () => {},
    note: async () => {},
    async put(rows) {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      batches.push(rowsOf(rows));
    },
    close: async () => {},
  };
  return { engine, batches };
}

async function* parts(...of: LogRecord[][]): AsyncGenerator<ArrivingRows> {
  const numbered = createNumbering();
  for (const records of of) yield { rows: records, numbered };
}

function how(clock = new VirtualClock()) {
  const waits: number[] = [];
  const stored: number[] = [];
  return {
    waits,
    stored,
    o: {
      clock,
      signal: new AbortController().signal,
      onWait: (_: StoreFailure, pause: number) => void waits.push(pause),
      onStored: (rows: StoredColumns) => void stored.push(rows.count),
      batch: 3,
    },
  };
}

test('a source gives the same batches each time it is read', async () => {
  const rows = Array.from({ length: 7 }, (_, n) => recordOf(n));
  const twins = [1, 2, 3].map(() => recordOf(9, { requestId: null }));
  const [first, second] = [fakeEngine(), fakeEngine()];
  await loadRows(first.engine, parts(rows, twins), how().o);
  await loadRows(second.engine, parts([...rows, ...twins]), how().o);
  assert.deepEqual(
    first.batches.map((each) => each.length),
    [3, 3, 3, 1],
  );
  assert.deepEqual(first.batches, second.batches);
  const ids = first.batches.flat().filter(({ hasId }) => hasId === 0);
  assert.deepEqual([ids.length, new Set(ids.map(({ id }) => id)).size], [3, 3]);
});

test('rows that were coded from the bytes of a file are stored as their records are, whichever batch they come in', () => {
  const texts = ['', '/a?b=1', '192.0.2.7', '2001:db8::1', 'Mozilla/5.0', '192.0.2.*'];
  const records = Array.from({ length: 50 }, (_, n) =>
    recordOf(n, {
      requestId: [n.toString(16).padStart(32, '0'), null, 'odd'][n % 3] ?? null,
      path: texts[n % 3] ?? '',
      url: n % 5 === 0 ? 'https://other.example/' : `https://${recordOf(n).host}${texts[n % 3]}`,
      remoteIp: texts[n % 6] || null,
      referer: n % 2 === 0 ? null : '/from',
      bodyBytesSent: n % 7 === 0 ? null : n,
      authorizationHeader: n % 11 === 0 ? '[masked]' : null,
    }),
  );
  const rows = createCoder()(records);
  const wanted = rowsOf(storedColumns(recordsOf([rows])));
  assert.deepEqual([...new Set(wanted.map(({ hasOwnUrl }) => hasOwnUrl))].sort(), [0, 1]);
  for (const room of [50, 7]) {
    const got: StoredRow[] = [];
    for (let taken = 0; taken < records.length; ) {
      const batch = new StoredColumns(room);
      taken += batch.take({ ...arriving([]), rows: [rows] }, taken);
      got.push(...rowsOf(batch));
    }
    assert.deepEqual(got, wanted);
  }
});

test('a store that is away is asked again, later and later, and loses nothing', async () => {
  const away = () => new StoreFailure('away', { store: 'main' });
  const { engine, batches } = fakeEngine([away(), away(), away()]);
  const clock = new VirtualClock();
  const { o, waits, stored } = how(clock);
  const loaded = loadRows(engine, parts([recordOf(1), recordOf(2)]), o);
  await clock.advance(7_000);
  await loaded;
  assert.deepEqual([waits, stored], [[1_000, 2_000, 4_000], [2]]);
  assert.equal(batches.length, 1);
});

test('what does not pass ends the loading at once', async () => {
  const { engine, batches } = fakeEngine([new StoreFailure('refused', { store: 'main' })]);
  const { o, waits } = how();
  await assert.rejects(loadRows(engine, parts([recordOf(1)]), o), { kind: 'refused' });
  assert.deepEqual([waits, batches], [[], []]);
});

test('each of equal rows of one source without an id is a request, however far apart, and the n-th of two sources is one', () => {
  const twin = recordOf(9, { requestId: null });
  const others = Array.from({ length: 60_000 }, (_, n) => recordOf(9, { requestId: null, path: `/${n}` }));
  const numbersOf = (records: LogRecord[]) => {
    const numbered = createNumbering();
    const twins = records.map((record) => ({ record, id: numbered(record) }));
    return twins.filter(({ record }) => record === twin).map(({ id }) => id);
  };
  const [first, second] = [numbersOf([twin, ...others, twin]), numbersOf([twin, twin])];
  assert.equal(new Set(first).size, 2);
  assert.deepEqual(first, second);
});

test('what may count as one because a source is in no order is told once, and nothing of one in order', () => {
  const row = (n: number) => recordOf(n, { requestId: null });
  const told = (times: readonly number[]) => {
    let count = 0;
    const numbered = createNumbering({ remembered: 4, onForgotten: () => void count++ });
    for (const n of times) numbered(row(n));
    return count;
  };
  const ordered = Array.from({ length: 40 }, (_, n) => n);
  assert.equal(told(ordered), 0);
  // Equal ones next to each other, and of the last few.
  assert.equal(told(ordered.flatMap((n) => [n, n, Math.max(0, n - 1)])), 0);
  assert.equal(told([...ordered, 1, 2, 3]), 1);
});
