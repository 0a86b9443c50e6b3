import { isoOf } from '../../text/units.ts';
import type { ApiKey } from '../api-key.ts';
import { type LogRecord, WIRE_FIELDS, WIRE_NAMES, type WireName } from '../log.ts';
import type { LogGroup } from '../logs/groups/log-group.ts';
import { EVENT_COLUMNS, type ShieldEvent, type ShieldGroup } from '../shield/shield.ts';
import { networkOf } from '../shield/shield-groups.ts';
import type { Gap } from '../tail/coverage.ts';
import type { PullZone } from '../zone.ts';

/** A whole number exact beyond 2^53, printed as a JSON number. A class, so that no object of a server is one. */
export class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A printable value. */
export type Cell = string | number | boolean | null | Digits | readonly string[];
export type Row = Record<string, Cell>;

type Cells<T> = { names: readonly string[]; row: (item: T) => Row };

/** The cells of an item by their names, in this order. */
export function cellsBy<T>(cells: Readonly<Record<string, (item: T) => Cell>>): Cells<T> {
  const list = Object.entries(cells);
  return {
    names: Object.keys(cells),
    row(item) {
      const row: Row = {};
      for (const [name, cell] of list) row[name] = cell(item);
      return row;
    },
  };
}

/** How values of some wire types print; others print as they are. */
const PRINTED: Partial<Record<string, (value: LogRecord[WireName]) => Cell>> = {
  time: (value) => new Date(value ?? 0).toISOString(),
  id: digits,
  number: digits,
};

/** The printed fields of a CDN log record: the API's own, in its order. Secrets are masked where they were parsed. */
const LOG_CELLS = cellsBy<LogRecord>(
  Object.fromEntries(
    WIRE_NAMES.map((name) => {
      const printed = PRINTED[WIRE_FIELDS[name].type] ?? ((value) => value);
      return [name, (record: LogRecord) => printed(record[name])];
    }),
  ),
);

/** Names of the fields of every `logRow`, in its order; `_raw` is there only where a row came without the documented shape. */
export const LOG_ROW_NAMES = LOG_CELLS.names;

/** A CDN log record under the API's own field names. */
export function logRow(record: LogRecord): Row {
  const row = LOG_CELLS.row(record);
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

/** A gap in the printed log: `{"_gap":{…}}` as NDJSON, so that no reader takes the lines for complete. Its zone prints as in rows. */
export function gapLine({ from, to, reason, rows, zone }: Gap) {
  return {
    _gap: {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      reason,
      rows,
      ...(zone === undefined ? {} : { zone: digits(zone) }),
    },
  };
}

export const { names: ZONE_ROW_NAMES, row: zoneRow } = cellsBy<PullZone>({
  id: (zone) => digits(zone.id),
  name: (zone) => zone.name,
  hostnames: (zone) => zone.hostnames,
  shieldZoneId: (zone) => (zone.shieldZoneId ? digits(zone.shieldZoneId) : null),
  logging: (zone) => zone.logging,
  suspended: (zone) => zone.suspended,
});

/** Never the value: the fingerprint tells two keys apart. */
export const { names: KEY_ROW_NAMES, row: keyRow } = cellsBy<ApiKey>({
  id: (key) => digits(key.id),
  roles: (key) => key.roles,
  fingerprint: (key) => key.secret?.fingerprint ?? null,
});

/** Almost every id is exact as a number, which prints several times faster. */
export function digits(text: LogRecord[WireName]): Cell {
  if (typeof text !== 'string') return text;
  const number = Number(text);
  if (Number.isSafeInteger(number) && String(number) === text) return number;
  return /^\d+$/.test(text) ? new Digits(text) : text;
}

const DIMENSIONS = EVENT_COLUMNS.map(({ dimension }) => dimension);

/** A group as one JSON object: `{key,count,firstSeen,lastSeen,context}`, lists comma-joined as the API has them; `_raw` first where it came in another form. */
export function shieldGroupShape({ key, count, firstSeen, lastSeen, context, raw }: ShieldGroup): object {
  return {
    ...(raw === null ? {} : { _raw: raw }),
    key,
    count,
    firstSeen,
    lastSeen,
    context: {
      ...context,
      features: context.features.join(','),
      ruleIds: context.ruleIds.join(','),
    },
  };
}

/** A group as flat cells, times in ISO 8601. The grouping's dimensions win over the context's. */
export function shieldGroupRow(group: ShieldGroup): Row {
  const { context } = group;
  const { country, asn } = networkOf(group);
  return {
    ...group.key,
    count: group.count,
    firstSeen: isoOf(group.firstSeen),
    lastSeen: isoOf(group.lastSeen),
    ...('country' in group.key ? {} : { country }),
    ...('asn' in group.key ? {} : { asn }),
    blocked: context.blocked,
    challenged: context.challenged,
    logged: context.logged,
    features: context.features,
    ruleIds: context.ruleIds,
  };
}

/** The columns of the flat cells of groups by these dimensions. */
export function shieldGroupColumns(dims: readonly string[]): string[] {
  const own = ['count', 'firstSeen', 'lastSeen', 'country', 'asn', 'blocked', 'challenged', 'logged'];
  return [...dims, ...own.filter((name) => !dims.includes(name)), 'features', 'ruleIds'];
}

/** An event as one JSON object: `{logId,timestamp,fields,log}`, and `_raw` where it came in another form. */
export function shieldEventShape({ logId, timestamp, fields, log, raw }: ShieldEvent): object {
  return { logId, timestamp, fields, log, ...(raw === null ? {} : { _raw: raw }) };
}

/** An event as flat cells: the time in ISO 8601, the dimensions, the context as JSON text. */
export function shieldEventRow(event: ShieldEvent): Row {
  return {
    logId: event.logId,
    timestamp: isoOf(event.timestamp),
    ...Object.fromEntries(DIMENSIONS.map((name) => [name, event.fields[name] ?? null])),
    log: event.log === null ? null : JSON.stringify(event.log),
  };
}

export const SHIELD_EVENT_COLUMNS: readonly string[] = ['logId', 'timestamp', ...DIMENSIONS, 'log'];
