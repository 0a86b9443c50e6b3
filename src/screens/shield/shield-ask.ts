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

/** The first visible line. A window that became lower since the last key still shows the cursor. */
export function shieldTop(state: State, view: ShieldView, length: number): number {
  return placed(view, view.cursor, length, detailedHeight(state)).top;
}

/** True when a view asks for another day than today: its times then need dates, however much was read. */
export function asksOtherDays(state: State, view: ShieldListView): boolean {
  const zone = clockZone(state);
  const { from, to } = view.reading.range;
  return [from, to - 1].some((time) => dayOf(time, zone) !== dayOf(state.now, zone));
}

/** Groups where the query groups, by one dimension after another or by all at once; else rows. */
function planOf(query: Query, { isUnfolded = false }: Arrangement): ShieldPlan {
  const { groupBy } = query;
  return groupBy.length === 0
    ? planRows(query)
    : planGroups(query, isUnfolded ? groupBy : groupBy.slice(0, 1));
}

/** The place where a view of the explorer begins. */
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
  const usual = { isUnfolded: false, sort: 'count', reversed: false } as const;
  return [shield, { ...base, kind: 'shieldGroups', table: NO_TABLE, ...usual, ...arrangement }];
}

/** The state of a question without an answer. */
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

/** The top view asks something else; what it showed stays in the history. */
export function askedInstead(state: State, query: Query, arrangement?: Arrangement): State {
  const view = topShieldList(state);
  if (!view) return state;
  const before = remembered(state);
  const [shield, next] = asking(before, query, arrangement ?? listOf(view).arrangement(view));
  return withTop({ ...before, shield }, next);
}

/**
 * The query of the top view, changed. What the rows or groups at hand can answer is decided here without a request:
 * exclusions, and removing them.
 */
export function requeried(state: State, query: Query): State {
  const view = topShieldList(state);
  if (!view) return state;
  const { reading } = view;
  const { arrangement, decided } = listOf(view);
  const plan = planOf(query, arrangement(view));
  const isOfRows = query.groupBy.length === 0;
  const asked = (of: ShieldPlan, { window }: Query) =>
    JSON.stringify([of.query, of.filters, of.dims, window]);
  const isDay =
    view.day !== null && isOfRows && JSON.stringify(query.window) === JSON.stringify(view.query.window);
  const sameQuestion =
    asked(plan, query) === asked(reading.plan, view.query) &&
    plan.groupBy.every((dimension) => reading.plan.groupBy.includes(dimension)) &&
    isOfRows === (view.query.groupBy.length === 0);
  // A day is read whole whatever the query: every term is decided here.
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
  // The histogram was counted under the terms of before.
  return withTop(remembered(state), { ...next, histogram: null });
}

/** Asks for the next page as the cursor nears the end of what was read. */
export function readOn(state: State, view: ShieldView): State {
  if (!view.reading) return withTop(state, view);
  const { reading } = view;
  const isNear = view.cursor + detailedHeight(state) >= listOf(view).lines(view).length;
  // After a failure or a cancel only an order asks again: a held key must not hammer a server in trouble.
  const isStill = reading.isWhole || isFullOf(view) || reading.loading.kind !== 'read';
  if (!isNear || isStill || view.day || !state.shield) return withTop(state, view);
  return askedOn(state, view, { range: withinKept(reading.range, state.now, 'shield') });
}

/** The top view asks once more; `reading`: what it asks otherwise. */
export function askedOn(state: State, view: ShieldListView, reading: Partial<ShieldReading> = {}): State {
  if (!state.shield) return state;
  const request = state.shield.request + 1;
  const loading = { kind: 'asking', since: state.now } as const;
  return withTop(
    { ...state, shield: { ...state.shield, request } },
    { ...view, reading: { ...view.reading, request, loading, ...reading } },
  );
}

/** The search that a view waits for, with properties of the contract only. */
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

/** The state with a list of the explorer on top: for an event the one beneath it. */
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

/** Stacks kept by the history. */
const MOST_WAYS = 30;

/** Rows and groups kept by the whole history: one full list, and the groups that led there. */
const MOST_KEPT = MOST_SHIELD_ROWS + MOST_PARTS;

/** Keeps the stack being left to go back to; what was gone back from is dropped. */
export function remembered(state: State): State {
  if (!state.shield) return state;
  const way = wayOf(state.views);
  if (way.length === 0) return state;
  const past = boundedHistory([...state.shield.past, way]);
  return { ...state, shield: { ...state.shield, past, future: [] } };
}

/** The views of the explorer on top; those below another question are a stack of their own. */
export function wayOf(views: readonly View[]): readonly ShieldView[] {
  const other = views.findLastIndex((view) => !isShieldView(view));
  return views.slice(other + 1).filter(isShieldView);
}

/** The newest stacks that together stay within the bound. Views share what they were made from. */
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

/** The steps of time to ask for with groups, unless the server is known to refuse them. */
export function sparksOf({ knowsBuckets }: State, { groupBy }: ShieldPlan): number | null {
  return groupBy.length === 0 || knowsBuckets === false ? null : SPARKS;
}
