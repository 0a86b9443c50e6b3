import { grownShape, NO_SHAPE } from '../../domain/logs/groups/group-shape.ts';
import type { BookGroups, GroupSort, LogGroup } from '../../domain/logs/groups/log-group.ts';
import { joinedGroups } from '../../domain/logs/groups/log-group.ts';
import type { CauseOf } from '../../domain/origin-cause.ts';
import { asksCause, NO_CAUSE_OF_SAVED } from '../../domain/query/cause-terms.ts';
import { EMPTY_QUERY, type Term } from '../../domain/query/query.ts';
import { anonymisationOf } from '../../domain/zone.ts';
import { causesTold } from '../../state/evidence/platform-evidence.ts';
import { NO_TAGS, tagGroups } from '../../state/group-tags.ts';
import { type Order, orderBy, overColumns } from '../../state/list/list-screen.ts';
import { detailedHeight } from '../../state/list/screen-layout.ts';
import { filteredBy } from '../../state/list/value-filter.ts';
import { followed } from '../../state/list.ts';
import { askedValue, shownValue, zonesOfLog } from '../../state/log-zones.ts';
import type { CountAnswer } from '../../state/messages.ts';
import { type GroupsView, noticed, type State } from '../../state/model.ts';
import { byCommand, type Work } from '../../state/screen.ts';
import { logCausesAskedAgain } from '../../state/sessions/log-causes.ts';
import { hasEnded } from '../../state/sessions/paging.ts';
import { logViewOf, openLogOver, restoredLog } from '../../state/sessions/session.ts';
import {
  countKey,
  countShares,
  countTold,
  isCountedHere,
  restFrom,
} from '../../state/sessions/stored-groups.ts';
import { pushed, queryOfView, topOf, topView, withTop } from '../../state/view-stack.ts';

const GROUP_SORTS: readonly GroupSort[] = ['count', 'bytes', 'errors', 'misses', 'last', 'key'];

/** Groups kept on screen; the rest is a number. */
const GROUP_LIMIT = 1000;

/** Least time between two counts of the groups while rows arrive, ms: nobody can read a moving table. */
const RECOUNT_AFTER = 1000;

/** Least time between two rounds of traffic profiles, ms: they cost more than counting. */
const RETAG_AFTER = 5000;

/** Groups of which nothing has been counted. */
const UNCOUNTED = { groups: [], total: 0, rows: 0, tags: NO_TAGS, work: null } as const;

/** Groups over the rows of the log on top; the same as `before` stay until they are counted anew. */
export function openGroups(state: State, by: readonly string[], before: GroupsView | null = null): State {
  if (!state.session) return state;
  if (state.session.source.kind === 'files' && asksCause({ terms: [], groupBy: by }))
    return noticed(state, 'warning', NO_CAUSE_OF_SAVED.message);
  const query = { ...(queryOfView(topView(state)) ?? EMPTY_QUERY), groupBy: by };
  const uncounted = { shape: NO_SHAPE, computedAt: 0, taggedAt: 0, work: null };
  if (before !== null && before.by.join() === by.join())
    return pushed(state, groupsCounted(state, { ...before, query, ...uncounted }));
  const view: GroupsView = {
    kind: 'groups',
    query,
    by,
    sort: before?.sort ?? 'count',
    reversed: before?.reversed ?? false,
    cursor: 0,
    top: 0,
    column: 0,
    ...UNCOUNTED,
    ...uncounted,
    counted: null,
    told: state.evidence.told,
  };
  return pushed(state, groupsCounted(state, view));
}

/** The groups recounted; many rows take further turns. */
function groupsCounted(state: State, view: GroupsView): GroupsView {
  if (!state.session) return view;
  const key = countKey(state, view);
  if (key !== null && view.counted?.key !== key)
    return { ...view, ...UNCOUNTED, counted: { key, answer: 'asked' } };
  const since = addedSince(state, view);
  if (key !== null && !isCountedHere(view) && since === null) return { ...view, work: null };
  const { book } = state.session;
  // The rows to count are known once the filter has tested all.
  if (book.filtering !== null) return { ...view, work: null };
  const { told } = state.evidence;
  const of = book.countGroups(
    view.by,
    since === null ? GROUP_LIMIT : Number.POSITIVE_INFINITY,
    causesOf(state),
    since,
  );
  const stored = countTold(view);
  const shares = stored && countShares(state.session, stored);
  return advanced(state, { ...view, told, computedAt: state.now, work: { kind: 'count', of, book, shares } });
}

/** The time from which rows in memory are added to a store's groups; null: none are. */
function addedSince({ session }: State, view: GroupsView): number | null {
  const told = countTold(view);
  return session === null || told === null ? null : restFrom(session, told);
}

/** Whether the groups are of causes and more of these are known since the count. */
function isCountedBefore({ evidence }: State, { by, told }: GroupsView): boolean {
  return told !== evidence.told && asksCause({ terms: [], groupBy: by });
}

function causesOf({ evidence, session }: State): CauseOf {
  return causesTold(evidence, zonesOfLog(session));
}

/** A store's count for the groups on top; dropped where they ask something else by now. */
export function storeCounted(state: State, { key, answer }: { key: string; answer: CountAnswer }): State {
  const view = topOf(state, 'groups');
  if (view?.counted?.key !== key) return state;
  if (!answer.ok) return withTop(state, { ...view, counted: { key, answer: answer.failure } });
  if (answer.value === null)
    return withTop(state, groupsCounted(state, { ...view, counted: { key, answer: 'unable' } }));
  const counted: GroupsView = { ...view, counted: { key, answer: answer.value }, computedAt: state.now };
  if (addedSince(state, counted) === null) return withTop(state, withGroups(state, counted, answer.value));
  const isAll = answer.value.total <= answer.value.groups.length;
  const joined = isAll ? counted : { ...counted, counted: { key, answer: 'tooMany' as const } };
  return withTop(state, groupsCounted(state, joined));
}

/** The count under way, or due since more is known. */
export function groupsWork(state: State, view: GroupsView): Work | null {
  const { work } = view;
  if (work === null && !isCountedBefore(state, view)) return null;
  return { of: work?.kind ?? 'count', turn: () => withTop(state, advanced(state, view)) };
}

/** The view after one more step of its work. */
function advanced(state: State, view: GroupsView): GroupsView {
  const { work } = view;
  if (!state.session) return view;
  const { book } = state.session;
  if (work?.book !== book || isCountedBefore(state, view)) return groupsCounted(state, view);
  if (!work.of.step()) return { ...view };
  if (work.kind === 'tags')
    return { ...view, work: null, tags: work.of.result ?? NO_TAGS, taggedAt: state.now };
  const told = countTold(view);
  if (told !== null && work.of.result !== null) {
    const joined = joinedGroups(told, work.of.result, view.by, GROUP_LIMIT);
    const shares = work.kind === 'count' ? (work.shares ?? null) : null;
    return {
      ...withGroups(state, view, joined),
      work: null,
      counted: view.counted && { ...view.counted, shares },
    };
  }
  const next = work.of.result === null ? view : withGroups(state, view, work.of.result);
  if (state.now - view.taggedAt < RETAG_AFTER) return { ...next, work: null };
  // Saved rows show by themselves how their addresses were truncated.
  const anonymisation = anonymisationOf(zonesOfLog(state.session));
  const of = tagGroups(book, view.by, next.groups, anonymisation, causesOf(state));
  return advanced(state, { ...next, work: { kind: 'tags', of, book } });
}

/** The cursor stays on its group. */
function withGroups(state: State, view: GroupsView, { groups, total, rows }: BookGroups): GroupsView {
  const sorted = sortGroups(groups, view.by, view.sort, view.reversed);
  const held = view.groups[view.cursor];
  const same = held
    ? sorted.findIndex((group) => view.by.every((field) => group.key[field] === held.key[field]))
    : -1;
  const cursor = same < 0 ? view.cursor : same;
  return {
    ...view,
    ...followed(view, cursor, sorted.length, detailedHeight(state)),
    groups: sorted,
    shape: grownShape(view.shape, view.by, groups, (field, value) => shownValue(state, field, value)),
    total,
    rows,
  };
}

/** All groups of the view in its order, with those that the screen leaves out. */
export function allGroups(state: State, view: GroupsView): readonly LogGroup[] {
  const isStored = countTold(view) !== null;
  if (view.total <= view.groups.length || !state.session || isStored) return view.groups;
  const { groups } = state.session.book.groupBy(view.by, Number.POSITIVE_INFINITY, causesOf(state));
  return sortGroups(groups, view.by, view.sort, view.reversed);
}

/** Recounts when rows came and the last count is old enough or found nothing, or no more rows will come. */
export function recounted(state: State, view: GroupsView): GroupsView {
  const isLast = hasEnded(state);
  const isWhole = !isCountedHere(view) && addedSince(state, view) === null;
  if (countKey(state, view) !== null && (isWhole || view.counted === null)) return groupsCounted(state, view);
  // A count under way is finished first; rows that came meanwhile are counted after it.
  if (view.work !== null && view.computedAt > 0 && !isLast) return view;
  const isDue = view.rows === 0 || isLast || state.now - view.computedAt >= RECOUNT_AFTER;
  // A profile of the first rows must not stand for all of them.
  return isDue ? groupsCounted(state, isLast ? { ...view, taggedAt: 0 } : view) : view;
}

export const groupsCommanded = byCommand<GroupsView>({
  ...overColumns(({ by }) => by.length),
  open: drilled,
  refresh(state, view) {
    const counted = withTop(state, groupsCounted(state, { ...view, taggedAt: 0, counted: null }));
    return logCausesAskedAgain(noticed(counted, 'info', 'counted anew'));
  },
});

/** Opens a group: its rows among those already read. */
function drilled(state: State, view: GroupsView): State {
  const group = view.groups[view.cursor];
  if (!group || !state.session) return state;
  const terms = view.by.reduce<readonly Term[]>(
    (kept, field) => filteredBy(kept, 'in', field, askedValue(state, field, group.key[field] ?? null)),
    view.query.terms,
  );
  // Most rows of a window that a store counted are not here: they come by pages of their own.
  const [zone, ...others] = zonesOfLog(state.session);
  if (countTold(view) !== null && zone)
    return openLogOver(state, [zone, ...others], { ...view.query, terms, groupBy: [] });
  const wasPaused = state.session.book.isFrozen;
  // The rows of what was counted while paused are looked for in that.
  const log = logViewOf({ ...view.query, terms }, wasPaused);
  return restoredLog(pushed(state, log), wasPaused);
}

function sortGroups(
  groups: readonly LogGroup[],
  by: readonly string[],
  sort: GroupSort,
  reversed: boolean,
): LogGroup[] {
  const keyOf = (group: LogGroup) => by.map((field) => group.key[field] ?? '').join(' ');
  const order: Record<GroupSort, (a: LogGroup, b: LogGroup) => number> = {
    count: (a, b) => b.count - a.count,
    bytes: (a, b) => b.bytes - a.bytes,
    errors: (a, b) => b.errors - a.errors,
    misses: (a, b) => b.misses - a.misses,
    last: (a, b) => b.lastSeen - a.lastSeen,
    key: (a, b) => keyOf(a).localeCompare(keyOf(b)),
  };
  const sorted = groups.toSorted((a, b) => order[sort](a, b) || b.count - a.count);
  return reversed ? sorted.reverse() : sorted;
}

export const GROUPS_ORDER = orderBy(GROUP_SORTS, (_, view: GroupsView) => view, resorted);

function resorted(state: State, view: GroupsView, { sort, reversed }: Order<GroupSort>): State {
  const groups = sortGroups(view.groups, view.by, sort, reversed);
  return withTop(state, { ...view, sort, reversed, groups, cursor: 0, top: 0 });
}
