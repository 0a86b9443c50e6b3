import type { BookItem } from '../../domain/logs/order/log-gaps.ts';
import { asksCause, NO_CAUSE_OF_SAVED } from '../../domain/query/cause-terms.ts';
import type { Query, TimeWindow, WindowMove } from '../../domain/query/query.ts';
import { type Sought, termSought } from '../../domain/query/terms.ts';
import { withZoneIds } from '../../domain/query/zone-terms.ts';
import { movedWindow } from '../../domain/shield/shield-window.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { listHeight } from '../../state/list/screen-layout.ts';
import { clamp, moved } from '../../state/list.ts';
import { isEndless, zonesOfLog } from '../../state/log-zones.ts';
import type { Acted } from '../../state/messages.ts';
import { type LogView, noticed, type RecordView, type State } from '../../state/model.ts';
import { backfilled, backfillStopped, pagingStopped, resumedReading } from '../../state/sessions/paging.ts';
import {
  bumped,
  holdBack,
  isDrilled,
  logAskedAgain,
  logChanged,
  logWindow,
  queried,
  shownLog,
} from '../../state/sessions/session.ts';
import { cutTo, pushed, topOf, withTop } from '../../state/view-stack.ts';
import { openGroups, recounted } from './group-commands.ts';
import { firstColumn, shownColumns } from './placed-columns.ts';
import { savedStopped, savedWindowMoved } from './saved.ts';

/** The window where none is asked for: the newest quarter of an hour. */
export const TAIL_WINDOW = { kind: 'last', duration: 15 * 60_000 } as const satisfies TimeWindow;

const NO_FURTHER = 'no further: logs are kept for three days and the newest are on screen';

export function logCommanded(state: State, view: LogView, command: CommandId): Acted {
  const { session } = state;
  if (!session) return null;
  const { book } = session;
  book.settle();
  switch (command) {
    case 'down':
    case 'up':
    case 'pageDown':
    case 'pageUp':
    case 'first':
      return movedInLog(state, view, command);
    case 'last':
    case 'follow':
      return live(state, view);
    case 'pause':
      return view.paused ? live(state, view) : paused(state, view);
    case 'left':
    case 'right':
      return movedColumn(state, view, command === 'left' ? -1 : 1);
    case 'open': {
      const item = book.at(logWindow(view, book, listHeight(state)).cursor);
      if (!item) return session.paged?.isStopped ? resumedReading(state) : state;
      if (item.kind === 'gap') return backfilled(state, item.gap);
      return opened(paused(state, view), item.id);
    }
    case 'historyBack':
      return logHistoryMoved(state, view, 'past');
    case 'historyForward':
      return logHistoryMoved(state, view, 'future');
    case 'leave':
      // A search is a step of its own; what is being read of files or a gap ends before the view closes.
      if (view.search) return logChanged(state, { search: null });
      return savedStopped(state) ?? pagingStopped(state) ?? backfillStopped(state);
    case 'refresh':
      if (session.paged !== null && session.to !== null)
        return noticed(resumedReading(state), 'info', 'reading on');
      return [
        noticed(resumedReading(state), 'info', 'asking again'),
        [{ type: 'refreshTails', generation: session.generation }],
      ];
    default:
      return null;
  }
}

/** Pauses: arriving rows are kept and counted, and nothing on screen moves. */
function paused(state: State, view: LogView): State {
  if (view.paused || !state.session) return state;
  const { book } = state.session;
  const { top, cursor } = logWindow(view, book, listHeight(state));
  holdBack(state.session);
  return bumped(
    logChanged(state, { paused: true, cursor: book.at(cursor), offset: Math.max(0, cursor - top) }),
  );
}

/**
 * At the newest row no line is marked: the first press marks one and says what the next does. Null: a line is marked.
 */
export function stoppedToChoose(state: State, words: string): State | null {
  const view = topOf(state, 'log');
  if (!view || view.paused) return null;
  const isHeld = state.session !== null && isEndless(state.session);
  return noticed(paused(state, view), 'info', isHeld ? `paused: ${words}` : words);
}

/** Back to the newest row; a filter set while paused is now asked of the server. */
function live(state: State, view: LogView): State {
  if (!state.session) return state;
  state.session.book.thaw();
  const next = bumped(logChanged(state, { paused: false, cursor: null, offset: 0 }));
  return isDrilled(next) ? next : logAskedAgain(next, view.query);
}

/** The window that a key moves to; null: all of saved logs, a string: none is further. */
export function logWindowMoved(
  { session, now, history }: State,
  view: LogView,
  move: WindowMove,
): TimeWindow | null | string {
  if (session?.source.kind === 'files') return savedWindowMoved(session.source, session.book, view, move);
  const window = movedWindow(move, view.query.window ?? TAIL_WINDOW, now, history !== null);
  return window === null ? NO_FURTHER : wholeSeconds(window);
}

/** A moved window with times that can be read and typed. */
function wholeSeconds(window: TimeWindow): TimeWindow {
  if (window.kind === 'last') return window;
  const whole = (time: number) => Math.floor(time / 1000) * 1000;
  return { ...window, from: whole(window.from), to: window.to === null ? null : whole(window.to) };
}

function movedInLog(state: State, view: LogView, command: CommandId): State {
  if (!state.session) return state;
  // Moving down at the live end does not pause: there is nothing below.
  if (!view.paused && (command === 'down' || command === 'pageDown')) return state;
  const next = view.paused ? state : paused(state, view);
  const held = shownLog(next);
  if (!held) return next;
  const height = listHeight(state);
  const { book } = state.session;
  const at = logWindow(held, book, height);
  const place = moved(at, command, at.length, height);
  if (!place) return next;
  return logChanged(next, { cursor: book.at(place.cursor), offset: place.cursor - place.top });
}

/** The cursor on an item of the view; one off the screen comes to its middle. */
export function wentTo(state: State, view: LogView, index: number): State {
  if (!state.session) return state;
  const next = paused(state, view);
  const held = shownLog(next) ?? view;
  const height = listHeight(state);
  const at = logWindow(held, state.session.book, height);
  const visible = index >= at.top && index < at.top + height;
  const top = visible ? at.top : clamp(index - Math.floor(height / 2), 0, Math.max(0, at.length - height));
  return logChanged(next, { cursor: state.session.book.at(index), offset: index - top });
}

/** The next row with what is searched for, round the end. */
export function found(state: State, view: LogView, search: Sought, direction: 1 | -1): State {
  const { session } = state;
  if (!session) return state;
  const { book } = session;
  // The next matching row is known once the filter has tested all.
  book.settle();
  const [sought = ''] = withZoneIds([termSought('logs', search)], zonesOfLog(session));
  const { cursor, length } = logWindow(view, book, listHeight(state));
  const end = direction === 1 ? 0 : length - 1;
  const next = book.search(sought, cursor + direction, direction) ?? book.search(sought, end, direction);
  if (next === null) {
    const text = `'${search.needle}' is not in the ${length.toLocaleString('en')} rows of this view`;
    const none = { ...search, at: { index: 0, total: 0 } };
    return noticed(logChanged(state, { search: none }), 'warning', text);
  }
  const at = book.countMatches(sought, next);
  const isRound = direction === 1 ? next <= cursor : next >= cursor;
  return {
    ...logChanged(wentTo(state, view, next), { search: { ...search, at } }),
    notice: isRound ? { tone: 'info', text: 'search wrapped around the end' } : null,
  };
}

/** The first match: at or after the cursor, else the nearest before it. */
export function searched(state: State, view: LogView, needle: string): State {
  const { session } = state;
  if (!session) return state;
  session.book.settle();
  const { cursor } = logWindow(view, session.book, listHeight(state));
  const match = session.book.search(needle, cursor, 1) ?? session.book.search(needle, cursor, -1);
  if (match === null) return found(state, view, { needle }, 1);
  const went = wentTo(state, view, match);
  return logChanged(went, { search: { needle, at: session.book.countMatches(needle, match) } });
}

function movedColumn(state: State, view: LogView, by: 1 | -1): State {
  const shown = shownColumns(state);
  const at = shown.indexOf(view.column ?? firstColumn(state));
  const column = shown[clamp(at + by, 0, shown.length - 1)] ?? null;
  return logChanged(paused(state, view), { column });
}

function opened(state: State, id: number): State {
  const view = shownLog(state);
  if (!view) return state;
  const record: RecordView = { kind: 'record', query: view.query, id, cursor: 0, top: 0 };
  const item: BookItem = { kind: 'row', id };
  return pushed(logChanged(state, { cursor: view.cursor ?? item }), record);
}

/** Queries kept to go back to. */
const MOST = 50;

/** The log asked another query; the one before is kept, and what lay ahead is dropped. */
function requestioned(state: State, query: Query): State {
  const before = shownLog(state);
  const next = queried(state, query);
  if (!before || JSON.stringify(before.query) === JSON.stringify(query)) return next;
  const past = [...(before.history?.past ?? []), before.query].slice(-MOST);
  return logChanged(next, { history: { past, future: [] } });
}

/** The query before or after this one, asked anew where the server has to be asked. */
function logHistoryMoved(state: State, view: LogView, direction: 'past' | 'future'): State {
  const { past, future } = view.history ?? { past: [], future: [] };
  const query = direction === 'past' ? past.at(-1) : future[0];
  if (query === undefined) {
    const text =
      direction === 'past' ? 'there is no query before this one' : 'there is no query after this one';
    return noticed(state, 'info', text);
  }
  const here = view.query;
  const history =
    direction === 'past'
      ? { past: past.slice(0, -1), future: [here, ...future] }
      : { past: [...past, here], future: future.slice(1) };
  return logChanged(queried(state, query), { history });
}

/** The groups on top recounted, when it is time or `isDue`. */
export function withGroupsRecounted(state: State, isDue = false): State {
  const view = topOf(state, 'groups');
  if (!view) return state;
  return withTop(state, recounted(state, isDue ? { ...view, computedAt: 0, taggedAt: 0 } : view));
}

/** The query of a log or its groups was edited: the log asks it, and its groups lie on top. */
export function editedQuery(state: State, query: Query): State {
  if (state.session?.source.kind === 'files' && asksCause(query))
    return noticed(state, 'warning', NO_CAUSE_OF_SAVED.message);
  const log = shownLog(state);
  // The view that the line was opened over may be closed by now.
  if (!log) return state;
  const asked = requestioned(cutTo(state, log), { ...query, groupBy: [] });
  if (query.groupBy.length === 0) return asked;
  return openGroups(asked, query.groupBy, topOf(state, 'groups'));
}
