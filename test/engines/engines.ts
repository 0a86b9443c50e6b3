import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClickhouse } from '../../src/store/engines/clickhouse.ts';
import { openDuckdb } from '../../src/store/engines/duckdb.ts';
import { duckdbModule } from '../../src/store/engines/duckdb-module.ts';
import { type Engine, USUAL_LIMITS } from '../../src/store/engines/engine.ts';
import { aboutRows, type Place, schemaOf } from '../../src/store/sql/schema.ts';
import { Secret } from '../../src/text/secret.ts';
import { systemClock } from '../../src/time/clock.ts';

export const PASSWORD = 'test-only';

const PLACE: Place = { dialect: 'clickhouse', database: 'history', cluster: null, days: null };

/** ClickHouse as a program of its own. */
export async function startClickhouse(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const program = join(import.meta.dirname, 'clickhouse-server.ts');
  const child = spawn(process.execPath, [program, folder, PASSWORD], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const [said] = await Promise.race([
    once(child.stdout, 'data') as Promise<[Buffer]>,
    ended.then(() => {
      throw new Error('ClickHouse ended before it listened');
    }),
  ]);
  return {
    url: `http://127.0.0.1:${String(said).trim()}`,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export function clickhouse(
  url: string,
  o: { password?: string; database?: string; seconds?: number; memory?: number } = {},
): Engine {
  const { password = PASSWORD, database = PLACE.database, ...limits } = o;
  const access = { url, user: 'default', password: new Secret(password) };
  return openClickhouse('test', { ...PLACE, database }, access, { ...USUAL_LIMITS, ...limits });
}

export function duckdb(file: string, isWritten = true, seconds = USUAL_LIMITS.seconds): Promise<Engine> {
  const module = duckdbModule([import.meta.dirname]);
  if (module === null) throw new Error('@duckdb/node-api is not installed in test/engines');
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
