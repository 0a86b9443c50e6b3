import type { LogRecord } from '../log.ts';
import { LOG_FIELDS, type LogFieldId } from '../query/fields.ts';

type ColumnRow = {
  title: string;
  /** The query field that `+ - =` filter by when this column is chosen; null = not filterable. */
  field: string | null;
  /** Cells: fixed width, or the least width of a column that shares what is left. */
  width: number;
  /** Share of the space left over; 0 = fixed. */
  grows: number;
  /** The narrowest terminal on which it is shown unasked; Infinity = only when chosen. */
  from: number;
  align: 'left' | 'right';
  /** The exact value that a filter compares with; null = the record has none. */
  value: (record: LogRecord) => string | null;
  help: string;
};

/** Columns of the log pane in the order in which they are drawn. */
export const LOG_COLUMNS = {
  time: {
    ...column(null, 'TIME', 8, 0, 'event time'),
    value: (r) => String(r.timestamp),
  },
  zone: column('zone', 'ZONE', 8, Number.POSITIVE_INFINITY, 'pull zone; there unasked in a log of several'),
  cache: column('cache', 'CACHE', 9, 0, 'cache status'),
  status: { ...column('status', 'ST', 3, 0, 'HTTP status'), align: 'right' },
  bytes: { ...column('bytes', 'BYTES', 5, 0, 'bytes sent to the client'), align: 'right', field: null },
  edge: column('edge', 'EDG', 3, 70, 'edge location'),
  country: column('country', 'CC', 2, 70, 'country of the client'),
  ip: column('ip', 'IP', 15, 60, 'client address'),
  asn: column('asn', 'ASN', 8, 150, 'autonomous system of the client'),
  host: { ...column('host', 'HOST', 14, 110, 'host asked for'), grows: 1 },
  path: { ...column('path', 'PATH', 16, 0, 'path with its query string'), grows: 4 },
  referer: { ...column('referer', 'REFERER', 16, Number.POSITIVE_INFINITY, 'referring page'), grows: 1 },
  ja4: column('ja4', 'JA4', 36, 230, 'TLS client fingerprint'),
  ua: { ...column('ua', 'USER AGENT', 14, 100, 'user agent'), grows: 2 },
} as const satisfies Record<string, ColumnRow>;

export type ColumnId = keyof typeof LOG_COLUMNS;

export const COLUMN_IDS = Object.keys(LOG_COLUMNS) as ColumnId[];

/** An IPv6 address in full, on terminals that have the room for it. */
const IPV6_WIDTH = 39;
const IPV6_FROM = 170;

/** A column with the cells it got on this terminal. */
export type PlacedColumn = { id: ColumnId; width: number };

/** Cells of a time: of the day of today, of any day, and of any day to the minute. */
const TIME_CELLS = { ofToday: 8, dated: 14, datedShort: 11 } as const;

/** Cells of a time of a list that has other days than today (`isDated`), on a terminal of this width. */
export function timeCells(columns: number, isDated: boolean): number {
  if (!isDated) return TIME_CELLS.ofToday;
  return columns < 60 ? TIME_CELLS.datedShort : TIME_CELLS.dated;
}

function widthOf(id: ColumnId, columns: number, isDated: boolean, zoneCells: number): number {
  if (id === 'time') return timeCells(columns, isDated);
  if (id === 'zone' && zoneCells > 0) return zoneCells;
  return id === 'ip' && columns >= IPV6_FROM ? IPV6_WIDTH : LOG_COLUMNS[id].width;
}

/**
 * The columns shown at this width: the chosen ones, or those that fit; growing ones share what is left. `zoneCells`: what the
 * names of several zones need; 0 = the log has one.
 */
export function placeColumns(
  chosen: readonly ColumnId[] | null,
  columns: number,
  isDated = false,
  zoneCells = 0,
): PlacedColumn[] {
  const hasZones = zoneCells > 0;
  const room = hasZones ? columns - zoneCells - 1 : columns;
  const ids =
    chosen ?? COLUMN_IDS.filter((id) => LOG_COLUMNS[id].from <= room || (hasZones && id === 'zone'));
  const placed = ids.map((id) => ({
    id,
    width: widthOf(id, columns, isDated, zoneCells),
  }));
  // Each column takes a cell more than its width, for the space beside it.
  let left = columns - placed.reduce((sum, column) => sum + column.width + 1, 0);
  // A narrow window drops columns from the right down to three, but never the path: it tells what was asked. Beside the
  // zone the status stays, too: the cache status is the longer word and says less.
  while (left < 0 && placed.length > 3) {
    const drop = placed.findLastIndex(({ id }) => id !== 'path' && !(hasZones && id === 'status'));
    const [gone] = placed.splice(drop, 1);
    left += (gone?.width ?? 0) + 1;
  }
  const shares = placed.reduce((sum, column) => sum + LOG_COLUMNS[column.id].grows, 0);
  if (left <= 0 || shares === 0) return placed;
  let given = 0;
  const growing = placed.filter((column) => LOG_COLUMNS[column.id].grows > 0);
  growing.forEach((column, index) => {
    const extra =
      index === growing.length - 1
        ? left - given
        : Math.floor((left * LOG_COLUMNS[column.id].grows) / shares);
    column.width += extra;
    given += extra;
  });
  return placed;
}

/** The values of a query field, left-aligned in a fixed width. */
function column(
  field: LogFieldId | null,
  title: string,
  width: number,
  from: number,
  help: string,
): ColumnRow {
  const value = (record: LogRecord) => (field && LOG_FIELDS[field].get(record))?.toString() ?? null;
  return { title, field, width, from, help, value, grows: 0, align: 'left' };
}
