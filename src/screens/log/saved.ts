import { LogBook } from '../../domain/logs/log-book.ts';
import { arrivalsOf } from '../../domain/logs/log-rows.ts';
import {
  emptyReport,
  SAVED_CAPACITY,
  type SavedEvent,
  type SavedReport,
} from '../../domain/logs/saved-report.ts';
import { movedSaved, savedRange } from '../../domain/logs/saved-window.ts';
import type { Query, TimeWindow, WindowMove } from '../../domain/query/query.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { ACCOUNT_LISTS, eachOpener } from '../../lists/account-lists.ts';
import type { SavedSource } from '../../state/log-source.ts';
import { type LogSession, type LogView, noticed, remarked, type State } from '../../state/model.ts';
import {
  bumped,
  filtered,
  logChanged,
  logViewOf,
  nextGeneration,
  shownLog,
  UNREAD,
} from '../../state/sessions/session.ts';
import { topOf } from '../../state/view-stack.ts';
import { count } from '../../text/units.ts';
import { openGroups } from './group-commands.ts';

/** Troubles that a remark names one by one. */
const TROUBLES_NAMED = 3;

/** Least time between two computations of `last:` while files are read, ms: each filters all rows anew. */
const RANGE_AFTER = 1000;

const noneToList = (called: string) =>
  `saved logs: no account is connected, so there are no ${called} to list`;

/** Commands that need an account, and why. */
const REFUSALS: Partial<Record<CommandId, string>> = {
  zonesScreen: noneToList('zones'),
  shieldScreen: 'saved logs: Shield events are not in them, and no account is connected',
  ...eachOpener((kind) => noneToList(ACCOUNT_LISTS[kind].called)),
  refresh: 'saved logs are read once; -f follows a file that grows',
};

/** Opens saved logs. A file opens at its first row; a followed one and standard input at the newest. */
export function openSaved(
  state: State,
  o: { names: readonly string[]; bytesTotal: number | null; follow: boolean; query: Query },
): State {
  const { names, follow, query } = o;
  const report = emptyReport(names.length, o.bytesTotal);
  const source: SavedSource = { kind: 'files', names, follow, report, range: null, rangedAt: state.now };
  const session: LogSession = {
    ...UNREAD,
    source,
    generation: nextGeneration(state),
    tails: [],
    asked: query,
    from: null,
    to: null,
    book: new LogBook({ capacity: SAVED_CAPACITY }),
    paged: null,
  };
  const next = filtered({ ...state, session, views: [logViewOf(query, !follow)] }, session, query);
  return query.groupBy.length > 0 ? openGroups(next, query.groupBy) : next;
}

/** Rows of a file; the number of a reading that was ended drops them. */
export function savedRead(state: State, generation: number, { rows, report }: SavedEvent): State {
  const { session } = state;
  if (session?.source.kind !== 'files' || session.generation !== generation) return state;
  const { book, source } = session;
  if (source.report.status === 'stopped') return state;
  if (rows !== null) book.append(arrivalsOf(rows));
  if (report.gaps !== source.report.gaps) book.setGaps(report.gaps);
  const next: State = {
    ...withTroubles(state, report.troubles, source.report.troubles.length),
    session: { ...session, source: { ...source, report }, version: session.version + 1 },
  };
  return withFirstRow(ranged(next, isReadingOver(state, { rows, report })));
}

/** Troubles of files, the newest first: one remark for all of them, so that a thousand take no thousand keys. */
function withTroubles(state: State, troubles: SavedReport['troubles'], told: number): State {
  if (troubles.length === told) return state;
  const newest = troubles.toReversed().slice(0, TROUBLES_NAMED);
  const more = troubles.length - newest.length;
  const words = newest.map(({ file, what }) => `${file} ${what}`);
  const remark = [...words, ...(more > 0 ? [`and ${count(more)} more`] : [])].join('; ');
  const isLoss = troubles.some((trouble) => trouble.isLoss);
  return remarked(state, { tone: isLoss ? 'warning' : 'info', remark, about: 'files' });
}

/** True for the event that ends a reading: what was counted on the way is counted once more. */
export function isReadingOver({ session }: State, { report }: SavedEvent): boolean {
  return (
    session?.source.kind === 'files' &&
    session.source.report.status === 'reading' &&
    report.status !== 'reading'
  );
}

/** Esc while files are read: what was read stays, and is never called complete. Null = nothing is being read. */
export function savedStopped(state: State): State | null {
  const { session } = state;
  if (session?.source.kind !== 'files' || session.source.report.status !== 'reading') return null;
  const report = { ...session.source.report, status: 'stopped' as const };
  const next = { ...state, session: { ...session, source: { ...session.source, report } } };
  return noticed(ranged(next, true), 'warning', 'stopped: the rest of the files was not read');
}

/** Why a command cannot act on saved logs; null = it can, or the log is not one. */
export function savedRefusal(state: State, command: CommandId): string | null {
  if (state.session?.source.kind !== 'files') return null;
  const isOther = command === 'refresh' && topOf(state, 'log', 'groups', 'record') === null;
  return isOther ? null : (REFUSALS[command] ?? null);
}

/** The window of saved logs that a key moves to, which no server keeps; null: all rows, a string: none is further. */
export function savedWindowMoved(
  { report: { span } }: SavedSource,
  book: LogBook,
  { query, cursor }: LogView,
  move: WindowMove,
): TimeWindow | null | string {
  const about = cursor?.kind === 'row' && book.has(cursor.id) ? book.timeOf(cursor.id) : null;
  const window = span === null ? undefined : movedSaved(move, query.window, span, about);
  return window === undefined ? 'no further: the saved logs end here' : window;
}

/** `last:` from the newest row of now. */
function ranged(state: State, isDue: boolean): State {
  const { session } = state;
  const view = shownLog(state);
  if (session?.source.kind !== 'files' || view?.query.window?.kind !== 'last') return state;
  const { source } = session;
  // A followed file keeps its beginning: rows in view do not go because others come.
  const isMoving = source.report.status === 'reading' && state.now - source.rangedAt >= RANGE_AFTER;
  if (!isDue && !(isMoving || source.range === null)) return state;
  const range = savedRange(view.query.window, source.report.span);
  return range?.from === source.range?.from ? state : bumped(filtered(state, session, view.query));
}

/** A file is shown from its first row, where the cursor goes once it is there. */
function withFirstRow(state: State): State {
  const view = shownLog(state);
  const first = view?.paused && view.cursor === null ? state.session?.book.at(0) : null;
  return first ? logChanged(state, { cursor: first, offset: 0 }) : state;
}
