import type { BookItem } from '../../domain/logs/order/log-gaps.ts';
import { LOG_COLUMNS } from '../../domain/logs/pane-columns.ts';
import type { Term, TimeWindow } from '../../domain/query/query.ts';
import { termSought } from '../../domain/query/terms.ts';
import { withZoneIds } from '../../domain/query/zone-terms.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { MOVED_WINDOWS } from '../../state/list/moved-windows.ts';
import { listHeight } from '../../state/list/screen-layout.ts';
import { type FilterMode, filteredBy } from '../../state/list/value-filter.ts';
import { clamp, moved } from '../../state/list.ts';
import { askedValue, isEndless, zonesOfLog } from '../../state/log-zones.ts';
import type { Acted } from '../../state/messages.ts';
import { type LogView, noticed, type RecordView, type Search, type State } from '../../state/model.ts';
import { backfilled, backfillStopped } from '../../state/sessions/backfill.ts';
import { pagingStopped, resumedReading } from '../../state/sessions/paging.ts';
import { logWindow } from '../../state/sessions/rows-in-view.ts';
import {
  bumped,
  holdBack,
  isDrilled,
  logAskedAgain,
  logChanged,
  shownLog,
} from '../../state/sessions/session.ts';
import { pushed, topOf } from '../../state/view-stack.ts';
import { firstColumn, shownColumns } from './placed-columns.ts';
import { logHistoryMoved, windowed } from './query-history.ts';
import { savedCommanded, savedStopped } from './saved.ts';

/** The window where none is asked for: the newest quarter of an hour. */
export const TAIL_WINDOW = { kind: 'last', duration: 15 * 60_000 } as const satisfies TimeWindow;

const NO_FURTHER = 'no further: logs are kept for three days and the newest are on screen';

export function logCommanded(state: State, view: LogView, command: CommandId): Acted {
  const { session } = state;
  if (!session) return null;
  const { book } = session;
  // The next matching row is known once the filter has tested all.
  book.settle();
  const saved = savedCommanded(state, view, command);
  if (saved) return saved;
  const moveWindow = MOVED_WINDOWS[command];
  if (moveWindow) {
    const isStored = state.history !== null;
    const window = moveWindow(view.query.window ?? TAIL_WINDOW, state.now, isStored);
    return windowed(state, view.query, window === null ? undefined : wholeSeconds(window), NO_FURTHER);
  }
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
    case 'findNext':
      return found(state, view, 1);
    case 'findPrevious':
      return found(state, view, -1);
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

/** The next match in a direction, wrapping at the end. */
export function found(state: State, view: LogView, direction: 1 | -1): State {
  const { session } = state;
  if (!session || !view.search) return state;
  const { book } = session;
  const { search } = view;
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

/** The next row with what is searched for now. */
export function soughtInLog(state: State, view: LogView, search: Search, direction: 1 | -1): State {
  return found(state, { ...view, search }, direction);
}

/** The first match: at or after the cursor, else the nearest before it. */
export function searched(state: State, view: LogView, needle: string): State {
  const { session } = state;
  if (!session) return state;
  session.book.settle();
  const { cursor } = logWindow(view, session.book, listHeight(state));
  const match = session.book.search(needle, cursor, 1) ?? session.book.search(needle, cursor, -1);
  if (match === null) return soughtInLog(state, view, { needle, at: null }, 1);
  const went = wentTo(state, view, match);
  return logChanged(went, { search: { needle, at: session.book.countMatches(needle, match) } });
}

/** The terms after `+ - =` on the value under the cursor, or why there are none. */
export function termsUnderCursor(state: State, view: LogView, mode: FilterMode): readonly Term[] | string {
  const { session } = state;
  if (!session) return 'no log is open';
  const item = session.book.at(logWindow(view, session.book, listHeight(state)).cursor);
  if (item?.kind !== 'row') return 'there is no value on this row';
  const column = view.column ?? firstColumn(state);
  const { field, title, value } = LOG_COLUMNS[column];
  if (!field) return `${title} cannot be filtered by; the arrows choose another column`;
  const text = value(session.book.record(item.id));
  if (text === null) return `this row has no ${title.toLowerCase()}`;
  return filteredBy(view.query.terms, mode, field, askedValue(state, field, text));
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
