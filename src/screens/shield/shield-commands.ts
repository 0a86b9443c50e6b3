import { withinKept } from '../../domain/log-retention.ts';
import { fieldNamed } from '../../domain/query/fields.ts';
import type { Term } from '../../domain/query/query.ts';
import { resortedTable, SHIELD_SORTS, type ShieldSort } from '../../domain/shield/shield-groups.ts';
import { termsInto } from '../../domain/shield/shield-question.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { MOVED_WINDOWS } from '../../state/list/moved-windows.ts';
import { detailedHeight, timelineRows } from '../../state/list/screen-layout.ts';
import { FILTER_MODES, type FilterMode, filteredBy } from '../../state/list/value-filter.ts';
import { clamp, moved } from '../../state/list.ts';
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
import {
  AT_TOP,
  askedInstead,
  asking,
  readOn,
  remembered,
  requeried,
  topShieldList,
  withListOnTop,
} from './shield-ask.ts';
import { fieldsOfEvent, lineCount, shieldFound, termOfSearch } from './shield-find.ts';
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
  findNext: (state, view) => shieldFound(state, view, 1),
  findPrevious: (state, view) => shieldFound(state, view, -1),
  findToFilter: (state, view) => soughtToFilter(state, termOfSearch(view)),
  historyBack: (state) => historyMoved(state, 'past'),
  historyForward: (state) => historyMoved(state, 'future'),
};

const KEPT_ONLY = 'events are kept for 72 h only';

const IN_LIST: Commands<ShieldListView> = {
  ...IN_ANY,
  left: (state, view) => columnChosen(state, view, -1),
  right: (state, view) => columnChosen(state, view, 1),
  earlier: (state, view) => windowMoved(state, view, 'earlier', KEPT_ONLY),
  later: (state, view) => windowMoved(state, view, 'later', 'the window already ends now'),
  zoomIn: (state, view) => windowMoved(state, view, 'zoomIn', 'this is the shortest window'),
  zoomOut: (state, view) => windowMoved(state, view, 'zoomOut', KEPT_ONLY),
  dropFilter: (state, { query }) => requeried(state, { ...query, terms: query.terms.slice(0, -1) }),
  dropFilters: (state, { query }) => requeried(state, { ...query, terms: [] }),
  refresh: refreshed,
  timelineSize: (state, view) => (isCountable(view) ? histogramAsked(withTimeline(state), view) : null),
  follow: toggledAuto,
  pause: toggledAuto,
};

export const shieldGroupsCommanded = commandsOf<ShieldGroupsView>(valueOfLine, {
  ...IN_LIST,
  open: groupOpened,
  findToFilter: (state, view) => soughtToFilter(state, termOfSearch(view, dimensionUnder(view))),
  sort: (state, view) => {
    const at = SHIELD_SORTS.indexOf(view.sort) + 1;
    return resorted(state, view, SHIELD_SORTS[at % SHIELD_SORTS.length] ?? 'count', false);
  },
  reverse: (state, view) => resorted(state, view, view.sort, !view.isReversed),
  unfold: (state, { query, isUnfolded }) =>
    query.groupBy.length < 2
      ? noticed(state, 'info', 'only one dimension is grouped; b chooses more')
      : askedInstead(state, query, { isUnfolded: !isUnfolded }),
});

export const shieldRowsCommanded = commandsOf<ShieldRowsView>(valueOfLine, { ...IN_LIST, open: rowOpened });

export const shieldEventCommanded = commandsOf<ShieldEventView>(valueOfField, IN_ANY);

type Value = { field: string; value: string | null };

/**
 * What commands do in a view; null = the explorer does not handle it. `valueUnder`: what `+ - =` act on, or why they
 * cannot.
 */
function commandsOf<V extends ShieldView>(
  valueUnder: (state: State, view: V) => Value | string,
  commands: Commands<V>,
) {
  return (state: State, view: V, command: CommandId): State | null => {
    const place = moved(view, command, lineCount(state, view), detailedHeight(state));
    if (place) return readOn(state, { ...view, ...place });
    const mode = FILTER_MODES[command];
    if (mode) return filtered(state, view, mode, valueUnder(state, view));
    return commands[command]?.(state, view) ?? null;
  };
}

function columnChosen(state: State, view: ShieldListView, direction: 1 | -1): State {
  const last = listOf(view).dims(view).length - 1;
  return withTop(state, { ...view, column: clamp(view.column + direction, 0, last) });
}

/** `noFurther`: why there is no further window. */
function windowMoved(state: State, { query }: ShieldListView, command: CommandId, noFurther: string): State {
  const window = MOVED_WINDOWS[command]?.(query.window, state.now) ?? null;
  return window === null ? noticed(state, 'info', noFurther) : askedInstead(state, { ...query, window });
}

/** The search becomes a term of the query; from an event it acts on the list below. */
function soughtToFilter(state: State, term: Term | null): State {
  if (!term) return state;
  const list = withListOnTop(state);
  const under = topShieldList(list);
  if (!under) return state;
  const { query } = under;
  return requeried(withTop(list, { ...under, needle: null }), { ...query, terms: [...query.terms, term] });
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

/** `+ - =` on a value act on the list on top, or under the event. */
function filtered(state: State, { query }: ShieldView, mode: FilterMode, value: Value | string): State {
  if (typeof value === 'string') return noticed(state, 'info', value);
  return requeried(withListOnTop(state), { ...query, terms: filteredByPattern(query.terms, mode, value) });
}

function valueOfField(state: State, view: ShieldEventView): Value | string {
  const line = fieldsOfEvent(state, view)[view.cursor];
  if (!line) return 'there is no field under the cursor';
  const { name, field, value } = line;
  return field ? { field, value } : `${name} is shown only; Shield cannot be asked for it`;
}

function valueOfLine(_: State, view: ShieldListView): Value | string {
  const line = listOf(view).lines(view)[view.cursor];
  return line && 'key' in line && line.raw ? NOT_UNDERSTOOD : cellUnder(view).asked;
}

/** The value of the chosen dimension in the line under the cursor. */
export function cellUnder(view: ShieldListView): CellUnder {
  const none = 'there is no value under the cursor';
  const dimension = dimensionUnder(view);
  const line = listOf(view).lines(view)[view.cursor];
  if (!line || dimension === undefined) return { text: null, asked: none };
  const field = fieldNamed('shield', dimension);
  const value = valuesOfLine(line)[dimension] ?? null;
  return { text: value, asked: field === null ? none : { subject: 'shield', field, value } };
}

/** A masked value is asked for as a pattern: nobody has its real text. */
function filteredByPattern(terms: readonly Term[], mode: FilterMode, { field, value }: Value) {
  const [pattern] = termsInto([], [field], { [field]: value });
  if (pattern?.kind !== 'field' || pattern.op !== 'wildcard')
    return filteredBy(terms, mode, field, value, 'shield');
  const term = { ...pattern, negated: mode === 'out' };
  return mode === 'only' ? [term] : [...terms, term];
}

function resorted(state: State, view: ShieldGroupsView, sort: ShieldSort, isReversed: boolean): State {
  const { dims } = view.reading.plan;
  const table = resortedTable(view.table, { dims, sort, reversed: isReversed });
  return withTop(state, { ...view, sort, isReversed, table, cursor: 0, top: 0 });
}
