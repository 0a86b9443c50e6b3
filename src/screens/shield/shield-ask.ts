import { LOG_RETENTION, withinKept } from '../../domain/log-retention.ts';
import { shieldFieldOf } from '../../domain/query/fields.ts';
import type { Query } from '../../domain/query/query.ts';
import { parseDay } from '../../domain/query/query-time.ts';
import type { ShieldGroup, ShieldSearchRequest } from '../../domain/shield/shield.ts';
import { SPARKS } from '../../domain/shield/shield-buckets.ts';
import { MOST_PARTS, NO_TABLE, networkOf } from '../../domain/shield/shield-groups.ts';
import { dimensionOf, planGroups, planRows, type ShieldPlan } from '../../domain/shield/shield-question.ts';
import { MOST_SHIELD_ROWS, NO_ROWS } from '../../domain/shield/shield-rows.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import { detailedHeight } from '../../state/list/screen-layout.ts';
import { placed } from '../../state/list.ts';
import { noticed, type Prompt, type State, type View } from '../../state/model.ts';
import { mistaken } from '../../state/prompt.ts';
import {
  isShieldList,
  isShieldView,
  type ShieldListView,
  type ShieldReading,
  type ShieldRowsView,
  type ShieldState,
  type ShieldView,
} from '../../state/shield-model.ts';
import { topView, withTop } from '../../state/view-stack.ts';
import { DAY } from '../../text/units.ts';
import { histogramResumed } from './shield-histogram.ts';
import { type Arrangement, isFullOf, listOf } from './shield-lists.ts';

/** The first visible line. A window that became lower since the last key still shows the cursor. */
export function shieldTop(state: State, view: ShieldView, length: number): number {
  return placed(view, view.cursor, length, detailedHeight(state)).top;
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
function unanswered(state: State, query: Query, plan: ShieldPlan) {
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
function wayOf(views: readonly View[]): readonly ShieldView[] {
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

/** One step up, everything as it was left; null at the top of the explorer. */
export function climbed(state: State): State | null {
  const below = state.views.at(-2);
  if (!below || !isShieldView(below)) return null;
  const before = remembered(state);
  return { ...before, views: before.views.slice(0, -1) };
}

/** To the stack before or after this one. What was read is there again; what was under way is asked again. */
export function historyMoved(state: State, direction: 'past' | 'future'): State {
  const { shield } = state;
  if (!shield) return state;
  const isBack = direction === 'past';
  const way = isBack ? shield.past.at(-1) : shield.future[0];
  if (!way) return noticed(state, 'info', `there is no view ${isBack ? 'before' : 'after'} this one`);
  const here = wayOf(state.views);
  const past = isBack ? shield.past.slice(0, -1) : [...shield.past, here];
  const future = isBack ? [here, ...shield.future] : shield.future.slice(1);
  const others = state.views.slice(0, state.views.length - here.length);
  const views = [...others, ...way.map((view) => begunAnew(state, view))];
  return { ...state, views, shield: { ...shield, past, future } };
}

/**
 * The requests of a view that was away were cancelled; it asks for times that are still kept, and its clock restarts.
 */
export function begunAnew(state: State, view: View): View {
  if (!isShieldList(view)) return view;
  const { now } = state;
  const loading = { kind: 'asking', since: now } as const;
  const { reading, histogram } = view;
  const isReading = reading.loading.kind === 'asking';
  const isCounting = histogram?.loading.kind === 'asking';
  if (!isReading && !isCounting) return view;
  return {
    ...view,
    reading: isReading ? { ...reading, loading, range: withinKept(reading.range, now, 'shield') } : reading,
    histogram: isCounting ? histogramResumed(state, histogram) : histogram,
  };
}

/** Values searched for completion, from the newest view down. */
const LOOKED_AT = 2000;

/** Values of a field seen on the views of this stack, most frequent first. */
export function seenInShield(state: State, field: string, most: number): string[] {
  const dimension = dimensionOf(field);
  const row = shieldFieldOf(field);
  if (!dimension || !row) return [];
  const counts = new Map<string, number>();
  const add = (value: string | null | undefined, count: number) => {
    if (value) counts.set(value, (counts.get(value) ?? 0) + count);
  };
  const addGroup = (group: ShieldGroup) => {
    if (dimension === 'country' || dimension === 'asn') {
      const shared = networkOf(group)[dimension];
      // Nobody knows how many events have the value of a single one.
      add(shared ?? group.context[dimension], shared === null ? 1 : group.count);
    } else add(row.get(group.key), group.count);
    if (dimension === 'feature') for (const name of group.context.features) add(name, 1);
    if (dimension === 'ruleId') for (const id of group.context.ruleIds) add(id, 1);
  };
  for (const view of state.views.filter(isShieldList)) {
    for (const line of listOf(view).held(view).slice(0, LOOKED_AT)) {
      if ('key' in line) addGroup(line);
      else add(row.get(line.fields), 1);
    }
  }
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([value]) => value);
}

/** The day that the prompt offers: that of the window on screen. */
export function dayOffered(state: State): string {
  const at = topShieldList(state)?.reading.range.from ?? state.now;
  return new Date(at).toISOString().slice(0, 10);
}

/** Starts to read a whole UTC day; the server says whether it still has it. */
export function daySubmitted(state: State, prompt: Prompt): State {
  const written = prompt.field.text.trim();
  const view = topShield(state);
  const read = parseDay(written, state.now);
  if (!read.ok || read.midnight > state.now) {
    const { message, hint } = read.ok
      ? { message: `${written} lies in the future`, hint: 'yesterday is the newest whole day' }
      : read;
    return mistaken(state, prompt, message, hint);
  }
  const from = read.midnight;
  const day = new Date(from).toISOString().slice(0, 10);
  if (!view || !state.shield) return { ...state, prompt: null };
  const before = remembered({ ...state, prompt: null });
  if (!before.shield) return before;
  const window = { kind: 'absolute', from, to: from + DAY } as const;
  const query = { ...view.query, groupBy: [], window };
  // The server sends what it still has of the day.
  const range = {
    from: Math.min(Math.max(from, state.now - LOG_RETENTION.shield), window.to),
    to: window.to,
  };
  // The day read takes no filters: every term is decided here.
  const base = unanswered(before, query, { ...planRows(query), local: query.terms });
  const rows: ShieldRowsView = {
    ...base,
    kind: 'shieldRows',
    rows: NO_ROWS,
    day: { day, token: null, tokens: [], pages: 0 },
    reading: { ...base.reading, range, sparks: null },
  };
  // A day over a day would keep the rows of both: the one before is in the history.
  const below = topShieldList(state)?.day ? before.views.slice(0, -1) : before.views;
  return { ...before, views: [...below, rows], shield: { ...before.shield, request: base.reading.request } };
}
