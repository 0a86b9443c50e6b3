import { type Failure, failureOf } from '../../domain/failure.ts';
import type { ShieldAnswer, ShieldDayPage, WafRule } from '../../domain/shield/shield.ts';
import { groupId, tableOf, withApart, withParts } from '../../domain/shield/shield-groups.ts';
import {
  featuresLearned,
  MOST_SHIELD_ROWS,
  meetsHeld,
  renewedRows,
  rowsOfEvents,
  withDayFields,
  withRows,
} from '../../domain/shield/shield-rows.ts';
import { detailedHeight } from '../list/layout.ts';
import { followed } from '../list/list.ts';
import { reported, type State } from '../model.ts';
import { GROUPS_PAGE, ROWS_PAGE } from './shield-ask.ts';
import { histogramCounted, histogramFailed } from './shield-histogram.ts';
import {
  isShieldList,
  isShieldView,
  type ShieldGroupsView,
  type ShieldListView,
  type ShieldLoading,
  type ShieldReading,
  type ShieldRowsView,
} from './shield-model.ts';
import { REFRESH_PAGES } from './shield-refresh.ts';

/** A server that leads back to a page that was read keeps the rest of the day to itself. */
const LOST_THREAD = failureOf('wrongShape', { detail: 'the same continuation token came again' });

/** A page of the answer. One to a question that no view on the way asks any more is dropped. */
export function shieldAnswered(state: State, request: number, answer: ShieldAnswer): State {
  const counted = histogramCounted(state, request, answer);
  if (counted) return counted;
  const read = onView(state, request, (before, next) => {
    const view = withRange(before, answer);
    return view.kind === 'shieldGroups'
      ? withGroups(state, view, answer, next)
      : withEvents(state, view, answer, next);
  });
  if (read === state || !read.shield) return state;
  const told = answer.groups.some(({ sparkline }) => sparkline) ? { knowsBuckets: true } : {};
  return {
    ...read,
    ...told,
    shield: { ...read.shield, features: featuresLearned(read.shield.features, answer) },
  };
}

/** The times that were asked for in the end: what was too old by then is not in the answer. */
function withRange<V extends ShieldListView>(view: V, { gone }: ShieldAnswer): V {
  if (gone === undefined) return view;
  const { reading } = view;
  return { ...view, reading: { ...reading, range: { from: gone.to, to: reading.range.to } } };
}

export function shieldFailed(state: State, request: number, failure: Failure): State {
  const failed = histogramFailed(state, request, failure);
  if (failed) return failed;
  const isRefused = failure.kind === 'invalidRequest' && failure.status === 400;
  const waiting = state.views[placeWaiting(state, request)];
  const sparks = waiting && isShieldList(waiting) ? waiting.reading.sparks : null;
  // Older recordings hold the groups without their times, and say nothing about a server.
  if (typeof sparks === 'number' && (isRefused || failure.kind === 'notRecorded')) {
    const asked = onView(state, request, (view, next) => ({
      ...view,
      reading: { ...view.reading, request: next, sparks: 'refused' },
    }));
    return isRefused ? { ...asked, knowsBuckets: false } : asked;
  }
  // A server that refuses them without their times too was asked for something else that it does not take.
  const before = sparks === 'refused' && isRefused ? { ...state, knowsBuckets: null } : state;
  return onView(before, request, (view) => ({
    ...view,
    reading: { ...view.reading, loading: { kind: 'failed', failure } },
  }));
}

/** A page of a day; the next one is asked for until the day ends, a token comes again, or the bound is reached. */
export function shieldDayRead(state: State, request: number, page: ShieldDayPage): State {
  const features = state.shield?.features ?? new Map();
  return onView(state, request, (view, next) => {
    if (view.kind !== 'shieldRows' || !view.day) return view;
    const { day, reading } = view;
    const events = page.events.map((event) => withDayFields(event, features));
    const rows = withRows(view.rows, rowsOfEvents(events), reading.plan.local);
    const isRepeated = page.next !== null && day.tokens.includes(page.next);
    const isWhole = page.next === null;
    const goesOn = !isWhole && !isRepeated && rows.rows.length < MOST_SHIELD_ROWS;
    const ended: ShieldLoading = isRepeated ? { kind: 'failed', failure: LOST_THREAD } : { kind: 'read' };
    return {
      ...view,
      rows,
      day: {
        ...day,
        // After a repeated token Ctrl-r tries the same page again.
        token: isRepeated ? day.token : page.next,
        tokens: page.next === null || isRepeated ? day.tokens : [...day.tokens, page.next],
        pages: day.pages + 1,
      },
      reading: {
        ...reading,
        request: goesOn ? next : reading.request,
        loading: goesOn ? reading.loading : ended,
        total: isWhole ? rows.rows.length : null,
        isWhole,
        readAt: reading.readAt ?? state.now,
      },
    };
  });
}

export function shieldRulesArrived(state: State, shieldZoneId: string, rules: readonly WafRule[]): State {
  const { shield } = state;
  if (shield?.shieldZoneId !== shieldZoneId) return state;
  return { ...state, shield: { ...shield, rules: new Map(rules.map((rule) => [rule.ruleId, rule])) } };
}

/** The Shield zone of the pull zone was found; without one the explorer closes and says so. */
export function shieldZoneFound(state: State, pullZoneId: string, shieldZoneId: string | null): State {
  const { shield } = state;
  if (!shield || shield.zone.id !== pullZoneId || shield.shieldZoneId !== null) return state;
  if (shieldZoneId !== null) return { ...state, shield: { ...shield, shieldZoneId } };
  const closed = {
    ...state,
    shield: null,
    views: [...state.views.filter((view) => !isShieldView(view)), ...state.parked],
    parked: [],
  };
  return reported(closed, 'warning', noShieldWords(shield.zone.name));
}

export function noShieldWords(name: string): string {
  return `${name} has no Shield zone: nothing is inspected. Switch Shield on in the pull zone, then Ctrl-r`;
}

/** Where the view is that waits for this request; -1: none does. */
function placeWaiting({ views }: State, request: number): number {
  return views.findLastIndex(
    (view) =>
      isShieldList(view) && view.reading.request === request && view.reading.loading.kind === 'asking',
  );
}

/** Changes the one view that waits for this request; `next` is the number of the one that it may ask after it. */
function onView(
  state: State,
  request: number,
  change: (view: ShieldListView, next: number) => ShieldListView,
): State {
  const { shield } = state;
  const at = placeWaiting(state, request);
  const view = state.views[at];
  if (!shield || !view || !isShieldList(view)) return state;
  const next = shield.request + 1;
  const changed = change(view, next);
  const newest = changed.reading.request === next ? next : shield.request;
  return { ...state, views: state.views.with(at, changed), shield: { ...shield, request: newest } };
}

function withGroups(
  state: State,
  view: ShieldGroupsView,
  answer: ShieldAnswer,
  next: number,
): ShieldGroupsView {
  const { reading, sort, isReversed } = view;
  const { plan, isRefresh } = reading;
  const shape = { dims: plan.dims, local: plan.local, sort, reversed: isReversed };
  const parts = withParts(isRefresh ? view.fresh : view.table.parts, answer.groups, plan.groupBy);
  const page = pageRead(reading.page, answer, GROUPS_PAGE, answer.groups.length);
  // Pages of two answers do not add up: the older table stays until as many pages are read again.
  if (isRefresh && !page.isWhole && page.page < reading.pages) {
    return { ...view, fresh: parts, reading: { ...reading, page: page.page, request: next } };
  }
  const held = view.table.groups[view.cursor];
  const first = tableOf(parts, shape);
  const id = held ? groupId(held, plan.dims) : null;
  // A group that the newer answer does not list any more stays as it was while the cursor is on it.
  const isGone = held && !first.groups.some((group) => groupId(group, plan.dims) === id);
  const table = isGone ? withApart(first, held) : first;
  const cursor = held ? table.groups.findIndex((group) => groupId(group, plan.dims) === id) : 0;
  return {
    ...view,
    ...followed(view, Math.max(0, cursor), table.groups.length, detailedHeight(state)),
    table,
    fresh: [],
    reading: { ...reading, ...page, ...settled(state, reading, answer), pages: page.page },
  };
}

function withEvents(state: State, view: ShieldRowsView, answer: ShieldAnswer, next: number): ShieldRowsView {
  const { reading } = view;
  const { local } = reading.plan;
  const read = rowsOfEvents(answer.events);
  const page = pageRead(reading.page, answer, ROWS_PAGE, answer.events.length);
  if (!reading.isRefresh) {
    const rows = withRows(view.rows, read, local);
    return {
      ...view,
      rows,
      reading: { ...reading, ...page, ...settled(state, reading, answer), pages: page.page },
    };
  }
  const newest = [...view.fresh, ...read];
  const meets = page.isWhole || meetsHeld(view.rows, read);
  // New rows may be more than a page: a list must not hide a gap, so pages are read down to a row that is held.
  if (!meets && page.page < REFRESH_PAGES) {
    return { ...view, fresh: newest, reading: { ...reading, page: page.page, request: next } };
  }
  const held = view.rows.shown[view.cursor] ?? null;
  const rows = renewedRows(view.rows, newest, { from: reading.range.from, meets, kept: held }, local);
  const at = held ? rows.shown.findIndex(({ id }) => id === held.id) : -1;
  const cursor = at < 0 ? view.cursor : at;
  // Below the newest pages the older ones are at hand already, as far as they were read.
  const pages = Math.max(page.page, Math.floor(rows.rows.length / ROWS_PAGE));
  return {
    ...view,
    ...followed(view, cursor, rows.shown.length, detailedHeight(state)),
    rows,
    fresh: [],
    reading: {
      ...reading,
      page: pages,
      isWhole: page.isWhole || rows.rows.length - (rows.apart === null ? 0 : 1) >= answer.total,
      ...settled(state, reading, answer),
      pages,
    },
  };
}

/** What holds for a view whose question is answered. */
function settled(state: State, reading: ShieldReading, answer: ShieldAnswer) {
  const readAt = reading.isRefresh || reading.page === 0 ? state.now : reading.readAt;
  return { total: answer.total, loading: { kind: 'read' }, isRefresh: false, readAt } as const;
}

/** The count of the contract ends the reading; a full page of a larger total does not, whatever the pages are said to be. */
function pageRead(page: number, answer: ShieldAnswer, size: number, got: number) {
  const next = page + 1;
  const isMore = next < answer.totalPages || (got >= size && next * size < answer.total);
  return { page: next, isWhole: !isMore || got === 0 };
}
