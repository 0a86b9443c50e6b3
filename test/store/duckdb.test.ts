import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { enginesDirectories } from '../../src/config/directories.ts';
import { openDuckdb } from '../../src/store/engines/duckdb.ts';
import { type DuckdbModule, duckdbModule } from '../../src/store/engines/duckdb-module.ts';
import { MOST_ANSWER } from '../../src/store/engines/engine.ts';
import { StoreFailure } from '../../src/store/engines/store-failure.ts';
import { sql } from '../../src/store/sql/sql.ts';
import { recordOf } from '../support/state.ts';
import { storedColumns } from '../support/stored.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const STRANGER = 4_321;

function folderOf(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'edgescope-duckdb-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A package in a folder of packages; it says that it ran. */
function install(folder: string, version = '1.5.0-r.1'): { packages: string; main: string } {
  const packages = join(folder, 'node_modules');
  const own = join(packages, '@duckdb', 'node-api');
  mkdirSync(own, { recursive: true, mode: 0o755 });
  const main = join(own, 'index.js');
  writeFileSync(main, 'globalThis.ranDuckdb = true;', { mode: 0o644 });
  writeFileSync(join(own, 'package.json'), JSON.stringify({ version }), { mode: 0o644 });
  return { packages, main };
}

function hasRun(): boolean {
  return 'ranDuckdb' in globalThis;
}

/** Hands a file to another user: whoever runs this is it where only root could give it away. */
function givenAway(path: string): { user: number } {
  const user = process.getuid?.() ?? 0;
  if (user !== 0) return { user: STRANGER };
  chownSync(path, STRANGER, STRANGER);
  return { user };
}

function refusal(folder: string, user?: number): StoreFailure {
  try {
    duckdbModule([folder], 'local', user);
  } catch (error) {
    assert.ok(error instanceof StoreFailure && error.kind === 'untrusted', String(error));
    return error;
  }
  return assert.fail('it was loaded');
}

test('DuckDB is looked for beside the program and in the data of its user, and in no folder above them', (t) => {
  const home = folderOf(t);
  const program = join(home, 'lib', 'edgescope');
  mkdirSync(join(home, 'lib'));
  writeFileSync(program, '');
  symlinkSync(program, join(home, 'command'));
  const folders = enginesDirectories(join(home, 'command'), { HOME: home });
  assert.deepEqual(folders, [join(home, 'lib', 'engines'), join(home, '.local/share/edgescope/engines')]);
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  for (const above of [home, join(home, 'lib'), join(home, '.local')]) install(above);
  assert.equal(duckdbModule(folders, 'local'), null);
  assert.equal(hasRun(), false);
});

test('a DuckDB whose appenders cannot give up what they hold counts as none', (t) => {
  const home = folderOf(t);
  install(home, '1.4.9-r.2');
  assert.equal(duckdbModule([home], 'local'), null);
  assert.equal(hasRun(), false);
});

test('nothing of DuckDB is loaded that others could have put there, and what it is is named', (t) => {
  const home = folderOf(t);
  const { packages, main } = install(home);
  for (const [path, mode] of [
    [main, 0o646],
    [main, 0o664],
    [packages, 0o777],
    [packages, 0o1777],
    [home, 0o1777],
  ] as const) {
    const before = statSync(path).mode & 0o7777;
    chmodSync(path, mode);
    assert.equal(
      refusal(home).message,
      `Others can change the engine that the store local would run: ${path} may be written by others.`,
    );
    chmodSync(path, before);
  }
  assert.match(refusal(home, givenAway(main).user).message, /index\.js|node_modules/);
  assert.match(refusal(home, givenAway(main).user).message, / belongs to another user\.$/);
  rmSync(main);
  symlinkSync('/dev/null', main);
  assert.match(refusal(home).message, /: \S+index\.js is a link to somewhere else\.$/);
  assert.match(refusal(home).next, new RegExp(`^Make all of ${home}, `));
  assert.equal(hasRun(), false);
});

/** An engine that makes its files as DuckDB does, and answers with twice as many of these as are read. `heard`: is told each statement. */
function making(answer: string[] = ['x'], heard: (statement: string) => void = () => {}) {
  return {
    DuckDBInstance: {
      async create(path: string) {
        writeFileSync(path, '', { flag: 'a' });
        writeFileSync(`${path}.wal`, '', { flag: 'a' });
        return {
          connect: async () => ({
            async run(statement: string) {
              heard(statement);
              return twiceAsMany(answer);
            },
            interrupt: () => {},
            closeSync: () => {},
          }),
          closeSync: () => {},
        };
      },
    },
  };
}

async function* twiceAsMany(answer: string[]) {
  const most = (2 * MOST_ANSWER) / answer.join('').length;
  for (; chunks < most; chunks++) yield { getRows: () => [answer] };
}

let chunks = 0;

async function opened(t: TestContext, file: string, answer?: string[], heard?: (statement: string) => void) {
  const before = process.umask();
  t.after(() => process.umask(before));
  process.umask(0o022);
  return openDuckdb({
    module: making(answer, heard) as unknown as DuckdbModule,
    store: 'local',
    place: { dialect: 'duckdb', database: '', cluster: null, days: null },
    file,
    isWritten: true,
    limits: { seconds: 60, memory: 4096 },
    clock: new VirtualClock(),
  });
}

test('a file of DuckDB and its journal are their user’s alone, those of before too', async (t) => {
  const file = join(folderOf(t), 'logs.duckdb');
  const modes = () => [file, `${file}.wal`].map((path) => statSync(path).mode & 0o777);
  await opened(t, file);
  assert.deepEqual(modes(), [0o600, 0o600]);
  for (const path of [file, `${file}.wal`]) chmodSync(path, 0o644);
  await opened(t, file);
  assert.deepEqual(modes(), [0o600, 0o600]);
});

test('a file of DuckDB that others could replace is not opened, and the folder is named', async (t) => {
  const folder = folderOf(t);
  const file = join(folder, 'logs.duckdb');
  for (const mode of [0o777, 0o1777, 0o770]) {
    chmodSync(folder, mode);
    await assert.rejects(opened(t, file), {
      kind: 'shared',
      message: `Others can change the file of the store local: ${folder} may be written by others.`,
    });
  }
  chmodSync(folder, 0o700);
  // A link leads to where the file is: that folder counts, too.
  const own = folderOf(t);
  symlinkSync(file, join(own, 'logs.duckdb'));
  writeFileSync(file, '');
  chmodSync(folder, 0o777);
  await assert.rejects(opened(t, join(own, 'logs.duckdb')), { kind: 'shared' });
});

test('an answer of DuckDB is given up where it becomes too large', async (t) => {
  const engine = await opened(t, join(folderOf(t), 'logs.duckdb'), ['x'.repeat(1_000_000)]);
  await assert.rejects(engine.ask(sql`SELECT 1`), {
    kind: 'huge',
    message: 'An answer of the store local is larger than 128M, and was not read to its end.',
  });
  assert.equal(chunks, MOST_ANSWER / 1_000_000);
});

test('a batch of which a statement fails is taken back, so that the next one finds no transaction that is over', async (t) => {
  const heard: string[] = [];
  const engine = await opened(t, join(folderOf(t), 'logs.duckdb'), ['x'], (statement) => {
    heard.push(statement);
    if (heard.at(-2) === 'BEGIN TRANSACTION') throw new Error('Out of Memory Error: no room');
  });
  await assert.rejects(engine.put(storedColumns([recordOf(1)])));
  assert.equal(heard.at(-1), 'ROLLBACK');
  assert.ok(!heard.includes('COMMIT'));
});
