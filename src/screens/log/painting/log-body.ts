import { isMarked, type Marks } from '../../../domain/handover/marks.ts';
import { type CACHE_STATUSES, cacheStatusRow, type LogRecord } from '../../../domain/log.ts';
import { clientName } from '../../../domain/logs/client-name.ts';
import type { ColumnNeeds } from '../../../domain/logs/columns/column-needs.ts';
import type { LogBook } from '../../../domain/logs/log-book.ts';
import { isUnread } from '../../../domain/logs/paged-log.ts';
import { type ColumnId, LOG_COLUMNS, type PlacedColumn } from '../../../domain/logs/pane-columns.ts';
import { directoryAsked } from '../../../domain/query/directory.ts';
import { zoneNameOf } from '../../../domain/query/zone-terms.ts';
import type { Gap, GapReason } from '../../../domain/tail/coverage.ts';
import type { PullZone } from '../../../domain/zone.ts';
import { titlesLine } from '../../../paint/list-columns.ts';
import { directoryWords, pathCell } from '../../../paint/path-cells.ts';
import {
  type Area,
  cell,
  cellsGone,
  cursorSign,
  type Find,
  failureWords,
  findsOf,
  gutterSign,
  marked,
  paragraphs,
  rawLine,
  type Strip,
  scrolledTitle,
  timeCell,
  timeText,
  todayOf,
} from '../../../paint/row.ts';
import { type Look, type ThemeSlot, ZONE_SLOTS } from '../../../paint/theme.ts';
import { sidewaysOf } from '../../../state/list/list-screen.ts';
import { listHeight } from '../../../state/list/screen-layout.ts';
import type { Sideways } from '../../../state/list.ts';
import { zonesOfLog } from '../../../state/log-zones.ts';
import { memoised } from '../../../state/memoised.ts';
import type { LogSession, LogView, State } from '../../../state/model.ts';
import { readShare } from '../../../state/sessions/log-coverage.ts';
import { isBeingRead, isKeptNoMore, isOfPages, loadingCommand } from '../../../state/sessions/paging.ts';
import { logWindow } from '../../../state/sessions/session.ts';
import { fit, width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { bytes, count, counted, duration, percent } from '../../../text/units.ts';
import { firstColumn, placedColumns, shownColumns } from '../placed-columns.ts';
import { historyEmptyWords, noRowWords, STOPPED_WORDS, savedEmptyWords } from './reading-words.ts';

/** The live pane: column titles with the cursor's place, then a line a row or gap in view. */
export function logBody(state: State, view: LogView, area: Area): string[] {
  const { columns, look } = area;
  const { session } = state;
  if (!session) return [];
  const { book } = session;
  const sideways = sidewaysOf(state, view, () => shownColumns(state));
  const today = todayOf(state, look);
  const painter = painterOf(book, {
    look,
    columns,
    placed: placedColumns(state),
    zones: zonesOfLog(session),
    needs: book.needs,
    asked: directoryAsked(view.query.terms),
    today,
    highlights: state.highlights,
    needle: view.search?.needle ?? null,
    field: view.search?.field,
    marks: state.handover.marks,
    sideways,
  });
  const rows = listHeight(state);
  const { top, cursor, length } = logWindow(view, book, rows);
  const place = view.paused && length > 0 ? ` ${count(cursor + 1)}/${count(length)}` : '';
  const lines = [titlesLine(painter.titles, area, place)];
  for (const [at, item] of book.window(top, top + rows).entries()) {
    const isCursor = view.paused && top + at === cursor;
    if (item.kind === 'gap') lines.push(paintedGapLine(item.gap, isCursor, { session, today, ...area }));
    else if (isCursor) lines.push(painter.cursorLine(item.id, view.column ?? firstColumn(state)));
    else lines.push(painter.line(item.id));
  }
  if (book.size === book.hidden + book.backlog) {
    const words = book.backlog > 0 ? waitingWords(book.backlog) : emptyWords(state, session);
    lines.push(...paragraphs(words, area, 'text'));
  }
  return lines;
}

/** All that the line of a row depends on besides its record, which never changes. */
type RowInputs = {
  look: Look;
  columns: number;
  placed: readonly PlacedColumn[];
  zones: readonly PullZone[];
  needs: ColumnNeeds;
  /** The directory that the query asks for of every path. */
  asked: string;
  today: string;
  highlights: State['highlights'];
  needle: string | null;
  field: string | undefined;
  marks: Marks;
  sideways: Sideways | null;
};

/** Lines kept: a few screens of them. */
const KEPT_LINES = 512;

/** A key that moves the cursor or scrolls must not pay for painting every row. */
const painterOf = memoised((book: LogBook, inputs: RowInputs) => {
  const { placed, look, sideways } = inputs;
  const directory = directoryIn(placed, inputs);
  const zoneCells = placed.find(({ id }) => id === 'zone')?.width ?? 0;
  const zones = zoneMarks(inputs.zones, zoneCells, look.glyph.cut);
  const finds = placed.map(({ id }) => findsOf(inputs, inputs.highlights, LOG_COLUMNS[id].field));
  const titles = placed.map((column) => titled(column, directory, inputs));
  const known = new Map<number, string>();

  function textOf(record: LogRecord, index: number, zone: ZoneMark | undefined): string {
    const column = placed[index] as PlacedColumn;
    const { id, width } = column;
    const from = cellsGone(id, sideways);
    if (id === 'time') return timeCell(record.timestamp, width, inputs.today, look);
    if (zone === undefined)
      return logCell(record, column, { from, finds: finds[index] ?? [], directory }, look);
    return from === 0
      ? zone.label
      : cell(zoneNameOf(inputs.zones, record.pullZoneId), width, look, 'strict', 'left', from);
  }

  /** `chosen`: the column under the cursor, where the cursor is on this row. */
  function painted(id: number, chosen: ColumnId | null): string {
    const record = book.record(id);
    const isLate = book.isLate(id);
    const isRaw = record.raw !== null;
    const signs = {
      isCursor: chosen !== null,
      isMarked: isMarked(inputs.marks, record),
      isRaw,
      isOlder: isLate,
    };
    const sign = gutterSign(signs, look);
    if (record.raw !== null) return sign + rawLine(record.raw, inputs, []);
    const cells = placed.map((column, index) => {
      const zone = column.id === 'zone' ? zones.get(record.pullZoneId) : undefined;
      const text = textOf(record, index, zone);
      if (chosen === column.id) return look.paint('cursor', text);
      const slot = zone?.slot ?? slotOf(record, column.id, isLate);
      return marked(text, slot, finds[index] ?? [], look);
    });
    return sign + cells.join(' ');
  }

  return {
    titles,
    line(id: number): string {
      const before = known.get(id);
      if (before !== undefined) return before;
      const line = painted(id, null);
      if (known.size >= KEPT_LINES) known.clear();
      known.set(id, line);
      return line;
    },
    cursorLine: painted,
  };
});

/** The directory left out of the paths: one that all share, where some would be cut. */
function directoryIn(placed: readonly PlacedColumn[], { needs, asked }: RowInputs): string {
  const path = placed.find(({ id }) => id === 'path');
  return path && needs.path.longest > path.width ? asked : '';
}

function slotOf(record: LogRecord, id: ColumnId, isLate: boolean): ThemeSlot {
  if (id === 'cache') return CACHE_SLOTS.get(record.cacheStatus) ?? 'unknown';
  if (id === 'status') return statusSlot(record.statusCode);
  if (id === 'time') return isLate ? 'late' : 'dim';
  return id === 'path' || id === 'ip' ? 'text' : 'dim';
}

/** A column's title: how far it is scrolled, or what its paths leave out. */
function titled({ id, width: cells }: PlacedColumn, directory: string, { sideways, look }: RowInputs) {
  const { title, align } = LOG_COLUMNS[id];
  const isShort = id === 'path' && cellsGone(id, sideways) === 0;
  const said = isShort ? directoryWords(directory, cells - title.length, look) : '';
  return { title: scrolledTitle(title + said, id, sideways), cells, align };
}

/** The log was paused before it had a row. */
function waitingWords(backlog: number): string[] {
  return [
    '',
    `paused with nothing in view; ${counted(backlog, 'row has', 'rows have')} come since`,
    'Space goes on and shows them',
  ];
}

function emptyWords(state: State, session: LogSession): string[] {
  const { report, book } = session;
  if (book.filtering !== null)
    return ['', `none of ${percent(book.filtering)} of the rows passes the filter so far`];
  if (session.source.kind === 'files') return savedEmptyWords(session);
  if (!report && session.paged?.isStopped) return STOPPED_WORDS;
  if (!report || report.status === 'connecting') return ['', 'asking for the newest rows'];
  if (report.failure && report.status !== 'live' && report.status !== 'quiet') {
    return failureWords(report.failure);
  }
  if (book.hidden > 0) {
    return [
      '',
      `no row passes the filter: hidden here ${count(book.hidden)} of ${count(book.size)}`,
      'x drops the last filter, :drop-all all of them',
    ];
  }
  if (session.paged !== null && (session.to !== null || (readShare(session) ?? 1) < 1))
    return historyEmptyWords(session, report);
  const { to } = session;
  if (to !== null && (report.completeTo ?? 0) < to) {
    const from = session.from ?? to;
    const share = percent(Math.max(0, ((report.completeTo ?? from) - from) / Math.max(1, to - from)));
    return ['', `reading this window: ${share} of its time so far, no requests in it`];
  }
  if (to !== null) return noRowWords(report);
  const quiet =
    report.lastRowAt === null ? '' : `; the last one came ${duration(state.now - report.lastRowAt)} ago`;
  return ['', `no requests in this window${quiet}`, 'new rows appear here as they are logged'];
}

/** The colour of a cache status; letter and word say the same. The server may send any word. */
const CACHE_SLOTS: ReadonlyMap<string, ThemeSlot> = new Map<keyof typeof CACHE_STATUSES, ThemeSlot>([
  ['HIT', 'hit'],
  ['MISS', 'miss'],
  ['EXPIRED', 'miss'],
  ['BYPASS', 'bypass'],
  ['REVALIDATED', 'revalidated'],
  ['STALE', 'stale'],
  ['UPDATING', 'stale'],
  ['-', 'dim'],
]);

function statusSlot(code: number): ThemeSlot {
  if (code >= 500) return 'error';
  if (code >= 400) return 'warning';
  if (code >= 300) return 'redirect';
  if (code >= 200) return 'success';
  return 'unknown';
}

/** Cells of a zone's name in the line of a gap. */
const LONGEST_ZONE = 20;

/** What can be done about a gap, or is being done. */
function gapHint(gap: Gap, session: LogSession): string {
  if (session.source.kind !== 'zones') return '';
  if (isKeptNoMore(session, gap)) return '';
  if (isOfPages(session, gap))
    return gap.from === session.from && isUnread({ ...gap, reason: 'notRead' }, true)
      ? '; Enter reads on'
      : '';
  return isBeingRead(session, gap) ? '; being read, Esc stops it' : '; Enter reads it';
}

/** The zone whose rows a gap lacks, where the log has several. */
function gapZone({ zone }: Gap, session: LogSession): string {
  return zone === undefined
    ? ''
    : ` of ${sanitise(zoneNameOf(zonesOfLog(session), zone), 'strict', LONGEST_ZONE)}`;
}

/** A gap as a line of the list: whose, from when to when, why, and what can be done. */
function paintedGapLine(
  gap: Gap,
  isCursor: boolean,
  { session, columns, today, look }: Strip & { session: LogSession; today: string },
): string {
  const [from, to] = [gap.from, gap.to].map((at) => timeText(at, today, look)) as [string, string];
  const rows = gap.rows === null ? '' : `, ${count(gap.rows)} rows`;
  const text = ` gap${gapZone(gap, session)} ${from}${look.glyph.dash}${to} (${duration(gap.to - gap.from)}${rows}): ${gapWords(gap, session)}${gapHint(gap, session)} `;
  const mark = isCursor ? cursorSign(true, look) : look.paint('gap', look.glyph.dash);
  const dashes = Math.max(0, columns - 1 - text.length);
  return (
    mark + look.paint(isCursor ? 'cursor' : 'gap', fit(text + look.glyph.dash.repeat(dashes), columns - 1))
  );
}

function gapWords(gap: Gap, session: LogSession): string {
  if (loadingCommand(session, gap) !== null) return 'kept no more; keep --stored loads it';
  const words = !isOfPages(session, gap) || isUnread(gap, true) ? null : STORE_WORDS[gap.reason];
  return words ?? GAP_WORDS[gap.reason];
}

/** Reasons that mean something else where a store answers. */
const STORE_WORDS: Partial<Record<GapReason, string>> = {
  notRead: 'the store is not known to have it',
  failed: 'the question failed',
  offline: 'no answer came, or none did when it was kept',
  retention: 'dropped from the store, or older than the three days that the platform keeps',
  refused: 'the question was refused',
};

/** Why a gap is there, in the words of the screen. */
const GAP_WORDS: Record<GapReason, string> = {
  notRead: 'not read yet',
  failed: 'the request failed',
  offline: 'the network was gone',
  rateLimited: 'the API refused: rate limit',
  overload: 'more rows than the quota can fetch',
  overflow: 'more rows in one millisecond than a page holds',
  strays: 'the API sent other rows than those asked for',
  slept: 'this machine slept',
  retention: 'older than the three days that are kept',
  expired: 'older than the store keeps rows, or taken from it since',
  refused: 'the API refused to answer',
  imported: 'rows of files, which may not have all',
};

/** How a column is written: from which cell, with which matches marked, without which directory. */
type CellStyle = { from: number; finds: readonly Find[]; directory: string };

/** A row's value in the cells of its column. A text scrolled sideways stands as it came. */
function logCell(record: LogRecord, { id, width }: PlacedColumn, style: CellStyle, look: Look): string {
  const { from, finds } = style;
  const value = LOG_COLUMNS[id].value(record);
  switch (id) {
    case 'cache': {
      const { letter, word } = cacheStatusRow(record.cacheStatus);
      return letter === word ? fit(letter, width) : `${letter} ${cell(word, width - 2, look)}`;
    }
    case 'status':
      return fit(String(record.statusCode), width, 'right');
    case 'bytes':
      return fit(bytes(record.bytesSent), width, 'right');
    case 'ua':
      return value !== null && from === 0
        ? clientCell(value, width, finds, look)
        : cell(value, width, look, 'strict', 'left', from);
    case 'path':
      return from === 0
        ? pathCell(record.path, style.directory, width, finds, look)
        : cell(value, width, look, 'strict', 'left', from);
    default:
      return cell(value, width, look, 'strict', LOG_COLUMNS[id].align, from);
  }
}

/** The name of a client, or the whole text from the match on where the name does not have it. */
function clientCell(userAgent: string, width: number, finds: readonly Find[], look: Look): string {
  const name = clientName(userAgent);
  const at = name === userAgent ? 0 : foundBehind(name, userAgent, finds);
  if (at === null) return cell(name, width, look);
  const before = at === 0 ? '' : look.glyph.cut;
  return before + cell(userAgent.slice(at), width - before.length, look);
}

/** Where the whole text has a match that its short form lacks; null = nowhere. */
function foundBehind(short: string, whole: string, finds: readonly Find[]): number | null {
  if (finds.length === 0) return null;
  const [inShort, inWhole] = [short.toLowerCase(), whole.toLowerCase()];
  const hidden = finds.find(({ text }) => inWhole.includes(text) && !inShort.includes(text));
  if (!hidden) return null;
  // Some letters change their length in lower case, and places then mean nothing.
  return inWhole.length === whole.length ? inWhole.indexOf(hidden.text) : 0;
}

/** How a list shows a zone among several: its name in so many cells, and its colour. */
type ZoneMark = { label: string; slot: ThemeSlot };

/** A truncated name must not look like that of another zone: it is cut where the names differ. */
const CUTS: readonly ((name: string, cells: number, cut: string) => string)[] = [
  (name, cells, cut) => fit(name, cells, 'left', cut),
  (name, cells, cut) => cut + [...name].slice(1 - cells).join(''),
  (name, cells, cut) => {
    const letters = [...name];
    const head = cells >> 1;
    return [...letters.slice(0, head), cut, ...letters.slice(1 + head - cells)].join('');
  },
];

/**
 * The marks of zones by their ids. Letters tell zones apart without colour, and no two share a colour until all are
 * taken.
 */
export function zoneMarks(
  zones: readonly PullZone[],
  cells: number,
  cut: string,
): ReadonlyMap<string, ZoneMark> {
  const labels = labelsOf(
    zones.map(({ name }) => sanitise(name, 'strict')),
    cells,
    cut,
  );
  const slots = slotsOf(zones);
  return new Map(zones.map(({ id }, at) => [id, { label: labels[at] ?? '', slot: slots[at] ?? 'text' }]));
}

/** Names in so many cells, all different where the names are; else each behind its place in the list. */
function labelsOf(names: readonly string[], cells: number, cut: string): string[] {
  const isDifferent = (labels: readonly string[]) => new Set(labels).size === new Set(names).size;
  const fitted = (shorten: (name: string) => string) =>
    names.map((name) => fit(width(name) <= cells ? name : shorten(name), cells, 'left', cut));
  for (const shorten of CUTS) {
    const labels = fitted((name) => shorten(name, cells, cut));
    if (isDifferent(labels)) return labels;
  }
  return names.map((name, at) => fit(`${at + 1} ${name}`, cells, 'left', cut));
}

/** A zone has the colour of its id wherever that is free, so the same one in most logs. */
function slotsOf(zones: readonly PullZone[]): ThemeSlot[] {
  let free = [...ZONE_SLOTS];
  return zones.map(({ id }) => {
    if (free.length === 0) free = [...ZONE_SLOTS];
    const wanted = ZONE_SLOTS[hashOf(id) % ZONE_SLOTS.length];
    const at = Math.max(0, free.indexOf(wanted ?? 'zone1'));
    return free.splice(at, 1)[0] ?? 'text';
  });
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) >>> 0;
  return hash;
}
