import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { RowsAsked } from '../../src/domain/logs/log-history.ts';
import { stepsOf } from '../../src/domain/timeline/steps.ts';
import { closeInputs, openInputs } from '../../src/effects/saved/saved-input.ts';
import { openStreams } from '../../src/effects/saved/saved-items.ts';
import { recordsOf } from '../../src/print/keep-import.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { openHistory } from '../../src/store/history.ts';
import { loadRows } from '../../src/store/load.ts';
import { tableOf } from '../../src/store/sql/schema.ts';
import { digits, type Sql, sql, text } from '../../src/store/sql/sql.ts';
import { count, duration } from '../../src/text/units.ts';
import { systemClock } from '../../src/time/clock.ts';
import { savedFiles } from '../bench/saved-file.ts';
import { clickhouse, duckdb, makeTables, startClickhouse, temporaryFolder } from './engines.ts';

/**
 * What the engines take on this machine: `node --import ./test/support/register.mjs test/engines/figures.ts [MILLIONS [ENGINE]]`. A file
 * of saved logs is imported as `keep --import` does, then the table is grown to so many million rows by copies of them at other
 * times and with other ids. Each question is asked three times, and the best is told.
 */
const IMPORTED = 500_000;
const MINUTES = 28;
const [, , millions = '20', only] = process.argv;
const most = Number(millions) * 1e6;
const sizes = [...new Set([Math.min(2e6, most), most])];
const BEGIN = Date.UTC(2026, 7, 1, 10);

const folder = temporaryFolder();
const server = await startClickhouse(join(folder.path, 'clickhouse'));
const { ndjson } = savedFiles(folder.path, IMPORTED);
try {
  const file = join(folder.path, 'figures.duckdb');
  for (const name of only === undefined ? ['clickhouse', 'duckdb'] : [only]) {
    const isFile = name === 'duckdb';
    const engine = isFile ? await duckdb(file, true, 600) : clickhouse(server.url, { seconds: 600 });
    await figures(engine, isFile ? file : null);
    await engine.close();
  }
} finally {
  await server.stop();
  folder.remove();
}

async function figures(engine: Engine, file: string | null): Promise<void> {
  await makeTables(engine);
  const tell = (what: string, figure: string) =>
    console.log(`${engine.place.dialect.padEnd(11)}${what.padEnd(34)}${figure}`);
  const imported = await timed(async () => {
    const opened = await openInputs([ndjson], null);
    const { signal } = new AbortController();
    const source = recordsOf(openStreams(opened.ok ? opened.inputs : [], 0, signal));
    await loadRows(engine, source, { clock: systemClock, signal, onWait() {}, onStored() {} });
    if (opened.ok) await closeInputs(opened.inputs);
  });
  tell('import', `${count(IMPORTED / (imported / 1000))} rows/s`);
  let rows = IMPORTED;
  for (const size of sizes) {
    for (; rows < size; rows += IMPORTED) await engine.run(copied(engine, rows / IMPORTED));
    const bytes = await bytesOf(engine, file);
    tell(`${count(rows)} rows`, `${(bytes / rows).toFixed(1)} bytes each`);
    const history = await openHistory(engine);
    const range = { from: BEGIN, to: BEGIN + (rows / IMPORTED) * MINUTES * 60_000 };
    const asked = (...terms: RowsAsked['terms']): RowsAsked => ({
      zones: [{ ids: ['1284031'], anonymisation: 'none' }],
      range,
      terms,
    });
    const field = (name: string, value: string) =>
      ({ kind: 'field', field: name, op: 'eq', values: [value], negated: false }) as const;
    const newest = { order: 'newest', after: null, limit: 500 } as const;
    const questions: Record<string, () => Promise<unknown>> = {
      'newest page': () => history.page(asked(), newest),
      'newest page of 5xx': () => history.page(asked(field('status', '5xx')), newest),
      'by status': () => history.groups(asked(), ['status'], 100),
      'by ip': () => history.groups(asked(), ['ip'], 100),
      'by page, of 5xx': () => history.groups(asked(field('status', '5xx')), ['page'], 100),
      timeline: () => history.steps(asked(), stepsOf(range, 120), 'status'),
      'one id': () => history.page(asked(field('id', '003b85d81947fa0f38b2a8a5ba52f2b8')), newest),
      'free text, by status': () =>
        history.groups(asked({ kind: 'text', value: 'googlebot', negated: false }), ['status'], 100),
    };
    for (const [name, ask] of Object.entries(questions)) {
      const times = [await timed(ask), await timed(ask), await timed(ask)];
      tell(`  ${name}`, duration(Math.min(...times)));
    }
  }
}

/** The imported rows again, some time later and under other ids. */
function copied({ place }: Engine, times: number): Sql {
  const table = tableOf(place, 'requests');
  const n = digits(times);
  const later =
    place.dialect === 'duckdb'
      ? sql`timestamp + to_minutes(${digits(times * MINUTES)})`
      : sql`addMinutes(timestamp, ${digits(times * MINUTES)})`;
  const other =
    place.dialect === 'duckdb'
      ? sql`md5(concat(requestId, ${n}))`
      : sql`lower(hex(MD5(concat(requestId, toString(${n})))))`;
  const first =
    place.dialect === 'duckdb'
      ? sql`epoch_ms(${digits(BEGIN + MINUTES * 60_000)})`
      : sql`fromUnixTimestamp64Milli(${digits(BEGIN + MINUTES * 60_000)}, 'UTC')`;
  return sql`INSERT INTO ${table} SELECT * REPLACE (${later} AS timestamp, ${other} AS requestId) FROM (SELECT * FROM ${table} WHERE timestamp < ${first})`;
}

async function bytesOf(engine: Engine, file: string | null): Promise<number> {
  if (file !== null) {
    await engine.run(sql`CHECKPOINT`);
    return statSync(file).size;
  }
  const { rows } = await engine.ask(
    sql`SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = ${text('requests')}`,
  );
  return Number(rows[0]?.[0] ?? 0);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
