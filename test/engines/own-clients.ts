import { createClient } from '@clickhouse/client';
import type { Engine } from '../../src/store/engines/engine.ts';
import type { Place } from '../../src/store/sql/schema.ts';
import { sql } from '../../src/store/sql/sql.ts';
import { duckdbHere, PASSWORD } from './engines.ts';

/** An engine as whoever has only its own client uses it. */
export type OwnClient = {
  /** Asks what is written, of the rows of the engine that stands beside it. */
  ask(engine: Engine, question: string): Promise<unknown>;
  /** Has the engine read a file of the API's rows into a table with a column for each of their fields, none of which is looked at. */
  load(file: string): Promise<void>;
  close(): Promise<void>;
};

/** The fields of a row as somebody declares them who knows them: names and types of ClickHouse. */
const FIELDS = {
  timestamp: `DateTime64(3, 'UTC')`,
  pullZoneId: 'LowCardinality(String)',
  requestId: 'String',
  cacheStatus: 'LowCardinality(String)',
  statusCode: 'UInt16',
  bytesSent: 'Int64',
  edgeLocation: 'LowCardinality(String)',
  scheme: 'LowCardinality(String)',
  host: 'LowCardinality(String)',
  path: 'String',
  url: 'String',
  remoteIp: 'String',
  countryCode: 'LowCardinality(String)',
  userAgent: 'LowCardinality(String)',
  referer: 'String',
  ja4Fingerprint: 'LowCardinality(String)',
  asn: 'LowCardinality(String)',
  asnOrganization: 'LowCardinality(String)',
  bodyBytesSent: 'Int64',
  contentRange: 'String',
  authorizationHeader: 'String',
};

export function ownClickhouse(url: string): OwnClient {
  const client = createClient({ url, username: 'default', password: PASSWORD, request_timeout: 600_000 });
  return {
    async ask(_, question) {
      await (await client.query({ query: question, format: 'JSONCompactEachRow' })).json();
    },
    async load(file) {
      const columns = Object.entries(FIELDS).map(([name, type]) => `${name} ${type}`);
      await client.command({
        query: `CREATE OR REPLACE TABLE default.own (${columns.join(', ')}) ENGINE = ReplacingMergeTree PARTITION BY toYYYYMMDD(timestamp) ORDER BY (pullZoneId, timestamp, requestId)`,
      });
      await client.command({
        query: `INSERT INTO default.own SELECT * FROM file('${file}', JSONEachRow) SETTINGS date_time_input_format = 'best_effort', input_format_null_as_default = 1`,
      });
    },
    close: () => client.close(),
  };
}

export async function ownDuckdb(file: string): Promise<OwnClient> {
  const instance = await duckdbHere().DuckDBInstance.create(file, { memory_limit: '4096MB' });
  const connection = await instance.connect();
  const types: Readonly<Record<string, string>> = {
    timestamp: 'TIMESTAMP',
    statusCode: 'USMALLINT',
    bytesSent: 'BIGINT',
    bodyBytesSent: 'BIGINT',
  };
  return {
    // One program has the file: the question goes by the connection that has it.
    ask: ({ ask }, question) => ask(sql([question] as unknown as TemplateStringsArray)),
    async load(rows) {
      const columns = Object.keys(FIELDS).map((name) => `${name}: '${types[name] ?? 'VARCHAR'}'`);
      await connection.run(
        `CREATE OR REPLACE TABLE own AS SELECT * FROM read_json('${rows}', format = 'newline_delimited', columns = {${columns.join(', ')}})`,
      );
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

export type PlainQuestion =
  | { page: number; where?: string }
  | { by: readonly string[] }
  | { compared: readonly string[] }
  | { minutes: true };

/** A page, to somebody who has none that is nothing but a query string. */
const PAGES = { clickhouse: 'cutQueryString(path)', duckdb: "split_part(path, '?', 1)" } as const;

/** What somebody would type who knows the table. */
export function plainQuestion(
  dialect: Place['dialect'],
  of: PlainQuestion,
  { from, to }: { from: number; to: number },
): string {
  const table = dialect === 'duckdb' ? 'requests' : 'history.requests';
  const named = (columns: readonly string[]) =>
    columns.map((each) => (each === 'page' ? `${PAGES[dialect]} AS page` : each)).join(', ');
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
      `SELECT ${named(of.compared)}, count(*) AS n FROM ${table} WHERE ${when(a, b)} GROUP BY GROUPING SETS (${sets})`;
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
  return `SELECT ${named(of.by)}, ${sums} FROM ${table} WHERE ${when(from, to)} GROUP BY ${of.by.join(', ')} ORDER BY n DESC LIMIT 100`;
}
