import {
  shieldEventRow,
  shieldEventShape,
  shieldGroupRow,
  shieldGroupShape,
} from '../../domain/handover/shapes.ts';
import { lineOf, printedEvent, shieldEventSheet, shieldGroupSheet } from '../../domain/handover/sheet.ts';
import { shieldDayPath, shieldSearchBody, shieldSearchPath } from '../../domain/handover/wire-request.ts';
import { withinKept } from '../../domain/log-retention.ts';
import { fieldNamed } from '../../domain/query/fields.ts';
import { EMPTY_QUERY, type Query, type WindowMove } from '../../domain/query/query.ts';
import { printQuery } from '../../domain/query/query-text.ts';
import { placedRowColumns } from '../../domain/shield/shield-columns.ts';
import { resortedTable, SHIELD_SORTS, type ShieldSort } from '../../domain/shield/shield-groups.ts';
import { termsInto } from '../../domain/shield/shield-question.ts';
import type { ShieldRow } from '../../domain/shield/shield-rows.ts';
import { movedWindow } from '../../domain/shield/shield-window.ts';
import { decidedHere, handedTime } from '../../state/about.ts';
import { type Order, orderBy, overColumns } from '../../state/list/list-screen.ts';
import { detailedHeight, listColumns, timelineRows } from '../../state/list/screen-layout.ts';
import { memoised } from '../../state/memoised.ts';
import { noticed, type State } from '../../state/model.ts';
import { SLOW } from '../../state/request-log.ts';
import {
  type About,
  byCommand,
  type CellUnder,
  type Commands,
  fieldCell,
  type Oldest,
  type Screen,
  type Under,
} from '../../state/screen.ts';
import {
  isShieldList,
  type ShieldEventView,
  type ShieldGroupsView,
  type ShieldListView,
  type ShieldLoading,
  type ShieldRowsView,
  type ShieldView,
} from '../../state/shield-model.ts';
import { pushed, withTop } from '../../state/view-stack.ts';
import { count } from '../../text/units.ts';
import {
  AT_TOP,
  askedInstead,
  asking,
  climbed,
  historyMoved,
  readOn,
  remembered,
  requeried,
  searchOf,
  shieldTop,
  withListOnTop,
} from './shield-ask.ts';
import { containedTerm, fieldsOfEvent, lineCount, shieldFound, shieldSearched } from './shield-find.ts';
import { histogramAsked, isCountable } from './shield-histogram.ts';
import {
  dimensionUnder,
  groupColumns,
  listOf,
  ruleText,
  type ShieldLine,
  shieldGroupWidths,
  shieldTimeCells,
  valuesOfLine,
} from './shield-lists.ts';
import { refreshed, toggledAuto } from './shield-reading.ts';

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
  ...overColumns((view) => listOf(view).dims(view).length),
  refresh: refreshed,
  timelineSize: (state, view) => (isCountable(view) ? histogramAsked(withTimeline(state), view) : null),
  follow: toggledAuto,
  pause: toggledAuto,
};

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
function cellUnder(view: ShieldListView): CellUnder {
  const none = 'there is no value under the cursor';
  const dimension = dimensionUnder(view);
  const line = listOf(view).lines(view)[view.cursor];
  if (!line || dimension === undefined) return { text: null, asked: none };
  if ('key' in line && line.raw !== null) return { text: null, asked: NOT_UNDERSTOOD };
  const field = fieldNamed('shield', dimension);
  const value = valuesOfLine(line)[dimension] ?? null;
  return { text: value, asked: field === null ? none : { subject: 'shield', field, value } };
}

const SHIELD_ORDER = orderBy(SHIELD_SORTS, (_, view: ShieldGroupsView) => view, resorted);

function resorted(state: State, view: ShieldGroupsView, { sort, reversed }: Order<ShieldSort>): State {
  const table = resortedTable(view.table, { dims: view.reading.plan.dims, sort, reversed });
  return withTop(state, { ...view, sort, reversed, table, cursor: 0, top: 0 });
}

const NO_FURTHER: Record<WindowMove, string> = {
  earlier: 'events are kept for 72 h only',
  later: 'the window already ends now',
  zoomIn: 'this is the shortest window',
  zoomOut: 'events are kept for 72 h only',
};

const OF_SHIELD = {
  list: { length: lineCount, isDetailed: true, moved: readOn },
  search: {
    sought: ({ needle, field }: ShieldView) => (needle === null ? null : { needle, field }),
    first: shieldSearched,
    next: shieldFound,
    ended: (state: State, view: ShieldView) => withTop(state, { ...view, needle: null }),
  },
  // An event has the query of the list under it.
  requeried: (state: State, _: ShieldView, query: Query) => requeried(withListOnTop(state), query),
} as const;

const OF_LISTS = {
  ...OF_SHIELD,
  ...ofList((_, view: ShieldListView) => view),
  cell: (_: State, view: ShieldListView) => cellUnder(view),
  windowMoved: (state: State, { query }: ShieldListView, move: WindowMove) =>
    movedWindow(move, query.window, state.now) ?? NO_FURTHER[move],
  coverage: (_: State, { reading: { readAt, range } }: ShieldListView) => {
    const parts = [`events from ${handedTime(range.from)} to ${handedTime(range.to)}`];
    return readAt === null ? parts : [...parts, `as of ${handedTime(readAt)}`];
  },
  oldest: (_: State, view: ShieldListView) => oldestAt(oldestOf(listOf(view).lines(view))),
} as const;

export const SHIELD_GROUPS_SCREEN: Screen<ShieldGroupsView> = {
  ...OF_LISTS,
  commands: byCommand({
    ...IN_LIST,
    open: groupOpened,
    unfold: (state, { query, isUnfolded }) =>
      query.groupBy.length < 2
        ? noticed(state, 'info', 'only one dimension is grouped; b chooses more')
        : askedInstead(state, query, { isUnfolded: !isUnfolded }),
  }),
  order: SHIELD_ORDER,
  search: { ...OF_SHIELD.search, term: (view) => containedTerm(view, dimensionUnder(view)) },
  columns: {
    ids: groupColumns,
    under: (state, view) => {
      const id = dimensionUnder(view) ?? '';
      const texts = textsOnScreen(state, view, id).map((text) =>
        text && id === 'ruleId' ? ruleText(state, text) : text,
      );
      return { id, title: id, width: shieldGroupWidths(state, view).key, texts };
    },
  },
  sheet: (_, view) => {
    const { groups, hasApart } = view.table;
    // A group kept for the cursor is no part of this answer.
    const listed = hasApart ? groups.slice(0, -1) : groups;
    if (listed.length === 0) return 'no group is in this view';
    return shieldGroupSheet(view.reading.plan.dims, listed, told(view, 'groups'));
  },
  under: (_, view) => {
    const group = view.table.groups[view.cursor];
    if (!group) return null;
    const { firstSeen: from, lastSeen: to } = group;
    // Groups of two dimensions do not say when a value of one alone was seen.
    const seen = view.query.groupBy.length === 1 && from !== null && to !== null ? { from, to } : null;
    return { line: lineOf(group, shieldGroupShape, shieldGroupRow), one: null, seen };
  },
};

export const SHIELD_ROWS_SCREEN: Screen<ShieldRowsView> = {
  ...OF_LISTS,
  commands: byCommand({ ...IN_LIST, open: rowOpened }),
  columns: {
    ids: () => [],
    under: (state, view) => {
      const id = dimensionUnder(view) ?? '';
      const placed = placedRowColumns(listColumns(state), shieldTimeCells(state, view));
      const column = placed.find(({ dimension }) => dimension === id);
      if (!column) return null;
      return { id, title: column.title, width: column.width, texts: textsOnScreen(state, view, id) };
    },
  },
  sheet: (_, view) => {
    const { shown, apart } = view.rows;
    const listed = apart === null ? shown : shown.filter((row) => row.id !== apart);
    if (listed.length === 0) return 'no event is in this view';
    return shieldEventSheet(listed, told(view, 'events'));
  },
  under: (_, view) => underEvent(view.rows.shown[view.cursor]),
};

export const SHIELD_EVENT_SCREEN: Screen<ShieldEventView> = {
  ...OF_SHIELD,
  ...ofList((state) => state.views.findLast(isShieldList) ?? null),
  one: 'one event',
  commands: byCommand(IN_ANY),
  sheet: (_, view) => shieldEventSheet([view.row]),
  under: (_, view) => underEvent(view.row),
  cell: (state, view) => fieldCell(fieldsOfEvent(state, view)[view.cursor], 'shield'),
  moment: (_, view) => view.row.at,
  oldest: (_, view) => oldestAt(view.row.at),
};

/** What a list says; for an event, the list that it is a line of. */
function ofList<V extends ShieldView>(shown: (state: State, view: V) => ShieldListView | null) {
  return {
    about: (state: State, view: V): About | null => {
      const list = shown(state, view);
      if (!state.shield || !list) return null;
      const { zone } = state.shield;
      const { query, reading } = list;
      return { subject: 'shield', zones: [zone], name: zone.name, query, range: reading.range };
    },
    request: (state: State, view: V) => requestOf(state, shown(state, view)),
  };
}

function requestOf(state: State, list: ShieldListView | null): ReturnType<Screen<ShieldView>['request']> {
  const id = state.shield?.shieldZoneId ?? null;
  if (!list || id === null) return 'the Shield zone is not known yet';
  const { day, reading } = list;
  const remark = decidedHere([...reading.plan.local, ...reading.plan.undecided]);
  const path = day ? shieldDayPath(id, day.day, null) : shieldSearchPath(id);
  if (path === null) return 'the Shield zone has no id that a request could name';
  const url = `${state.handover.urls.base}${path}`;
  if (day) return { request: { method: 'GET', url }, remark };
  return { request: { method: 'POST', url, body: shieldSearchBody({ ...searchOf(list), page: 0 }) }, remark };
}

function textsOnScreen(state: State, view: ShieldListView, dimension: string) {
  const lines = listOf(view).lines(view);
  const top = shieldTop(state, view, lines.length);
  return lines.slice(top, top + detailedHeight(state)).map((line) => valuesOfLine(line)[dimension] ?? null);
}

function underEvent(event: ShieldRow | undefined): Under | null {
  if (!event) return null;
  const line = lineOf(printedEvent(event), shieldEventShape, shieldEventRow);
  return { line, one: { kind: 'event', event }, seen: null };
}

function told(view: ShieldListView, what: 'groups' | 'events') {
  const { isWhole, total, plan, isRefresh, loading } = view.reading;
  const { read } = listOf(view).tally(view);
  const of = total === null ? '' : ` of ${count(total)}`;
  const { undecided } = plan;
  const missing = [
    ...(isWhole ? [] : [`${count(read)}${of} ${what} were read`]),
    ...(isRefresh && loading.kind !== 'read' ? ['a newer answer had not arrived'] : []),
    ...(undecided.length === 0
      ? []
      : [`not in the counts: ${printQuery({ ...EMPTY_QUERY, terms: undecided })}`]),
  ];
  return { missing, of: isWhole ? null : total };
}

function oldestAt(at: number): Oldest | null {
  return Number.isFinite(at) ? { at, log: 'shield', isFollowed: false } : null;
}

/** Fifty thousand rows are searched once, not at each frame. */
const oldestOf = memoised((lines: readonly ShieldLine[]) =>
  lines
    .map((line) => ('key' in line ? line.firstSeen : line.at))
    .reduce<number>((least, at) => Math.min(least, at ?? least), Number.POSITIVE_INFINITY),
);
