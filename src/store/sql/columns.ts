import type { LogRecord } from '../../domain/log.ts';
import type { LogField, LogFieldId } from '../../domain/query/fields.ts';
import type { Dialect } from './dialect.ts';
import { name, type Sql, sql } from './sql.ts';
import type { StoredRow } from './stored-row.ts';

/** What a column holds, and its type in each engine. `text` is of any variety, a `word` is one of few that come again and again. */
const TYPES = {
  text: { clickhouse: sql`String CODEC(ZSTD(1))`, duckdb: sql`VARCHAR` },
  word: { clickhouse: sql`LowCardinality(String)`, duckdb: sql`VARCHAR` },
  time: { clickhouse: sql`DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1))`, duckdb: sql`TIMESTAMP` },
  status: { clickhouse: sql`UInt16 CODEC(ZSTD(1))`, duckdb: sql`USMALLINT` },
  size: { clickhouse: sql`Int64 CODEC(T64, ZSTD(1))`, duckdb: sql`BIGINT` },
  flag: { clickhouse: sql`UInt8 CODEC(ZSTD(1))`, duckdb: sql`UTINYINT` },
} as const satisfies Record<string, Record<Dialect['id'], Sql>>;

type ColumnType = keyof typeof TYPES;

/** The columns of the table of rows, in its order. */
export const COLUMNS = {
  pullZoneId: 'word',
  timestamp: 'time',
  statusCode: 'status',
  cacheStatus: 'word',
  requestId: 'text',
  twin: 'text',
  bytesSent: 'size',
  bodyBytesSent: 'size',
  edgeLocation: 'word',
  scheme: 'word',
  host: 'word',
  path: 'text',
  ownUrl: 'text',
  hasOwnUrl: 'flag',
  remoteIp: 'text',
  address: 'text',
  addressTo: 'text',
  countryCode: 'word',
  userAgent: 'word',
  referer: 'text',
  ja4Fingerprint: 'word',
  asn: 'word',
  asnOrganization: 'word',
  contentRange: 'text',
  hasAuthorization: 'flag',
  raw: 'text',
  page: 'text',
  shape: 'word',
  net: 'text',
  detail: 'flag',
} as const satisfies Record<keyof StoredRow, ColumnType>;

export const COLUMN_NAMES = Object.keys(COLUMNS) as (keyof StoredRow)[];

/** Rows that agree in all of these are one row, which came more than once. */
export const KEY = ['pullZoneId', 'statusCode', 'cacheStatus', 'timestamp', 'requestId', 'twin'] as const;

export function isNumber(column: keyof StoredRow): boolean {
  return COLUMNS[column] !== 'text' && COLUMNS[column] !== 'word';
}

export function typeOf(column: keyof StoredRow, dialect: Dialect['id']): Sql {
  return TYPES[COLUMNS[column]][dialect];
}

export function column(of: keyof StoredRow): Sql {
  return name(of);
}

/** Where the values of a field of the query language are stored that is a part of another. */
const DERIVED: Partial<Record<LogFieldId, keyof StoredRow>> = { page: 'page', shape: 'shape', net: 'net' };

/** They are stored as they were derived when their rows were. */
export const DERIVED_FIELDS: readonly string[] = Object.keys(DERIVED);

/**
 * The texts of a field, '' where a row has none. Null: they are not stored, since they are derived in a way of their own, or told by
 * origin errors.
 */
export function textOfField(id: string, { column: of, derive }: LogField, dialect: Dialect): Sql | null {
  if (of === null) return null;
  if (derive === undefined) return textOfColumn(of, dialect);
  const stored = DERIVED[id as LogFieldId];
  return stored === undefined ? null : column(stored);
}

/** A field of a record as text; '' = it has none. */
export function textOfColumn(of: keyof LogRecord, dialect: Dialect): Sql {
  switch (of) {
    case 'timestamp':
      return dialect.digits(dialect.ms(column('timestamp')));
    case 'url':
      return dialect.choose(
        sql`${column('hasOwnUrl')} = 1`,
        column('ownUrl'),
        sql`concat(${column('scheme')}, '://', ${column('host')}, ${column('path')})`,
      );
    case 'authorizationHeader':
      return dialect.choose(sql`${column('hasAuthorization')} = 1`, sql`'[masked]'`, sql`''`);
    case 'statusCode':
    case 'bytesSent':
    case 'bodyBytesSent':
      return dialect.digits(column(of));
    default:
      return column(of);
  }
}
