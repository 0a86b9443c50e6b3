import { withinKept } from '../../domain/log-retention.ts';
import type { Query } from '../../domain/query/query.ts';
import type { ShieldSearchRequest } from '../../domain/shield/shield.ts';
import { SPARKS } from '../../domain/shield/shield-buckets.ts';
import { MOST_PARTS, NO_TABLE } from '../../domain/shield/shield-groups.ts';
import { planGroups, planRows, type ShieldPlan } from '../../domain/shield/shield-question.ts';
import { MOST_SHIELD_ROWS, NO_ROWS } from '../../domain/shield/shield-rows.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import { detailedHeight } from '../../state/list/screen-layout.ts';
import { placed } from '../../state/list.ts';
import type { State, View } from '../../state/model.ts';
import { clockZone } from '../../state/model.ts';
import {
  isShieldList,
  isShieldView,
  type ShieldListView,
  type ShieldReading,
  type ShieldState,
  type ShieldView,
} from '../../state/shield-model.ts';
import { topView, withTop } from '../../state/view-stack.ts';
import { dayOf } from '../../text/units.ts';
import { type Arrangement, isFullOf, listOf } from './shield-lists.ts';

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

/** Groups where the query groups, one dimension after another or all at once; else rows. */
function planOf(query: Query, { isUnfolded = false }: Arrangement): ShieldPlan {
  const { groupBy } = query;
  return groupBy.length === 0
    ? planRows(query)
    : planGroups(query, isUnfolded ? groupBy : groupBy.slice(0, 1));
}

/** Where a view of the explorer begins. */
export const AT_TOP = { cursor: 0, top: 0, column: 0, needle: null } as const;

/** A view that asks a question. */
export function asking(
  state: State,
  query: Query,
  arrangement: Arrangement = {},
): [ShieldState | null, ShieldListView] {
  const base = unanswered(state, query, planOf(query, arrangement));
  const shield = state.shield && { ...state.shield, request: base.reading.request };
  if (query.groupBy.length === 0) return [shield, { ...base, kind: 'shieldRows', rows: NO_ROWS }];
  const usual = { isUnfolded: false, sort: 'count', isReversed: false } as const;
  return [shield, { ...base, kind: 'shieldGroups', table: NO_TABLE, ...usual, ...arrangement }];
}

/** A question that was not answered yet. */
export function unanswered(state: State, query: Query, plan: ShieldPlan) {
  const reading: ShieldReading = {
    request: (state.shield?.request ?? 0) + 1,
    loading: { kind: 'asking', since: state.now },
    plan,
    range: rangeOf(query.window, state.now),
    page: 0,
    total: null,
    isWhole: false,
    strays: null,
    pages: 0,
    isRefresh: false,
    sparks: sparksOf(state, plan),
    readAt: null,
  };
  return { ...AT_TOP, query, reading, histogram: null, fresh: [], day: null };
}

/** The view on top asks something else; what it showed stays in the history. */
export function askedInstead(state: State, query: Query, arrangement?: Arrangement): State {
  const view = topShieldList(state);
  if (!view) return state;
  const before = remembered(state);
  const [shield, next] = asking(before, query, arrangement ?? listOf(view).arrangement(view));
  return withTop({ ...before, shield }, next);
}

/**
 * The query of the view on top, changed. What the rows or groups at hand can answer is decided here without a request:
 * exclusions, and taking them away again.
 */
export function requeried(state: State, query: Query): State {
  const view = topShieldList(state);
  if (!view) return state;
  const { reading } = view;
  const { arrangement, decided } = listOf(view);
  const plan = planOf(query, arrangement(view));
  const isOfRows = query.groupBy.length === 0;
  const isDay = view.day !== null && isOfRows;
  const asked = (of: ShieldPlan, { window }: Query) =>
    JSON.stringify([of.query, of.filters, of.dims, window]);
  const sameQuestion =
    asked(plan, query) === asked(reading.plan, view.query) &&
    plan.groupBy.every((dimension) => reading.plan.groupBy.includes(dimension)) &&
    isOfRows === (view.query.groupBy.length === 0);
  // A day is read whole whatever the query, so that every term is decided here.
  if (!sameQuestion && !isDay) return askedInstead(state, query);
  const local = isDay ? query.terms : plan.local;
  const settled: ShieldPlan = { ...plan, groupBy: reading.plan.groupBy, local };
  const next = {
    ...decided(view, settled),
    query,
    reading: { ...reading, plan: settled },
    cursor: 0,
    top: 0,
  };
  // What a histogram counted was counted under the terms of before.
  return withTop(remembered(state), { ...next, histogram: null });
}

/** Asks for the page below when the cursor nears the end of what was read. */
export function readOn(state: State, view: ShieldView): State {
  if (!view.reading) return withTop(state, view);
  const { reading } = view;
  const isNear = view.cursor + detailedHeight(state) >= listOf(view).lines(view).length;
  // After a failure or a cancel only an order asks again: a held key must not hammer a server in trouble.
  const isStill = reading.isWhole || isFullOf(view) || reading.loading.kind !== 'read';
  if (!isNear || isStill || view.day || !state.shield) return withTop(state, view);
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

/** The search that a view waits for. Only properties of the contract are in it. */
export function searchOf(view: ShieldListView): ShieldSearchRequest {
  const { plan, range, page, sparks } = view.reading;
  return {
    ...range,
    query: plan.query,
    filters: plan.filters,
    groupBy: plan.groupBy,
    page,
    pageSize: listOf(view).pageSize,
    ...(typeof sparks === 'number' ? { sparks } : {}),
  };
}

/** The state with a list of the explorer on top: of an event the one under it. */
export function withListOnTop(state: State): State {
  return topShieldList(state) ? state : { ...remembered(state), views: state.views.slice(0, -1) };
}

export function topShield(state: State): ShieldView | null {
  const view = topView(state);
  return isShieldView(view) ? view : null;
}

export function topShieldList(state: State): ShieldListView | null {
  const view = topView(state);
  return isShieldList(view) ? view : null;
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
  const hold = (view: ShieldListView) => {
    const lines = listOf(view).held(view);
    if (held.has(lines)) return;
    held.add(lines);
    kept += lines.length;
  };
  const ways: (readonly ShieldView[])[] = [];
  for (const way of past.toReversed()) {
    way.filter(isShieldList).forEach(hold);
    if (ways.length >= MOST_WAYS || kept > MOST_KEPT) break;
    ways.unshift(way);
  }
  return ways;
}

/** The steps of time to ask for with groups, of a server that is not known to refuse them. */
export function sparksOf({ knowsBuckets }: State, { groupBy }: ShieldPlan): number | null {
  return groupBy.length === 0 || knowsBuckets === false ? null : SPARKS;
}
