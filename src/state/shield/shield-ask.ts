import { withinKept } from '../../domain/kept.ts';
import type { Query } from '../../domain/query/query.ts';
import type { ShieldSearchRequest } from '../../domain/shield/shield.ts';
import { SPARKS } from '../../domain/shield/shield-buckets.ts';
import { MOST_PARTS, NO_TABLE, tableOf } from '../../domain/shield/shield-groups.ts';
import { planGroups, planRows, type ShieldPlan } from '../../domain/shield/shield-question.ts';
import { MOST_SHIELD_ROWS, NO_ROWS, refilteredRows } from '../../domain/shield/shield-rows.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import { dayOf } from '../../text/units.ts';
import { detailedHeight } from '../list/layout.ts';
import { placed } from '../list/list.ts';
import type { State, View } from '../model.ts';
import { clockZone } from '../toggles.ts';
import { withTop } from '../view-stack.ts';
import {
  isShieldView,
  type ShieldGroupsView,
  type ShieldListView,
  type ShieldReading,
  type ShieldState,
  type ShieldView,
} from './shield-model.ts';

/** A page of groups is as large as the API gives them; rows carry their whole context. */
export const GROUPS_PAGE = 500;
export const ROWS_PAGE = 200;

/** The first visible line. A window that became smaller since the last key still shows the cursor. */
export function shieldTop(state: State, view: ShieldView, length: number): number {
  return placed(view, view.cursor, length, detailedHeight(state)).top;
}

/** True when a view asks for another day than today: its times need their dates, however much of it was read. */
export function asksOtherDays(state: State, view: ShieldListView): boolean {
  const zone = clockZone(state);
  const { from, to } = view.reading.range;
  return [from, to - 1].some((time) => dayOf(time, zone) !== dayOf(state.now, zone));
}

/** The field ids of the table on show: one after another, or all at once. */
function shownDims(view: Pick<ShieldGroupsView, 'query' | 'isUnfolded'>): readonly string[] {
  return view.isUnfolded ? view.query.groupBy : view.query.groupBy.slice(0, 1);
}

/** Where a view of the explorer begins. */
export const AT_TOP = { cursor: 0, top: 0, column: 0, needle: null } as const;

/** A view that asks a question: groups where the query groups, else rows. */
export function asking(state: State, query: Query, isUnfolded = false): [ShieldState | null, ShieldListView] {
  const request = (state.shield?.request ?? 0) + 1;
  const place = { ...AT_TOP, query, histogram: null, fresh: [] };
  const shield = state.shield ? { ...state.shield, request } : null;
  if (query.groupBy.length === 0) {
    const reading = shieldReading(state, query, planRows(query), request);
    return [shield, { ...place, kind: 'shieldRows', reading, rows: NO_ROWS, day: null }];
  }
  const shape = { query, isUnfolded };
  const reading = shieldReading(state, query, planGroups(query, shownDims(shape)), request);
  return [
    shield,
    {
      ...place,
      kind: 'shieldGroups',
      isUnfolded,
      sort: 'count',
      isReversed: false,
      reading,
      table: NO_TABLE,
    },
  ];
}

/** The view on top asks something else; what it showed stays in the history. */
export function askedInstead(state: State, query: Query): State {
  const view = topShield(state);
  if (!view) return state;
  const isUnfolded = view.kind === 'shieldGroups' && view.isUnfolded;
  const before = remembered(state);
  const [shield, next] = asking(before, query, isUnfolded);
  const kept =
    next.kind === 'shieldGroups' && view.kind === 'shieldGroups'
      ? { ...next, sort: view.sort, isReversed: view.isReversed }
      : next;
  return { ...before, shield, views: [...before.views.slice(0, -1), kept] };
}

/**
 * The query of the view on top, changed. What the rows or groups at hand can answer is decided here without a request:
 * exclusions, and taking them away again.
 */
export function requeried(state: State, query: Query): State {
  const view = topShield(state);
  if (!view || view.kind === 'shieldEvent') return state;
  const { reading } = view;
  const plan =
    view.kind === 'shieldGroups'
      ? planGroups(query, shownDims({ query, isUnfolded: view.isUnfolded }))
      : planRows(query);
  const isDay = view.kind === 'shieldRows' && view.day !== null && query.groupBy.length === 0;
  const sameQuestion =
    JSON.stringify([plan.query, plan.filters, plan.dims, query.window]) ===
      JSON.stringify([reading.plan.query, reading.plan.filters, reading.plan.dims, view.query.window]) &&
    plan.groupBy.every((dimension) => reading.plan.groupBy.includes(dimension)) &&
    (view.kind === 'shieldRows') === (query.groupBy.length === 0);
  // A day is read whole whatever the query, so that every term is decided here.
  if (!sameQuestion && !isDay) return askedInstead(state, query);
  const local = isDay ? query.terms : plan.local;
  const settled: ShieldPlan = { ...plan, groupBy: reading.plan.groupBy, local };
  const next = { ...reading, plan: settled };
  // What a histogram counted was counted under the terms of before.
  const kept = remembered(state);
  if (view.kind === 'shieldRows') {
    const rows = refilteredRows(view.rows, local);
    return withTop(kept, { ...view, query, reading: next, rows, histogram: null, cursor: 0, top: 0 });
  }
  const { sort, isReversed } = view;
  const table = tableOf(view.table.parts, { dims: plan.dims, local, sort, reversed: isReversed });
  return withTop(kept, { ...view, query, reading: next, table, histogram: null, cursor: 0, top: 0 });
}

/** Asks for the page below when the cursor nears the end of what was read. */
export function readOn(state: State, view: ShieldListView): State {
  const { reading } = view;
  const length = view.kind === 'shieldGroups' ? view.table.groups.length : view.rows.shown.length;
  const isNear = view.cursor + detailedHeight(state) >= length;
  // After a failure or a cancel only an order asks again: a held key must not hammer a server in trouble.
  const isStill = reading.isWhole || isFullOf(view) || reading.loading.kind !== 'read';
  const isDay = view.kind === 'shieldRows' && view.day !== null;
  if (!isNear || isStill || isDay || !state.shield) return withTop(state, view);
  return askedOn(state, view, { range: withinKept(reading.range, state.now, 'shield') });
}

/** The view on top with its question under way once more; `reading`: what of it is asked otherwise. */
export function askedOn(state: State, view: ShieldListView, reading: Partial<ShieldReading> = {}): State {
  if (!state.shield) return state;
  const request = state.shield.request + 1;
  const loading = { kind: 'asking', since: state.now } as const;
  return withTop(
    { ...state, shield: { ...state.shield, request } },
    { ...view, reading: { ...view.reading, request, loading, ...reading } },
  );
}

/** True when as much is kept of a question as the bound allows. */
export function isFullOf(view: ShieldListView): boolean {
  return view.kind === 'shieldGroups'
    ? view.table.parts.length >= MOST_PARTS
    : view.rows.rows.length >= MOST_SHIELD_ROWS;
}

/** The search that a view waits for. Only properties of the contract are in it. */
export function searchOf(view: ShieldListView): ShieldSearchRequest {
  const { plan, range, page, sparks } = view.reading;
  return {
    ...range,
    query: plan.query,
    filters: plan.filters,
    groupBy: plan.groupBy,
    page,
    pageSize: view.kind === 'shieldGroups' ? GROUPS_PAGE : ROWS_PAGE,
    ...(view.kind === 'shieldGroups' && typeof sparks === 'number' ? { sparks } : {}),
  };
}

/** The state with a list of the explorer on top: of an event the one under it. */
export function withListOnTop(state: State, view: ShieldView): State {
  return view.kind === 'shieldEvent' ? { ...remembered(state), views: state.views.slice(0, -1) } : state;
}

export function topShield(state: State): ShieldView | null {
  const view = state.views.at(-1);
  return view && isShieldView(view) ? view : null;
}

/** Ways kept by the history. */
const MOST_WAYS = 30;

/** Rows and groups kept by the whole history: one full list, and the groups that led there. */
const MOST_KEPT = MOST_SHIELD_ROWS + MOST_PARTS;

/** The way that is left now can be gone back to; what was gone back from is forgotten. */
export function remembered(state: State): State {
  if (!state.shield) return state;
  const way = wayOf(state.views);
  if (way.length === 0) return state;
  const past = boundedHistory([...state.shield.past, way]);
  return { ...state, shield: { ...state.shield, past, future: [] } };
}

/** The views of the explorer on top: what lies below another question is a way of its own. */
export function wayOf(views: readonly View[]): readonly ShieldView[] {
  const other = views.findLastIndex((view) => !isShieldView(view));
  return views.slice(other + 1).filter(isShieldView);
}

/** The newest ways that together keep no more than the bound. Views share what they were made from. */
function boundedHistory(past: readonly (readonly ShieldView[])[]): (readonly ShieldView[])[] {
  const held = new Set<unknown>();
  let kept = 0;
  const hold = (view: ShieldView) => {
    if (view.kind === 'shieldEvent') return;
    const lines = view.kind === 'shieldRows' ? view.rows.rows : view.table.parts;
    if (held.has(lines)) return;
    held.add(lines);
    kept += lines.length;
  };
  const ways: (readonly ShieldView[])[] = [];
  for (const way of past.toReversed()) {
    way.forEach(hold);
    if (ways.length >= MOST_WAYS || kept > MOST_KEPT) break;
    ways.unshift(way);
  }
  return ways;
}

/** The steps of time to ask a server for that is not known to refuse them. */
export function sparksOf({ knowsBuckets }: Pick<State, 'knowsBuckets'>): number | null {
  return knowsBuckets === false ? null : SPARKS;
}

/** A question that was not answered yet. */
export function shieldReading(state: State, query: Query, plan: ShieldPlan, request: number): ShieldReading {
  return {
    request,
    loading: { kind: 'asking', since: state.now },
    plan,
    range: rangeOf(query.window, state.now),
    page: 0,
    total: null,
    isWhole: false,
    pages: 0,
    isRefresh: false,
    sparks: sparksOf(state),
    readAt: null,
  };
}
