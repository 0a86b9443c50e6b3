import {
  shieldEventRow,
  shieldEventShape,
  shieldGroupRow,
  shieldGroupShape,
} from '../../domain/handover/shapes.ts';
import { lineOf, printedEvent, shieldEventSheet, shieldGroupSheet } from '../../domain/handover/sheet.ts';
import { shieldDayPath, shieldSearchBody, shieldSearchPath } from '../../domain/handover/wire-request.ts';
import { fieldNamed } from '../../domain/query/fields.ts';
import { EMPTY_QUERY, type Query } from '../../domain/query/query.ts';
import { printQuery } from '../../domain/query/query-text.ts';
import type { ShieldGroup } from '../../domain/shield/shield.ts';
import { eventFields, type ShieldRow } from '../../domain/shield/shield-rows.ts';
import { count } from '../../text/units.ts';
import { aboutCommand, aboutTitle, decidedHere, handedTime } from '../about.ts';
import { kept } from '../kept.ts';
import { listHeight } from '../list/layout.ts';
import { withCursorShown } from '../list/list.ts';
import type { State } from '../model.ts';
import {
  type About,
  type CellUnder,
  NOT_A_FIELD,
  type Oldest,
  type Screen,
  type SoughtValue,
  type Under,
} from '../screen.ts';
import { dimensionUnder, shieldCommanded } from './shield.ts';
import { requeried, searchOf, topShield, withListOnTop } from './shield-ask.ts';
import { shieldFound, shieldSearched } from './shield-find.ts';
import { climbed } from './shield-history.ts';
import {
  isShieldList,
  type ShieldEventView,
  type ShieldGroupsView,
  type ShieldListView,
  type ShieldRowsView,
  type ShieldView,
} from './shield-model.ts';

const OF_SHIELD = {
  commands: shieldCommanded,
  resized: <V extends ShieldView>(state: State, view: V): V => withCursorShown(view, listHeight(state)),
  about: aboutShield,
  title: (state: State, view: ShieldView) => {
    const name = state.shield?.zone.name ?? '';
    const one = view.kind === 'shieldEvent' ? 'one event' : '';
    return aboutTitle({ subject: 'shield', name, query: view.query }, one);
  },
  command: (state: State, view: ShieldView) => {
    const about = aboutShield(state, view);
    return about === null ? 'no Shield zone is open' : aboutCommand(state, about);
  },
  request: shieldRequest,
  search: {
    needle: ({ needle }: ShieldView) => needle ?? '',
    submitted: (state: State, view: ShieldView, text: string) =>
      text === '' ? state : shieldSearched(state, view, text),
  },
  same: (state: State, view: ShieldView, sought: SoughtValue, direction: 1 | -1) =>
    shieldFound(state, { ...view, ...sought }, direction),
  work: () => null,
  // An event has the query of the list under it.
  requeried: (state: State, view: ShieldView, query: Query) => requeried(withListOnTop(state, view), query),
} as const;

const OF_LISTS = {
  ...OF_SHIELD,
  coverage: (_: State, { reading: { readAt, range } }: ShieldListView) => {
    const parts = [`events from ${handedTime(range.from)} to ${handedTime(range.to)}`];
    return readAt === null ? parts : [...parts, `as of ${handedTime(readAt)}`];
  },
  moment: () => null,
} as const;

export const SHIELD_GROUPS_SCREEN: Screen<ShieldGroupsView> = {
  ...OF_LISTS,
  sheet: (_, view) => {
    const { groups, hasApart } = view.table;
    // A group that is on screen for the cursor's sake only is none of this answer.
    const listed = hasApart ? groups.slice(0, -1) : groups;
    if (listed.length === 0) return 'no group is in this view';
    return shieldGroupSheet(view.reading.plan.dims, listed, told(view, view.table.parts.length, 'groups'));
  },
  under: (_, view) => {
    const group = view.table.groups[view.cursor];
    if (!group) return null;
    const { firstSeen: from, lastSeen: to } = group;
    // Of two dimensions nobody knows when the value of one alone was seen.
    const seen = view.query.groupBy.length === 1 && from !== null && to !== null ? { from, to } : null;
    return { line: lineOf(group, shieldGroupShape, shieldGroupRow), one: null, seen };
  },
  cell: (_, view) => cellOf(view, view.table.groups[view.cursor]?.key),
  oldest: (_, view) => oldestAt(oldestOfGroups(view.table.groups)),
};

export const SHIELD_ROWS_SCREEN: Screen<ShieldRowsView> = {
  ...OF_LISTS,
  sheet: (_, view) => {
    const { shown, apart } = view.rows;
    const listed = apart === null ? shown : shown.filter((row) => row.id !== apart);
    if (listed.length === 0) return 'no event is in this view';
    return shieldEventSheet(listed, told(view, view.rows.rows.length, 'events'));
  },
  under: (_, view) => underEvent(view.rows.shown[view.cursor]),
  cell: (_, view) => cellOf(view, view.rows.shown[view.cursor]?.fields),
  oldest: (_, view) => oldestAt(oldestOfRows(view.rows.shown)),
};

export const SHIELD_EVENT_SCREEN: Screen<ShieldEventView> = {
  ...OF_SHIELD,
  sheet: (_, view) => shieldEventSheet([view.row]),
  under: (_, view) => underEvent(view.row),
  cell: (state, view): CellUnder | string => {
    const line = eventFields(view.row, state.shield?.rules ?? null)[view.cursor];
    if (!line) return NOT_A_FIELD;
    const { field, value } = line;
    return { text: value, asked: field ? { subject: 'shield', field, value } : NOT_A_FIELD };
  },
  coverage: () => [],
  same: (state, _, sought, direction) => {
    const list = climbed(state) ?? state;
    const under = topShield(list);
    return under && shieldFound(list, { ...under, ...sought }, direction);
  },
  moment: (_, view) => view.row.at,
  oldest: (_, view) => oldestAt(view.row.at),
};

/** The list that a view of the explorer shows, or that lies under the event. */
function listOf(state: State, view: ShieldView): ShieldListView | null {
  if (view.kind !== 'shieldEvent') return view;
  return state.views.findLast(isShieldList) ?? null;
}

function aboutShield(state: State, view: ShieldView): About | null {
  const list = listOf(state, view);
  if (!state.shield || !list) return null;
  const { zone } = state.shield;
  return { subject: 'shield', zones: [zone], name: zone.name, query: list.query, range: list.reading.range };
}

function shieldRequest(state: State, view: ShieldView): ReturnType<Screen<ShieldView>['request']> {
  const list = listOf(state, view);
  const id = state.shield?.shieldZoneId ?? null;
  if (!list || id === null) return 'the Shield zone is not known yet';
  const remark = decidedHere([...list.reading.plan.local, ...list.reading.plan.undecided]);
  const day = list.kind === 'shieldRows' ? list.day : null;
  const path = day ? shieldDayPath(id, day.day, null) : shieldSearchPath(id);
  if (path === null) return 'the Shield zone has no id that a request could name';
  const url = `${state.handover.urls.base}${path}`;
  if (day) return { request: { method: 'GET', url }, remark };
  return { request: { method: 'POST', url, body: shieldSearchBody({ ...searchOf(list), page: 0 }) }, remark };
}

/** The value of the chosen dimension in a line of the list. */
function cellOf(
  view: ShieldListView,
  line: Readonly<Record<string, string | null>> | undefined,
): CellUnder | string {
  const dimension = dimensionUnder(view);
  if (!line || dimension === undefined) return 'there is no value under the cursor';
  const field = fieldNamed('shield', dimension);
  const value = line[dimension] ?? null;
  const none = 'there is no value under the cursor';
  return { text: value, asked: field === null ? none : { subject: 'shield', field, value } };
}

function underEvent(event: ShieldRow | undefined): Under | null {
  if (!event) return null;
  const line = lineOf(printedEvent(event), shieldEventShape, shieldEventRow);
  return { line, one: { kind: 'event', event }, seen: null };
}

function told({ reading }: ShieldListView, read: number, what: 'groups' | 'events') {
  const { isWhole, total, plan, isRefresh, loading } = reading;
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

/** Fifty thousand rows are looked through once, and not at each frame. */
const oldestOfGroups = kept((groups: readonly ShieldGroup[]) =>
  groups.reduce((least, { firstSeen }) => Math.min(least, firstSeen ?? least), Number.POSITIVE_INFINITY),
);

const oldestOfRows = kept((rows: readonly ShieldRow[]) =>
  rows.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY),
);
