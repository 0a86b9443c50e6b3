import { createClient } from '@clickhouse/client';
import { closeInputs, openInputs } from '../../src/effects/saved/saved-input.ts';
import { openStreams } from '../../src/effects/saved/saved-items.ts';
import { importedRows } from '../../src/print/keep/keep-import.ts';
import { append } from '../../src/store/engines/duckdb.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { COLUMN_NAMES } from '../../src/store/sql/columns.ts';
import { DIALECTS } from '../../src/store/sql/dialect.ts';
import { type Place, schemaOf } from '../../src/store/sql/schema.ts';
import { sql, statementOf } from '../../src/store/sql/sql.ts';
import type { StoredRow } from '../../src/store/sql/stored-row.ts';
import { systemClock } from '../../src/time/clock.ts';
import { duckdbHere, PASSWORD } from './engines.ts';

/** An engine as whoever has only its own client uses it. */
export type OwnClient = {
  /** Asks what is written, of the rows of the engine that stands beside it. */
  ask(engine: Engine, question: string): Promise<unknown>;
  /** Makes an empty table of the same form. */
  make(): Promise<void>;
  put(rows: readonly StoredRow[]): Promise<void>;
  close(): Promise<void>;
};

const OWN: Place = { dialect: 'clickhouse', database: 'own', cluster: null, days: null };
/** Rows that are given at once, as `keep --import` does. */
const BATCH = 20_000;

export function ownClickhouse(url: string): OwnClient {
  const client = createClient({ url, username: 'default', password: PASSWORD });
  return {
    async ask(_, question) {
      await (await client.query({ query: question, format: 'JSONCompactEachRow' })).json();
    },
    async make() {
      for (const query of statements(OWN)) await client.command({ query });
    },
    async put(rows) {
      const values = rows.map((row) => COLUMN_NAMES.map((name) => row[name]));
      await client.insert({ table: 'own.requests', values, format: 'JSONCompactEachRow' });
    },
    close: () => client.close(),
  };
}

export async function ownDuckdb(file: string): Promise<OwnClient> {
  const module = duckdbHere();
  const instance = await module.DuckDBInstance.create(file, { memory_limit: '4096MB' });
  const connection = await instance.connect();
  return {
    // One program has the file: the question goes by the connection that has it.
    ask: ({ ask }, question) => ask(sql([question] as unknown as TemplateStringsArray)),
    async make() {
      for (const each of statements({ ...OWN, dialect: 'duckdb' })) await connection.run(each);
      await connection.run(
        'CREATE TEMP TABLE fed AS SELECT * REPLACE (epoch_ms(timestamp) AS timestamp) FROM requests LIMIT 0',
      );
    },
    async put(rows) {
      const appender = await connection.createAppender('fed');
      for (const row of rows) append(appender, row);
      appender.closeSync();
      await connection.run(
        'INSERT INTO requests SELECT * REPLACE (epoch_ms(timestamp) AS timestamp) FROM fed',
      );
      await connection.run('TRUNCATE fed');
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Gives an own client the rows of a file, which are read and made ready before; ms that it takes for them. */
export async function feed(own: OwnClient, file: string): Promise<number> {
  await own.make();
  const opened = await openInputs([file], null);
  if (!opened.ok) throw new Error(opened.message);
  let rows: StoredRow[] = [];
  let took = 0;
  const put = async () => {
    const began = performance.now();
    await own.put(rows);
    took += performance.now() - began;
    rows = [];
  };
  for await (const batch of importedRows(
    openStreams(opened.inputs, { clock: systemClock, near: 0, signal: new AbortController().signal }),
  ))
    for (const row of batch) {
      rows.push(row);
      if (rows.length === BATCH) await put();
    }
  if (rows.length > 0) await put();
  await closeInputs(opened.inputs);
  return took;
}

function statements(place: Place): string[] {
  return schemaOf(place).map((each) => statementOf(each, DIALECTS[place.dialect].placeholder).text);
}

export type PlainQuestion =
  | { page: number; where?: string }
  | { by: readonly string[] }
  | { compared: readonly string[] }
  | { minutes: true };

/** What somebody would type who knows the table. */
export function plainQuestion(
  dialect: Place['dialect'],
  of: PlainQuestion,
  { from, to }: { from: number; to: number },
): string {
  const table = dialect === 'duckdb' ? 'requests' : 'history.requests';
  const time = (ms: number) => `'${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}'`;
  const when = (a: number, b: number) =>
    `pullZoneId = '1284031' AND timestamp >= ${time(a)} AND timestamp < ${time(b)}`;
  if ('page' in of) {
    const terms = of.where === undefined ? '' : ` AND ${of.where}`;
    return `SELECT * FROM ${table} WHERE ${when(from, to)}${terms} ORDER BY timestamp DESC LIMIT ${of.page}`;
  }
  const countIf = (condition: string) =>
    dialect === 'duckdb' ? `count(*) FILTER (WHERE ${condition})` : `countIf(${condition})`;
  if ('minutes' in of) {
    const minute = dialect === 'duckdb' ? `date_trunc('minute', timestamp)` : 'toStartOfMinute(timestamp)';
    const parts = [2, 3, 4, 5].map((each) =>
      countIf(`statusCode >= ${each}00 AND statusCode < ${each + 1}00`),
    );
    return `SELECT ${minute} AS minute, ${parts.join(', ')}, count(*) FROM ${table} WHERE ${when(from, to)} GROUP BY minute ORDER BY minute`;
  }
  if ('compared' in of) {
    const sets = of.compared.map((each) => `(${each})`).join(', ');
    const half = (from + to) / 2;
    const side = (a: number, b: number) =>
      `SELECT ${of.compared.join(', ')}, count(*) AS n FROM ${table} WHERE ${when(a, b)} GROUP BY GROUPING SETS (${sets})`;
    return `SELECT * FROM (${side(from, half)}) AS a UNION ALL SELECT * FROM (${side(half, to)}) AS b`;
  }
  const sums = [
    'count(*) AS n',
    'sum(bytesSent)',
    'min(timestamp)',
    'max(timestamp)',
    countIf("cacheStatus = 'HIT'"),
    countIf("cacheStatus = 'MISS'"),
    countIf('statusCode >= 500'),
  ].join(', ');
  return `SELECT ${of.by.join(', ')}, ${sums} FROM ${table} WHERE ${when(from, to)} GROUP BY ${of.by.join(', ')} ORDER BY n DESC LIMIT 100`;
}
