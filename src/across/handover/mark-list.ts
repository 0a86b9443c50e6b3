import {
  byTime,
  type Mark,
  type Marks,
  MOST_MARKS,
  markOfEvent,
  markOfRecord,
} from '../../domain/handover/marks.ts';
import type { LogBook } from '../../domain/logs/log-book.ts';
import { rowKey } from '../../domain/tail/coverage-keys.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { stoppedToChoose, wentTo } from '../../screens/log/log-commands.ts';
import { onTop } from '../../screens/screens.ts';
import { remembered } from '../../screens/shield/shield-ask.ts';
import { shieldWentTo } from '../../screens/shield/shield-find.ts';
import type { HandoverOverlay } from '../../state/handover-model.ts';
import { listHeight } from '../../state/list/screen-layout.ts';
import { moved, placed } from '../../state/list.ts';
import { logNameOf } from '../../state/log-zones.ts';
import { noticed, type State, type View } from '../../state/model.ts';
import { shownLog, unwound } from '../../state/sessions/session.ts';
import { nearestOf, topOf } from '../../state/view-stack.ts';
import { count } from '../../text/units.ts';
import { toLogs, toShield } from '../neighbours.ts';
import { exportMenuOpened } from './export-menu.ts';

type MarkList = Extract<HandoverOverlay, { kind: 'marks' }>;
type RowMark = Extract<Mark, { kind: 'row' }>;
type EventMark = Extract<Mark, { kind: 'event' }>;

/** Marks the row under the cursor, or unmarks it. */
export function markToggled(state: State): State {
  const stopped = stoppedToChoose(state, 'j k choose the row, then :mark again');
  if (stopped) return stopped;
  const mark = markUnder(state);
  if (typeof mark === 'string') return noticed(state, 'info', mark);
  const { marks } = state.handover;
  if (marks.has(mark.key)) return unmarked(state, mark);
  if (marks.size >= MOST_MARKS) {
    const text = `not marked: ${count(MOST_MARKS)} rows are, and no more are kept; :marks lists them, x unmarks`;
    return noticed(state, 'warning', text);
  }
  const next = withMarks(state, new Map(marks).set(mark.key, mark));
  return noticed(
    next,
    'info',
    `marked, ${count(marks.size + 1)} in all; :marks lists them, :mark again unmarks`,
  );
}

/** The marked rows, with the cursor on the newest. */
export function markListOpened(state: State): State {
  const { size } = state.handover.marks;
  const overlay = { kind: 'marks', cursor: 0, top: 0 } as const;
  return { ...state, overlay: { ...overlay, ...placed(overlay, size - 1, size, listHeight(state)) } };
}

export function markListCommanded(state: State, list: MarkList, command: CommandId): State | null {
  const marks = byTime(state.handover.marks);
  const place = moved(list, command, marks.length, listHeight(state));
  if (place) return { ...state, overlay: { ...list, ...place } };
  const mark = marks[list.cursor];
  if (!mark) return null;
  switch (command) {
    case 'open':
      return mark.kind === 'row' ? wentToRow(state, mark) : wentToEvent(state, mark);
    case 'dropFilter': {
      const rest = unmarked(state, mark);
      if (marks.length === 1) return { ...rest, overlay: null };
      const at = placed(list, list.cursor, marks.length - 1, listHeight(state));
      return { ...rest, overlay: { ...list, ...at } };
    }
    case 'exportMarks':
      return exportMenuOpened(state, 'marks');
    default:
      return null;
  }
}

/** The row under the cursor, or why there is none to mark. */
function markUnder(state: State): Mark | string {
  const under = onTop(state, 'under');
  const { one = null, line } = under ?? {};
  if (line?.kind === 'gap') return 'this is a gap, not a row: Enter reads what is missing';
  if (one?.kind === 'record') return markOfRecord(one.record, logNameOf(state.session, one.record));
  if (one?.kind === 'event') return markOfEvent(one.event, state.shield?.zone.name ?? '');
  if (under === null) return 'nothing to mark here';
  return 'only single rows can be marked: Enter opens the group';
}

function unmarked(state: State, { key }: Mark): State {
  const marks = new Map(state.handover.marks);
  marks.delete(key);
  return noticed(withMarks(state, marks), 'info', `unmarked; ${count(marks.size)} still marked`);
}

function withMarks(state: State, marks: Marks): State {
  return { ...state, handover: { ...state.handover, marks } };
}

/** Moves to the row in the log being read, which may be parked. The list stays where that no longer holds the row. */
function wentToRow(state: State, mark: RowMark): State {
  const { session } = state;
  if (!session || logNameOf(session, mark.record) !== mark.zone)
    return noticed(state, 'info', `the log of ${mark.zone} is not open: :logs opens it`);
  const { book } = session;
  const index = placeIn(book, mark);
  if (index === null) {
    const isAllShown = book.rowsInView === book.size;
    const why = isAllShown ? 'this row is' : 'this row is hidden by the filter or the pause, or';
    return noticed(state, 'info', `${why} no longer held; e writes its copy`);
  }
  const closed: State = { ...state, overlay: null };
  const log = shownLog(state);
  const under = log ? unwound(closed, state.views.indexOf(log) + 1) : toLogs(closed);
  const view = shownLog(under);
  under.session?.book.settle();
  return view ? wentTo(under, view, index) : state;
}

function placeIn(book: LogBook, { key, at }: RowMark): number | null {
  book.settle();
  for (let index = book.indexOfTime(at); index < book.length; index++) {
    const item = book.at(index);
    if (item?.kind !== 'row') continue;
    const record = book.record(item.id);
    if (record.timestamp !== at) return null;
    if (rowKey(record) === key) return index;
  }
  return null;
}

/** Moves to the event in the nearest list of the explorer that holds it. */
function wentToEvent(state: State, mark: EventMark): State {
  const holderIn = (views: readonly View[]) =>
    nearestOf(views, 'shieldRows', ({ rows }) => rows.shown.some(({ id }) => id === mark.key));
  const holder = holderIn(state.views);
  if (!holder && holderIn(state.parked)) return wentToEvent(toShield(state), mark);
  if (!holder) {
    const isOpen = state.shield?.zone.name === mark.zone;
    const why = isOpen ? 'no list of the explorer holds this event' : `Shield of ${mark.zone} is not open`;
    return noticed(state, 'info', `${why}; e writes its copy`);
  }
  const length = state.views.indexOf(holder) + 1;
  const under = unwound(remembered({ ...state, overlay: null }), length);
  const view = topOf(under, 'shieldRows');
  if (!view) return state;
  const index = view.rows.shown.findIndex(({ id }) => id === mark.key);
  return shieldWentTo(under, view, index);
}
