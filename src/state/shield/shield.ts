import { withinKept } from '../../domain/kept.ts';
import { fieldNamed } from '../../domain/query/fields.ts';
import type { Query, Term } from '../../domain/query/query.ts';
import { resortedTable, SHIELD_SORTS, type ShieldSort } from '../../domain/shield/shield-groups.ts';
import { termsInto } from '../../domain/shield/shield-question.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { detailedHeight } from '../list/layout.ts';
import { clamp, moved, timesOf } from '../list/list.ts';
import { FILTER_MODES, type FilterMode, filteredBy } from '../list/value-filter.ts';
import { MOVED_WINDOWS } from '../list/window-keys.ts';
import { noticed, type State } from '../model.ts';
import { timelineRows } from '../timeline/timeline-size.ts';
import { pushed, withTop } from '../view-stack.ts';
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
import { formOpened } from './shield-form.ts';
import { histogramAsked, isCountable } from './shield-histogram.ts';
import { climbed, historyMoved } from './shield-history.ts';
import { dimensionUnder, listOf, valuesOfLine } from './shield-lists.ts';
import type {
  ShieldEventView,
  ShieldGroupsView,
  ShieldListView,
  ShieldLoading,
  ShieldRowsView,
  ShieldView,
} from './shield-model.ts';
import { refreshed, toggledAuto } from './shield-refresh.ts';

/** After this time under way a request shows its spinner, and Esc cancels it. */
export const SLOW = 200;

export function shieldGroupsCommanded(
  state: State,
  view: ShieldGroupsView,
  command: CommandId,
): State | null {
  switch (command) {
    case 'open':
      return groupOpened(state, view);
    case 'findToFilter':
      return soughtToFilter(state, termOfSearch(view, dimensionUnder(view)));
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
      const [shield, next] = asking(before, view.query, { isUnfolded: !view.isUnfolded });
      return withTop({ ...before, shield }, next);
    }
    default:
      return listCommanded(state, view, command);
  }
}

export function shieldRowsCommanded(state: State, view: ShieldRowsView, command: CommandId): State | null {
  return command === 'open' ? rowOpened(state, view) : listCommanded(state, view, command);
}

/** The value of a field acts on the list under the event. */
export function shieldEventCommanded(state: State, view: ShieldEventView, command: CommandId): State | null {
  const mode = FILTER_MODES[command];
  return mode
    ? filtered(state, view, termsOfField(state, view, mode))
    : shieldCommanded(state, view, command);
}

/** What a command does in any view of the explorer; null = it is none of the explorer's. */
function shieldCommanded(state: State, view: ShieldView, command: CommandId): State | null {
  const place = moved(view, command, lineCount(state, view), detailedHeight(state), state.count);
  if (place) return readOn(state, { ...view, ...place });
  switch (command) {
    case 'leave':
      return cancelled(state, view) ?? unsought(state, view) ?? climbed(state);
    case 'back':
      return cancelled(state, view) ?? climbed(state);
    case 'findNext':
      return shieldFound(state, view, 1);
    case 'findPrevious':
      return shieldFound(state, view, -1);
    case 'findToFilter':
      return soughtToFilter(state, termOfSearch(view));
    case 'historyBack':
      return historyMoved(state, 'past');
    case 'historyForward':
      return historyMoved(state, 'future');
    default:
      return null;
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
  const mode = FILTER_MODES[command];
  if (mode) return filtered(state, view, termsOfLine(view, mode));
  const moveWindow = MOVED_WINDOWS[command];
  const noFurther = NO_FURTHER[command];
  const { query } = view;
  if (moveWindow && noFurther) {
    const window = moveWindow(query.window, state.now);
    return window === null ? noticed(state, 'info', noFurther) : askedInstead(state, { ...query, window });
  }
  switch (command) {
    case 'left':
    case 'right': {
      const by = timesOf(state.count) * (command === 'left' ? -1 : 1);
      const last = listOf(view).dims(view).length - 1;
      return withTop(state, { ...view, column: clamp(view.column + by, 0, last) });
    }
    case 'dropFilter':
      return requeried(state, { ...query, terms: query.terms.slice(0, -1) });
    case 'dropFilters':
      return requeried(state, { ...query, terms: [] });
    case 'refresh':
      return refreshed(state, view);
    case 'timelineSize':
      return isCountable(view) ? histogramAsked(withTimeline(state), view) : null;
    case 'follow':
      return toggledAuto(state, view);
    case 'switchForm':
      return formOpened(state, query);
    default:
      return shieldCommanded(state, view, command);
  }
}

/** A search is a step of its own on the way back. */
function unsought(state: State, view: ShieldView): State | null {
  return view.needle === null ? null : withTop(state, { ...view, needle: null });
}

/** What was searched for becomes a term of the query; from an event it acts on the list below. */
function soughtToFilter(state: State, term: Term | null): State {
  if (!term) return state;
  const list = withListOnTop(state);
  const under = topShieldList(list);
  if (!under) return state;
  const { query } = under;
  return requeried(withTop(list, { ...under, needle: null }), { ...query, terms: [...query.terms, term] });
}

/** Into a row, to the event. */
function rowOpened(state: State, { rows, cursor, query }: ShieldRowsView): State {
  const row = rows.shown[cursor];
  if (!row) return nothingHere(state);
  return pushed(remembered(state), { ...AT_TOP, kind: 'shieldEvent', query, row, reading: null });
}

/** Into a group, to its next dimension or its rows. */
function groupOpened(state: State, view: ShieldGroupsView): State {
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
  return pushed({ ...before, shield }, within);
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

/** The terms after `+ - =` on the value under the cursor act on the list on top, or under the event. */
function filtered(state: State, { query }: ShieldView, terms: readonly Term[] | string): State {
  if (typeof terms === 'string') return noticed(state, 'info', terms);
  return requeried(withListOnTop(state), { ...query, terms });
}

function termsOfField(state: State, view: ShieldEventView, mode: FilterMode): readonly Term[] | string {
  const line = fieldsOfEvent(state, view)[view.cursor];
  if (!line) return 'there is no field under the cursor';
  const { name, field, value } = line;
  if (!field) return `${name} is shown only; Shield cannot be asked for it`;
  return filteredByPattern(view.query.terms, mode, field, value);
}

function termsOfLine(view: ShieldListView, mode: FilterMode): readonly Term[] | string {
  const dimension = dimensionUnder(view);
  const field = dimension === undefined ? null : fieldNamed('shield', dimension);
  const line = listOf(view).lines(view)[view.cursor];
  if (line && 'key' in line && line.raw) return NOT_UNDERSTOOD;
  if (!line || dimension === undefined || field === null) return 'there is no value under the cursor';
  return filteredByPattern(view.query.terms, mode, dimension, valuesOfLine(line)[dimension] ?? null);
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

function resorted(state: State, view: ShieldGroupsView, sort: ShieldSort, isReversed: boolean): State {
  const { dims } = view.reading.plan;
  const table = resortedTable(view.table, { dims, sort, reversed: isReversed });
  return withTop(state, { ...view, sort, isReversed, table, cursor: 0, top: 0 });
}
