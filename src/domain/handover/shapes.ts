import type { ApiKey } from '../api-key.ts';
import { type LogRecord, WIRE_FIELDS, WIRE_NAMES, type WireName } from '../log.ts';
import type { LogGroup } from '../logs/groups/log-group.ts';
import type { Gap } from '../tail/coverage.ts';
import type { PullZone } from '../zone.ts';

/** A printable value. `Digits` is a whole number kept exact beyond 2^53: it prints as a JSON number. */
export type Cell = string | number | boolean | null | Digits | readonly string[];
export type Digits = { digits: string };
export type Row = Record<string, Cell>;

/** How a value of a record prints that does not print as it is. */
const CELLS: Partial<Record<string, (value: LogRecord[WireName]) => Cell>> = {
  time: (value) => new Date(value ?? 0).toISOString(),
  id: digits,
  number: digits,
};

/** The printed fields of a CDN log record: the API's own, in its order. Secrets are masked where they were parsed. */
const LOG_CELLS = WIRE_NAMES.map((name) => ({ name, cellOf: CELLS[WIRE_FIELDS[name].type] }));

/** Names of the fields of every `logRow`, in its order; `_raw` is there only where a row came without the documented shape. */
export const LOG_ROW_NAMES: readonly string[] = WIRE_NAMES;

/** A CDN log record under the API's own field names. */
export function logRow(record: LogRecord): Row {
  const row: Row = {};
  for (const { name, cellOf } of LOG_CELLS) row[name] = cellOf ? cellOf(record[name]) : record[name];
  if (record.raw !== null) row['_raw'] = record.raw;
  return row;
}

/**
 * Rows of a log counted by some fields, in the shape of Shield's groups, with what CDN logs have to count:
 * `{key,count,firstSeen,lastSeen,context:{bytesSent,hits,errors}}`. Times are Unix ms.
 */
export function logGroupShape({ key, count, bytes, hits, errors, firstSeen, lastSeen }: LogGroup): object {
  return { key, count, firstSeen, lastSeen, context: { bytesSent: bytes, hits, errors } };
}

/** The same as flat cells, times in ISO 8601; no field that groups has the name of a sum. */
export function logGroupRow({ key, count, bytes, hits, errors, firstSeen, lastSeen }: LogGroup): Row {
  return {
    ...key,
    count,
    firstSeen: new Date(firstSeen).toISOString(),
    lastSeen: new Date(lastSeen).toISOString(),
    bytesSent: bytes,
    hits,
    errors,
  };
}

export function logGroupColumns(by: readonly string[]): string[] {
  return [...by, 'count', 'firstSeen', 'lastSeen', 'bytesSent', 'hits', 'errors'];
}

/** A gap in the printed log: `{"_gap":{…}}` as NDJSON, so that no reader takes the lines for complete. */
export function gapLine(gap: Gap): {
  _gap: { from: string; to: string; reason: string; rows: number | null };
} {
  return {
    _gap: {
      from: new Date(gap.from).toISOString(),
      to: new Date(gap.to).toISOString(),
      reason: gap.reason,
      rows: gap.rows,
    },
  };
}

export const ZONE_ROW_NAMES = ['id', 'name', 'hostnames', 'shieldZoneId', 'logging', 'suspended'] as const;

export function zoneRow(zone: PullZone): Record<(typeof ZONE_ROW_NAMES)[number], Cell> {
  return {
    id: digits(zone.id),
    name: zone.name,
    hostnames: zone.hostnames,
    shieldZoneId: zone.shieldZoneId ? digits(zone.shieldZoneId) : null,
    logging: zone.logging,
    suspended: zone.suspended,
  };
}

export const KEY_ROW_NAMES = ['id', 'roles', 'fingerprint'] as const;

/** Never the value: the fingerprint tells two keys apart. */
export function keyRow(key: ApiKey): Record<(typeof KEY_ROW_NAMES)[number], Cell> {
  return { id: digits(key.id), roles: key.roles, fingerprint: key.secret?.fingerprint ?? null };
}

/** Almost every id is exact as a number, and a number prints several times faster. */
function digits(text: LogRecord[WireName]): Cell {
  if (typeof text !== 'string') return text;
  const number = Number(text);
  if (Number.isSafeInteger(number) && String(number) === text) return number;
  return /^\d+$/.test(text) ? { digits: text } : text;
}
