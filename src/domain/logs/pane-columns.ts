import type { LogRecord } from '../log.ts';

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
    title: 'TIME',
    field: null,
    width: 8,
    grows: 0,
    from: 0,
    align: 'left',
    value: (r) => String(r.timestamp),
    help: 'event time',
  },
  cache: {
    title: 'CACHE',
    field: 'cache',
    width: 9,
    grows: 0,
    from: 0,
    align: 'left',
    value: (r) => r.cacheStatus,
    help: 'cache status',
  },
  status: {
    title: 'ST',
    field: 'status',
    width: 3,
    grows: 0,
    from: 0,
    align: 'right',
    value: (r) => String(r.statusCode),
    help: 'HTTP status',
  },
  bytes: {
    title: 'BYTES',
    field: null,
    width: 5,
    grows: 0,
    from: 0,
    align: 'right',
    value: (r) => String(r.bytesSent),
    help: 'bytes sent to the client',
  },
  edge: {
    title: 'EDG',
    field: 'edge',
    width: 3,
    grows: 0,
    from: 70,
    align: 'left',
    value: (r) => r.edgeLocation,
    help: 'edge location',
  },
  country: {
    title: 'CC',
    field: 'country',
    width: 2,
    grows: 0,
    from: 70,
    align: 'left',
    value: (r) => r.countryCode,
    help: 'country of the client',
  },
  ip: {
    title: 'IP',
    field: 'ip',
    width: 15,
    grows: 0,
    from: 60,
    align: 'left',
    value: (r) => r.remoteIp,
    help: 'client address',
  },
  asn: {
    title: 'ASN',
    field: 'asn',
    width: 8,
    grows: 0,
    from: 150,
    align: 'left',
    value: (r) => r.asn,
    help: 'autonomous system of the client',
  },
  host: {
    title: 'HOST',
    field: 'host',
    width: 14,
    grows: 1,
    from: 110,
    align: 'left',
    value: (r) => r.host,
    help: 'host asked for',
  },
  path: {
    title: 'PATH',
    field: 'path',
    width: 16,
    grows: 4,
    from: 0,
    align: 'left',
    value: (r) => r.path,
    help: 'path with its query string',
  },
  referer: {
    title: 'REFERER',
    field: 'referer',
    width: 16,
    grows: 1,
    from: Number.POSITIVE_INFINITY,
    align: 'left',
    value: (r) => r.referer,
    help: 'referring page',
  },
  ja4: {
    title: 'JA4',
    field: 'ja4',
    width: 36,
    grows: 0,
    from: 230,
    align: 'left',
    value: (r) => r.ja4Fingerprint,
    help: 'TLS client fingerprint',
  },
  ua: {
    title: 'USER AGENT',
    field: 'ua',
    width: 14,
    grows: 2,
    from: 100,
    align: 'left',
    value: (r) => r.userAgent,
    help: 'user agent',
  },
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

function widthOf(id: ColumnId, columns: number, isDated: boolean): number {
  if (id === 'time') return timeCells(columns, isDated);
  return id === 'ip' && columns >= IPV6_FROM ? IPV6_WIDTH : LOG_COLUMNS[id].width;
}

/** The columns shown at this width: the chosen ones, or those that fit; growing ones share what is left. */
export function placeColumns(
  chosen: readonly ColumnId[] | null,
  columns: number,
  isDated = false,
): PlacedColumn[] {
  const ids = chosen ?? COLUMN_IDS.filter((id) => LOG_COLUMNS[id].from <= columns);
  const placed = ids.map((id) => ({
    id,
    width: widthOf(id, columns, isDated),
  }));
  // Each column takes a cell more than its width, for the space beside it.
  let left = columns - placed.reduce((sum, column) => sum + column.width + 1, 0);
  // A narrow window drops columns from the right down to three, but never the path: it tells what was asked.
  while (left < 0 && placed.length > 3) {
    const drop = placed.findLastIndex((column) => column.id !== 'path');
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
