import { withinKept } from '../../domain/log-retention.ts';
import { fieldNamed } from '../../domain/query/fields.ts';
import { resortedTable, SHIELD_SORTS, type ShieldSort } from '../../domain/shield/shield-groups.ts';
import { termsInto } from '../../domain/shield/shield-question.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { type Order, orderBy } from '../../state/list/list-screen.ts';
import { timelineRows } from '../../state/list/screen-layout.ts';
import { clamp } from '../../state/list.ts';
import { noticed, type State } from '../../state/model.ts';
import { SLOW } from '../../state/request-log.ts';
import type { CellUnder } from '../../state/screen.ts';
import type {
  ShieldEventView,
  ShieldGroupsView,
  ShieldListView,
  ShieldLoading,
  ShieldRowsView,
  ShieldView,
} from '../../state/shield-model.ts';
import { pushed, withTop } from '../../state/view-stack.ts';
import { AT_TOP, askedInstead, asking, remembered } from './shield-ask.ts';
import { histogramAsked, isCountable } from './shield-histogram.ts';
import { climbed, historyMoved } from './shield-history.ts';
import { dimensionUnder, listOf, valuesOfLine } from './shield-lists.ts';
import { refreshed, toggledAuto } from './shield-refresh.ts';

type Commands<V> = Partial<Record<CommandId, (state: State, view: V) => State | null>>;

const IN_ANY: Commands<ShieldView> = {
  leave: (state, view) =>
    // A search is a step of its own on the way back.
    cancelled(state, view) ??
    (view.needle === null ? climbed(state) : withTop(state, { ...view, needle: null })),
  back: (state, view) => cancelled(state, view) ?? climbed(state),
  historyBack: (state) => historyMoved(state, 'past'),
  historyForward: (state) => historyMoved(state, 'future'),
};

const IN_LIST: Commands<ShieldListView> = {
  ...IN_ANY,
  left: (state, view) => columnChosen(state, view, -1),
  right: (state, view) => columnChosen(state, view, 1),
  refresh: refreshed,
  timelineSize: (state, view) => (isCountable(view) ? histogramAsked(withTimeline(state), view) : null),
  follow: toggledAuto,
  pause: toggledAuto,
};

const IN_GROUPS: Commands<ShieldGroupsView> = {
  ...IN_LIST,
  open: groupOpened,
  unfold: (state, { query, isUnfolded }) =>
    query.groupBy.length < 2
      ? noticed(state, 'info', 'only one dimension is grouped; b chooses more')
      : askedInstead(state, query, { isUnfolded: !isUnfolded }),
};

export const shieldGroupsCommanded = commandsOf(IN_GROUPS);
export const shieldRowsCommanded = commandsOf<ShieldRowsView>({ ...IN_LIST, open: rowOpened });
export const shieldEventCommanded = commandsOf<ShieldEventView>(IN_ANY);

function commandsOf<V extends ShieldView>(commands: Commands<V>) {
  return (state: State, view: V, command: CommandId): State | null =>
    commands[command]?.(state, view) ?? null;
}

function columnChosen(state: State, view: ShieldListView, direction: 1 | -1): State {
  const last = listOf(view).dims(view).length - 1;
  return withTop(state, { ...view, column: clamp(view.column + direction, 0, last) });
}

/** Opens the event of a row. */
function rowOpened(state: State, { rows, cursor, query }: ShieldRowsView): State {
  const row = rows.shown[cursor];
  if (!row) return noticed(state, 'info', NO_LINE);
  return pushed(remembered(state), { ...AT_TOP, kind: 'shieldEvent', query, row, reading: null });
}

/** Opens a group: its next dimension or its rows. */
function groupOpened(state: State, view: ShieldGroupsView): State {
  const group = view.table.groups[view.cursor];
  if (!group) return noticed(state, 'info', NO_LINE);
  if (group.raw !== null) return noticed(state, 'info', NOT_UNDERSTOOD);
  const terms = termsInto(view.query.terms, view.reading.plan.dims, group.key);
  const groupBy = view.isUnfolded ? [] : view.query.groupBy.slice(1);
  const before = remembered(state);
  const [shield, next] = asking(before, { ...view.query, terms, groupBy });
  // The same times as the counts that were opened; only a refresh moves a relative window.
  const range = withinKept(view.reading.range, state.now, 'shield');
  return pushed({ ...before, shield }, { ...next, reading: { ...next.reading, range } });
}

/** A count on order is for the timeline, so the timeline is on screen. */
function withTimeline(state: State): State {
  if (timelineRows(state) > 0) return state;
  return { ...state, timeline: { ...state.timeline, size: 'low' } };
}

const NO_LINE = 'no line to open yet';

const NOT_UNDERSTOOD =
  'this group was not understood: it is shown as it came, and nothing can be asked about it';

/** Esc while a spinner is on screen: the request ends, and what was read stays. */
function cancelled(state: State, view: ShieldView): State | null {
  if (!view.reading) return null;
  const isSlow = (loading: ShieldLoading) => loading.kind === 'asking' && state.now - loading.since >= SLOW;
  const { histogram, reading } = view;
  if (isSlow(reading.loading)) {
    return withTop(state, { ...view, reading: { ...reading, loading: { kind: 'cancelled' } } });
  }
  if (histogram && isSlow(histogram.loading)) {
    return withTop(state, { ...view, histogram: { ...histogram, loading: { kind: 'cancelled' } } });
  }
  return null;
}

/** The value of the chosen dimension in the line under the cursor. */
export function cellUnder(view: ShieldListView): CellUnder {
  const none = 'there is no value under the cursor';
  const dimension = dimensionUnder(view);
  const line = listOf(view).lines(view)[view.cursor];
  if (!line || dimension === undefined) return { text: null, asked: none };
  if ('key' in line && line.raw !== null) return { text: null, asked: NOT_UNDERSTOOD };
  const field = fieldNamed('shield', dimension);
  const value = valuesOfLine(line)[dimension] ?? null;
  return { text: value, asked: field === null ? none : { subject: 'shield', field, value } };
}

export const SHIELD_ORDER = orderBy(SHIELD_SORTS, (_, view: ShieldGroupsView) => view, resorted);

function resorted(state: State, view: ShieldGroupsView, { sort, reversed }: Order<ShieldSort>): State {
  const table = resortedTable(view.table, { dims: view.reading.plan.dims, sort, reversed });
  return withTop(state, { ...view, sort, reversed, table, cursor: 0, top: 0 });
}
