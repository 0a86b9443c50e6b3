import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { Rng } from '../../src/simulator/random.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { StoreFailure } from '../../src/store/engines/store-failure.ts';
import { loadRows } from '../../src/store/load.ts';
import { KEY } from '../../src/store/sql/columns.ts';
import { literalCount, sql } from '../../src/store/sql/sql.ts';
import type { ArrivingRows } from '../../src/store/sql/stored-columns.ts';
import { type Clock, systemClock } from '../../src/time/clock.ts';
import { arriving, storedRow } from '../support/stored.ts';
import {
  clickhouse,
  counted,
  duckdb,
  hasSmallDisks,
  makeTables,
  startClickhouse,
  temporaryFolder,
} from './engines.ts';
import { randomRows } from './random-rows.ts';

const rows = randomRows(new Rng(5), 2_000).filter(({ requestId }) => requestId !== null);
/** What is to be in a store that has all of them: copies of a row are one. */
const KEYS = new Set(rows.map((row) => JSON.stringify(KEY.map((name) => storedRow(row)[name])))).size;
const BATCH = 500;
/** Rows that `killed-duckdb.ts` puts, each with an id of its own. */
const PUT = randomRows(new Rng(7), 5_000).length;
/** Of a question that nothing ends, the test ends instead. */
const WITHIN = { timeout: 300_000 };

const folder = temporaryFolder();
after(folder.remove);
let number = 0;

/** A ClickHouse of its own with tables, which can be killed and started again where it was. */
async function server(t: TestContext) {
  const path = join(folder.path, `clickhouse-${++number}`);
  let now = await startClickhouse(path);
  t.after(() => now.stop());
  const { url, port } = now;
  const engine = clickhouse(url);
  t.after(engine.close);
  await makeTables(engine);
  return {
    url,
    engine,
    kill: () => now.stop(),
    async again() {
      now = await startClickhouse(path, { port });
    },
  };
}

/** Loads all rows; `onWait` is what happens before the next try, in place of the time that would pass. */
async function load(engine: Engine, onWait: (failure: StoreFailure) => unknown): Promise<number> {
  let waits = 0;
  let failure: StoreFailure | null = null;
  const clock: Clock = {
    ...systemClock,
    async sleep() {
      if (failure !== null) await onWait(failure);
    },
  };
  await loadRows(engine, parts(), {
    clock,
    signal: new AbortController().signal,
    onWait(told) {
      failure = told;
      assert.ok(++waits < 100, told.message);
    },
    onStored() {},
    batch: BATCH,
  });
  return waits;
}

async function* parts(): AsyncGenerator<ArrivingRows> {
  yield arriving(rows);
}

test(
  'ClickHouse that is killed in the middle of inserts and comes back has every row once',
  WITHIN,
  async (t) => {
    const { engine, kill, again } = await server(t);
    const kinds = new Set<string>();
    let puts = 0;
    const failing: Engine = {
      ...engine,
      async put(batch) {
        const done = engine.put(batch);
        done.catch(() => {});
        // On its way, by then at the server, and perhaps stored: each a few times.
        if (++puts % 2 === 0) {
          const isStored = puts % 4 !== 0;
          if (isStored) await done;
          else await new Promise(setImmediate);
          await kill();
          // A batch that was on its way may have been confirmed before; one whose answer is lost never is.
          if (isStored) throw new StoreFailure('away', { store: 'test' });
        }
        await done;
      },
    };
    const waits = await load(failing, async ({ kind }) => {
      kinds.add(kind);
      await again();
    });
    assert.deepEqual([...kinds], ['away']);
    assert.ok(waits >= 2, String(waits));
    assert.equal(await counted(engine), KEYS);
  },
);

test(
  'ClickHouse that is killed in the middle of a question is away, and answers once it is back',
  WITHIN,
  async (t) => {
    const { engine, kill, again } = await server(t);
    await load(engine, assert.fail);
    const asked = assert.rejects(
      engine.ask(sql`SELECT count() FROM numbers(${literalCount(10 ** 12)}) WHERE number % 7 = 1`),
      {
        kind: 'away',
        message: /^The store test does not answer: E\w+\.$/,
        next: 'Check its URL and that the server runs.',
      },
    );
    setImmediate(kill);
    await asked;
    await assert.rejects(counted(engine), { kind: 'away' });
    await again();
    assert.equal(await counted(engine), KEYS);
  },
);

test(
  'a DuckDB that is killed in the middle of a commit or of a question has every row once',
  WITHIN,
  async () => {
    const file = join(folder.path, 'killed.duckdb');
    const first = await duckdb(file);
    await makeTables(first);
    await load(first, assert.fail);
    const before = await counted(first);
    assert.equal(before, KEYS);
    await first.close();
    for (const way of ['question', 'commit', 'commit']) {
      const program = join(import.meta.dirname, 'killed-duckdb.ts');
      const loader = join(import.meta.dirname, '..', 'support', 'register.mjs');
      const child = spawn(process.execPath, ['--import', loader, program, way, file], { stdio: 'inherit' });
      assert.deepEqual(await once(child, 'close'), [null, 'SIGKILL'], way);
      const second = await duckdb(file);
      // All of what was committed, or none of it.
      const stored = await counted(second);
      assert.ok(stored === KEYS || (way === 'commit' && stored === KEYS + PUT), `${way}: ${stored}`);
      await second.run(sql`DELETE FROM requests WHERE pullZoneId = '99'`);
      await load(second, assert.fail);
      assert.equal(await counted(second), KEYS);
      await second.close();
    }
  },
);

test('all that a DuckDB writes is for its user alone', WITHIN, async (t) => {
  const before = process.umask(0o022);
  t.after(() => process.umask(before));
  const own = join(folder.path, 'private');
  mkdirSync(own);
  const engine = await duckdb(join(own, 'logs.duckdb'));
  await makeTables(engine);
  await load(engine, assert.fail);
  // What it sorts is more than it may have in memory.
  await engine.run(sql`SET memory_limit = '60MB'`);
  await engine.run(
    sql`CREATE TEMP TABLE wide AS SELECT range AS n, repeat('x', ${literalCount(200)}) AS x FROM range(${literalCount(10 ** 6)})`,
  );
  const made = globSync('*{,/*}', { cwd: own });
  assert.ok(
    ['logs.duckdb', 'logs.duckdb.wal', 'logs.duckdb.tmp'].every((name) => made.includes(name)),
    String(made),
  );
  assert.ok(made.length > 3, 'nothing was laid aside');
  for (const name of made) assert.equal(statSync(join(own, name)).mode & 0o077, 0, name);
  await engine.close();
});

test(
  'a DuckDB whose disk is full says so and stores nothing of the batch, and has every row after a next try',
  WITHIN,
  async () => {
    const file = join(folder.path, 'full.duckdb');
    const first = await duckdb(file);
    await makeTables(first);
    await first.close();
    // What it writes a commit to is on a device without room.
    symlinkSync('/dev/full', `${file}.wal`);
    const full = await duckdb(file);
    const failed = load(full, (failure) => {
      throw failure;
    });
    await assert.rejects(failed, { kind: 'full', message: /no room left.*No space left on device/ });
    assert.equal(await counted(full), 0);
    await full.close().catch(() => {});
    rmSync(`${file}.wal`, { force: true });
    const roomy = await duckdb(file);
    await load(roomy, assert.fail);
    assert.equal(await counted(roomy), KEYS);
    await roomy.close();
  },
);

const skip = hasSmallDisks() ? false : 'no file system of our own can be mounted here';
test('a ClickHouse whose disk is full says so, and takes every row once there is room', {
  ...WITHIN,
  skip,
}, async (t) => {
  const path = join(folder.path, 'small');
  mkdirSync(path);
  const small = await startClickhouse(join(path, 'clickhouse'), { disk: { path, megabytes: 12 } });
  t.after(small.stop);
  const engine = clickhouse(small.url);
  t.after(engine.close);
  await makeTables(engine);
  const filler = `/proc/${small.pid}/root${path}/filler`;
  assert.throws(() => writeFileSync(filler, Buffer.alloc(13_000_000)), /ENOSPC/);
  const kinds: string[] = [];
  await load(engine, ({ kind }) => {
    kinds.push(kind);
    rmSync(filler);
  });
  assert.deepEqual(kinds, ['full']);
  assert.equal(await counted(engine), KEYS);
});

test(
  'an account that may only read can ask, and is told in words that it may not write',
  WITHIN,
  async (t) => {
    const { engine, url } = await server(t);
    await load(engine, assert.fail);
    const reader = clickhouse(url, { user: 'reader' });
    t.after(reader.close);
    assert.equal(await counted(reader), KEYS);
    const told = {
      kind: 'forbidden',
      message: /^The account of the store test may not do this: reader: Not enough privileges/,
      next: 'Reading takes SELECT and readonly=2; keep and store take INSERT, CREATE and ALTER.',
    };
    await assert.rejects(load(reader, assert.fail), told);
    await assert.rejects(makeTables(reader), told);
    assert.equal(await counted(engine), KEYS);
  },
);

for (const name of ['duckdb', 'clickhouse'] as const) {
  /** Opens a store with tables, again each time, with so many seconds for a question. */
  const stored = async (t: TestContext) => {
    if (name === 'clickhouse') {
      const { url } = await server(t);
      return async (seconds: number) => clickhouse(url, { seconds });
    }
    const file = join(folder.path, `${++number}.duckdb`);
    const first = await duckdb(file);
    await makeTables(first);
    await first.close();
    return (seconds: number) => duckdb(file, true, seconds);
  };
  const endless =
    name === 'duckdb'
      ? sql`SELECT count(*) FROM range(${literalCount(10 ** 12)}) WHERE range % 7 = 1`
      : sql`SELECT count() FROM numbers(${literalCount(10 ** 12)}) WHERE number % 7 = 1`;

  test(
    `${name}: a question that nobody waits for is ended where it runs, and the next one is answered`,
    WITHIN,
    async (t) => {
      const engine = await (await stored(t))(600);
      const stopper = new AbortController();
      const asked = assert.rejects(engine.ask(endless, stopper.signal), /Esc/);
      setImmediate(() => stopper.abort(new Error('Esc')));
      await asked;
      // Both run one statement at a time: it would wait for ten minutes.
      assert.equal(await counted(engine), 0);
      await engine.close();
    },
  );

  test(`${name}: a question that takes longer than it may is ended, in words`, WITHIN, async (t) => {
    const open = await stored(t);
    const hurried = await open(1);
    const message = 'The store test took longer than 1s for a question, and was stopped.';
    await assert.rejects(hurried.ask(endless), { kind: 'slow', message });
    await hurried.close();
    // One statement runs at a time: it would wait for ten minutes.
    const engine = await open(600);
    assert.equal(await counted(engine), 0);
    await engine.close();
  });
}
