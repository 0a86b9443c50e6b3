import { COLUMN_NAMES, column, typeOf } from './columns.ts';
import { DIALECTS, type Dialect } from './dialect.ts';
import { joinedSql, listedSql, literalCount, name, type Sql, sql, text } from './sql.ts';
import { DERIVED_VERSION, type StoredRow } from './stored-row.ts';

/**
 * The tables of a store.
 *
 * - `requests`: a row for each request (`StoredRow`). In ClickHouse two copies of a row become one when their parts are merged,
 *   and are one to whoever reads it FINAL; in DuckDB there is never a second.
 * - `coverage`: what is known of time, a row for each statement: all rows of `[since, till)` are here (`read`), or some are
 *   missing for a reason. Of statements about one moment the one noted last holds. Of other time nothing is known.
 * - `minutes`: the rows of days that are over, added up by minute, zone, status, cache status and country, under the `seal` of their
 *   day: what the day's mark was when they were. `sealed`: the seals of which all minutes are there. In ClickHouse a day's mark is told by
 *   its parts; in DuckDB by `puts`, which counts what was written to it. A cluster has none of these.
 * - `about`: the version of the schema, and of the functions by which fields are derived.
 */
type TableName = 'requests' | 'coverage' | 'about' | 'minutes' | 'sealed' | 'puts';

/** Bumped when a table changes its form. */
const SCHEMA_VERSION = 2;

/** Versions whose tables become those of this one by its statements: what they lack is made, and nothing else differs. */
export const UPGRADED: readonly string[] = ['1'];

/** Where the tables are and how long rows stay. */
export type Place = {
  dialect: Dialect['id'];
  /** ClickHouse alone. */
  database: string;
  /** The name of a cluster: each table is then one of `…_local` on every node, and a distributed one over them. */
  cluster: string | null;
  /** Days for which a row is kept; null = until it is dropped by hand. */
  days: number | null;
};

const LOCAL = sql`_local`;

/** A table as statements name it. */
export function tableSql({ dialect, database }: Place, table: TableName): Sql {
  return dialect === 'clickhouse' ? sql`${name(database)}.${name(table)}` : name(table);
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

/** What `about` says once the tables of an older version have what they lacked. How fields were derived stays as it was. */
export function upgradeRow(place: Place): Sql {
  const about = tableSql(place, 'about');
  const values = sql`(name, value) SELECT 'schema', ${text(ABOUT.schema)}`;
  return place.dialect === 'duckdb'
    ? sql`INSERT OR REPLACE INTO ${about} ${values}`
    : sql`INSERT INTO ${about} ${values}`;
}

/** Drops the rows of days before a time, Unix ms, which is the beginning of one. `days`: those that have rows, as numbers. */
export function dropBefore(place: Place, before: number, days: readonly number[]): Sql[] {
  if (place.dialect === 'duckdb')
    return [
      ...(['minutes', 'requests'] as const).map(
        (table) =>
          sql`DELETE FROM ${tableSql(place, table)} WHERE timestamp < ${DIALECTS.duckdb.time(before)}`,
      ),
      sql`DELETE FROM puts WHERE day NOT IN (SELECT ${DIALECTS.duckdb.day(sql`timestamp`)} FROM requests)`,
      sql`CHECKPOINT`,
    ];
  const tables = place.cluster === null ? (['requests', 'minutes'] as const) : (['requests'] as const);
  return days.flatMap((day) =>
    tables.map(
      (table) =>
        sql`ALTER TABLE ${local(place, table)}${onCluster(place)} DROP PARTITION ${literalCount(day)}`,
    ),
  );
}

/** Columns with their types. */
function columnLines(names: readonly (keyof StoredRow)[], dialect: Dialect['id']): Sql[] {
  return names.map((each) => sql`${column(each)} ${typeOf(each, dialect)}`);
}

const COVERAGE = {
  clickhouse: sql`pullZoneId LowCardinality(String), since Int64, till Int64, state LowCardinality(String), missing Int64, noted Int64`,
  duckdb: sql`pullZoneId VARCHAR, since BIGINT, till BIGINT, state VARCHAR, missing BIGINT, noted BIGINT`,
} as const;

const MINUTES = {
  clickhouse: sql`${minuteKeys('clickhouse')}, amount Int64 CODEC(T64, ZSTD(1)), sent Int64 CODEC(T64, ZSTD(1)), since Int64 CODEC(Delta, ZSTD(1)), till Int64 CODEC(Delta, ZSTD(1)), seal LowCardinality(String)`,
  duckdb: sql`${minuteKeys('duckdb')}, amount BIGINT, sent BIGINT, since BIGINT, till BIGINT, seal VARCHAR`,
} as const;

function minuteKeys(dialect: Dialect['id']): Sql {
  const keys = ['pullZoneId', 'timestamp', 'statusCode', 'cacheStatus', 'countryCode'] as const;
  return listedSql(columnLines(keys, dialect));
}

function duckdbSchema(): Sql[] {
  return [
    sql`CREATE TABLE IF NOT EXISTS requests (${listedSql(columnLines(COLUMN_NAMES, 'duckdb'))})`,
    sql`CREATE TABLE IF NOT EXISTS coverage (${COVERAGE.duckdb})`,
    sql`CREATE TABLE IF NOT EXISTS about (name VARCHAR PRIMARY KEY, value VARCHAR)`,
    sql`CREATE TABLE IF NOT EXISTS minutes (${MINUTES.duckdb})`,
    sql`CREATE TABLE IF NOT EXISTS sealed (day INTEGER, seal VARCHAR)`,
    sql`CREATE TABLE IF NOT EXISTS puts (day INTEGER PRIMARY KEY, amount BIGINT)`,
    // Of rows that were there before.
    sql`INSERT OR IGNORE INTO puts SELECT DISTINCT ${DIALECTS.duckdb.day(sql`timestamp`)}, 0 FROM requests`,
  ];
}

function clickhouseSchema(place: Place): Sql[] {
  const { database, days } = place;
  const lines = joinedSql(
    [
      ...columnLines(COLUMN_NAMES, 'clickhouse'),
      sql`INDEX byId lower(requestId) TYPE bloom_filter(0.01) GRANULARITY 1`,
      sql`INDEX byAddress address TYPE bloom_filter(0.01) GRANULARITY 1`,
    ],
    sql`,\n  `,
  );
  const ttl = days === null ? sql`` : sql`\nTTL toDateTime(timestamp) + INTERVAL ${literalCount(days)} DAY`;
  const requests = sql`(\n  ${lines}\n) ENGINE = ${engine(place, sql`detail`)}
PARTITION BY toYYYYMMDD(timestamp)
ORDER BY (pullZoneId, toStartOfMinute(timestamp), statusCode, cacheStatus, timestamp, requestId, twin)${ttl}
SETTINGS ttl_only_drop_parts = 1${window(place)}`;
  const coverage = sql`(${COVERAGE.clickhouse}) ENGINE = ${engine(place)}
ORDER BY (pullZoneId, since, till, state, noted)`;
  const about = sql`(name String, value String) ENGINE = ${engine(place)} ORDER BY name`;
  const minutes = sql`(${MINUTES.clickhouse}) ENGINE = ${engine(place)}
PARTITION BY toYYYYMMDD(timestamp)
ORDER BY (pullZoneId, timestamp, statusCode, cacheStatus, countryCode, seal)${ttl}
SETTINGS ttl_only_drop_parts = 1`;
  const sealed = sql`(day UInt32, seal String) ENGINE = ${engine(place)} ORDER BY (day, seal)`;
  const addedUp =
    place.cluster === null
      ? [...made(place, 'minutes', minutes, sql``), ...made(place, 'sealed', sealed, sql``)]
      : [];
  return [
    sql`CREATE DATABASE IF NOT EXISTS ${name(database)}${onCluster(place)}`,
    ...made(place, 'requests', requests, sql`cityHash64(pullZoneId, requestId, twin)`),
    ...made(place, 'coverage', coverage, sql`cityHash64(pullZoneId)`),
    ...addedUp,
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

function engine({ cluster }: Place, version?: Sql): Sql {
  if (cluster === null) return sql`ReplacingMergeTree(${version ?? sql``})`;
  const path = sql`'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'`;
  return sql`ReplicatedReplacingMergeTree(${version === undefined ? path : sql`${path}, ${version}`})`;
}

/** A block that is sent again after an answer was lost is known by its token: replicated tables remember those by themselves. */
function window({ cluster }: Place): Sql {
  return cluster === null ? sql`, non_replicated_deduplication_window = 10000` : sql``;
}

function local(place: Place, table: TableName): Sql {
  return place.cluster === null ? tableSql(place, table) : sql`${tableSql(place, table)}${LOCAL}`;
}

function onCluster({ cluster }: Place): Sql {
  return cluster === null ? sql`` : sql` ON CLUSTER ${name(cluster)}`;
}
