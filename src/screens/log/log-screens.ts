import { logGroupRow, logGroupShape, logRow } from '../../domain/handover/shapes.ts';
import { lineOf, logGroupSheet, logSheet, oneLogSheet } from '../../domain/handover/sheet.ts';
import { logsPath } from '../../domain/handover/wire-request.ts';
import type { LogRecord } from '../../domain/log.ts';
import { KEPT_WORDS, oldestAsked } from '../../domain/log-retention.ts';
import type { LogBook } from '../../domain/logs/log-book.ts';
import { LOG_COLUMNS } from '../../domain/logs/pane-columns.ts';
import { type RecordField, recordFields } from '../../domain/logs/record-fields.ts';
import { splitForServer } from '../../domain/query/push-down.ts';
import type { Query, Term } from '../../domain/query/query.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { aboutCommand, decidedHere, handedTime } from '../../state/about.ts';
import { causeAskedAgain, withRowCause } from '../../state/evidence/row-cause.ts';
import { listHeight } from '../../state/list/screen-layout.ts';
import { askedValue, CHOOSE_ONE_ZONE, shownValue, sourceName, zonesOfLog } from '../../state/log-zones.ts';
import type { GroupsView, LogView, RecordView, State } from '../../state/model.ts';
import type { Noted } from '../../state/screen.ts';
import {
  type About,
  fieldCell,
  type Idle,
  type Oldest,
  type Screen,
  type Under,
} from '../../state/screen.ts';
import {
  gapSentences,
  gapWords,
  logCoverage,
  logMissing,
  savedTimes,
} from '../../state/sessions/log-coverage.ts';
import { isDrilled, logChanged, logWindow, shownLog, WINDOW_BELOW } from '../../state/sessions/session.ts';
import { countedTimes, countTold, sharesShown } from '../../state/sessions/stored-groups.ts';
import { count, joined, percent } from '../../text/units.ts';
import { allGroups, GROUPS_ORDER, groupsCommanded, groupsWork } from './group-commands.ts';
import { editedQuery, found, logCommanded, logWindowMoved, searched, TAIL_WINDOW } from './log-commands.ts';
import { firstColumn, groupColumnUnder, logColumnUnder, shownColumns } from './placed-columns.ts';

const LOG_IDLE: Idle<LogView> = {
  last: (state, view) => paceOf(state, view) !== 'paused',
  pause: (state, view) => paceOf(state, view) !== 'moving',
  missLens: (state, view) => paceOf(state, view) === 'paused',
  filterIn: (state, view) => paceOf(state, view) === 'moving',
  filterOut: (state, view) => paceOf(state, view) === 'moving',
  // The window of a group's rows is that of the log below.
  chooseWindow: (state) => isDrilled(state) && WINDOW_BELOW,
};

/** Whether a log moves and so has no cursor, would move were it not paused, or is still. */
function paceOf({ session }: State, { paused }: LogView): 'moving' | 'paused' | 'still' {
  if (!session) return 'still';
  const { source, to } = session;
  const moves = source.kind === 'files' ? source.report.status === 'following' : to === null;
  return moves ? (paused ? 'paused' : 'moving') : 'still';
}

/** Rows that the copied request asks for: the most that one answer holds. */
const ONE_ANSWER = 10_000;

const DROPPED = 'this row has been dropped from memory';
type OverLog = LogView | GroupsView | RecordView;

const OF_LOG = {
  about: aboutLog,
  request: logRequest,
  requeried: (state: State, _: OverLog, query: Query) => editedQuery(state, query),
  coverage: (state: State) => logCoverage(state, true),
} as const;

export const LOG_SCREEN: Screen<LogView> = {
  ...OF_LOG,
  commands: logCommanded,
  idle: LOG_IDLE,
  sheet: ({ session }) => {
    // What is handed over is never a part.
    session?.book.settle();
    if (!session || session.book.rowsInView === 0) return 'no row is in this view';
    return logSheet(session.book, logMissing(session));
  },
  noted: notedLog,
  under: (state, view) => {
    const book = state.session?.book;
    const item = book?.at(logWindow(view, book, listHeight(state)).cursor);
    if (!book || !item) return null;
    return item.kind === 'gap' ? { line: item, one: null, seen: null } : underRecord(book.record(item.id));
  },
  cell: (state, view) => {
    const record = recordUnder(state, view);
    if (!record) return 'there is no value on this row';
    const column = view.column ?? firstColumn(state);
    const { field, title, value } = LOG_COLUMNS[column];
    const own = value(record);
    return {
      text: column === 'time' ? new Date(record.timestamp).toISOString() : shownValue(state, field, own),
      asked: !field
        ? `${title} is no query field; the arrows choose another column`
        : own === null
          ? `this row has no ${title.toLowerCase()}`
          : { subject: 'logs', field, value: askedValue(state, field, own) },
    };
  },
  columns: { ids: shownColumns, under: logColumnUnder },
  search: {
    sought: ({ search }) => search,
    first: searched,
    next: found,
    ended: (state) => logChanged(state, { search: null }),
  },
  windowMoved: (state, view, move) => (isDrilled(state) ? WINDOW_BELOW : logWindowMoved(state, view, move)),
  moment: (state, view) => (view.paused ? (recordUnder(state, view)?.timestamp ?? null) : null),
  oldest: oldestInBook,
};

export const GROUPS_SCREEN: Screen<GroupsView> = {
  ...OF_LOG,
  commands: groupsCommanded,
  list: { length: (_, { groups }) => groups.length, isDetailed: true },
  order: GROUPS_ORDER,
  columns: { ids: (_, view) => view.by, under: groupColumnUnder },
  sheet: (state, view) => {
    const { session } = state;
    if (!session || view.groups.length === 0) return 'no group is in this view';
    const stored = countTold(view);
    if (stored !== null) {
      const rest = sharesShown(state, view)?.rest ?? 1;
      const unread = rest < 1 ? [`${percent(rest)} of the time since ${handedTime(stored.to)} was read`] : [];
      const known = countedTimes(session, stored).gaps;
      const missing = [
        ...unread,
        ...gapSentences(known),
        ...(view.total > view.groups.length
          ? [`the ${count(view.groups.length)} largest of ${count(view.total)} groups`]
          : []),
      ];
      return logGroupSheet(view.by, view.groups, { missing, of: null });
    }
    const missing = [...logMissing(session), ...gapWords(session)];
    return logGroupSheet(view.by, allGroups(state, view), { missing, of: null });
  },
  noted: ({ session }) => ({ flow: session }),
  under: (_, view) => {
    const group = view.groups[view.cursor];
    if (!group) return null;
    // Groups of two fields do not say when a value of one alone was seen.
    const seen = view.by.length === 1 ? { from: group.firstSeen, to: group.lastSeen } : null;
    return { line: lineOf(group, logGroupShape, logGroupRow), one: null, zone: group.key['zone'], seen };
  },
  cell: (state, view) => {
    const field = view.by[view.column];
    const group = view.groups[view.cursor];
    if (field === undefined || !group) return 'there is no group under the cursor';
    const value = group.key[field] ?? null;
    return {
      text: shownValue(state, field, value),
      asked: { subject: 'logs', field, value: askedValue(state, field, value) },
    };
  },
  coverage: (state) => logCoverage(state, false),
  oldest: oldestInBook,
  work: groupsWork,
};

export const RECORD_SCREEN: Screen<RecordView> = {
  ...OF_LOG,
  commands: (state, _, command) => (command === 'refresh' ? causeAskedAgain(state) : null),
  list: { length: (state, view) => fieldsOf(state, view).length },
  one: 'one row',
  command: (state, view) => {
    const about = namedPart(aboutLog(state, view), heldRecord(state, view));
    return about === null ? DROPPED : aboutCommand(state, about);
  },
  request: (state, view) => logRequest(state, view, heldRecord(state, view)),
  sheet: (state, view) => {
    const record = heldRecord(state, view);
    return record ? oneLogSheet(record) : DROPPED;
  },
  under: (state, view) => {
    const record = heldRecord(state, view);
    return record && underRecord(record);
  },
  cell: (state, view) => {
    const cell = fieldCell(fieldsOf(state, view)[view.cursor], 'logs');
    if (typeof cell === 'string' || typeof cell.asked === 'string') return cell;
    const { field, value } = cell.asked;
    return { ...cell, asked: { ...cell.asked, value: askedValue(state, field, value) } };
  },
  moment: (state, view) => heldRecord(state, view)?.timestamp ?? null,
  oldest: (state, view) => {
    const record = zonesOfLog(state.session).length > 0 ? heldRecord(state, view) : null;
    return record && { at: record.timestamp, log: 'logs', isFollowed: isLive(state) };
  },
};

function aboutLog(state: State, view: OverLog): About | null {
  const { session } = state;
  if (!session) return null;
  return {
    subject: 'logs',
    zones: zonesOfLog(session),
    name: sourceName(session) ?? '',
    query: view.query,
    range: rangeOfLog(state),
  };
}

/** The times of the log on screen, up to now while it is live, up to the newest row in view while it is paused. */
function rangeOfLog(state: State): TimeRange {
  const { session, now } = state;
  const log = shownLog(state);
  if (!session) return { from: now - TAIL_WINDOW.duration, to: now };
  if (session.source.kind === 'files') return savedTimes(session.source, now);
  const rows = rowTimes(session.book);
  // Rows bear the server's time, which may be ahead of ours.
  const end = session.to ?? (log?.paused && rows ? rows.last + 1 : Math.max(now, (rows?.last ?? 0) + 1));
  const from = session.from ?? rows?.first ?? end - TAIL_WINDOW.duration;
  return { from, to: Math.max(end, from + 1) };
}

/** Times of the oldest and newest row in view; null where there is none. */
function rowTimes(book: LogBook): { first: number; last: number } | null {
  book.settle();
  let first = 0;
  let last = book.length - 1;
  while (first <= last && book.at(first)?.kind === 'gap') first++;
  while (last >= first && book.at(last)?.kind === 'gap') last--;
  const [oldest, newest] = [book.at(first), book.at(last)];
  if (oldest?.kind !== 'row' || newest?.kind !== 'row') return null;
  return { first: book.timeOf(oldest.id), last: book.timeOf(newest.id) };
}

function logRequest(
  state: State,
  view: OverLog,
  row: LogRecord | null = null,
): ReturnType<Screen<OverLog>['request']> {
  const about = namedPart(aboutLog(state, view), row);
  if (about === null) return 'no log is open';
  const { query } = about;
  const own = about.zones.filter(({ id }) => id === row?.pullZoneId);
  const [zone, ...others] = own.length === 1 ? own : about.zones;
  if (zone === undefined) return 'saved logs: no request brings them';
  const oldest = oldestAsked(state.now, 'logs');
  if ((row?.timestamp ?? about.range.to) <= oldest) {
    const command = aboutCommand(state, about);
    if (state.history === null || typeof command === 'string')
      return `${KEPT_WORDS.logs}: no request brings this`;
    return { command, remark: `no request brings this: it is in the store ${state.history.name}` };
  }
  if (others.length > 0) return `a request is of one zone: ${CHOOSE_ONE_ZONE}`;
  const { server, local } = splitForServer({ ...query, groupBy: [] }, zone);
  const range = { ...about.range, from: Math.max(about.range.from, oldest) };
  const asked = { pullZoneId: zone.id, ...range, order: 'asc', limit: ONE_ANSWER, filter: server } as const;
  const path = logsPath(asked);
  if (path === null) return 'the zone has no id that a request could name';
  const url = `${state.handover.urls.logging}${path}`;
  const cut = range.from > about.range.from ? `from ${handedTime(range.from)} on: ${KEPT_WORDS.logs}` : '';
  return { request: { method: 'GET', url }, remark: joined([cut, decidedHere(local)], ', ') };
}

/** A request id names a single row; a row without one stays among those of its list. */
function namedPart(about: About | null, row: LogRecord | null): About | null {
  const id = row?.requestId ?? null;
  if (about === null || id === null || !/^[0-9a-f]{32}$/.test(id)) return about;
  const term: Term = { kind: 'field', field: 'id', op: 'eq', values: [id], negated: false };
  return { ...about, query: { ...about.query, terms: [...about.query.terms, term] } };
}

function heldRecord({ session }: State, { id }: RecordView): LogRecord | null {
  return session?.book.has(id) ? session.book.record(id) : null;
}

function recordUnder(state: State, view: LogView): LogRecord | null {
  const book = state.session?.book;
  const item = book?.at(logWindow(view, book, listHeight(state)).cursor);
  return book && item?.kind === 'row' ? book.record(item.id) : null;
}

function underRecord(record: LogRecord): Under {
  const line = lineOf(record, logRow, logRow);
  return { line, one: { kind: 'record', record }, zone: record.pullZoneId, seen: null };
}

function isLive({ session }: State): boolean {
  return session?.to === null;
}

/** Rows of files stay with whoever has the files. */
function oldestInBook(state: State): Oldest | null {
  const book = zonesOfLog(state.session).length > 0 ? state.session?.book : undefined;
  const first = book?.at(0);
  if (!book || !first) return null;
  const at = first.kind === 'row' ? book.timeOf(first.id) : first.gap.from;
  return { at, log: 'logs', isFollowed: isLive(state) };
}

/** The fields of the record on screen; none once the bounded book has dropped its row. */
export function fieldsOf(state: State, view: RecordView): RecordField[] {
  const book = state.session?.book;
  return book?.has(view.id) ? withRowCause(state, recordFields(book.record(view.id))) : [];
}

/** The newest rows at the live end; for a paused reader those around the row chosen. */
function notedLog(state: State, view: LogView, most: number): Noted {
  const { session: flow } = state;
  if (!flow) return {};
  const { book } = flow;
  if (!view.paused) return { flow, from: Math.max(0, book.length - most), called: 'the newest' };
  return { flow, from: logWindow(view, book, listHeight(state)).cursor, called: 'from the cursor on' };
}
