import { FAILURES, type Failure } from '../../domain/failure.ts';
import { oldestAsked } from '../../domain/kept.ts';
import type { RowsAsked, StoreRead } from '../../domain/logs/log-history.ts';
import type { Term } from '../../domain/query/query.ts';
import { withZoneIds } from '../../domain/query/zone-terms.ts';
import { type Gap, type TimeRange, timeShared } from '../../domain/tail/coverage.ts';
import type { PullZone } from '../../domain/zone.ts';
import type { Subscription } from '../messages.ts';
import { type GroupsView, type LogSession, type State, topView } from '../model.ts';
import { zonesOfLog } from './log-zones.ts';

/** Groups that are handed over by an engine. */
export const MOST_STORED = 1000;

/** Whether all of the window on screen is older than what the platform keeps, so that a store alone answers for it, which can count. */
export function isWhollyStored({ session, history, now }: State): boolean {
  if (history?.engine === '') return false;
  return session?.paged != null && session.to !== null && session.to <= oldestAsked(now, 'logs');
}

/** What a count would be of, as a key; null where no store has all of the window. */
export function countKey(state: State, { query, by }: Pick<GroupsView, 'query' | 'by'>): string | null {
  const { session } = state;
  if (!session || !isWhollyStored(state)) return null;
  const ids = zonesOfLog(session).map(({ id }) => id);
  return `groups ${JSON.stringify([ids, session.from, session.to, query.terms, by])}`;
}

/** The count that is wanted by the groups on top. */
export function countSubscriptions(state: State): Subscription[] {
  const view = topView(state);
  if (view.kind !== 'groups' || view.counted?.answer !== 'asked') return [];
  const rows = state.session && storedRows(state.session, view.query.terms);
  return rows === null
    ? []
    : [{ kind: 'count', key: view.counted.key, rows, by: view.by, most: MOST_STORED }];
}

/** The rows of a window, as a store is asked about them. */
export function storedRows(session: LogSession, terms: readonly Term[]): RowsAsked | null {
  if (session.from === null || session.to === null) return null;
  const zones = zonesOfLog(session);
  return {
    zones: waysOf(zones),
    range: { from: session.from, to: session.to },
    terms: withZoneIds(terms, zones),
  };
}

/** Zones that cut addresses alike are one part of a question. */
function waysOf(zones: readonly PullZone[]): RowsAsked['zones'] {
  const ways = Map.groupBy(zones, ({ anonymisation }) => anonymisation);
  return [...ways].map(([anonymisation, of]) => ({ ids: of.map(({ id }) => id), anonymisation }));
}

/** The failure of a count; null where none failed. */
export function countFailure({ counted }: GroupsView): Failure | null {
  const answer = counted?.answer;
  return typeof answer === 'object' && 'kind' in answer ? answer : null;
}

/** What a count is over: its gaps and price; null while it is not there. */
export function countTold({ counted }: GroupsView): { gaps: readonly Gap[]; read: StoreRead } | null {
  const answer = counted?.answer;
  return typeof answer === 'object' && 'gaps' in answer ? answer : null;
}

/** The share of the time of all zones that the store is known to have, 0…1. */
export function countShare({ session }: State, gaps: readonly Gap[]): number {
  if (!session || session.from === null || session.to === null) return 0;
  const window: TimeRange = { from: session.from, to: session.to };
  const zones = Math.max(1, zonesOfLog(session).length);
  return 1 - timeShared(window, gaps) / (zones * Math.max(1, window.to - window.from));
}

export function isCountRefused(failure: Failure): boolean {
  return FAILURES[failure.kind].outcome.tail === 'denied';
}
