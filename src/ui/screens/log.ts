import { explain } from '../../domain/failure.ts';
import { isMarked, type Marks } from '../../domain/handover/marks.ts';
import { cacheStatusRow, type LogRecord } from '../../domain/log.ts';
import { LOG_COLUMNS, type PlacedColumn } from '../../domain/logs/columns.ts';
import type { LogBook } from '../../domain/logs/log-book.ts';
import type { Gap } from '../../domain/tail/coverage.ts';
import { listHeight } from '../../state/layout.ts';
import { firstColumn, logWindow, placedColumns } from '../../state/logs/log.ts';
import type { LogSession, LogView, State } from '../../state/model.ts';
import type { Sideways } from '../../state/place.ts';
import { sidewaysOf } from '../../state/sideways.ts';
import { fit } from '../../text/fit.ts';
import { bytes, count, counted, dayOf, duration, percent } from '../../text/units.ts';
import {
  cell,
  cellsGone,
  type Find,
  findsOf,
  gutterSign,
  marked,
  padLines,
  paragraphs,
  scrolledTitle,
  timeCell,
  timeText,
} from '../row.ts';
import { savedEmptyWords } from '../saved-chrome.ts';
import type { Look, ThemeSlot } from '../theme.ts';
import { cacheSlot, GAP_WORDS, statusSlot } from '../words.ts';

/** The live pane: column titles with the position, then a line for each row or gap in view. */
export function logBody(state: State, view: LogView, look: Look, height: number): string[] {
  const { columns } = state.size;
  const { session } = state;
  if (!session) return padLines([], columns, height);
  const { book } = session;
  const { now } = state;
  const placed = placedColumns(state);
  const time = placed.find(({ id }) => id === 'time')?.width ?? 0;
  const rows = listHeight(state);
  const { top, cursor, length } = logWindow(view, book, rows);
  const place = view.paused && length > 0 ? ` ${count(cursor + 1)}/${count(length)}` : '';
  const sideways = sidewaysOf(state, view);
  const lines = [titles(placed, columns, place, sideways, look)];
  const chosen = view.column ?? firstColumn(state);
  const { search } = view;
  const finds = placed.map(({ id }) => findsOf(search, state.highlights, LOG_COLUMNS[id].field));
  const { marks } = state.handover;
  const kept = keptLines(book, [
    look,
    columns,
    state.columns,
    state.highlights,
    marks,
    search?.needle,
    search?.field,
    sideways,
    time,
    dayOf(now, look.utc ? 'utc' : 'local'),
  ]);
  for (let index = top; index < Math.min(length, top + rows); index++) {
    const item = book.at(index);
    if (!item) break;
    const isCursor = view.paused && index === cursor;
    if (item.kind === 'gap') {
      lines.push(gapLine(item.gap, isCursor, { columns, now, look, hint: gapHint(item.gap, session) }));
      continue;
    }
    const known = isCursor ? undefined : kept.get(item.id);
    const line =
      known ??
      rowLine(book.record(item.id), {
        late: book.isLate(item.id),
        isCursor,
        chosen: isCursor ? chosen : null,
        marks,
        finds,
        placed,
        sideways,
        columns,
        now,
        look,
      });
    if (known === undefined && !isCursor) kept.set(item.id, line);
    lines.push(line);
  }
  if (book.size === book.hidden + book.backlog) {
    const words = book.backlog > 0 ? waitingWords(book.backlog) : emptyWords(state, session);
    lines.push(...paragraphs(words, columns, look, 'text'));
  }
  return padLines(lines, columns, height);
}

/** Lines kept painted: a few screens of them. */
const KEPT_LINES = 512;

const paintedLines = new WeakMap<LogBook, { looks: readonly unknown[]; lines: Map<number, string> }>();

/**
 * The lines of a book's rows by id, without the cursor, as they were painted when all that they depend on was the same:
 * a key that moves the cursor or scrolls must not pay for painting every row.
 */
function keptLines(book: LogBook, looks: readonly unknown[]): Map<number, string> {
  const kept = paintedLines.get(book);
  if (kept && kept.lines.size < KEPT_LINES && looks.every((each, i) => each === kept.looks[i])) {
    return kept.lines;
  }
  const lines = new Map<number, string>();
  paintedLines.set(book, { looks, lines });
  return lines;
}

type RowPaint = {
  late: boolean;
  isCursor: boolean;
  chosen: string | null;
  marks: Marks;
  /** What stands out in each of the columns. */
  finds: readonly (readonly Find[])[];
  placed: readonly PlacedColumn[];
  sideways: Sideways | null;
  columns: number;
  now: number;
  look: Look;
};

function rowLine(record: LogRecord, paint: RowPaint): string {
  const { look, columns, finds } = paint;
  const mark = gutterSign(
    {
      isCursor: paint.isCursor,
      isMarked: isMarked(paint.marks, record),
      isRaw: record.raw !== null,
      isOlder: paint.late,
    },
    look,
  );
  if (record.raw !== null) {
    return mark + look.paint('warning', cell(`not understood: ${record.raw}`, columns - 1, look));
  }
  let line = mark;
  let used = 1;
  paint.placed.forEach(({ id, width }, index) => {
    if (index > 0) {
      line += ' ';
      used += 1;
    }
    const text =
      id === 'time'
        ? timeCell(record.timestamp, width, paint.now, look)
        : cellText(record, id, width, cellsGone(id, paint.sideways), look);
    line +=
      paint.chosen === id
        ? look.paint('cursor', text)
        : marked(text, slotOf(record, id, paint.late), finds[index] ?? [], look);
    used += width;
  });
  return used < columns ? line + ' '.repeat(columns - used) : line;
}

function cellText(
  record: LogRecord,
  id: PlacedColumn['id'],
  width: number,
  from: number,
  look: Look,
): string {
  switch (id) {
    case 'cache': {
      const { letter, word } = cacheStatusRow(record.cacheStatus);
      return letter === word ? fit(letter, width) : `${letter} ${cell(word, width - 2, look)}`;
    }
    case 'status':
      return fit(String(record.statusCode), width, 'right');
    case 'bytes':
      return fit(bytes(record.bytesSent), width, 'right');
    default:
      return cell(LOG_COLUMNS[id].value(record), width, look, 'strict', LOG_COLUMNS[id].align, from);
  }
}

function slotOf(record: LogRecord, id: PlacedColumn['id'], late: boolean): ThemeSlot {
  if (id === 'cache') return cacheSlot(record.cacheStatus);
  if (id === 'status') return statusSlot(record.statusCode);
  if (id === 'time') return late ? 'late' : 'dim';
  return id === 'path' || id === 'ip' ? 'text' : 'dim';
}

/** What can be done about a gap, or is being done. */
function gapHint(gap: Gap, { source, report }: LogSession): string {
  if (source.kind !== 'zone') return '';
  const isRead = report?.reading.some((asked) => asked.from < gap.to && gap.from < asked.to);
  return isRead ? '; being read, Esc stops it' : '; Enter reads it';
}

function gapLine(
  gap: Gap,
  isCursor: boolean,
  { columns, now, look, hint }: { columns: number; now: number; look: Look; hint: string },
): string {
  const [from, to] = [gap.from, gap.to].map((at) => timeText(at, now, look)) as [string, string];
  const rows = gap.rows === null ? '' : `, ${count(gap.rows)} rows`;
  const text = ` gap ${from}${look.glyph.dash}${to} (${duration(gap.to - gap.from)}${rows}): ${GAP_WORDS[gap.reason]}${hint} `;
  const mark = isCursor ? look.paint('accent', look.glyph.cursor) : look.paint('gap', look.glyph.dash);
  const dashes = Math.max(0, columns - 1 - text.length);
  return (
    mark + look.paint(isCursor ? 'cursor' : 'gap', fit(text + look.glyph.dash.repeat(dashes), columns - 1))
  );
}

function titles(
  placed: readonly PlacedColumn[],
  columns: number,
  place: string,
  sideways: Sideways | null,
  look: Look,
): string {
  const text = placed
    .map(({ id, width }) =>
      fit(scrolledTitle(LOG_COLUMNS[id].title, id, sideways), width, LOG_COLUMNS[id].align),
    )
    .join(' ');
  return look.paint('header', fit(` ${text}`, columns - place.length, 'left', ' ') + place);
}

/** The log was paused before it had a row to show. */
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
  if (!report || report.status === 'connecting') return ['', 'asking for the newest rows'];
  if (report.failure && report.status !== 'live' && report.status !== 'quiet') {
    const { what, meaning, next } = explain(report.failure);
    return ['', what, meaning, next];
  }
  if (book.hidden > 0) {
    return [
      '',
      `no row passes the filter: hidden here ${count(book.hidden)} of ${count(book.size)}`,
      'x drops the last filter, X all of them',
    ];
  }
  const { to } = session;
  if (to !== null && (report.completeTo ?? 0) < to) {
    const from = session.from ?? to;
    const share = percent(Math.max(0, ((report.completeTo ?? from) - from) / Math.max(1, to - from)));
    return ['', `reading this window: ${share} of its time so far, no requests in it`];
  }
  if (to !== null) return ['', 'no requests in this window'];
  const quiet =
    report.lastRowAt === null ? '' : `; the last one came ${duration(state.now - report.lastRowAt)} ago`;
  return ['', `no requests in this window${quiet}`, 'new rows appear here as they are logged'];
}
