import { statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { RowsAsked } from '../../src/domain/logs/log-history.ts';
import type { Steps } from '../../src/domain/timeline/steps.ts';
import { startAhead } from '../../src/effects/saved/saved-ahead.ts';
import { closeInputs, openInputs } from '../../src/effects/saved/saved-input.ts';
import { openStreams } from '../../src/effects/saved/saved-items.ts';
import { importedRows } from '../../src/print/keep/keep-import.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { type History, openHistory } from '../../src/store/history.ts';
import { loadRows } from '../../src/store/load.ts';
import { tableSql } from '../../src/store/sql/schema.ts';
import { literalCount, type Sql, sql, text } from '../../src/store/sql/sql.ts';
import { count } from '../../src/text/units.ts';
import { systemClock } from '../../src/time/clock.ts';
import { savedFiles } from '../bench/saved-file.ts';
import { clickhouse, duckdb, makeTables, startClickhouse, temporaryFolder } from './engines.ts';
import {
  type OwnClient,
  ownClickhouse,
  ownDuckdb,
  type PlainQuestion,
  plainQuestion,
} from './own-clients.ts';

/**
 * What the engines take on this machine, as the table of `README.md` beside it: `node --import ./test/support/register.mjs
 * test/engines/figures.ts [MILLIONS [ENGINE]]`. Half a million seeded rows of the simulator are imported as `keep --import` does, then
 * the table is grown to so many million by copies of them that the engine makes, at later times and with other ids. Beside each figure
 * stands what the engine's own client takes: for the same file, and for the plainest question with the same
 * columns, which counts what came twice as two. Each question is asked in turn with its plain one, and the fastest of its rounds is
 * told: of all the time in the table, and of the last half an hour of it.
 */
const IMPORTED = 500_000;
const MINUTES = 28;
const ROUNDS = 4;
const IMPORTS = 3;
const [, , millions = '20', only] = process.argv;
const most = Number(millions) * 1e6;
const sizes = [...new Set([Math.min(2e6, most), most])];
const BEGIN = Date.UTC(2026, 7, 1, 10);

/** ms of one question: the program's, and of the engine's own client. */
type Pair = { mine: number; own: number };

const folder = temporaryFolder();
const server = await startClickhouse(join(folder.path, 'clickhouse'));
const { ndjson } = savedFiles(folder.path, IMPORTED);
const load = () => loadavg()[0]?.toFixed(1);

async function figures(engine: Engine, own: OwnClient, file: string | null): Promise<void> {
  await makeTables(engine);
  const [imported, fed] = await importedAndFed(engine, own);
  const rate = (ms: number) => `${count(IMPORTED / (ms / 1000))} rows/s`;
  console.log(
    `\n${engine.place.dialect}: import ${rate(imported)}, ${(fed / imported).toFixed(2)} of its own client, ${rate(fed)}; load ${load()}`,
  );
  const found = new Map<string, Pair[]>();
  let rows = IMPORTED;
  for (const size of sizes) {
    const grown = await timed(async () => {
      for (; rows < size; rows += IMPORTED) await engine.run(copied(engine, rows / IMPORTED));
    });
    const each = ((await bytesOf(engine, file)) / rows).toFixed(1);
    console.log(
      `${count(rows)} rows, ${each} bytes each; grown in ${Math.round(grown / 1000)} s; load ${load()}`,
    );
    const history = await openHistory(engine);
    const all = { from: BEGIN, to: BEGIN + (rows / IMPORTED) * MINUTES * 60_000 };
    const measure = async (name: keyof typeof PLAIN, window: string, range: Range) => {
      const ask = QUESTIONS[name](history, range);
      const question = plainQuestion(engine.place.dialect, PLAIN[name], range);
      const pair = { mine: Number.POSITIVE_INFINITY, own: Number.POSITIVE_INFINITY };
      for (let round = 0; round < ROUNDS; round++) {
        pair.mine = Math.min(pair.mine, await timed(ask));
        pair.own = Math.min(pair.own, await timed(() => own.ask(engine, question)));
      }
      const place = `${name}, ${window}`;
      found.set(place, [...(found.get(place) ?? []), pair]);
    };
    const names = Object.keys(PLAIN) as (keyof typeof PLAIN)[];
    for (const name of names) await measure(name, 'all', all);
    for (const name of names)
      await measure(name, 'half an hour', { from: all.to - MINUTES * 60_000, to: all.to });
  }
  console.log(
    `\n| ${engine.place.dialect} | ${sizes.map((size) => `${size / 1e6} million rows`).join(' | ')} | growth |`,
  );
  console.log(`| --- | ${sizes.map(() => '---').join(' | ')} | --- |`);
  for (const [place, pairs] of found) {
    const cells = pairs.map(
      ({ mine, own: other }) => `${Math.round(mine)} ms, ${(mine / other).toFixed(2)}×`,
    );
    const growth = (pairs.at(-1)?.mine ?? 0) / (pairs[0]?.mine ?? 1);
    console.log(`| ${place} | ${cells.join(' | ')} | ${growth.toFixed(1)}× |`);
  }
}

const status5xx = { kind: 'field', field: 'status', op: 'eq', values: ['5xx'], negated: false } as const;

type Range = RowsAsked['range'];

const asked = (range: Range, ...terms: RowsAsked['terms']): RowsAsked => ({
  zones: [{ ids: ['1284031'], anonymisation: 'none' }],
  range,
  terms,
});

/** What a comparison counts, and the columns of it. */
const COMPARED = {
  status: 'statusCode',
  cache: 'cacheStatus',
  country: 'countryCode',
  edge: 'edgeLocation',
  host: 'host',
  page: 'page',
  ip: 'address',
  ua: 'userAgent',
  ja4: 'ja4Fingerprint',
  asn: 'asn',
} as const;

const PLAIN = {
  'newest page': { page: 500 },
  'newest page of 5xx': { page: 500, where: 'statusCode >= 500 AND statusCode < 600' },
  'by:status': { by: ['statusCode'] },
  'by:page': { by: ['page'] },
  'by:ip': { by: ['address'] },
  'ten fields compared, half with half': { compared: Object.values(COMPARED) },
  'timeline by minute': { minutes: true },
} as const satisfies Record<string, PlainQuestion>;

const QUESTIONS: Record<keyof typeof PLAIN, (history: History, range: Range) => () => Promise<unknown>> = {
  'newest page': (history, range) => () => history.page(asked(range), NEWEST),
  'newest page of 5xx': (history, range) => () => history.page(asked(range, status5xx), NEWEST),
  'by:status': (history, range) => () => history.groups(asked(range), ['status'], 100),
  'by:page': (history, range) => () => history.groups(asked(range), ['page'], 100),
  'by:ip': (history, range) => () => history.groups(asked(range), ['ip'], 100),
  'ten fields compared, half with half':
    (history, { from, to }) =>
    async () => {
      const half = (from + to) / 2;
      const of = { kind: 'values', fields: Object.keys(COMPARED), most: 20_000, sums: false } as const;
      await history.count(asked({ from, to: half }), of);
      await history.count(asked({ from: half, to }), of);
    },
  'timeline by minute': (history, range) => () => history.steps(asked(range), minutesOf(range), 'status'),
};

const NEWEST = { order: 'desc', after: null, limit: 500 } as const;

function minutesOf({ from, to }: Range): Steps {
  return { from, step: 60_000, count: (to - from) / 60_000 };
}

try {
  const file = join(folder.path, 'figures.duckdb');
  for (const name of only === undefined ? ['clickhouse', 'duckdb'] : [only]) {
    const isFile = name === 'duckdb';
    const engine = isFile ? await duckdb(file, true, 600) : clickhouse(server.url, { seconds: 600 });
    const own = isFile ? await ownDuckdb(join(folder.path, 'own.duckdb')) : ownClickhouse(server.url);
    await figures(engine, own, isFile ? file : null);
    await own.close();
    await engine.close();
  }
} finally {
  await server.stop();
  folder.remove();
}

/** ms of the fastest of some imports of the same file, and of those by the engine itself, in turn. */
async function importedAndFed(engine: Engine, own: OwnClient): Promise<[number, number]> {
  let [mine, theirs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < IMPORTS; round++) {
    await engine.run(sql`TRUNCATE TABLE ${tableSql(engine.place, 'requests')}`);
    mine = Math.min(mine, await timed(() => importInto(engine)));
    theirs = Math.min(theirs, await timed(() => own.load(ndjson)));
  }
  return [mine, theirs];
}

async function importInto(engine: Engine): Promise<void> {
  const opened = await openInputs([ndjson], null);
  if (!opened.ok) throw new Error(opened.message);
  const { signal } = new AbortController();
  const ahead = startAhead(opened.inputs, systemClock);
  const source = importedRows(openStreams(opened.inputs, { clock: systemClock, near: 0, signal, ahead }));
  await loadRows(engine, source, { clock: systemClock, signal, onWait() {}, onStored() {} });
  await ahead?.close();
  await closeInputs(opened.inputs);
}

/** The imported rows again, some time later and under other ids. */
function copied({ place }: Engine, times: number): Sql {
  const table = tableSql(place, 'requests');
  const n = literalCount(times);
  const later =
    place.dialect === 'duckdb'
      ? sql`timestamp + to_minutes(${literalCount(times * MINUTES)})`
      : sql`addMinutes(timestamp, ${literalCount(times * MINUTES)})`;
  const other =
    place.dialect === 'duckdb'
      ? sql`CAST(md5(concat(id, ${n})) AS UUID)`
      : sql`MD5(concat(id, toString(${n})))`;
  const first =
    place.dialect === 'duckdb'
      ? sql`epoch_ms(${literalCount(BEGIN + MINUTES * 60_000)})`
      : sql`fromUnixTimestamp64Milli(${literalCount(BEGIN + MINUTES * 60_000)}, 'UTC')`;
  return sql`INSERT INTO ${table} SELECT * REPLACE (${later} AS timestamp, ${other} AS id) FROM (SELECT * FROM ${table} WHERE timestamp < ${first})`;
}

async function bytesOf(engine: Engine, file: string | null): Promise<number> {
  if (file !== null) {
    await engine.run(sql`CHECKPOINT`);
    return statSync(file).size;
  }
  const { rows } = await engine.ask(
    sql`SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = ${text('history')} AND table = ${text('requests')}`,
  );
  return Number(rows[0]?.[0] ?? 0);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
