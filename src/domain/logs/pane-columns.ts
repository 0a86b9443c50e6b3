import type { LogRecord } from '../log.ts';
import { LOG_FIELDS, type LogFieldId } from '../query/fields.ts';
import { type ColumnNeeds, NO_NEEDS } from './columns/column-needs.ts';

type ColumnRow = {
  title: string;
  /** The query field that `+ - =` filter by when this column is chosen; null = not filterable. */
  field: string | null;
  /** Cells: a fixed width, or the least of a column that grows where there is room: see `wishes`. */
  width: number;
  /** The narrowest terminal that shows it unasked; Infinity = only when chosen. */
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
  host: column('host', 'HOST', 14, 110, 'host asked for; there unasked where the rows have several'),
  path: column('path', 'PATH', 16, 0, 'path with its query string'),
  referer: column('referer', 'REFERER', 16, Number.POSITIVE_INFINITY, 'referring page'),
  ja4: column('ja4', 'JA4', 36, 230, 'TLS client fingerprint'),
  ua: column('ua', 'USER AGENT', 14, 100, 'what the client says it is, true or not; Enter shows it whole'),
} as const satisfies Record<string, ColumnRow>;

export type ColumnId = keyof typeof LOG_COLUMNS;

export const COLUMN_IDS = Object.keys(LOG_COLUMNS) as ColumnId[];

/** The width of a whole IPv6 address, where rows have them and the terminal has room. */
const IPV6_WIDTH = 39;
const IPV6_FROM = 170;

/**
 * Cells of a path before any is known, so that the first rows do not move the others; of most client names; and their
 * bounds.
 */
const PATH_LEAST = 32;
const CLIENT_CELLS = 22;
const HOST_MOST = 32;
const REFERER_MOST = 48;

/** A column with the cells it got on this terminal. */
export type PlacedColumn = { id: ColumnId; width: number };

/** Cells of a time: of today, of any day, and of any day to the minute. */
const TIME_CELLS = { ofToday: 8, dated: 14, datedShort: 11 } as const;

/** Cells of a time in a list with other days than today (`isDated`), on a terminal of this width. */
export function timeCells(columns: number, isDated: boolean): number {
  if (!isDated) return TIME_CELLS.ofToday;
  return columns < 60 ? TIME_CELLS.datedShort : TIME_CELLS.dated;
}

/** What the columns depend on besides the choice and the terminal. */
type PaneContents = {
  /** The list has other days than today. */
  isDated?: boolean;
  /** What the names of several zones need; 0 = the log has one. */
  zoneCells?: number;
  /** False where no zone of the log keeps addresses, and no row has one. */
  hasAddresses?: boolean;
  needs?: ColumnNeeds;
};

function widthOf(
  id: ColumnId,
  columns: number,
  contents: Required<Omit<PaneContents, 'hasAddresses'>>,
): number {
  if (id === 'time') return timeCells(columns, contents.isDated);
  if (id === 'zone' && contents.zoneCells > 0) return contents.zoneCells;
  const { width } = LOG_COLUMNS[id];
  if (id !== 'ip' || columns < IPV6_FROM) return width;
  return Math.max(width, Math.min(IPV6_WIDTH, contents.needs.address.longest));
}

/**
 * The columns that take the room left, up to how many cells, in this order: the path shows what was asked for, so
 * what most paths need comes first, and what the longest needs last.
 */
function wishes({ path, host, referer }: ColumnNeeds): [ColumnId, number][] {
  return [
    ['path', Math.max(PATH_LEAST, path.usual)],
    ['ua', CLIENT_CELLS],
    ['host', Math.min(HOST_MOST, host.longest)],
    ['referer', Math.min(REFERER_MOST, referer.usual)],
    ['path', path.longest],
  ];
}

/**
 * The columns shown at this width: the chosen ones or those that fit, less a host that all rows share. Room left goes
 * to the columns that wish for it, and in the end to the last of these, where the blanks separate no two columns.
 */
export function placeColumns(
  chosen: readonly ColumnId[] | null,
  columns: number,
  contents: PaneContents = {},
): PlacedColumn[] {
  const { isDated = false, zoneCells = 0, hasAddresses = true, needs = NO_NEEDS } = contents;
  const hasZones = zoneCells > 0;
  const room = hasZones ? columns - zoneCells - 1 : columns;
  const isShown = (id: ColumnId) =>
    id === 'zone' ? hasZones : LOG_COLUMNS[id].from <= room && (id !== 'host' || needs.hasHosts);
  // An empty column must not look like a fault, nor take the path's room.
  const placed = (chosen ?? COLUMN_IDS.filter(isShown))
    .filter((id) => id !== 'ip' || hasAddresses)
    .map((id) => ({ id, width: widthOf(id, columns, { isDated, zoneCells, needs }) }));
  // Each column takes a cell more than its width, for the space beside it.
  let left = columns - placed.reduce((sum, column) => sum + column.width + 1, 0);
  // A narrow window drops columns from the right down to three, but never the path: it tells what was asked. Beside the
  // zone the status stays, too: the cache status is the longer word and says less.
  while (left < 0 && placed.length > 3) {
    const drop = placed.findLastIndex(({ id }) => id !== 'path' && !(hasZones && id === 'status'));
    const [gone] = placed.splice(drop, 1);
    left += (gone?.width ?? 0) + 1;
  }
  shareOut(placed, left, wishes(needs));
  return placed;
}

function shareOut(placed: PlacedColumn[], room: number, wished: readonly [ColumnId, number][]): void {
  let left = Math.max(0, room);
  for (const [id, cells] of wished) {
    const column = placed.find((each) => each.id === id);
    if (!column) continue;
    const more = Math.min(left, Math.max(0, cells - column.width));
    column.width += more;
    left -= more;
  }
  const last = placed.findLast(({ id }) => wished.some(([wisher]) => wisher === id));
  if (last) last.width += left;
}

/** The values of a query field, left-aligned in a fixed width. */
function column(
  field: Exclude<LogFieldId, 'cause'> | null,
  title: string,
  width: number,
  from: number,
  help: string,
): ColumnRow {
  const value = (record: LogRecord) => (field && LOG_FIELDS[field].get(record))?.toString() ?? null;
  return { title, field, width, from, help, value, align: 'left' };
}
