import { asciiJson } from '../../text/sanitise.ts';
import type { ApiKey } from '../api-key.ts';
import {
  type AnswerRow,
  type AnswerSection,
  type AnswerTable,
  type Facts,
  type Findings,
  firstFindings,
} from '../inquiry/answer-table.ts';
import type { LogRecord } from '../log.ts';
import type { LogGroup } from '../logs/groups/log-group.ts';
import type { LogBook } from '../logs/log-book.ts';
import { EVENT_COLUMNS, type ShieldGroup } from '../shield/shield.ts';
import { logOf, type ShieldRow } from '../shield/shield-rows.ts';
import type { StorageZone, StorageZonePatch } from '../storage/storage.ts';
import type { Gap } from '../tail/coverage.ts';
import type { PullZone } from '../zone.ts';
import { HEALTH_ROW_NAMES, type HealthReport, healthRow } from './health-shapes.ts';
import {
  KEY_ROW_NAMES,
  keyRow,
  LOG_ROW_NAMES,
  logGroupRow,
  logGroupShape,
  logRow,
  type Row,
  SHIELD_EVENT_COLUMNS,
  shieldEventRow,
  shieldEventShape,
  shieldGroupColumns,
  shieldGroupRow,
  shieldGroupShape,
  ZONE_ROW_NAMES,
  zoneRow,
} from './shapes.ts';
import {
  changeObject,
  changeRow,
  type Ended,
  STORAGE_ROW_NAMES,
  storageObject,
  storageRow,
} from './storage-shapes.ts';

/** A line of a sheet. `shape` is the printed JSON object, `row` its flat cells; each is made when asked for. */
export type SheetLine = { kind: 'row'; shape: () => object; row: () => Row } | { kind: 'gap'; gap: Gap };

/** The rows of a view as they stood when taken, to copy, export or note. */
export type Sheet = {
  /** What a row is, for sentences such as `wrote 3 of 3 rows`. */
  what: string;
  /** Rows in it; gaps do not count. */
  rows: number;
  /** Names of the flat cells, and those of them that a narrow table shows. */
  columns: readonly string[];
  brief: readonly string[];
  /** What it lacks of its question; empty = it is complete as far as is known. */
  missing: readonly string[];
  /** Rows in all, by the server's count, where more are than were read; else null. */
  of: number | null;
  /**
   * The lines from one place to before another, gaps among them, as they stand when the first is taken; rows evicted
   * after that are left out.
   */
  lines: (from?: number, to?: number) => Iterable<SheetLine>;
};

const BRIEF_LOG = [
  'timestamp',
  'cacheStatus',
  'statusCode',
  'bytesSent',
  'edgeLocation',
  'countryCode',
  'remoteIp',
  'url',
  'userAgent',
];
const BRIEF_STORAGE = ['Id', 'Name', 'Region', 'ReplicationRegions', 'StorageUsed', 'FilesStored', 'Deleted'];
const BRIEF_EVENT = ['timestamp', ...EVENT_COLUMNS.flatMap((each) => (each.isBrief ? each.dimension : []))];

const LOG_COLUMNS = [...LOG_ROW_NAMES, '_raw'];

type Told = Pick<Sheet, 'missing' | 'of'>;
const WHOLE: Told = { missing: [], of: null };

/** The rows of a book's view, as filtered and paused. */
export function logSheet(book: LogBook, missing: readonly string[]): Sheet {
  return {
    what: 'rows',
    rows: book.rowsInView,
    columns: LOG_COLUMNS,
    brief: BRIEF_LOG,
    missing,
    of: null,
    lines: (from, to) => logLines(book, book.items(from, to)),
  };
}

/** A single record. */
export function oneLogSheet(record: LogRecord): Sheet {
  return sheetOf([record], { what: 'rows', columns: LOG_COLUMNS, brief: BRIEF_LOG, row: logRow });
}

export function logGroupSheet(by: readonly string[], groups: readonly LogGroup[], told?: Told): Sheet {
  return sheetOf(groups, {
    what: 'groups',
    columns: [...by, 'count', 'firstSeen', 'lastSeen', 'bytesSent', 'hits', 'errors'],
    brief: [...by, 'count', 'bytesSent', 'hits', 'errors', 'lastSeen'],
    shape: logGroupShape,
    row: logGroupRow,
    told,
  });
}

export function shieldGroupSheet(
  dims: readonly string[],
  groups: readonly ShieldGroup[],
  told?: Told,
): Sheet {
  return sheetOf(groups, {
    what: 'groups',
    columns: withRaw(shieldGroupColumns(dims), groups),
    brief: [...dims, 'count', 'blocked', 'challenged', 'logged', 'firstSeen', 'lastSeen'],
    shape: shieldGroupShape,
    row: (group) => ({ ...shieldGroupRow(group), _raw: group.raw }),
    told,
  });
}

export function shieldEventSheet(rows: readonly ShieldRow[], told?: Told): Sheet {
  return sheetOf(rows, {
    what: 'events',
    columns: withRaw(SHIELD_EVENT_COLUMNS, rows),
    brief: BRIEF_EVENT,
    shape: (row) => shieldEventShape(printedEvent(row)),
    row: (row) => ({ ...shieldEventRow(printedEvent(row)), _raw: row.raw }),
    told,
  });
}

export function storageSheet(zones: readonly StorageZone[], told?: Told): Sheet {
  return sheetOf(zones, {
    what: 'zones',
    columns: STORAGE_ROW_NAMES,
    brief: BRIEF_STORAGE,
    shape: storageObject,
    row: storageRow,
    told,
  });
}

/** How the change of a zone ended. */
export function changeSheet(zone: StorageZone, patch: StorageZonePatch, ended: Ended): Sheet {
  const row = changeRow(zone, patch, ended);
  return sheetOf([ended], {
    what: 'rows',
    columns: Object.keys(row),
    shape: () => changeObject(zone, patch, ended),
    row: () => row,
  });
}

/** By id, roles and fingerprint; a value is in no sheet. */
export function keySheet(keys: readonly ApiKey[], told?: Told): Sheet {
  return sheetOf(keys, { what: 'keys', columns: KEY_ROW_NAMES, row: keyRow, told });
}

export function zoneSheet(zones: readonly PullZone[], told?: Told): Sheet {
  return sheetOf(zones, { what: 'zones', columns: ZONE_ROW_NAMES, row: zoneRow, told });
}

export function healthSheet(reports: readonly HealthReport[], told?: Told): Sheet {
  return sheetOf(reports, { what: 'zones', columns: HEALTH_ROW_NAMES, row: healthRow, told });
}

/** An answer as data: the findings of all its sections. */
export function answerSheet({ sections }: AnswerTable, missing: readonly string[]): Sheet {
  const listed = sections.flatMap(({ findings }) =>
    Array.from({ length: findings.listed }, (_, at) => ({ findings, at })),
  );
  const names = sections.flatMap(({ findings }) =>
    firstFindings(findings, 1).flatMap(({ facts }) => Object.keys(facts)),
  );
  return sheetOf(listed, {
    what: 'rows',
    columns: [...new Set(['finding', ...names])],
    shape: findingShape,
    row: findingRow,
    told: { missing, of: null },
  });
}

/** The finding that a row of an answer is a line of. */
export function findingLine({ findings }: AnswerSection, { of: at }: AnswerRow): SheetLine {
  return lineOf({ findings, at }, findingShape, findingRow);
}

type Listed = { findings: Findings; at: number };

function findingShape({ findings, at }: Listed): Facts {
  return findings.at(at).facts;
}

/** As one flat row: nested values stay JSON. */
function findingRow(listed: Listed): Row {
  return Object.fromEntries(
    Object.entries(findingShape(listed)).map(([name, value]) => [
      name,
      value !== null && typeof value === 'object' ? asciiJson(value) : value,
    ]),
  );
}

/** An event as it was kept, under the names of the printed one. */
export function printedEvent(row: ShieldRow) {
  return { logId: row.logId, timestamp: row.at, fields: row.fields, log: logOf(row), raw: row.raw };
}

function* logLines(book: LogBook, items: Iterable<ReturnType<LogBook['at']>>): Generator<SheetLine> {
  for (const item of items) {
    if (item?.kind === 'gap') yield { kind: 'gap', gap: item.gap };
    // The record is taken now: it may be evicted before it is printed.
    else if (item) yield lineOf(book.record(item.id), logRow, logRow);
  }
}

/** Items as the rows of a sheet; by default all columns are `brief`, and the flat cells are what is printed. */
export function sheetOf<T>(
  items: readonly T[],
  o: Pick<Sheet, 'what' | 'columns'> & {
    brief?: readonly string[];
    shape?: (item: T) => object;
    row: (item: T) => Row;
    told?: Told | undefined;
  },
): Sheet {
  return {
    what: o.what,
    rows: items.length,
    columns: o.columns,
    brief: o.brief ?? o.columns,
    ...(o.told ?? WHOLE),
    *lines(from = 0, to = items.length) {
      for (const item of items.slice(from, to)) yield lineOf(item, o.shape ?? o.row, o.row);
    },
  };
}

/** One line of a sheet, made when it is asked for. */
export function lineOf<T>(item: T, shape: (item: T) => object, row: (item: T) => Row): SheetLine {
  return { kind: 'row', shape: () => shape(item), row: () => row(item) };
}

/** A column for rows that were not understood, where there are any. */
function withRaw(columns: readonly string[], items: readonly { raw: string | null }[]): readonly string[] {
  return items.some((item) => item.raw !== null) ? [...columns, '_raw'] : columns;
}
