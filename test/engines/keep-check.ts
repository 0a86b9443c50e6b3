import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { ndjsonLine } from '../../src/domain/handover/line-formats.ts';
import { logRow } from '../../src/domain/handover/shapes.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { countOf } from '../../src/domain/logs/log-rows.ts';
import { LOG_FIELDS } from '../../src/domain/query/fields.ts';
import { closeInputs, openInputs } from '../../src/effects/saved/saved-input.ts';
import { openStreams } from '../../src/effects/saved/saved-items.ts';
import { importedRows, keepImported } from '../../src/print/keep/keep-import.ts';
import { printStore } from '../../src/print/keep/store.ts';
import { Rng } from '../../src/simulator/random.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { StoreFailure } from '../../src/store/engines/store-failure.ts';
import { openHistory } from '../../src/store/history.ts';
import { type Note, nextMark, note, notedGaps, notesOf, underMark } from '../../src/store/noted-coverage.ts';
import { KEY } from '../../src/store/sql/columns.ts';
import { dropBefore, tableSql } from '../../src/store/sql/schema.ts';
import { literalCount, sql, text, whole } from '../../src/store/sql/sql.ts';
import { StoredColumns } from '../../src/store/sql/stored-columns.ts';
import { recordOfStored } from '../../src/store/sql/stored-row.ts';
import { upgradeTables } from '../../src/store/upgrade.ts';
import { DAY } from '../../src/text/units.ts';
import { systemClock } from '../../src/time/clock.ts';
import { rowsOf, storedColumns } from '../support/stored.ts';
import { clickhouse, counted, duckdb, makeTables, PASSWORD } from './engines.ts';
import { formerRequests } from './former-tables.ts';
import { randomRows, SPAN } from './random-rows.ts';
import { engineScene } from './scene.ts';

/** Batches of 500 rows, and a part of one. */
const ROWS = 1_700;

const scene = engineScene();
const rows = randomRows(new Rng(3), ROWS);

/** What two copies of a row agree in, of each row. */
function told(of: readonly LogRecord[]): string[] {
  const each = of.map(({ pullZoneId, timestamp, requestId, statusCode, remoteIp, path, url }) =>
    JSON.stringify([pullZoneId, timestamp, requestId, statusCode, remoteIp, path, url]),
  );
  return [...new Set(each)].sort();
}

/** Opens a store with tables, for as long as the work takes. */
async function withEngine<T>(
  name: 'duckdb' | 'clickhouse',
  file: string,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = name === 'duckdb' ? await duckdb(file) : clickhouse(scene.url);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

for (const name of ['duckdb', 'clickhouse'] as const) {
  test(`${name}: an import that is killed at any batch and begun again loses nothing and doubles nothing`, async () => {
    const file = join(scene.folder, 'killed.duckdb');
    const saved = join(scene.folder, 'saved.ndjson');
    writeFileSync(saved, rows.map((row) => `${ndjsonLine(logRow(row))}\n`).join(''));
    await withEngine(name, file, makeTables);
    const place = name === 'duckdb' ? file : scene.url;
    for (const [batch, moment] of [
      [1, 'during'],
      [2, 'before'],
      [3, 'during'],
      [4, 'after'],
    ] as const)
      assert.equal(await importing(name, place, saved, batch, moment), 'SIGKILL', `${batch} ${moment}`);
    assert.equal(await importing(name, place, saved, 0, 'never'), 0);
    const stored = await withEngine(name, file, counted);
    assert.equal(await importing(name, place, saved, 0, 'never'), 0);
    assert.deepEqual(await withEngine(name, file, counted), stored);
    assert.equal(stored, await rowsIn(saved));
  });

  test(`${name}: what is dropped is gone, is noted, and nothing else is`, async () => {
    const file = join(scene.folder, 'dropped.duckdb');
    await withEngine(name, file, async (engine) => {
      await makeTables(engine);
      await engine.put(storedColumns(rows));
      const midnight = Date.UTC(2026, 9, 2);
      const history = await openHistory(engine);
      const of = async (from: number, to: number) =>
        (await history.groups({ zones: [], range: { from, to }, terms: [] }, ['status'], 1))?.rows ?? 0;
      const kept = await of(midnight, SPAN.to);
      assert.ok((await of(0, midnight)) > 0 && kept > 0);
      await note(engine, [{ zone: '', from: 0, to: midnight, state: 'retention', missing: null, mark: 5 }]);
      for (const each of dropBefore(engine.place, midnight, [20_261_001])) await engine.run(each);
      assert.deepEqual([await of(0, midnight), await of(midnight, SPAN.to)], [0, kept]);
      const notes = await notesOf(engine, ['11'], SPAN);
      assert.deepEqual(
        notes.filter(({ state }) => state !== 'expired').map(({ state, to }) => [state, to]),
        [['retention', midnight]],
      );
    });
  });

  test(`${name}: tables of an older version are neither read nor written, and it is said what to do`, async () => {
    const saved = join(scene.folder, 'older.ndjson');
    writeFileSync(saved, rows.map((row) => `${ndjsonLine(logRow(row))}\n`).join(''));
    const engine =
      name === 'duckdb'
        ? await duckdb(join(scene.folder, 'older.duckdb'))
        : clickhouse(scene.url, { database: 'older' });
    await makeTables(engine);
    const about = tableSql(engine.place, 'about');
    const replacing = name === 'duckdb' ? sql`INSERT OR REPLACE INTO` : sql`INSERT INTO`;
    await engine.run(sql`${replacing} ${about} (name, value) SELECT 'schema', '0'`);
    const { o, said, task } = printing(engine);
    const opened = await openInputs([saved], null);
    assert.ok(opened.ok);
    const codes = [
      await keepImported(o, opened.inputs, task.open),
      await printStore(o, { ...task, verb: 'check' }),
      await printStore(o, { ...task, verb: 'init', isDry: false }),
      await printStore(o, { ...task, verb: 'drop-before', day: '2030-01-01', confirm: 'test' }),
    ];
    assert.deepEqual(codes, [1, 1, 1, 1]);
    const told = said.filter((each) => !each.startsWith('engine '));
    for (const each of told)
      assert.match(each, /schema 0, and this program reads 5\.\s+Use the edgescope that made them/);
    assert.equal(told.length, 4);
    for (const table of ['requests', 'spans'] as const) {
      const { rows: there } = await engine.ask(sql`SELECT count(*) FROM ${tableSql(engine.place, table)}`);
      assert.equal(Number(there[0]?.[0]), 0, table);
    }
    await engine.close();
  });
}

for (const version of ['1', '2', '3', '4'] as const)
  for (const name of ['duckdb', 'clickhouse'] as const)
    test(`${name}: tables of version ${version} are upgraded by store init, and keep their rows and what is known of time`, async () => {
      const place = `version${version}`;
      const engine =
        name === 'duckdb'
          ? await duckdb(join(scene.folder, `${place}.duckdb`))
          : clickhouse(scene.url, { database: place });
      await makeTables(engine);
      await formerRequests(engine, rows);
      const former = ['minutes', 'sealed', ...(name === 'duckdb' ? ['puts' as const] : [])] as const;
      const kept = name === 'duckdb' ? sql`` : sql` ENGINE = MergeTree ORDER BY day`;
      await engine.run(
        sql`CREATE TABLE ${tableSql(engine.place, 'coverage')} (pullZoneId VARCHAR, since BIGINT, till BIGINT, state VARCHAR, missing BIGINT, noted BIGINT)${name === 'duckdb' ? sql`` : sql` ENGINE = MergeTree ORDER BY since`}`,
      );
      await engine.run(
        sql`INSERT INTO ${tableSql(engine.place, 'coverage')} SELECT '11', ${whole(SPAN.from)}, ${whole(SPAN.to)}, 'read', -1, 5`,
      );
      for (const table of version === '2' ? former : [])
        await engine.run(sql`CREATE TABLE ${tableSql(engine.place, table)} (day INTEGER)${kept}`);
      const about = tableSql(engine.place, 'about');
      const replacing = name === 'duckdb' ? sql`INSERT OR REPLACE INTO` : sql`INSERT INTO`;
      await engine.run(sql`${replacing} ${about} (name, value) SELECT 'schema', ${text(version)}`);
      const { o, said, task } = printing(engine);
      assert.equal(await printStore(o, { ...task, verb: 'check' }), 1);
      assert.match(
        said.join(''),
        /schema \d, and this program reads 5\.\s+Upgrade them: edgescope store init/,
      );
      assert.equal(await printStore(o, { ...task, verb: 'init', isDry: false }), 0);
      assert.equal(said.at(-1), 'upgraded the tables of the store test\n');
      assert.equal(await printStore(o, { ...task, verb: 'check' }), 0);
      assert.equal(await printStore(o, { ...task, verb: 'init', isDry: false }), 0);
      assert.equal(said.at(-1), 'found the tables of the store test\n');
      // They are the rows that this version would have stored of the same log, and those are known again.
      const there = await counted(engine);
      assert.ok(there > ROWS * 0.9);
      const history = await openHistory(engine);
      const page = { order: 'asc', after: null, limit: ROWS * 2 } as const;
      const { records } = await history.page({ zones: [], range: SPAN, terms: [] }, page);
      assert.deepEqual(told(records), told(rowsOf(storedColumns(rows)).map(recordOfStored)));
      await engine.put(storedColumns(rows));
      assert.equal(await counted(engine), there);
      assert.deepEqual(notedGaps(await notesOf(engine, ['11'], SPAN), ['11'], SPAN), []);
      for (const table of [...former, 'coverage' as const])
        await assert.rejects(engine.ask(sql`SELECT count(*) FROM ${tableSql(engine.place, table)}`), {
          kind: 'missing',
        });
      await engine.close();
    });

for (const name of ['duckdb', 'clickhouse'] as const)
  test(`${name}: an upgrade that is cut off is neither read nor written until it is done, and doubles nothing`, async () => {
    const engine =
      name === 'duckdb'
        ? await duckdb(join(scene.folder, 'cut.duckdb'))
        : clickhouse(scene.url, { database: 'cut' });
    await makeTables(engine);
    await formerRequests(engine, rows);
    const about = tableSql(engine.place, 'about');
    const replacing = name === 'duckdb' ? sql`INSERT OR REPLACE INTO` : sql`INSERT INTO`;
    await engine.run(sql`${replacing} ${about} (name, value) SELECT 'schema', '4'`);
    const { signal } = new AbortController();
    let isDone = false;
    for (let last = 1; !isDone; last += 1) {
      assert.ok(last < 40, 'it is never done');
      let sent = 0;
      const cut: Engine = {
        ...engine,
        async run(of, until) {
          if (++sent > last) throw new StoreFailure('away', { store: 'test' });
          await engine.run(of, until);
        },
      };
      isDone = await upgradeTables(cut, signal).then(
        () => true,
        () => false,
      );
      // A program that ends takes its transaction with it.
      if (!isDone && name === 'duckdb') await engine.run(sql`ROLLBACK`).catch(() => {});
      if (!isDone) await assert.rejects(openHistory(engine), { kind: 'outdated', message: /half upgraded/ });
    }
    const there = await counted(engine);
    await engine.put(storedColumns(rows));
    assert.deepEqual([there > ROWS * 0.9, await counted(engine)], [true, there]);
    await engine.close();
  });

test('what ClickHouse took by the rule of a former table stays a gap once that is upgraded', async () => {
  const engine = clickhouse(scene.url, { database: 'ruled' });
  await makeTables(engine);
  await formerRequests(engine, rows);
  const table = tableSql(engine.place, 'requests');
  const days = Math.floor((Date.now() - SPAN.from) / DAY);
  await engine.run(
    sql`ALTER TABLE ${table} MODIFY TTL toDateTime(timestamp) + INTERVAL ${literalCount(days)} DAY SETTINGS materialize_ttl_after_modify = 0`,
  );
  const read = { ...SPAN, zone: '11', state: 'read', missing: null } as const;
  await note(engine, underMark([read], await nextMark(engine)));
  const about = tableSql(engine.place, 'about');
  await engine.run(sql`INSERT INTO ${about} (name, value) SELECT 'schema', '4'`);
  await upgradeTables(engine, new AbortController().signal);
  const gaps = notedGaps(await notesOf(engine, ['11'], SPAN), ['11'], SPAN);
  assert.deepEqual(
    gaps.map(({ from, reason }) => [from, reason]),
    [[SPAN.from, 'expired']],
  );
  await engine.close();
});

for (const name of ['duckdb', 'clickhouse'] as const)
  test(`${name}: what is dropped or deleted, and loaded again, is there again and counted alike by every field`, async () => {
    const engine =
      name === 'duckdb'
        ? await duckdb(join(scene.folder, 'again.duckdb'))
        : clickhouse(scene.url, { database: 'again' });
    const { o, task } = printing(engine);
    const load = () => engine.put(storedColumns(rows));
    assert.equal(await printStore(o, { ...task, verb: 'init', isDry: false }), 0);
    await load();
    const before = await counted(engine);
    assert.equal(
      await printStore(o, { ...task, verb: 'drop-before', day: '2030-01-01', confirm: 'test' }),
      0,
    );
    assert.equal(await counted(engine), 0);
    await load();
    const history = await openHistory(engine);
    const all = { zones: [], range: { from: 0, to: Date.UTC(2200) }, terms: [] };
    assert.equal(await counted(engine), before);
    // By hand, and not by day: a server must not know what is loaded then for what it had.
    const table = tableSql(engine.place, 'requests');
    const deleted =
      name === 'duckdb'
        ? sql`DELETE FROM ${table}`
        : sql`ALTER TABLE ${table} DELETE WHERE true SETTINGS mutations_sync = 1`;
    await engine.run(deleted);
    assert.equal(await counted(engine), 0);
    await load();
    for (const field of Object.keys(LOG_FIELDS).filter((id) => id !== 'cause'))
      assert.equal((await history.groups(all, [field], 1))?.rows, before, field);
    await engine.close();
  });

for (const name of ['duckdb', 'clickhouse'] as const)
  test(`${name}: what was dropped outranks what was noted before of any clock, and what is noted after of rows from before`, async () => {
    const engine =
      name === 'duckdb'
        ? await duckdb(join(scene.folder, 'marks.duckdb'))
        : clickhouse(scene.url, { database: 'marks' });
    await makeTables(engine);
    await engine.put(storedColumns(rows));
    /** The marks of whoever begins to load while days are being dropped. */
    const during: number[] = [];
    const { o, task } = printing({
      ...engine,
      async run(of, how) {
        await engine.run(of, how);
        during.push(await nextMark(engine));
      },
      async note(notes, ended) {
        await engine.note(notes, ended);
        during.push(await nextMark(engine));
      },
    });
    const read: Note = { zone: '11', ...SPAN, state: 'read', missing: null };
    const told = async () =>
      notedGaps(await notesOf(engine, ['11'], SPAN), ['11'], SPAN).map(({ reason }) => reason);
    assert.equal(await nextMark(engine), 1);
    // What is in stores of before was noted by the clocks of writers.
    await note(engine, underMark([read], Date.UTC(2199, 0)));
    const before = await nextMark(engine);
    assert.deepEqual(await told(), []);
    assert.equal(
      await printStore(o, { ...task, verb: 'drop-before', day: '2030-01-01', confirm: 'test' }),
      0,
    );
    assert.deepEqual(await told(), ['retention']);
    await note(engine, underMark([read], before));
    assert.deepEqual(await told(), ['retention']);
    assert.ok(during.length > 2);
    for (const mark of during.slice(0, -1)) {
      await note(engine, underMark([read], mark));
      assert.deepEqual(await told(), ['retention']);
    }
    await engine.put(storedColumns(rows));
    await note(engine, underMark([read], await nextMark(engine)));
    assert.deepEqual(await told(), []);
    await engine.close();
  });

/** Prints what `store` does with an engine, and all that it says. */
function printing(engine: Engine) {
  const said: string[] = [];
  const o = {
    stderr: new Writable({
      write(chunk, _, done) {
        said.push(String(chunk));
        done();
      },
    }),
    format: 'ndjson' as const,
    clock: systemClock,
    write: async (text: string) => void said.push(text),
    onEnd() {},
  };
  const open = async () => ({ ...engine, close: async () => {} });
  return { o, said, task: { name: 'test', place: engine.place, open } };
}

test('each way to fail is told apart, and says what to do', async () => {
  const failures = {
    refused: () => openHistory(clickhouse(scene.url, { password: 'wrong-secret' })),
    missing: () => openHistory(clickhouse(scene.url, { database: 'nowhere' })),
    away: () => openHistory(clickhouse('http://127.0.0.1:1')),
    forbidden: () => clickhouse(scene.url).ask(sql`DROP DATABASE history`),
    large: () =>
      clickhouse(scene.url, { memory: 1 }).ask(
        sql`SELECT groupArray(number) FROM numbers(${literalCount(10 ** 8)})`,
      ),
  };
  for (const [kind, ask] of Object.entries(failures)) {
    const failure = await ask().then(
      () => null,
      (error) => error,
    );
    assert.ok(failure instanceof StoreFailure && failure.kind === kind, `${kind}: ${failure}`);
    const said = `${failure.stack} ${failure.next} ${JSON.stringify(failure)}`;
    for (const secret of [PASSWORD, 'wrong-secret']) assert.ok(!said.includes(secret), kind);
  }
  const readonly = await duckdb(join(scene.folder, 'killed.duckdb'), false);
  await assert.rejects(readonly.run(sql`DROP TABLE requests`), { kind: 'forbidden' });
  await readonly.close();
  const empty = await duckdb(join(scene.folder, 'empty.duckdb'));
  await assert.rejects(openHistory(empty), { kind: 'missing' });
  await empty.close();
});

test('tables of another version are refused, and fields that were derived in another way are not asked of the engine', async () => {
  const engine = await duckdb(join(scene.folder, 'version.duckdb'));
  await makeTables(engine);
  const about = tableSql(engine.place, 'about');
  await engine.run(sql`UPDATE ${about} SET value = '0' WHERE name = 'derived'`);
  const history = await openHistory(engine);
  const asked = {
    zones: [],
    range: SPAN,
    terms: [{ kind: 'field', field: 'shape', op: 'eq', values: ['/'], negated: false }],
  } as const;
  assert.deepEqual(
    history.decidedHere(asked).map(({ term }) => term),
    asked.terms,
  );
  assert.equal(await history.groups({ ...asked, terms: [] }, ['shape'], 5), null);
  await engine.run(sql`UPDATE ${about} SET value = '99' WHERE name = 'schema'`);
  await assert.rejects(openHistory(engine), { kind: 'version', message: /schema 99/ });
  await engine.close();
});

async function importing(...words: readonly (string | number)[]): Promise<string | number | null> {
  const program = join(import.meta.dirname, 'killed-import.ts');
  const loader = join(import.meta.dirname, '..', 'support', 'register.mjs');
  const child = spawn(process.execPath, ['--import', loader, program, ...words.map(String)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal ?? code;
}

/** How many rows a saved file has: copies of a row are one, and what it says twice without an id is two. */
async function rowsIn(saved: string): Promise<number> {
  const opened = await openInputs([saved], null);
  assert.ok(opened.ok);
  const keys = new Set<string>();
  for await (const part of importedRows(
    openStreams(opened.inputs, { clock: systemClock, near: 0, signal: new AbortController().signal }),
  )) {
    const columns = new StoredColumns(countOf(part.rows));
    columns.take(part);
    for (const row of rowsOf(columns)) keys.add(JSON.stringify(KEY.map((key) => row[key])));
  }
  await closeInputs(opened.inputs);
  assert.ok(keys.size < ROWS * 1.05 && keys.size > ROWS * 0.95, String(keys.size));
  return keys.size;
}
