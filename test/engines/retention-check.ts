import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import { ndjsonLine } from '../../src/domain/handover/line-formats.ts';
import { logRow } from '../../src/domain/handover/shapes.ts';
import { openInputs } from '../../src/effects/saved/saved-input.ts';
import { keepImported } from '../../src/print/keep/keep-import.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { logHistory } from '../../src/store/history-log.ts';
import { type Note, note, notedGaps, notesOf, underMark } from '../../src/store/noted-coverage.ts';
import { tableSql } from '../../src/store/sql/schema.ts';
import { literalCount, type Sql, sql } from '../../src/store/sql/sql.ts';
import { systemClock } from '../../src/time/clock.ts';
import { recordOf } from '../support/state.ts';
import { storedColumns } from '../support/stored.ts';
import { clickhouse, counted, duckdb, makeTables, startClickhouse, temporaryFolder } from './engines.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const ZONE = '7';
const TODAY = Math.floor(Date.now() / DAY) * DAY;
/** Twenty days that are over, with a row an hour. */
const DAYS = 20;
const SPAN = { from: TODAY - DAYS * DAY, to: TODAY };
// A day without a row is gone as a whole, so that all but the last have one at their very end, too.
const isAtEnd = (n: number) => n % 24 === 22 && n < (DAYS - 1) * 24;
const rows = Array.from({ length: DAYS * 24 }, (_, n) =>
  recordOf(n, { pullZoneId: ZONE, timestamp: SPAN.from + n * HOUR + (isAtEnd(n) ? 2 * HOUR - 1 : 0) }),
);

let url = '';
let folder = '';
const ends: (() => unknown)[] = [];

before(async () => {
  const temporary = temporaryFolder();
  folder = temporary.path;
  const server = await startClickhouse(`${folder}/clickhouse`);
  url = server.url;
  ends.push(temporary.remove, server.stop);
});

after(async () => {
  for (const end of ends.reverse()) await end();
});

/** A ClickHouse with all rows, whose time is noted as read. */
async function filled(database: string, days: number | null): Promise<Engine> {
  const opened = clickhouse(url, { database });
  ends.push(opened.close);
  const engine = { ...opened, place: { ...opened.place, days } };
  await makeTables(engine);
  // Those that are too old are gone at once, or when they are merged.
  await engine.put(storedColumns(rows));
  const read: Note = { zone: ZONE, ...SPAN, state: 'read', missing: null };
  await note(engine, underMark([read], 1));
  return engine;
}

/** The gaps of the time, in days from its beginning; the end of one that moves with the present, less the hour that a question may take. */
async function gaps(engine: Engine): Promise<string[]> {
  const found = notedGaps(await notesOf(engine, [ZONE], SPAN), [ZONE], SPAN);
  const day = (time: number) => Math.floor((time - SPAN.from - (time % DAY === 0 ? 0 : HOUR)) / DAY);
  return found.map(({ from, to, reason }) => `${day(from)}-${day(to)} ${reason}`);
}

async function alter(engine: Engine, how: Sql): Promise<void> {
  await engine.run(sql`ALTER TABLE ${tableSql(engine.place, 'requests')} ${how}`);
}

test('what ClickHouse keeps no longer is a gap, whoever told it to', async () => {
  const engine = await filled('told', 10);
  assert.deepEqual(await gaps(engine), ['0-10 expired']);
  // By hand: shorter, then not at all, when what was taken is gone for good.
  await alter(engine, sql`MODIFY TTL toDateTime(timestamp) + INTERVAL 6 DAY`);
  assert.deepEqual(await gaps(engine), ['0-14 expired']);
  await engine.run(sql`OPTIMIZE TABLE ${tableSql(engine.place, 'requests')} FINAL`);
  await alter(engine, sql`REMOVE TTL`);
  assert.deepEqual(await gaps(engine), ['0-14 expired']);
  await alter(engine, sql`MODIFY TTL toDateTime(timestamp) + INTERVAL 1 DAY TO VOLUME 'default'`);
  assert.deepEqual(await gaps(engine), ['0-14 expired']);
});

test('what a rule may take at any moment is a gap, though it is there yet', async () => {
  const engine = await filled('later', null);
  await alter(
    engine,
    sql`MODIFY TTL toDateTime(timestamp) + INTERVAL 10 DAY SETTINGS materialize_ttl_after_modify = 0`,
  );
  assert.equal(await counted(engine), rows.length);
  assert.deepEqual(await gaps(engine), ['0-10 expired']);
});

test('a day whose partition was dropped by hand is a gap, and no other is', async () => {
  const engine = await filled('dropped', null);
  assert.deepEqual(await gaps(engine), []);
  const day = Number(new Date(SPAN.from + 3 * DAY).toISOString().slice(0, 10).replaceAll('-', ''));
  await alter(engine, sql`DROP PARTITION ${literalCount(day)}`);
  assert.deepEqual(await gaps(engine), ['3-4 expired']);
  // What was never noted as read has its own reason.
  await note(engine, [{ zone: ZONE, ...SPAN, state: 'retention', missing: null, mark: 2 }]);
  assert.deepEqual(await gaps(engine), ['0-20 retention']);
});

test('where nothing is told of the rules of the table no time is whole', async () => {
  const engine = await filled('unseen', null);
  // Of the table that a cluster has on each node, this one has none.
  const unseen = { ...engine, place: { ...engine.place, cluster: 'main' } };
  assert.deepEqual(await gaps(unseen), ['0-20 expired']);
});

test('questions tell of the gap, and leave it out of what they covered', async () => {
  const engine = await filled('asked', 10);
  const history = logHistory({
    engine: 'clickhouse',
    name: 'test',
    open: async () => ({ ...engine, close: async () => {} }),
    clock: systemClock,
  });
  const zones = [{ ids: [ZONE], anonymisation: 'none' as const }];
  const range = { from: SPAN.from, to: SPAN.from + HOUR };
  const page = await history.page({ zones, range, terms: [] }, { order: 'desc', after: null, limit: 9 });
  assert.ok(page.ok);
  assert.deepEqual(
    page.value.gaps.map(({ from, to, reason }) => ({ from, to, reason })),
    [{ ...range, reason: 'expired' }],
  );
  const of = { kind: 'values', fields: ['status'], most: 9, sums: false } as const;
  const counts = { terms: [], anonymisation: 'none', of } as const;
  const answer = await history.count({ pullZoneId: ZONE, ...range, counts });
  assert.ok(answer.ok && 'covered' in answer.value);
  assert.deepEqual(answer.value.covered, []);
  await history.close();
});

test('the days that have rows are told by their parts, and no row is read for it', async () => {
  const engine = await filled('parts', null);
  let most = 0;
  const watched: Engine = {
    ...engine,
    async ask(of, signal) {
      const answer = await engine.ask(of, signal);
      most = Math.max(most, answer.read?.rows ?? Number.POSITIVE_INFINITY);
      return answer;
    },
  };
  await notesOf(watched, [ZONE], SPAN);
  assert.ok(most < rows.length, `${most} rows were read`);
});

test('a file of DuckDB loses the days that it is to keep no longer when it is written, and says so', async () => {
  const opened = await duckdb(`${folder}/days.duckdb`);
  ends.push(opened.close);
  const engine: Engine = { ...opened, place: { ...opened.place, days: 5 }, close: async () => {} };
  await makeTables(engine);
  const text = rows.map((row) => `${ndjsonLine(logRow(row))}\n`).join('');
  const inputs = await openInputs(['-'], Readable.from([Buffer.from(text)]) as never);
  assert.ok(inputs.ok);
  let err = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      err += String(chunk);
      done();
    },
  });
  const printer = {
    stderr,
    format: 'ndjson',
    clock: systemClock,
    write: async () => {},
    onEnd() {},
  } as const;
  assert.equal(await keepImported(printer, inputs.inputs, async () => engine), 0);
  assert.equal(await counted(engine), 5 * 24);
  assert.match(err, /480 rows were loaded; the store test has 120 of their zones and time/);
  assert.deepEqual(await gaps(engine), ['0-15 expired', '15-19 imported', '19-20 notRead']);
});
