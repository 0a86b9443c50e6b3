import { inSteps } from '../../domain/logs/groups/group-shape.ts';
import { timeCells } from '../../domain/logs/pane-columns.ts';
import { EVENT_COLUMNS, type ShieldAnswer, type ShieldGroup } from '../../domain/shield/shield.ts';
import {
  placedShieldColumns,
  SHIELD_COLUMNS,
  type ShieldColumnId,
} from '../../domain/shield/shield-columns.ts';
import { groupId, MOST_PARTS, tableOf, withApart, withParts } from '../../domain/shield/shield-groups.ts';
import { isFolded, type ShieldPlan } from '../../domain/shield/shield-question.ts';
import {
  MOST_SHIELD_ROWS,
  meetsHeld,
  refilteredRows,
  renewedRows,
  rowsOfEvents,
  type ShieldRow,
  withRows,
} from '../../domain/shield/shield-rows.ts';
import { sumOfStrays } from '../../domain/strays.ts';
import { detailedHeight, listColumns } from '../../state/list/screen-layout.ts';
import { followed } from '../../state/list.ts';
import { memoised } from '../../state/memoised.ts';
import { clockZone, type State } from '../../state/model.ts';
import type {
  ShieldGroupsView,
  ShieldListView,
  ShieldReading,
  ShieldRowsView,
} from '../../state/shield-model.ts';
import { dayOf } from '../../text/units.ts';

export type ShieldLine = ShieldGroup | ShieldRow;

/** How groups are laid out. */
export type Arrangement = Partial<Pick<ShieldGroupsView, 'isUnfolded' | 'sort' | 'reversed'>>;

/**
 * What was read. `read`: lines by the server's count, each a `unit`, before any are left out or summed here.
 * `hidden`: how many of the `events` are hidden here; `bad`: lines not understood; `isApart`: the last line is no
 * part of the newest answer.
 */
type Tally = { unit: string; read: number; hidden: number; events: number; bad: number; isApart: boolean };

/** What one kind of list that asks Shield a question has and does. */
type ShieldList<V> = {
  /** On screen. */
  lines: (view: V) => readonly ShieldLine[];
  /** As read; `most` of them are kept. */
  held: (view: V) => readonly ShieldLine[];
  most: number;
  pageSize: number;
  /** The values that `h` and `l` move over. */
  dims: (view: V) => readonly string[];
  tally: (view: V) => Tally;
  /** Its events can be counted without a request. */
  isAtHand: (view: V) => boolean;
  /** What a view that replaces it takes over. */
  arrangement: (view: V) => Arrangement;
  /** What was read, decided by the terms of another plan. */
  decided: (view: V, plan: ShieldPlan) => V;
  /** With a page of its answer; `next` numbers the request that it may send after it. */
  answered: (state: State, view: V, answer: ShieldAnswer, next: number) => V;
  /** The searches that a refresh costs, and the words for one. */
  price: (view: V) => number;
  oneSearch: string;
};

/** The API's largest page. */
const GROUPS_PAGE = 500;

/** Rows carry their whole context. */
const ROWS_PAGE = 200;

/** Pages of new rows that a refresh reads to reach those held. */
const REFRESH_PAGES = 10;

/** The feature last: the rule implies it. */
const ROW_DIMS = EVENT_COLUMNS.map(({ dimension }) => dimension).toSorted(
  (a, b) => Number(a === 'feature') - Number(b === 'feature'),
);

const LISTS: { [K in ShieldListView['kind']]: ShieldList<Extract<ShieldListView, { kind: K }>> } = {
  shieldGroups: {
    lines: ({ table }) => table.groups,
    held: ({ table }) => table.parts,
    most: MOST_PARTS,
    pageSize: GROUPS_PAGE,
    dims: ({ reading }) => reading.plan.dims,
    tally: ({ table: { parts, hidden, events, bad, hasApart }, reading }) => {
      const unit = isFolded(reading.plan) ? 'parts' : 'groups';
      return { unit, read: parts.length, hidden, events, bad, isApart: hasApart };
    },
    isAtHand: () => false,
    arrangement: ({ isUnfolded, sort, reversed }) => ({ isUnfolded, sort, reversed }),
    decided: (view, plan) => ({ ...view, table: tableBy(view, view.table.parts, plan) }),
    answered: withGroups,
    // Groups change anywhere: all pages are read again.
    price: ({ reading }) => Math.max(1, reading.pages),
    oneSearch: 'one search',
  },
  shieldRows: {
    lines: ({ rows }) => rows.shown,
    held: ({ rows }) => rows.rows,
    most: MOST_SHIELD_ROWS,
    pageSize: ROWS_PAGE,
    dims: () => ROW_DIMS,
    tally: ({ rows: { rows, shown, bad, apart } }) => {
      const isApart = apart !== null;
      const [events, hidden] = [rows.length, rows.length - shown.length];
      return { unit: 'events', read: events - (isApart ? 1 : 0), hidden, events, bad, isApart };
    },
    isAtHand: ({ rows, reading }) => reading.isWhole && rows.rows.length > 0,
    arrangement: () => ({}),
    decided: (view, { local }) => ({ ...view, rows: refilteredRows(view.rows, local) }),
    answered: withEvents,
    // Rows only come on top.
    price: () => 1,
    oneSearch: 'one search, more where over 200 events came meanwhile',
  },
};

/** The row of a list. The compiler does not see here that kind and row belong together. */
export function listOf<V extends ShieldListView>({ kind }: V): ShieldList<V> {
  return LISTS[kind] as unknown as ShieldList<V>;
}

/** The dimension of the value that `+ - =` act on. */
export function dimensionUnder(view: ShieldListView): string | undefined {
  return listOf(view).dims(view)[view.column];
}

/** The values of a line by dimension. */
export function valuesOfLine(line: ShieldLine): Readonly<Record<string, string | null>> {
  return 'key' in line ? line.key : line.fields;
}

/** True when as much of a question is kept as the bound allows. */
export function isFullOf(view: ShieldListView): boolean {
  const { held, most } = listOf(view);
  return held(view).length >= most;
}

function withGroups(state: State, view: ShieldGroupsView, answer: ShieldAnswer, next: number) {
  const { reading } = view;
  const { plan, isRefresh } = reading;
  const parts = withParts(isRefresh ? view.fresh : view.table.parts, answer.groups, plan.groupBy);
  const page = pageRead(reading.page, answer, GROUPS_PAGE, answer.groups.length);
  // Pages of two answers do not add up: the older table stays until as many pages are read again.
  if (isRefresh && !page.isWhole && page.page < reading.pages) {
    return { ...view, fresh: parts, reading: { ...reading, page: page.page, request: next } };
  }
  const held = view.table.groups[view.cursor];
  const first = tableBy(view, parts, plan);
  const id = held ? groupId(held, plan.dims) : null;
  // A group missing from the newer answer stays as it was while the cursor is on it.
  const isGone = held && !first.groups.some((group) => groupId(group, plan.dims) === id);
  const table = isGone ? withApart(first, held) : first;
  const cursor = held ? table.groups.findIndex((group) => groupId(group, plan.dims) === id) : 0;
  return {
    ...view,
    ...followed(view, Math.max(0, cursor), table.groups.length, detailedHeight(state)),
    table,
    fresh: [],
    reading: settled(state, reading, answer, page),
  };
}

function tableBy(view: ShieldGroupsView, parts: readonly ShieldGroup[], { dims, local }: ShieldPlan) {
  return tableOf(parts, { dims, local, sort: view.sort, reversed: view.reversed });
}

function withEvents(state: State, view: ShieldRowsView, answer: ShieldAnswer, next: number) {
  const { reading } = view;
  const { local } = reading.plan;
  const read = rowsOfEvents(answer.events);
  const page = pageRead(reading.page, answer, ROWS_PAGE, answer.events.length);
  if (!reading.isRefresh) {
    const rows = withRows(view.rows, read, local);
    return { ...view, rows, reading: settled(state, reading, answer, page) };
  }
  const newest = [...view.fresh, ...read];
  const meets = page.isWhole || meetsHeld(view.rows, read);
  // New rows may fill more than a page: the list must not hide a gap, so pages are read down to a row that is held.
  if (!meets && page.page < REFRESH_PAGES) {
    return { ...view, fresh: newest, reading: { ...reading, page: page.page, request: next } };
  }
  const held = view.rows.shown[view.cursor] ?? null;
  const rows = renewedRows(view.rows, newest, { from: reading.range.from, meets, kept: held }, local);
  const at = held ? rows.shown.findIndex(({ id }) => id === held.id) : -1;
  const cursor = at < 0 ? view.cursor : at;
  // The older pages are here already, as far as they were read.
  const pages = Math.max(page.page, Math.floor(rows.rows.length / ROWS_PAGE));
  const isWhole = page.isWhole || rows.rows.length - (rows.apart === null ? 0 : 1) >= answer.total;
  return {
    ...view,
    ...followed(view, cursor, rows.shown.length, detailedHeight(state)),
    rows,
    fresh: [],
    reading: settled(state, reading, answer, { page: pages, isWhole }),
  };
}

type Pages = Pick<ShieldReading, 'page' | 'isWhole'>;

/** A question answered up to these pages. */
function settled(
  { now }: State,
  before: ShieldReading,
  { total, strays: own }: ShieldAnswer,
  read: Pages,
): ShieldReading {
  const strays = sumOfStrays(before.isRefresh ? null : before.strays, own ?? null);
  const readAt = before.isRefresh || before.page === 0 ? now : before.readAt;
  const loading = { kind: 'read' } as const;
  return { ...before, ...read, pages: read.page, total, strays, loading, isRefresh: false, readAt };
}

/**
 * The count of the contract ends the reading; a full page of a larger total does not, whatever the pages claim to be.
 */
function pageRead(page: number, answer: ShieldAnswer, size: number, got: number): Pages {
  const next = page + 1;
  const isMore = next < answer.totalPages || (got >= size && next * size < answer.total);
  return { page: next, isWhole: !isMore || got === 0 };
}

export const COUNT_CELLS = 8;
/** A title with the cursor's place among some thousand groups, and the word before what comes next. */
const TITLE_CELLS = 24;
/** A time with its date, to the minute. */
const DATED_CELLS = 11;

type Rules = NonNullable<State['shield']>['rules'] | undefined;

type PlacedShieldColumn = { id: ShieldColumnId; width: number };

/** The columns of groups with their cells, and the cells of each part of the key. */
export function shieldGroupWidths(
  state: State,
  view: ShieldGroupsView,
): { placed: readonly PlacedShieldColumn[]; key: number } {
  const { columns } = state.size;
  const isDated = asksOtherDays(state, view);
  const placed = placedShieldColumns(state.shield?.columns ?? null, columns).map((id) => ({
    id,
    width: isDated && (id === 'first' || id === 'last') ? DATED_CELLS : SHIELD_COLUMNS[id].width,
  }));
  const fixed = placed.reduce((sum, { width }) => sum + width + 1, 1 + COUNT_CELLS);
  const parts = Math.max(1, view.reading.plan.dims.length);
  const room = Math.floor((columns - fixed) / parts) - 1;
  return { placed, key: Math.max(6, Math.min(room, keyCells(state, view))) };
}

/** Cells of the longest part of a key; at least those of the first title, which says what comes next. */
function keyCells(state: State, { table: { groups }, reading, query, isUnfolded }: ShieldGroupsView): number {
  const longest = longestPart(groups, { rules: state.shield?.rules, dims: reading.plan.dims });
  const rest = isUnfolded ? '' : query.groupBy.slice(1).join(', ');
  // In steps: pages of groups come one after another.
  return inSteps(Math.max(longest, TITLE_CELLS + rest.length));
}

const longestPart = memoised(
  (groups: readonly ShieldGroup[], { rules, dims }: { rules: Rules; dims: readonly string[] }) => {
    const textOf = (value: string, dimension: string) =>
      dimension === 'ruleId' ? ruleWords(rules, value) : value;
    const lengths = groups.flatMap(({ key }) => dims.map((name) => textOf(key[name] ?? '', name).length));
    return lengths.reduce((most, length) => Math.max(most, length), 0);
  },
);

export function shieldTimeCells(state: State, view: ShieldListView): number {
  return timeCells(listColumns(state), asksOtherDays(state, view));
}

/** A rule's id with its text where that is known, both untrusted. */
export function ruleText(state: State, id: string): string {
  return ruleWords(state.shield?.rules, id);
}

function ruleWords(rules: Rules, id: string): string {
  const text = rules?.get(id)?.description;
  return text ? `${id} ${text}` : id;
}

/** The columns of groups: their dimensions, and those that were chosen. */
export function groupColumns({ shield }: State, { reading }: ShieldGroupsView): readonly string[] {
  return [...reading.plan.dims, ...(shield?.columns ?? [])];
}

/** True when a view asks for another day than today: its times then need dates, however much was read. */
function asksOtherDays(state: State, view: ShieldListView): boolean {
  const zone = clockZone(state);
  const { from, to } = view.reading.range;
  return [from, to - 1].some((time) => dayOf(time, zone) !== dayOf(state.now, zone));
}
