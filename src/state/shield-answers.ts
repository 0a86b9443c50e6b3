import type { Failure } from '../domain/failure.ts';
import type { ShieldAnswer, ShieldDayPage, WafRule } from '../domain/shield.ts';
import { groupId, tableOf, withParts } from '../domain/shield-groups.ts';
import {
  MOST_ROWS,
  renewedRows,
  rowsOfEvents,
  type ShieldRow,
  withDayFields,
  withRows,
} from '../domain/shield-rows.ts';
import { clamp } from './list.ts';
import type { State } from './model.ts';
import { GROUPS_PAGE, ROWS_PAGE, shieldHeight } from './shield-ask.ts';
import { histogramCounted, histogramFailed } from './shield-histogram.ts';
import type { ShieldGroupsView, ShieldListView, ShieldRowsView } from './shield-model.ts';
import { isShieldView } from './shield-model.ts';

/** A page of the answer. One to a question that no view on the way asks any more is dropped. */
export function shieldAnswered(state: State, request: number, answer: ShieldAnswer): State {
  const counted = histogramCounted(state, request, answer);
  if (counted) return counted;
  return onView(state, request, (view) =>
    view.kind === 'shieldGroups' ? withGroups(state, view, answer) : withEvents(state, view, answer),
  );
}

export function shieldFailed(state: State, request: number, failure: Failure): State {
  const failed = histogramFailed(state, request, failure);
  if (failed) return failed;
  return onView(state, request, (view) => ({
    ...view,
    reading: { ...view.reading, loading: { kind: 'failed', failure } },
  }));
}

/** A page of a day; the next one is asked for until the day ends, a token comes again, or the bound is reached. */
export function shieldDayRead(state: State, request: number, page: ShieldDayPage): State {
  if (!state.shield) return state;
  const next = state.shield.request + 1;
  let goesOn = false;
  const read = onView(state, request, (view) => {
    if (view.kind !== 'shieldRows' || !view.day) return view;
    const { day, reading } = view;
    const rows = withRows(view.rows, rowsOfEvents(page.events.map(withDayFields)), reading.plan.local);
    const isRepeated = page.next !== null && day.tokens.includes(page.next);
    const isWhole = page.next === null || isRepeated || page.events.length === 0;
    goesOn = !isWhole && rows.rows.length < MOST_ROWS;
    return {
      ...view,
      rows,
      day: {
        ...day,
        token: page.next,
        tokens: page.next === null || isRepeated ? day.tokens : [...day.tokens, page.next],
        pages: day.pages + 1,
      },
      reading: {
        ...reading,
        request: goesOn ? next : reading.request,
        loading: goesOn ? reading.loading : { kind: 'read' },
        total: isWhole ? rows.rows.length : null,
        isWhole,
        readAt: reading.readAt ?? state.now,
      },
    };
  });
  return goesOn && read.shield ? { ...read, shield: { ...read.shield, request: next } } : read;
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
  return {
    ...state,
    shield: null,
    views: state.views.filter((view) => !isShieldView(view)),
    notice: { tone: 'warning', text: noShieldWords(shield.zone.name) },
  };
}

export function noShieldWords(name: string): string {
  return `${name} has no Shield zone: nothing is inspected. Switch Shield on in the pull zone, then Ctrl-r`;
}

/** Changes the one view that waits for this request. */
function onView(state: State, request: number, change: (view: ShieldListView) => ShieldListView): State {
  const at = state.views.findLastIndex(
    (view) =>
      (view.kind === 'shieldGroups' || view.kind === 'shieldRows') &&
      view.reading.request === request &&
      view.reading.loading.kind === 'asking',
  );
  const view = state.views[at];
  if (view?.kind !== 'shieldGroups' && view?.kind !== 'shieldRows') return state;
  return { ...state, views: state.views.with(at, change(view)) };
}

function withGroups(state: State, view: ShieldGroupsView, answer: ShieldAnswer): ShieldGroupsView {
  const { reading, sort, isReversed } = view;
  const { plan } = reading;
  const shape = { dims: plan.dims, local: plan.local, sort, reversed: isReversed };
  const held = view.table.groups[view.cursor];
  const parts = reading.isRefresh ? answer.groups : withParts(view.table.parts, answer.groups, plan.groupBy);
  const first = tableOf(parts, shape);
  const id = held ? groupId(held, plan.dims) : null;
  // A group that the newer answer does not list any more stays as it was while the cursor is on it.
  const isGone = held && !first.groups.some((group) => groupId(group, plan.dims) === id);
  const table = isGone ? { ...first, groups: [...first.groups, held] } : first;
  const cursor = held ? table.groups.findIndex((group) => groupId(group, plan.dims) === id) : 0;
  return {
    ...view,
    ...followed(state, view, Math.max(0, cursor), table.groups.length),
    table,
    reading: {
      ...reading,
      ...pageRead(reading.page, answer, GROUPS_PAGE, answer.groups.length),
      total: answer.total,
      loading: { kind: 'read' },
      isRefresh: false,
      readAt: reading.page === 0 ? state.now : reading.readAt,
    },
  };
}

function withEvents(state: State, view: ShieldRowsView, answer: ShieldAnswer): ShieldRowsView {
  const { reading } = view;
  const { local } = reading.plan;
  const read = rowsOfEvents(answer.events);
  const held = view.rows.shown[view.cursor];
  const rows = reading.isRefresh
    ? renewedRows(view.rows, read, reading.range.from, held?.id ?? null, local)
    : withRows(view.rows, read, local);
  const cursor = held && reading.isRefresh ? placeOf(rows.shown, held.id, view.cursor) : view.cursor;
  const place = reading.isRefresh ? followed(state, view, cursor, rows.shown.length) : {};
  const page = pageRead(reading.page, answer, ROWS_PAGE, answer.events.length);
  return {
    ...view,
    ...place,
    rows,
    reading: {
      ...reading,
      ...page,
      // After a refresh the older pages are at hand already, as far as they were read.
      isWhole: page.isWhole || rows.rows.length >= answer.total,
      total: answer.total,
      loading: { kind: 'read' },
      isRefresh: false,
      readAt: reading.page === 0 ? state.now : reading.readAt,
    },
  };
}

/** The row count of the contract ends the reading, and so does a short page from a server that miscounts. */
function pageRead(page: number, answer: ShieldAnswer, size: number, got: number) {
  const isWhole = page + 1 >= answer.totalPages || got === 0 || (got < size && answer.totalPages <= page + 1);
  return { page: page + 1, isWhole };
}

/** The cursor on its line wherever that went, at the same place of the screen. */
function followed(state: State, view: { cursor: number; top: number }, cursor: number, length: number) {
  const height = shieldHeight(state);
  const top = clamp(view.top + cursor - view.cursor, 0, Math.max(0, length - height));
  const at = clamp(cursor, 0, Math.max(0, length - 1));
  return { cursor: at, top: clamp(top, Math.max(0, at - height + 1), at) };
}

function placeOf(rows: readonly ShieldRow[], id: string, otherwise: number): number {
  const at = rows.findIndex((row) => row.id === id);
  return at < 0 ? otherwise : at;
}
