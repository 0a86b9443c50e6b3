import type { LogBook } from '../../domain/logs/log-book.ts';
import type { BookItem } from '../../domain/logs/order/log-gaps.ts';
import { isUnread } from '../../domain/logs/paged-log.ts';
import { savedRange } from '../../domain/logs/saved-window.ts';
import { isCauseTerm } from '../../domain/query/cause-terms.ts';
import { isNarrower } from '../../domain/query/push-down.ts';
import type { Query } from '../../domain/query/query.ts';
import { withZoneIds } from '../../domain/query/zone-terms.ts';
import { addressCutsOf, type Zones } from '../../domain/zone.ts';
import { duration } from '../../text/units.ts';
import { causesTold } from '../evidence/platform-evidence.ts';
import { clamp } from '../list.ts';
import { isEndless } from '../log-zones.ts';
import type { Message } from '../messages.ts';
import { type LogSession, type LogView, noticed, type State, type View } from '../model.ts';
import { nearestOf, pushed, viewsOf, withView } from '../view-stack.ts';
import { filledBook, newTails, pagingOf, received } from './zone-tails.ts';

/** A session that has read nothing yet. */
export const UNREAD = {
  version: 0,
  report: null,
  opened: null,
  replacing: false,
  told: null,
  storedSteps: null,
} as const satisfies Partial<LogSession>;

/** Follows zones and shows them. The session before ends because no subscription names it any more. */
export function openLog(state: State, zones: Zones, query: Query): State {
  const session = sessionOf(state, zones, query);
  return { ...state, session, views: [...viewsOf(state.views, 'zones'), logViewOf(query)], parked: [] };
}

/** The same over the views on screen, which return after one step back. */
export function openLogOver(state: State, zones: Zones, query: Query): State {
  const over = pushed(state, { ...logViewOf(query), beneath: state.session });
  return { ...over, session: sessionOf(state, zones, query) };
}

/** All sessions being read: the log on screen, and those that wait beneath it. */
export function sessions({ session, views, parked }: State): LogSession[] {
  const beneath = viewsOf([...views, ...parked], 'log').map((log) => log.beneath);
  return [session, ...beneath].filter((each) => each != null);
}

/** The notice while missing rows are read. */
export const READING_GAP = 'reading what is missing here; Esc stops it';

/** Rows and a report from a tail. The number of its question drops a late answer to an older one. */
export function tailRead(state: State, { generation, zone, event }: Message<'tailRead'>): State {
  const { session } = state;
  if (session?.generation === generation) {
    const isNews = event.report.clockAhead !== null && (session.report?.clockAhead ?? null) === null;
    const told = isNews ? clockNoticed(state, event.report.clockAhead ?? 0) : state;
    const oldest = event.rows.length > 0 ? rowBehindUnread(state, session) : null;
    const after = received(session, keptLog(state), zone, event);
    const isOver = told.notice?.text === READING_GAP && !after.tails.some(({ isAwaited }) => isAwaited);
    const next = { ...told, session: after, notice: isOver ? null : told.notice };
    if (oldest !== null) return logChanged(next, { cursor: oldest });
    return session.replacing ? atNewestRow(next) : next;
  }
  const { views, parked } = state;
  for (const [own, other] of [
    [views, parked],
    [parked, views],
  ] as const) {
    const over = nearestOf(own, 'log', ({ beneath }) => beneath?.generation === generation);
    if (!over?.beneath) continue;
    // A log opened in the explorer has its own log beneath, among the parked views.
    const owner = logBelow(own, over) ?? nearestOf(other, 'log');
    return withView(state, over, { ...over, beneath: received(over.beneath, owner, zone, event) });
  }
  return state;
}

function logBelow(views: readonly View[], over: LogView): LogView | null {
  return nearestOf(views.slice(0, views.indexOf(over)), 'log');
}

/** The oldest row, where the cursor is on unread time: a page comes between the two, and is read from its end. */
function rowBehindUnread(state: State, { book, paged }: LogSession): BookItem | null {
  const cursor = shownLog(state)?.cursor;
  if (paged === null || cursor?.kind !== 'gap' || !isUnread(cursor.gap, true)) return null;
  const behind = book.at(book.indexOf(cursor) + 1);
  return behind?.kind === 'row' ? behind : null;
}

function clockNoticed(state: State, ahead: number): State {
  const off = duration(Math.round(Math.abs(ahead) / 1000) * 1000);
  const word = ahead > 0 ? 'ahead of' : 'behind';
  return noticed(state, 'warning', `this clock is ${off} ${word} the server's, whose times are shown`);
}

/** The stack cut to `length` views; leaving the last log view ends its session or uncovers the one beneath. */
export function unwound(state: State, length: number): State {
  const wasPaused = shownLog(state)?.paused ?? false;
  const views = state.views.slice(0, length);
  const cut = { ...state, views, parked: length > 1 ? state.parked : [] };
  const opened = viewsOf(state.views.slice(length), 'log').find(({ beneath }) => beneath !== undefined);
  if (opened) {
    if (!keptLog(cut)) return { ...cut, session: null };
    const uncovered = { ...cut, session: opened.beneath ?? null };
    // The book beneath has the filter of the log below the one that was opened, which may be cut away as well.
    const under = logBelow(state.views, opened);
    return under !== null && under !== shownLog(cut)
      ? restoredLog(uncovered, under.paused)
      : bumped(uncovered);
  }
  if (shownLog(cut)) return restoredLog(cut, wasPaused);
  return keptLog(cut) ? cut : { ...cut, session: null };
}

/**
 * The query of the log on screen, changed. Local terms act on the rows held at once. What the server can do is asked
 * of it when the pane is live; a paused log filters the rows in view, and asks when it goes live.
 */
export function queried(state: State, query: Query): State {
  const { session } = state;
  const view = shownLog(state);
  if (!session || !view) return state;
  const asked = filtered(state, session, query);
  const next = logChanged(asked, { query, ...(view.paused ? {} : { cursor: null, offset: 0 }) });
  if (isDrilled(next) || session.source.kind === 'files') return bumped(next);
  const tails = newTails(session.source.zones, query, true);
  const sameWindow = JSON.stringify(query.window) === JSON.stringify(session.asked.window);
  const isHeld = session.tails.every(({ filter }, at) => isNarrower(tails[at]?.filter ?? {}, filter));
  if (view.paused && sameWindow && isHeld && session.paged === null) return bumped(next);
  return logAskedAgain(next, query);
}

/** Asks the servers of all zones anew where the question differs from the one being asked. */
export function logAskedAgain(state: State, query: Query): State {
  const { session } = state;
  if (!session) return state;
  if (session.source.kind === 'files') return bumped(state);
  const tails = newTails(session.source.zones, query, true);
  const same =
    session.tails.every(({ filter }, at) => JSON.stringify(filter) === JSON.stringify(tails[at]?.filter)) &&
    JSON.stringify(query.window) === JSON.stringify(session.asked.window) &&
    // A store decides more terms than the platform.
    (session.paged === null || JSON.stringify(query.terms) === JSON.stringify(session.asked.terms));
  if (same) return bumped({ ...state, session: { ...session, asked: query } });
  const [from, to] = [startOf(query, state.now), endOf(query)];
  if (shownLog(state)?.paused) session.book.thaw();
  return {
    ...logChanged(state, { paused: false, cursor: null, offset: 0 }),
    session: {
      ...session,
      generation: nextGeneration(state),
      tails,
      asked: query,
      from,
      to,
      paged: pagingOf(state, { from, to }),
      storedSteps: null,
      opened: null,
      replacing: true,
      version: session.version + 1,
    },
  };
}

/** The log view nearest to the top of the stack: the one whose filter and pause the book has now. */
export function shownLog(state: State): LogView | null {
  return nearestOf(state.views, 'log');
}

/** The same, or that of a log pane parked behind the explorer. */
function keptLog(state: State): LogView | null {
  return shownLog(state) ?? nearestOf(state.parked, 'log');
}

/** Why the window cannot be changed in the rows of a group. */
export const WINDOW_BELOW = 'these are rows of the log below; Esc goes there, and its window can be moved';

/** True in the rows of a group, which are filtered here without asking the server. */
export function isDrilled(state: State): boolean {
  return shownLog(state)?.beneath === undefined && viewsOf(state.views, 'log').length > 1;
}

/** The log on screen, changed. */
export function logChanged(state: State, change: Partial<LogView>): State {
  const log = shownLog(state);
  return log ? withView(state, log, { ...log, ...change }) : state;
}

/** Gives the book the filter and the pause of the log that a step back uncovers. */
export function restoredLog(state: State, wasPaused: boolean): State {
  const view = shownLog(state);
  if (!view || !state.session) return state;
  const { book } = state.session;
  const next = filtered(state, state.session, view.query);
  if (view.paused && !wasPaused) holdBack(state.session);
  if (!view.paused && wasPaused) book.thaw();
  return bumped(next);
}

/** Keeps arriving rows out of the view; those of a closed window are what the reader waits for. */
export function holdBack(session: LogSession): void {
  if (isEndless(session)) session.book.freeze();
}

/** Whether the log's filter asks for causes and more of them are known since it was set. */
export function isFilteredBefore(state: State): boolean {
  const { session, evidence } = state;
  const isAsked = shownLog(state)?.query.terms.some(isCauseTerm) ?? false;
  if (!isAsked || session === null || session.told === evidence.told) return false;
  return session.source.kind === 'zones';
}

/** The book filtered by a query; saved logs by their window as well, which no server decides. */
export function filtered(state: State, session: LogSession, query: Query): State {
  const { book, source } = session;
  const place = shownLog(state)?.cursor ?? 'newest';
  if (source.kind === 'zones') {
    const terms = withZoneIds(query.terms, source.zones);
    book.setFilter(terms, addressCutsOf(source.zones), null, place, causesTold(state.evidence, source.zones));
    return { ...state, session: { ...session, told: state.evidence.told } };
  }
  const range = savedRange(query.window, source.report.span);
  book.setFilter(query.terms, 'none', range, place);
  return { ...state, session: { ...session, source: { ...source, range, rangedAt: state.now } } };
}

export function bumped(state: State): State {
  return state.session
    ? { ...state, session: { ...state.session, version: state.session.version + 1 } }
    : state;
}

/** The view at its newest row: the row under the cursor went with the question before. */
function atNewestRow(state: State): State {
  const log = keptLog(state);
  return log ? withView(state, log, { ...log, cursor: null, offset: 0 }) : state;
}

function sessionOf(state: State, zones: Zones, query: Query): LogSession {
  const [from, to] = [startOf(query, state.now), endOf(query)];
  const paged = pagingOf(state, { from, to });
  return {
    ...UNREAD,
    source: { kind: 'zones', zones },
    generation: nextGeneration(state),
    tails: newTails(zones, query, false),
    asked: query,
    from,
    to,
    paged,
    book: filledBook(query, zones, { to, paged }),
  };
}

/** A number that no session being read has. */
export function nextGeneration(state: State): number {
  return Math.max(0, ...sessions(state).map(({ generation }) => generation)) + 1;
}

/** A log at its live end, or paused before its cursor is on a row. */
export function logViewOf(query: Query, paused = false): LogView {
  const rows = { ...query, groupBy: [] };
  return { kind: 'log', query: rows, paused, cursor: null, offset: 0, column: null, search: null };
}

function startOf(query: Query, now: number): number | null {
  if (!query.window) return null;
  return query.window.kind === 'last' ? now - query.window.duration : query.window.from;
}

function endOf(query: Query): number | null {
  return query.window?.kind === 'absolute' ? query.window.to : null;
}

/** Evicts the oldest rows of the largest sessions until all fit: rows with long unique URLs can take gigabytes. */
export function withinBytes(state: State): State {
  const books = sessions(state)
    .map(({ book }) => book)
    .sort((a, b) => b.bytes - a.bytes);
  let over = books.reduce((sum, book) => sum + book.bytes, -state.rowBytes);
  for (const book of books) {
    if (over <= 0) break;
    const before = book.bytes;
    book.evictDownTo(Math.max(before - over, state.rowBytes / books.length));
    over -= before - book.bytes;
  }
  return state;
}

/** The items of the book on screen: `top` is the index of the first, `cursor` that of the one under the cursor. */
type LogWindow = { top: number; cursor: number; length: number };

/** At the live end the window hangs on the newest row, otherwise on the row under the cursor. */
export function logWindow(view: LogView, book: LogBook, height: number): LogWindow {
  const { length } = book;
  const highest = Math.max(0, length - height);
  if (!view.cursor) return { top: highest, cursor: length - 1, length };
  const cursor = clamp(book.indexOf(view.cursor), 0, Math.max(0, length - 1));
  // A lower window still shows the cursor, on its last row.
  const offset = Math.min(view.offset, height - 1);
  return { top: clamp(cursor - offset, 0, highest), cursor, length };
}
