import { createHash } from 'node:crypto';
import type { LogRecord } from '../../src/domain/log.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { type Sql, sql } from '../../src/store/sql/sql.ts';

/** The rows of a store as versions 1 to 4 had them, written down here once more: what made them then is gone. */

const COLUMNS = {
  pullZoneId: 'String',
  timestamp: '',
  statusCode: 'UInt16',
  cacheStatus: 'String',
  requestId: 'String',
  twin: 'String',
  bytesSent: 'Int64',
  bodyBytesSent: 'Int64',
  edgeLocation: 'String',
  scheme: 'String',
  host: 'String',
  path: 'String',
  ownUrl: 'String',
  hasOwnUrl: 'UInt8',
  remoteIp: 'String',
  address: 'String',
  addressTo: 'String',
  countryCode: 'String',
  userAgent: 'String',
  referer: 'String',
  ja4Fingerprint: 'String',
  asn: 'String',
  asnOrganization: 'String',
  contentRange: 'String',
  hasAuthorization: 'UInt8',
  raw: 'String',
  page: 'String',
  shape: 'String',
  net: 'String',
  detail: 'UInt8',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  String: 'VARCHAR',
  UInt16: 'USMALLINT',
  UInt8: 'UTINYINT',
  Int64: 'BIGINT',
};

/** Makes the table of a version up to 4 in place of the one that is there, with these rows. */
export async function formerRequests(engine: Engine, records: readonly LogRecord[]): Promise<void> {
  const isDuckdb = engine.place.dialect === 'duckdb';
  const table = isDuckdb ? 'requests' : `${engine.place.database}.requests`;
  const time = isDuckdb ? 'TIMESTAMP' : "DateTime64(3, 'UTC')";
  const columns = Object.entries(COLUMNS).map(
    ([name, type]) => `${name} ${type === '' ? time : isDuckdb ? TYPES[type] : type}`,
  );
  const form = isDuckdb
    ? ''
    : ' ENGINE = ReplacingMergeTree(detail) PARTITION BY toYYYYMMDD(timestamp) ORDER BY (pullZoneId, toStartOfMinute(timestamp), statusCode, cacheStatus, timestamp, requestId, twin)';
  await engine.run(raw(`DROP TABLE ${table}`));
  await engine.run(raw(`CREATE TABLE ${table} (${columns.join(', ')})${form}`));
  const known = new Map(records.map((record) => [keyOf(record), record]));
  const each = [...known.values()];
  for (let at = 0; at < each.length; at += AT_ONCE) {
    const rows = each.slice(at, at + AT_ONCE).map((record) => `(${valuesOf(record, isDuckdb)})`);
    await engine.run(raw(`INSERT INTO ${table} VALUES ${rows.join(', ')}`));
  }
}

const AT_ONCE = 200;

/** What two copies of a row agreed in. */
function keyOf(record: LogRecord): string {
  const { pullZoneId, statusCode, cacheStatus, timestamp, requestId } = record;
  return JSON.stringify([pullZoneId, statusCode, cacheStatus, timestamp, requestId || hashOf(record)]);
}

function hashOf(record: LogRecord): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('hex').slice(0, 32);
}

function raw(text: string): Sql {
  return sql([text] as unknown as TemplateStringsArray);
}

function valuesOf(record: LogRecord, isDuckdb: boolean): string {
  const own = record.url !== `${record.scheme}://${record.host}${record.path}`;
  const [address, addressTo] = keysOf(record.remoteIp ?? '');
  const said = [record.userAgent, record.asn, record.asnOrganization, record.ja4Fingerprint];
  const row: Readonly<Record<string, string | number | null>> = {
    ...record,
    twin: (record.requestId ?? '') === '' ? `${hashOf(record)}#0` : '',
    bytesSent: Math.trunc(record.bytesSent),
    bodyBytesSent: record.bodyBytesSent ?? -1,
    ownUrl: own ? record.url : '',
    hasOwnUrl: own ? 1 : 0,
    address,
    addressTo,
    hasAuthorization: record.authorizationHeader === null ? 0 : 1,
    page: '',
    shape: 'as it was derived',
    net: '',
    detail: said.filter((each) => each !== null && each !== '').length,
  };
  return Object.keys(COLUMNS)
    .map((name) => {
      const value = row[name];
      if (name === 'timestamp')
        return isDuckdb ? `epoch_ms(${value})` : `fromUnixTimestamp64Milli(${value}, 'UTC')`;
      return typeof value === 'number' ? String(value) : literal(value ?? '', isDuckdb);
    })
    .join(', ');
}

function literal(value: string, isDuckdb: boolean): string {
  const text = value.toWellFormed().replaceAll("'", "''");
  if (isDuckdb) return `'${text}'`.replaceAll('\0', `' || chr(0) || '`);
  return `'${text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0')}'`;
}

/** The texts by which addresses sorted: of the first and of the last of what was logged. */
function keysOf(logged: string): [from: string, to: string] {
  if (logged === '') return ['', ''];
  const starred = /^(\d+(?:\.\d+){0,2})(?:\.\*){1,3}$/.exec(logged)?.[1]?.split('.');
  if (starred !== undefined && logged.split('.').length <= 4 && starred.every(isOctet)) {
    const hex = starred.map(octet).join('');
    return [`4${hex.padEnd(8, '0')}`, `4${hex.padEnd(8, 'f')}`];
  }
  const v4 = (/^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(logged)?.[1] ?? '').split('.');
  if (v4.length === 4 && v4.every(isOctet)) return [`4${v4.map(octet).join('')}`, ''];
  if (!/^[0-9a-f:]+$/i.test(logged) || !logged.includes(':')) return [`w${logged.toLowerCase()}`, ''];
  const [head = '', tail] = logged.toLowerCase().split('::');
  const groups = (part: string) => part.split(':').filter((each) => each !== '');
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [`6${[...before, ...zeros, ...after].map((each) => each.padStart(4, '0')).join('')}`, ''];
}

function isOctet(text: string): boolean {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) < 256;
}

function octet(text: string): string {
  return Number(text).toString(16).padStart(2, '0');
}
