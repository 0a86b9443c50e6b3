import { COLUMN_NAMES, columnLine } from './columns.ts';
import { DIALECTS, type Dialect } from './dialect.ts';
import { joinedSql, listedSql, literalCount, name, type Sql, sql, text } from './sql.ts';
import { DERIVED_VERSION } from './stored-row.ts';

/**
 * The tables of a store.
 *
 * - `requests`: a row for each request (`StoredRow`). In ClickHouse two copies of a row become one when their parts are merged,
 *   and are one to whoever reads it FINAL; in DuckDB there is never a second.
 * - `spans`: what is known of time, a row for each statement: all rows of `[since, till)` are here (`read`), or some are
 *   missing for a reason. Of statements about one moment the one with the highest `noted` holds, which counts them. Of other time nothing is
 *   known. One that differs from another in a later end alone takes its place.
 * - `about`: the version of the schema, and of the functions by which fields are derived.
 */
type TableName = 'requests' | 'spans' | 'about';

/** Bumped when a table changes its form. */
const SCHEMA_VERSION = 5;

/** What a store says of itself whose upgrade has begun, so that no program of before takes what is moved so far for all. */
const BEGUN = 'half upgraded';

/** Versions whose tables `upgradeTables` makes those of this one. */
export const UPGRADED: readonly string[] = ['1', '2', '3', '4', BEGUN];

/**
 * What versions up to 2 had besides, sums of rows, which could outlive them; no cluster had any. Statements about time of up to 3: one a
 * minute. And the rows of up to 4 while they are moved.
 */
const FORMER_TABLES = ['minutes', 'sealed', 'puts', 'coverage', 'former_requests'] as const;
type FormerTable = (typeof FORMER_TABLES)[number];

/** Where the tables are and how long rows stay. */
export type Place = {
  dialect: Dialect['id'];
  /** ClickHouse alone. */
  database: string;
  /** The name of a cluster: each table is then one of `…_local` on every node, and a distributed one over them. */
  cluster: string | null;
  /** Days for which a row is kept, as the profile says; null = until it is dropped by hand. */
  days: number | null;
};

const LOCAL = sql`_local`;

/** A table as statements name it. */
export function tableSql({ dialect, database }: Place, table: TableName | FormerTable): Sql {
  return dialect === 'clickhouse' ? sql`${name(database)}.${name(table)}` : name(table);
}

/** What the table is called on a node that has its rows. */
export function localName({ cluster }: Place, table: TableName | FormerTable): string {
  return cluster === null ? table : `${table}_local`;
}

/** The statements that make a store, each of which may be run again. They hold no parameters. */
export function schemaOf(place: Place): Sql[] {
  return place.dialect === 'clickhouse' ? clickhouseSchema(place) : duckdbSchema();
}

/** What `about` says of a store that this program made. */
export const ABOUT = { schema: String(SCHEMA_VERSION), derived: String(DERIVED_VERSION) } as const;

export function aboutRows(place: Place): Sql {
  const rows = Object.entries(ABOUT).map(([key, value]) => sql`SELECT ${text(key)}, ${text(value)}`);
  return sql`INSERT INTO ${tableSql(place, 'about')} (name, value) ${joinedSql(rows, sql` UNION ALL `)}`;
}

/** Says that an upgrade has begun. */
export function upgradeBegun(place: Place): Sql {
  return saying(place, BEGUN);
}

/** Drops the tables of an older version, of which all that is wanted is in those of this one, and says so last. How shapes were derived stays as it was. */
export function upgradedTo(place: Place): Sql[] {
  const former =
    place.cluster === null
      ? FORMER_TABLES.map((table) => tableSql(place, table))
      : [
          ...[sql``, LOCAL].map((suffix) => sql`${tableSql(place, 'coverage')}${suffix}${onCluster(place)}`),
          sql`${local(place, 'former_requests')}${onCluster(place)}`,
        ];
  return [...former.map((table) => sql`DROP TABLE IF EXISTS ${table}`), saying(place, ABOUT.schema)];
}

function saying(place: Place, schema: string): Sql {
  const replacing = place.dialect === 'duckdb' ? sql`INSERT OR REPLACE INTO` : sql`INSERT INTO`;
  return sql`${replacing} ${tableSql(place, 'about')} (name, value) SELECT 'schema', ${text(schema)}`;
}

/** Puts the rows of an older version aside, so that there is room for the table of this one. */
export function rowsPutAside(place: Place): Sql[] {
  const renamed = name(localName(place, 'former_requests'));
  if (place.dialect === 'duckdb') return [sql`ALTER TABLE requests RENAME TO ${renamed}`];
  return [
    sql`RENAME TABLE ${local(place, 'requests')} TO ${name(place.database)}.${renamed}${onCluster(place)}`,
    ...(place.cluster === null
      ? []
      : [sql`DROP TABLE IF EXISTS ${tableSql(place, 'requests')}${onCluster(place)}`]),
  ];
}

/** The rows that were put aside, of all nodes. */
export function formerRows(place: Place): Sql {
  const table = tableSql(place, 'former_requests');
  return place.cluster === null
    ? table
    : sql`cluster(${name(place.cluster)}, ${name(place.database)}, ${name(localName(place, 'former_requests'))})`;
}

/** Drops the rows of days before a time, Unix ms, which is the beginning of one. `days`: those that have rows, as numbers. */
export function dropBefore(place: Place, before: number, days: readonly number[]): Sql[] {
  if (place.dialect === 'duckdb')
    return [
      sql`DELETE FROM ${tableSql(place, 'requests')} WHERE timestamp < ${DIALECTS.duckdb.time(before)}`,
      sql`CHECKPOINT`,
    ];
  const table = sql`${local(place, 'requests')}${onCluster(place)}`;
  return days.map((day) => sql`ALTER TABLE ${table} DROP PARTITION ${literalCount(day)}`);
}

const SPANS = {
  clickhouse: sql`pullZoneId LowCardinality(String), since Int64, till Int64, state LowCardinality(String), missing Int64, noted Int64`,
  duckdb: sql`pullZoneId VARCHAR, since BIGINT, till BIGINT, state VARCHAR, missing BIGINT, noted BIGINT, PRIMARY KEY (pullZoneId, state, noted, since, missing)`,
} as const;

function duckdbSchema(): Sql[] {
  return [
    sql`CREATE TABLE IF NOT EXISTS requests (${listedSql(COLUMN_NAMES.map((each) => columnLine(each, 'duckdb')))})`,
    sql`CREATE TABLE IF NOT EXISTS spans (${SPANS.duckdb})`,
    sql`CREATE TABLE IF NOT EXISTS about (name VARCHAR PRIMARY KEY, value VARCHAR)`,
  ];
}

/**
 * What ClickHouse looks at before it reads rows: ids and addresses by their bytes or as words of their own, the statuses of a block, and the
 * runs of four letters in what is searched with `~`.
 */
const INDEXES = [
  sql`INDEX byId (id, lower(requestId)) TYPE bloom_filter(0.01) GRANULARITY 1`,
  sql`INDEX byAddress (address, lower(remoteIp)) TYPE bloom_filter(0.01) GRANULARITY 1`,
  sql`INDEX byStatus statusCode TYPE set(100) GRANULARITY 1`,
  sql`INDEX inPath lower(path) TYPE ngrambf_v1(4, 16384, 2, 0) GRANULARITY 1`,
  sql`INDEX inUserAgent lower(userAgent) TYPE ngrambf_v1(4, 8192, 2, 0) GRANULARITY 1`,
  sql`INDEX inReferer lower(referer) TYPE ngrambf_v1(4, 8192, 2, 0) GRANULARITY 1`,
] as const;

function clickhouseSchema(place: Place): Sql[] {
  const { database, days } = place;
  const lines = joinedSql(
    [...COLUMN_NAMES.map((each) => columnLine(each, 'clickhouse')), ...INDEXES],
    sql`,\n  `,
  );
  const ttl = days === null ? sql`` : sql`\nTTL toDateTime(timestamp) + INTERVAL ${literalCount(days)} DAY`;
  const requests = sql`(\n  ${lines}\n) ENGINE = ${engine(place, { version: sql`detail`, path: sql`{table}-5` })}
PARTITION BY toYYYYMMDD(timestamp)
PRIMARY KEY (pullZoneId, timestamp)
ORDER BY (pullZoneId, timestamp, id, statusCode, cacheStatus)${ttl}
SETTINGS ttl_only_drop_parts = 1`;
  const spans = sql`(${SPANS.clickhouse}) ENGINE = ${engine(place, { version: sql`till` })}
ORDER BY (pullZoneId, state, noted, since, missing)`;
  const about = sql`(name String, value String) ENGINE = ${engine(place)} ORDER BY name`;
  return [
    sql`CREATE DATABASE IF NOT EXISTS ${name(database)}${onCluster(place)}`,
    ...made(place, 'requests', requests, sql`cityHash64(pullZoneId, id)`),
    ...made(place, 'spans', spans, sql`cityHash64(pullZoneId)`),
    ...made(place, 'about', about, sql`1`),
  ];
}

/** Copies of a row must come to one node of a cluster, or none would be merged with the other: `shard` is of their key. */
function made(place: Place, table: TableName, of: Sql, shard: Sql): Sql[] {
  const whole = sql`CREATE TABLE IF NOT EXISTS ${local(place, table)}${onCluster(place)} ${of}`;
  if (place.cluster === null) return [whole];
  const names = sql`${name(place.cluster)}, ${name(place.database)}, ${name(table)}${LOCAL}`;
  return [
    whole,
    sql`CREATE TABLE IF NOT EXISTS ${tableSql(place, table)}${onCluster(place)} AS ${local(place, table)} ENGINE = Distributed(${names}, ${shard})`,
  ];
}

/** `path`: where a cluster knows the table, which no table of before has. */
function engine({ cluster }: Place, o: { version?: Sql; path?: Sql } = {}): Sql {
  const { version, path = sql`{table}` } = o;
  if (cluster === null) return sql`ReplacingMergeTree(${version ?? sql``})`;
  const known = sql`'/clickhouse/tables/{shard}/{database}/${path}', '{replica}'`;
  return sql`ReplicatedReplacingMergeTree(${version === undefined ? known : sql`${known}, ${version}`})`;
}

function local(place: Place, table: TableName | FormerTable): Sql {
  return place.cluster === null ? tableSql(place, table) : sql`${tableSql(place, table)}${LOCAL}`;
}

function onCluster({ cluster }: Place): Sql {
  return cluster === null ? sql`` : sql` ON CLUSTER ${name(cluster)}`;
}
