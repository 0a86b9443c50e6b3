import {
  shieldEventRow,
  shieldEventShape,
  shieldGroupRow,
  shieldGroupShape,
} from '../../domain/handover/shapes.ts';
import { lineOf, printedEvent, shieldEventSheet, shieldGroupSheet } from '../../domain/handover/sheet.ts';
import { shieldDayPath, shieldSearchBody, shieldSearchPath } from '../../domain/handover/wire-request.ts';
import { EMPTY_QUERY, type Query, type WindowMove } from '../../domain/query/query.ts';
import { printQuery } from '../../domain/query/query-text.ts';
import { placedRowColumns } from '../../domain/shield/shield-columns.ts';
import type { ShieldRow } from '../../domain/shield/shield-rows.ts';
import { movedWindow } from '../../domain/shield/shield-window.ts';
import { aboutCommand, aboutTitle, decidedHere, handedTime } from '../../state/about.ts';
import { OF_LIST } from '../../state/list/list-screen.ts';
import { detailedHeight, listColumns } from '../../state/list/screen-layout.ts';
import { memoised } from '../../state/memoised.ts';
import type { State } from '../../state/model.ts';
import { type About, fieldCell, type Oldest, type Screen, type Under } from '../../state/screen.ts';
import {
  isShieldList,
  type ShieldEventView,
  type ShieldGroupsView,
  type ShieldListView,
  type ShieldRowsView,
  type ShieldView,
} from '../../state/shield-model.ts';
import { withTop } from '../../state/view-stack.ts';
import { count } from '../../text/units.ts';
import { readOn, requeried, searchOf, shieldTop, withListOnTop } from './shield-ask.ts';
import {
  cellUnder,
  SHIELD_ORDER,
  shieldEventCommanded,
  shieldGroupsCommanded,
  shieldRowsCommanded,
} from './shield-commands.ts';
import { containedTerm, fieldsOfEvent, lineCount, shieldFound, shieldSearched } from './shield-find.ts';
import { dimensionUnder, listOf, type ShieldLine, valuesOfLine } from './shield-lists.ts';
import { groupColumns, ruleText, shieldGroupWidths, shieldTimeCells } from './shield-widths.ts';

const NO_FURTHER: Record<WindowMove, string> = {
  earlier: 'events are kept for 72 h only',
  later: 'the window already ends now',
  zoomIn: 'this is the shortest window',
  zoomOut: 'events are kept for 72 h only',
};

const OF_SHIELD = {
  ...OF_LIST,
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
  ...ofList((_, view: ShieldListView) => view, ''),
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
  commands: shieldGroupsCommanded,
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
  commands: shieldRowsCommanded,
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
  ...ofList((state) => state.views.findLast(isShieldList) ?? null, 'one event'),
  commands: shieldEventCommanded,
  sheet: (_, view) => shieldEventSheet([view.row]),
  under: (_, view) => underEvent(view.row),
  cell: (state, view) => fieldCell(fieldsOfEvent(state, view)[view.cursor], 'shield'),
  moment: (_, view) => view.row.at,
  oldest: (_, view) => oldestAt(view.row.at),
};

/** What the list of a view says; for an event, the list it shows `one` line of. */
function ofList<V extends ShieldView>(shown: (state: State, view: V) => ShieldListView | null, one: string) {
  const about = (state: State, view: V): About | null => {
    const list = shown(state, view);
    if (!state.shield || !list) return null;
    const { zone } = state.shield;
    const { query, reading } = list;
    return { subject: 'shield', zones: [zone], name: zone.name, query, range: reading.range };
  };
  return {
    about,
    title: (state: State, { query }: V) =>
      aboutTitle({ subject: 'shield', name: state.shield?.zone.name ?? '', query }, one),
    command: (state: State, view: V) => {
      const part = about(state, view);
      return part === null ? 'no Shield zone is open' : aboutCommand(state, part);
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
