import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClickhouse } from '../../src/store/engines/clickhouse.ts';
import { openDuckdb } from '../../src/store/engines/duckdb.ts';
import type { DuckdbModule } from '../../src/store/engines/duckdb-module.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { openHistory } from '../../src/store/history.ts';
import { aboutRows, type Place, schemaOf } from '../../src/store/sql/schema.ts';
import { Secret } from '../../src/text/secret.ts';
import { systemClock } from '../../src/time/clock.ts';

export const PASSWORD = 'test-only';

const PLACE: Place = { dialect: 'clickhouse', database: 'history', cluster: null, days: null };

/** A file system in memory that only one program sees, who may be anyone where the kernel lets users have mounts of their own. */
const ON_DISK = [
  'unshare',
  '-Urm',
  'sh',
  '-c',
  'mount -t tmpfs -o size="$1" tmpfs "$0" && shift && exec "$@"',
];

export function hasSmallDisks(): boolean {
  const [program = '', ...rest] = [...ON_DISK, tmpdir(), '1m', 'true'];
  return spawnSync(program, rest).status === 0;
}

export type Server = { url: string; port: string; pid: number; stop(): Promise<void> };

/**
 * ClickHouse as a program of its own, which `stop` kills. `port`: '0' = any. `disk`: a folder around its own, which is a disk of
 * so many MB for it alone; see `hasSmallDisks`. `config`: a file of settings of the server.
 */
export async function startClickhouse(
  folder: string,
  o: { port?: string; disk?: { path: string; megabytes: number }; config?: string } = {},
): Promise<Server> {
  const { port = '0', disk, config } = o;
  const server = join(import.meta.dirname, 'clickhouse-server.ts');
  const words = [process.execPath, server, folder, PASSWORD, port, ...(config === undefined ? [] : [config])];
  const [program = '', ...rest] =
    disk === undefined ? words : [...ON_DISK, disk.path, `${disk.megabytes}m`, ...words];
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const [said] = await Promise.race([
    once(child.stdout, 'data') as Promise<[Buffer]>,
    ended.then(() => {
      throw new Error('ClickHouse ended before it listened');
    }),
  ]);
  const given = String(said).trim();
  // A test that fails ends all the same, and what it started with it.
  child.unref();
  child.stdout.destroy();
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    url: `http://127.0.0.1:${given}`,
    port: given,
    pid: child.pid ?? 0,
    async stop() {
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export function clickhouse(
  url: string,
  o: { user?: string; password?: string; database?: string; seconds?: number; memory?: number } = {},
): Engine {
  const { user = 'default', password = PASSWORD, database = PLACE.database, ...limits } = o;
  const access = { url, user, password: new Secret(password), quorum: false };
  const how = { limits: { ...USUAL_LIMITS, ...limits }, clock: systemClock };
  return openClickhouse('test', { ...PLACE, database }, access, how);
}

/** The package that is installed beside the tests, wherever their checkout is: in a folder that others may write, such as /tmp, too. */
export function duckdbHere(): DuckdbModule {
  return createRequire(import.meta.url)('@duckdb/node-api') as DuckdbModule;
}

/** What a question may cost where a test says nothing else. */
const USUAL_LIMITS = { seconds: 60, memory: 4096 };

export function duckdb(file: string, isWritten = true, seconds = USUAL_LIMITS.seconds): Promise<Engine> {
  const module = duckdbHere();
  const place: Place = { ...PLACE, dialect: 'duckdb' };
  const limits = { ...USUAL_LIMITS, seconds };
  return openDuckdb({ module, store: 'test', place, file, isWritten, limits, clock: systemClock });
}

/** Makes the tables. */
export async function makeTables(engine: Engine): Promise<void> {
  for (const each of schemaOf(engine.place)) await engine.run(each);
  await engine.run(aboutRows(engine.place));
}

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'edgescope-engines-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** How many rows a store has. */
export async function counted(engine: Engine): Promise<number> {
  const history = await openHistory(engine);
  const all = { zones: [], range: { from: 0, to: Date.UTC(2200) }, terms: [] };
  return (await history.groups(all, ['status'], 1))?.rows ?? 0;
}

/**
 * Makes the engines of a program ones that kill it at a batch, counted over all of them: `before` it is sent, `during` that, or else
 * `after`; 0 = at none.
 */
export function killing(batch: number, moment: string | undefined): (engine: Engine) => Engine {
  let puts = 0;
  const kill = () => process.kill(process.pid, 'SIGKILL');
  return (engine) => ({
    ...engine,
    async put(rows, signal) {
      const isLast = ++puts === batch;
      if (isLast && moment === 'before') kill();
      const done = engine.put(rows, signal);
      if (isLast && moment === 'during') setImmediate(kill);
      await done;
      if (isLast) kill();
    },
  });
}
