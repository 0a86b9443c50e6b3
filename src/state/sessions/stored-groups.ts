import type { Failure } from '../../domain/failure.ts';
import { oldestAsked } from '../../domain/log-retention.ts';
import type { RowsAsked } from '../../domain/logs/log-history.ts';
import { isUnread } from '../../domain/logs/paged-log.ts';
import type { Term } from '../../domain/query/query.ts';
import { withZoneIds } from '../../domain/query/zone-terms.ts';
import {
  type Gap,
  isLacking,
  sharedRanges,
  type TimeRange,
  timeShared,
  without,
} from '../../domain/tail/coverage.ts';
import { readTo } from '../../domain/tail/merged-report.ts';
import type { PullZone } from '../../domain/zone.ts';
import type { CountedGroups, CountShares } from '../log-source.ts';
import { zonesOfLog } from '../log-zones.ts';
import type { Subscription } from '../messages.ts';
import type { GroupsView, LogSession, State } from '../model.ts';
import { topOf } from '../view-stack.ts';
import { heldRanges } from './held.ts';

/** The most groups an engine hands over; where rows in memory are added, more would make the count useless. */
const MOST_STORED = 1000;
export const MOST_JOINED = 10_000;

/** The key of a count; null where no store has a part of the window. */
export function countKey({ session }: State, { query, by }: Pick<GroupsView, 'query' | 'by'>): string | null {
  if (!session?.paged) return null;
  const ids = zonesOfLog(session).map(({ id }) => id);
  return `groups ${JSON.stringify([ids, session.from, session.to, query.terms, by])}`;
}

/** The count that the groups on top want. */
export function countSubscriptions(state: State): Subscription[] {
  const view = topOf(state, 'groups');
  if (view?.counted?.answer !== 'asked') return [];
  const rows = storedRows(state, view.query.terms);
  if (rows === null) return [];
  const most = rows.sharedFrom === undefined ? MOST_STORED : MOST_JOINED;
  return [{ kind: 'count', key: view.counted.key, rows, by: view.by, most }];
}

/** The rows that a store is asked to count: without an end, up to where the tails begin. */
export function storedRows({ session, now }: State, terms: readonly Term[]): RowsAsked | null {
  const to = session?.to ?? session?.paged?.liveFrom ?? null;
  if (!session || session.from === null || to === null) return null;
  const zones = zonesOfLog(session);
  const oldest = oldestAsked(now, 'logs');
  return {
    zones: waysOf(zones),
    range: { from: session.from, to },
    terms: withZoneIds(terms, zones),
    ...(to > oldest ? { sharedFrom: oldest } : {}),
  };
}

/** Zones that truncate addresses alike are one part of a question. */
function waysOf(zones: readonly PullZone[]): RowsAsked['zones'] {
  const ways = Map.groupBy(zones, ({ anonymisation }) => anonymisation);
  return [...ways].map(([anonymisation, of]) => ({ ids: of.map(({ id }) => id), anonymisation }));
}

/** The failure of a count; null where none failed. */
export function countFailure({ counted }: GroupsView): Failure | null {
  const answer = counted?.answer;
  return typeof answer === 'object' && 'kind' in answer ? answer : null;
}

/** What a store counted; null until it answers. */
export function countTold({ counted }: Pick<GroupsView, 'counted'>): CountedGroups | null {
  const answer = counted?.answer;
  return typeof answer === 'object' && 'gaps' in answer ? answer : null;
}

/** Whether no store counts these groups, so that rows in memory are counted. */
export function isCountedHere({ counted }: GroupsView): boolean {
  return counted === null || counted.answer === 'unable' || counted.answer === 'tooMany';
}

/** The share of the window that the groups on screen cover; null while it is counted. */
export function sharesShown({ session }: State, view: GroupsView): CountShares | null {
  const told = countTold(view);
  if (!session || told === null) return null;
  return restFrom(session, told) === null ? countShares(session, told) : (view.counted?.shares ?? null);
}

/** The time from which rows in memory are added to the store's count; null = it counted the whole window. */
export function restFrom({ to: end }: Pick<LogSession, 'to'>, { to }: { to: number }): number | null {
  return end !== null && end <= to ? null : to;
}

/** The share counted once all rows in memory behind the store's time are. */
export function countShares(session: LogSession, told: Pick<CountedGroups, 'to' | 'gaps'>): CountShares {
  const zones = zonesOfLog(session);
  const from = session.from ?? told.to;
  const before = { from, to: told.to };
  const length = Math.max(1, told.to - from);
  const stored = 1 - timeShared(before, told.gaps.filter(isLacking)) / (Math.max(1, zones.length) * length);
  const since = restFrom(session, told);
  if (since === null) return { stored, rest: null, all: stored };
  const reads = zones.map((zone) => heldRanges(session, zone));
  const end = session.to ?? Math.max(since, readTo(session.report) ?? since);
  const behind = { from: since, to: Math.max(since + 1, end) };
  const read = timeShared(behind, reads.length === 0 ? [] : reads.reduce(sharedRanges));
  const rest = read / (behind.to - since);
  return { stored, rest, all: (stored * length + read) / (length + behind.to - since) };
}

/** The times of each zone of which all rows were counted, by the store or here. */
export function countedTimes(
  session: LogSession,
  told: Pick<CountedGroups, 'to' | 'gaps'>,
): { reads: TimeRange[][]; gaps: Gap[] } {
  const before = { from: session.from ?? told.to, to: told.to };
  const isLater = ({ to }: TimeRange) => to > told.to;
  const reads = zonesOfLog(session).map((zone) => {
    const own = told.gaps.filter((gap) => gap.zone === zone.id && isLacking(gap));
    const here = restFrom(session, told) === null ? [] : heldRanges(session, zone);
    return [
      ...own.reduce<TimeRange[]>((rest, gap) => without(rest, gap), [before]),
      ...here.filter(isLater).map(({ from, to }) => ({ from: Math.max(from, told.to), to })),
    ];
  });
  const known = restFrom(session, told) === null ? [] : (session.report?.gaps ?? []);
  const later = known.filter((gap) => isLater(gap) && !isUnread(gap, true));
  return {
    reads,
    gaps: [...told.gaps, ...later.map((gap) => ({ ...gap, from: Math.max(gap.from, told.to) }))],
  };
}
