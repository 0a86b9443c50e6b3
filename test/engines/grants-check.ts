import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, test } from 'node:test';
import type { RowsAsked } from '../../src/domain/logs/log-history.ts';
import { LOG_SERIES } from '../../src/domain/timeline/series.ts';
import { stepsOf } from '../../src/domain/timeline/steps.ts';
import { createKeptStore } from '../../src/print/keep/kept-store.ts';
import { Rng } from '../../src/simulator/random.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { expireRows } from '../../src/store/expire.ts';
import { type History, openHistory } from '../../src/store/history.ts';
import { loadRows, rowsThere } from '../../src/store/load.ts';
import { notesOf } from '../../src/store/noted-coverage.ts';
import { aboutRows, dropBefore, schemaOf } from '../../src/store/sql/schema.ts';
import { sql } from '../../src/store/sql/sql.ts';
import { systemClock } from '../../src/time/clock.ts';
import { textOf } from '../support/documents.ts';
import { arriving, storedColumns } from '../support/stored.ts';
import { clickhouse, makeTables, startClickhouse, temporaryFolder } from './engines.ts';
import { randomRows, SPAN } from './random-rows.ts';

const DATABASE = 'edgescope';
const ROWS = randomRows(new Rng(3), 400);
const ALL: RowsAsked = { zones: [], range: SPAN, terms: [] };

/** What the engine in process needs to read from a file what a server is sent. */
const IN_PROCESS = ['GRANT READ ON FILE', 'GRANT CREATE TEMPORARY TABLE ON *.*'];

const folder = temporaryFolder();
after(folder.remove);
const data = join(folder.path, 'clickhouse');

before(async () => {
  await asAccount(null, async (engine) => {
    await makeTables(engine);
    await engine.put(storedColumns(ROWS));
    await engine.run(sql`CREATE DATABASE others`);
    await engine.run(sql`CREATE TABLE others.rows (a Int64) ENGINE = MergeTree ORDER BY a`);
  });
});

/** What the document has an account be granted. */
function grantsOf(account: string): string[] {
  const [, block = ''] = /```sql\n(.*?)```/s.exec(textOf('docs/history.md')) ?? [];
  const grants = [...block.matchAll(new RegExp(`^(GRANT .*) TO ${account};$`, 'gm'))].map(
    ([, grant = '']) => grant,
  );
  assert.ok(grants.length > 0, account);
  return grants;
}

/** Works as an account that has these grants and no more, which the engine itself checks; null: one that may do all. */
async function asAccount(
  grants: readonly string[] | null,
  work: (engine: Engine) => Promise<void>,
  profile = '',
): Promise<void> {
  const users = join(folder.path, 'users.xml');
  const config = join(folder.path, 'config.xml');
  const queries = [...(grants ?? []), ...IN_PROCESS].map((grant) => `<query>${grant}</query>`).join('');
  writeFileSync(
    users,
    `<clickhouse><profiles><default>${profile}</default></profiles><quotas><default/></quotas><users><default><password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota><grants>${queries}</grants></default></users></clickhouse>`,
  );
  writeFileSync(config, `<clickhouse><users_config>${users}</users_config></clickhouse>`);
  const server = await startClickhouse(data, grants === null ? {} : { config });
  const engine = clickhouse(server.url, { database: DATABASE });
  try {
    await work(engine);
  } finally {
    await engine.close();
    await server.stop();
  }
}

/** All that an account sends in its work, each under a name: what is denied of it. */
async function deniedOf(work: Readonly<Record<string, () => Promise<unknown>>>): Promise<string[]> {
  const denied: string[] = [];
  for (const [name, send] of Object.entries(work)) {
    try {
      await send();
    } catch (error) {
      assert.match(String(error), /Not enough privileges|in readonly mode/, name);
      denied.push(name);
    }
  }
  return denied;
}

/** What `keep` and its imports ask and write. */
function ofKeeper(engine: Engine) {
  const stopper = new AbortController();
  const { signal } = stopper;
  const open = async () => ({ ...engine, close: async () => {} });
  const store = createKeptStore({ stderr: new PassThrough(), clock: systemClock }, open, signal);
  const note = { zone: '11', ...SPAN, state: 'read', missing: null } as const;
  async function* parts() {
    yield arriving(ROWS);
  }
  return {
    check: () => store.check(),
    known: () => store.known('11', SPAN),
    rows: () => store.put(arriving(ROWS), [], 1),
    notes: () => store.put(arriving([]), [note], 1),
    imported: () =>
      loadRows(engine, parts(), { clock: systemClock, signal, onWait: assert.fail, onStored() {} }),
    there: () => rowsThere(engine, ['11'], SPAN, signal),
    expired: () => expireRows(engine, Date.now(), signal),
  };
}

/** What screens and questions ask. */
function ofReader(engine: Engine) {
  const asked = async <T>(ask: (history: History) => Promise<T>) =>
    assert.notEqual(await ask(await openHistory(engine)), null);
  return {
    known: () => notesOf(engine, ['11'], SPAN),
    page: () => asked((history) => history.page(ALL, { order: 'desc', after: null, limit: 100 })),
    groups: () => asked((history) => history.groups(ALL, ['host'], 10)),
    steps: () => asked((history) => history.steps(ALL, stepsOf(SPAN, 40), LOG_SERIES[0] ?? 'status')),
    values: () =>
      asked((history) =>
        history.count(ALL, { kind: 'values', fields: ['status', 'ip'], most: 20, sums: true }),
      ),
  };
}

/** What makes a store, changes its form or drops of it, and what is not of it. */
function ofOthers(engine: Engine) {
  const statements = {
    ...Object.fromEntries(schemaOf(engine.place).map((each, at) => [`init ${at}`, each])),
    version: aboutRows(engine.place),
    drop: dropBefore(engine.place, SPAN.to, [20_261_001])[0] ?? sql``,
    remove: sql`ALTER TABLE edgescope.requests DELETE WHERE 1`,
    truncate: sql`TRUNCATE TABLE edgescope.requests`,
    optimise: sql`OPTIMIZE TABLE edgescope.requests FINAL`,
    foreign: sql`INSERT INTO others.rows SELECT 1`,
  };
  return {
    ...Object.fromEntries(
      Object.entries(statements).map(([name, statement]) => [name, () => engine.run(statement)]),
    ),
    looked: () => engine.ask(sql`SELECT a FROM others.rows`),
  };
}

for (const [account, workOf] of [
  ['keeper', ofKeeper],
  ['reader', ofReader],
] as const)
  test(`ClickHouse lets a ${account} that has the documented grants do its work and nothing else, and needs each of them`, async () => {
    const grants = grantsOf(account);
    const profile = account === 'reader' ? '<readonly>2</readonly>' : '';
    await asAccount(
      grants,
      async (engine) => {
        assert.deepEqual(await deniedOf(workOf(engine)), []);
        const others = {
          ...ofOthers(engine),
          ...(account === 'reader'
            ? { rows: () => engine.put(storedColumns(ROWS)), notes: () => ofKeeper(engine).notes() }
            : {}),
        };
        assert.deepEqual(await deniedOf(others), Object.keys(others));
      },
      profile,
    );
    for (const left of grants)
      await asAccount(
        grants.filter((grant) => grant !== left),
        async (engine) => assert.notDeepEqual(await deniedOf(workOf(engine)), [], left),
      );
  });
