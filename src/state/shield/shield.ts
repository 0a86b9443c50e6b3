import { withinKept } from '../../domain/kept.ts';
import { fieldNamed } from '../../domain/query/fields.ts';
import type { Query, Term } from '../../domain/query/query.ts';
import { EVENT_COLUMNS } from '../../domain/shield/shield.ts';
import { resortedTable, SHIELD_SORTS, type ShieldSort } from '../../domain/shield/shield-groups.ts';
import { termsInto } from '../../domain/shield/shield-question.ts';
import { eventFields } from '../../domain/shield/shield-rows.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { detailedHeight } from '../list/layout.ts';
import { clamp, moved, timesOf } from '../list/list.ts';
import { FILTER_MODES, type FilterMode, filteredBy } from '../list/value-filter.ts';
import { MOVED_WINDOWS } from '../list/window-keys.ts';
import { noticed, type State } from '../model.ts';
import { timelineRows } from '../timeline/timeline-size.ts';
import { withTop } from '../view-stack.ts';
import {
  AT_TOP,
  askedInstead,
  asking,
  readOn,
  remembered,
  requeried,
  topShield,
  withListOnTop,
} from './shield-ask.ts';
import { lineCount, shieldFound, termOfSearch } from './shield-find.ts';
import { formOpened } from './shield-form.ts';
import { histogramAsked, isCountable } from './shield-histogram.ts';
import { climbed, historyMoved } from './shield-history.ts';
import type {
  ShieldEventView,
  ShieldGroupsView,
  ShieldListView,
  ShieldRowsView,
  ShieldView,
} from './shield-model.ts';
import { refreshed, toggledAuto } from './shield-refresh.ts';

/** The dimensions of a row that `h` and `l` go through, the feature last: the rule tells it. */
const ROW_DIMS = EVENT_COLUMNS.map(({ dimension }) => dimension).toSorted(
  (a, b) => Number(a === 'feature') - Number(b === 'feature'),
);

/** After this time under way a request shows its spinner, and Esc cancels it. */
export const SLOW = 200;

/** What a command does in a view of the explorer; null = it is none of the explorer's. */
export function shieldCommanded(state: State, view: ShieldView, command: CommandId): State | null {
  const place = moved(view, command, lineCount(state, view), detailedHeight(state), state.count);
  if (place) {
    const at = { ...view, ...place };
    return at.kind === 'shieldEvent' ? withTop(state, at) : readOn(state, at);
  }
  const mode = FILTER_MODES[command];
  if (mode) return filtered(state, view, mode);
  switch (command) {
    case 'left':
    case 'right': {
      const by = timesOf(state.count) * (command === 'left' ? -1 : 1);
      return withTop(state, { ...view, column: clamp(view.column + by, 0, columnsOf(view) - 1) });
    }
    case 'open':
      return view.kind === 'shieldEvent' ? null : opened(state, view);
    case 'leave':
      return cancelled(state, view) ?? unsought(state, view) ?? climbed(state);
    case 'back':
      return cancelled(state, view) ?? climbed(state);
    case 'findNext':
      return shieldFound(state, view, 1);
    case 'findPrevious':
      return shieldFound(state, view, -1);
    case 'findToFilter':
      return soughtToFilter(state, view);
    case 'historyBack':
      return historyMoved(state, 'past');
    case 'historyForward':
      return historyMoved(state, 'future');
    case 'dropFilter':
      return requeried(state, { ...view.query, terms: view.query.terms.slice(0, -1) });
    case 'dropFilters':
      return requeried(state, { ...view.query, terms: [] });
    default:
      return view.kind === 'shieldEvent' ? null : listCommanded(state, view, command);
  }
}

const KEPT_ONLY = 'events are kept for 72 h only';

/** Why there is no further window. */
const NO_FURTHER: Partial<Record<CommandId, string>> = {
  earlier: KEPT_ONLY,
  later: 'the window already ends now',
  zoomIn: 'this is the shortest window',
  zoomOut: KEPT_ONLY,
};

function listCommanded(state: State, view: ShieldListView, command: CommandId): State | null {
  const moveWindow = MOVED_WINDOWS[command];
  const noFurther = NO_FURTHER[command];
  if (moveWindow && noFurther) {
    const window = moveWindow(view.query.window, state.now);
    return window === null
      ? noticed(state, 'info', noFurther)
      : askedInstead(state, { ...view.query, window });
  }
  switch (command) {
    case 'refresh':
      return refreshed(state, view);
    case 'timelineSize':
      return isCountable(view) ? histogramAsked(withTimeline(state), view) : null;
    case 'follow':
      return toggledAuto(state, view);
    case 'switchForm':
      return formOpened(state, view.query);
    default:
      return view.kind === 'shieldGroups' ? groupsCommanded(state, view, command) : null;
  }
}

function groupsCommanded(state: State, view: ShieldGroupsView, command: CommandId): State | null {
  switch (command) {
    case 'sort': {
      const at = SHIELD_SORTS.indexOf(view.sort) + 1;
      return resorted(state, view, SHIELD_SORTS[at % SHIELD_SORTS.length] ?? 'count', false);
    }
    case 'reverse':
      return resorted(state, view, view.sort, !view.isReversed);
    case 'unfold': {
      if (view.query.groupBy.length < 2) {
        return noticed(state, 'info', 'only one dimension is grouped; b chooses more');
      }
      const before = remembered(state);
      const [shield, next] = asking(before, view.query, !view.isUnfolded);
      return withTop({ ...before, shield }, next);
    }
    default:
      return null;
  }
}

/** A search is a step of its own on the way back. */
function unsought(state: State, view: ShieldView): State | null {
  return view.needle === null ? null : withTop(state, { ...view, needle: null });
}

/** What was searched for becomes a term of the query; from an event it acts on the list below. */
function soughtToFilter(state: State, view: ShieldView): State {
  const term = termOfSearch(view);
  if (!term) return state;
  const list = withListOnTop(state, view);
  const under = topShield(list);
  if (!under) return state;
  return requeried(withTop(list, { ...under, needle: null }), {
    ...under.query,
    terms: [...under.query.terms, term],
  });
}

/** Goes in: into a group, to its next dimension or its rows; into a row, to the event. */
function opened(state: State, view: ShieldListView): State {
  if (view.kind === 'shieldRows') {
    const row = view.rows.shown[view.cursor];
    if (!row) return nothingHere(state);
    const event: ShieldEventView = { ...AT_TOP, kind: 'shieldEvent', query: view.query, row };
    const before = remembered(state);
    return { ...before, views: [...before.views, event] };
  }
  const group = view.table.groups[view.cursor];
  if (!group) return nothingHere(state);
  if (group.raw !== null) return noticed(state, 'info', NOT_UNDERSTOOD);
  const { dims } = view.reading.plan;
  const query: Query = {
    terms: termsInto(view.query.terms, dims, group.key),
    window: view.query.window,
    groupBy: view.isUnfolded ? [] : view.query.groupBy.slice(1),
  };
  const before = remembered(state);
  const [shield, next] = asking(before, query);
  // The same times as the counts that were gone into; only a refresh moves a relative window.
  const range = withinKept(view.reading.range, state.now, 'shield');
  const within = { ...next, reading: { ...next.reading, range } };
  return { ...before, shield, views: [...before.views, within] };
}

/** What is counted on order is for a timeline, and that is on screen. */
function withTimeline(state: State): State {
  if (timelineRows(state) > 0) return state;
  return { ...state, timeline: { ...state.timeline, size: 'low' } };
}

const NOT_UNDERSTOOD =
  'this group was not understood: it is shown as it came, and nothing can be asked about it';

function nothingHere(state: State): State {
  return noticed(state, 'info', 'no line to open yet');
}

/** Esc while a spinner is on screen: the request ends, what was read stays. */
function cancelled(state: State, view: ShieldView): State | null {
  if (view.kind === 'shieldEvent') return null;
  const isSlow = (loading: ShieldListView['reading']['loading']) =>
    loading.kind === 'asking' && state.now - loading.since >= SLOW;
  const { histogram, reading } = view;
  if (isSlow(reading.loading)) {
    return withTop(state, { ...view, reading: { ...reading, loading: { kind: 'cancelled' } } });
  }
  if (histogram && isSlow(histogram.loading)) {
    return withTop(state, { ...view, histogram: { ...histogram, loading: { kind: 'cancelled' } } });
  }
  return null;
}

/** The terms after `+ - =` on the value under the cursor act on the list on top, or under the event. */
function filtered(state: State, view: ShieldView, mode: FilterMode): State {
  const terms = termsUnder(state, view, mode);
  if (typeof terms === 'string') return noticed(state, 'info', terms);
  return requeried(withListOnTop(state, view), { ...view.query, terms });
}

function termsUnder(state: State, view: ShieldView, mode: FilterMode): readonly Term[] | string {
  if (view.kind === 'shieldEvent') {
    const field = eventFields(view.row, state.shield?.rules ?? null)[view.cursor];
    if (!field) return 'there is no field under the cursor';
    if (!field.field) return `${field.name} is shown only; Shield cannot be asked for it`;
    return filteredByPattern(view.query.terms, mode, field.field, field.value);
  }
  const dimension = dimensionUnder(view);
  const field = dimension === undefined ? null : fieldNamed('shield', dimension);
  const line =
    view.kind === 'shieldGroups' ? view.table.groups[view.cursor]?.key : view.rows.shown[view.cursor]?.fields;
  if (view.kind === 'shieldGroups' && view.table.groups[view.cursor]?.raw) return NOT_UNDERSTOOD;
  if (!line || dimension === undefined || field === null) return 'there is no value under the cursor';
  return filteredByPattern(view.query.terms, mode, dimension, line[dimension] ?? null);
}

/** A value in which a secret is masked is asked for as a pattern: nobody has its real text. */
function filteredByPattern(
  terms: readonly Term[],
  mode: FilterMode,
  name: string,
  value: string | null,
): readonly Term[] {
  const [pattern] = termsInto([], [name], { [name]: value });
  if (pattern?.kind !== 'field' || pattern.op !== 'wildcard')
    return filteredBy(terms, mode, name, value, 'shield');
  const term = { ...pattern, negated: mode === 'out' };
  return mode === 'only' ? [term] : [...terms, term];
}

/** The dimension of the value that `+ - =` act on. */
export function dimensionUnder(view: ShieldGroupsView | ShieldRowsView): string | undefined {
  return view.kind === 'shieldGroups' ? view.reading.plan.dims[view.column] : ROW_DIMS[view.column];
}

function columnsOf(view: ShieldView): number {
  return view.kind === 'shieldGroups'
    ? view.reading.plan.dims.length
    : view.kind === 'shieldRows'
      ? ROW_DIMS.length
      : 1;
}

function resorted(state: State, view: ShieldGroupsView, sort: ShieldSort, isReversed: boolean): State {
  const { dims } = view.reading.plan;
  const table = resortedTable(view.table, { dims, sort, reversed: isReversed });
  return withTop(state, { ...view, sort, isReversed, table, cursor: 0, top: 0 });
}
