import type { LogRecord } from '../../domain/log.ts';
import type { LogField, LogFieldId } from '../../domain/query/fields.ts';
import { ADDRESS, addressOfBare, addressText, bareAddress, networkFirst, networkText } from './addresses.ts';
import type { Dialect, KeyPart } from './dialect.ts';
import { anyOf, name, type Sql, sql } from './sql.ts';
import type { StoredRow } from './stored-row.ts';

/**
 * What a column holds, and its type in each engine. `text` is of any variety, a `word` is one of few that come again and again, an `id` is
 * 16 bytes as hex digits, which no codec makes shorter. An `address` is one of IPv6, as hex digits too: DuckDB's numbers of as many bits
 * have no dictionary, and took half as much again.
 */
const TYPES = {
  text: { clickhouse: sql`String`, codec: sql`ZSTD(1)`, duckdb: sql`VARCHAR` },
  word: { clickhouse: sql`LowCardinality(String)`, codec: sql`ZSTD(1)`, duckdb: sql`VARCHAR` },
  time: { clickhouse: sql`DateTime64(3, 'UTC')`, codec: sql`Delta(8), ZSTD(1)`, duckdb: sql`TIMESTAMP` },
  status: { clickhouse: sql`UInt16`, codec: sql`ZSTD(1)`, duckdb: sql`USMALLINT` },
  size: { clickhouse: sql`Int64`, codec: sql`T64, ZSTD(1)`, duckdb: sql`BIGINT` },
  small: { clickhouse: sql`UInt8`, codec: sql`ZSTD(1)`, duckdb: sql`UTINYINT` },
  id: { clickhouse: sql`FixedString(16)`, codec: sql`NONE`, duckdb: sql`UUID` },
  address: { clickhouse: sql`IPv6`, codec: sql`ZSTD(1)`, duckdb: sql`BLOB` },
} as const satisfies Record<string, Record<Dialect['id'] | 'codec', Sql>>;

export type ColumnType = keyof typeof TYPES;

/** The columns of the table of rows, in its order. */
export const COLUMNS = {
  pullZoneId: 'word',
  timestamp: 'time',
  id: 'id',
  statusCode: 'status',
  cacheStatus: 'word',
  hasId: 'small',
  requestId: 'text',
  bytesSent: 'size',
  bodyBytesSent: 'size',
  edgeLocation: 'word',
  scheme: 'word',
  host: 'word',
  path: 'text',
  ownUrl: 'text',
  hasOwnUrl: 'small',
  address: 'address',
  prefix: 'small',
  remoteIp: 'text',
  countryCode: 'word',
  userAgent: 'word',
  referer: 'text',
  ja4Fingerprint: 'word',
  asn: 'word',
  asnOrganization: 'word',
  contentRange: 'text',
  hasAuthorization: 'small',
  raw: 'text',
  shape: 'word',
  detail: 'small',
} as const satisfies Record<keyof StoredRow, ColumnType>;

export const COLUMN_NAMES = Object.keys(COLUMNS) as (keyof StoredRow)[];

/** Those that a row is read back from. */
export const READ_NAMES = COLUMN_NAMES.filter((each) => each !== 'shape' && each !== 'detail');

/** Rows that agree in all of these are one row, which came more than once. In the order of pages, behind the time. */
export const KEY = ['timestamp', 'id', 'pullZoneId', 'statusCode', 'cacheStatus'] as const;

const TEXTS: readonly ColumnType[] = ['text', 'word', 'id', 'address'];

export function isNumber(column: keyof StoredRow): boolean {
  return !TEXTS.includes(COLUMNS[column]);
}

export function typeOf(column: keyof StoredRow, dialect: Dialect['id']): Sql {
  return TYPES[COLUMNS[column]][dialect];
}

/** As a definition has it. */
export function columnLine(column: keyof StoredRow, dialect: Dialect['id']): Sql {
  const line = sql`${name(column)} ${typeOf(column, dialect)}`;
  return dialect === 'duckdb' ? line : sql`${line} CODEC(${TYPES[COLUMNS[column]].codec})`;
}

export function column(of: keyof StoredRow): Sql {
  return name(of);
}

/** A column as `StoredRow` has it. */
export function plainColumn(of: keyof StoredRow, dialect: Dialect): Sql {
  const type = COLUMNS[of];
  if (type === 'time') return dialect.ms(column(of));
  return type === 'id' || type === 'address' ? dialect.hexOf(column(of), type) : column(of);
}

/** The field that is stored as it was derived when its row was, which no expression of an engine does. The others are derived when they are asked for. */
export const STORED_FIELD = 'shape' satisfies LogFieldId;

/**
 * A field as rows are grouped by it: columns, or what an engine makes of them without a text for each row, and the text that comes
 * of those once for each group.
 */
export type GroupKey = {
  parts: readonly KeyPart[];
  textOf: (parts: readonly Sql[]) => Sql;
  /** What an engine hands over of the groups of an answer in place of the text, and the text that the program makes of it. */
  bare?: { of: (parts: readonly Sql[]) => Sql; text: (bare: string) => string };
};

export function keyOf(value: Sql): GroupKey {
  return { parts: [{ groupedBy: value }], textOf: ([part]) => part as Sql };
}

/** Keys of a question: what is selected of each, the names of that, and what is grouped by. */
export function groupedBy(keys: readonly GroupKey[]): { selected: Sql[]; names: Sql[][]; sets: Sql[][] } {
  const selected: Sql[] = [];
  const sets: Sql[][] = [];
  const names = keys.map(({ parts }, at) => {
    const own = parts.map((_, part) => name(`k${at}p${part}`));
    selected.push(
      ...parts.map(
        (part, of) => sql`${'groupedBy' in part ? part.groupedBy : part.ofGroup} AS ${own[of] as Sql}`,
      ),
    );
    sets.push(own.filter((_, of) => 'groupedBy' in (parts[of] as KeyPart)));
    return own;
  });
  return { selected, names, sets };
}

export function groupKeyOf(id: string, field: LogField, dialect: Dialect): GroupKey | null {
  const { column: of, derive } = field;
  if (derive === undefined && of === 'remoteIp') {
    const key = dialect.bytesOrWord(ADDRESS.first, ADDRESS.word);
    return {
      parts: key.parts,
      textOf: (parts) => addressText(...key.of(parts), dialect),
      bare: { of: (parts) => bareAddress(...key.of(parts), dialect), text: addressOfBare },
    };
  }
  if (id === 'net')
    return { ...keyOf(networkFirst(dialect)), textOf: ([network]) => networkText(network as Sql, dialect) };
  if (derive === undefined && of === 'statusCode')
    return { ...keyOf(column('statusCode')), textOf: ([code]) => dialect.digits(code as Sql) };
  const text = textOfField(id, field, dialect);
  return text && keyOf(text);
}

/**
 * The texts of a field, '' where a row has none. Null: they are not stored, since they are derived in a way of their own, or told by
 * origin errors.
 */
export function textOfField(id: string, { column: of, derive }: LogField, dialect: Dialect): Sql | null {
  if (of === null) return null;
  if (derive === undefined) return textOfColumn(of, dialect);
  switch (id as LogFieldId) {
    case STORED_FIELD:
      return column('shape');
    case 'page':
      return pageText(dialect);
    case 'net':
      return networkText(networkFirst(dialect), dialect);
    default:
      return null;
  }
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
    case 'requestId':
      return dialect.choose(
        sql`${column('hasId')} = 1`,
        dialect.hexOf(column('id'), 'id'),
        column('requestId'),
      );
    case 'remoteIp':
      return addressText(ADDRESS.first, ADDRESS.word, dialect);
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

/** Whether a row has the field, said without its text where that would have to be made. */
export function isThere(of: keyof LogRecord, text: Sql): Sql {
  if (of === 'remoteIp') return anyOf([sql`${ADDRESS.prefix} > 0`, sql`${ADDRESS.word} <> ''`]);
  if (of === 'requestId') return anyOf([sql`${column('hasId')} = 1`, sql`${column('requestId')} <> ''`]);
  return sql`${text} <> ''`;
}

/** A path up to its query string, unless it is nothing else. */
export function pageText(dialect: Dialect): Sql {
  const path = column('path');
  const at = dialect.place(sql`'?'`, path);
  return dialect.choose(sql`${at} > 1`, sql`substring(${path}, 1, ${at} - 1)`, path);
}
