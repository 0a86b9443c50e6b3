import { oldestAsked } from '../../domain/log-retention.ts';
import { asksCause } from '../../domain/query/cause-terms.ts';
import { originReading } from '../../domain/questions/evidence/evidence-reading.ts';
import { counted, timeOfDay } from '../../text/units.ts';
import {
  dayAsked,
  forgotten,
  mayBeToldLate,
  type OriginNeed,
  originDayTold,
} from '../evidence/platform-evidence.ts';
import { zonesOfLog } from '../log-zones.ts';
import type { Subscription } from '../messages.ts';
import type { State } from '../model.ts';
import { clockZone } from '../model.ts';
import { topOf } from '../view-stack.ts';
import { shownLog } from './session.ts';

/** Days of zones asked for without a key. */
const MOST_DAYS = 6;

/** The origin errors that the log's filter or groups need, the newest day first; null: none. */
function causeNeeds(state: State): readonly OriginNeed[] | null {
  const view = topOf(state, 'log', 'groups', 'record');
  const { session } = state;
  const zones = zonesOfLog(session);
  if (session === null || zones.length === 0 || !view) return null;
  const { groupBy } = view.query;
  if (!asksCause({ terms: shownLog(state)?.query.terms ?? [], groupBy })) return null;
  const rows = session.book.timeline.held;
  if (rows === null) return [];
  const range = { from: Math.max(rows.from, oldestAsked(state.now, 'logs')), to: rows.to };
  return originReading(zones, range).needs.toSorted((a, b) => b.day.localeCompare(a.day));
}

/** Asks for what is not known yet, within `MOST_DAYS`, and not where it was refused. */
export function logCauseSubscriptions(state: State): Subscription[] {
  if (state.evidence.refused.has('originErrors')) return [];
  return (causeNeeds(state) ?? [])
    .slice(0, MOST_DAYS)
    .filter((need) => isMissing(state, need))
    .map((need) => dayAsked(need));
}

/** Rows that came after their day was read have no cause yet; those of a log that stands still are not waited for. */
function isMissing(state: State, need: OriginNeed): boolean {
  const known = originDayTold(state, need);
  if (known === null) return true;
  const newest = state.session?.book.timeline.held?.to ?? 0;
  const isOfDay = newest > Date.parse(`${need.day}T00:00:00Z`);
  return isOfDay && !shownLog(state)?.paused && mayBeToldLate(state, newest, known.at);
}

/** The state without the newest day's answer and without refusals, so that they are asked for again. */
export function logCausesAskedAgain(state: State): State {
  const needs = causeNeeds(state) ?? [];
  return needs.filter(({ day }) => day === needs[0]?.day).reduce<State>(forgotten, state);
}

/**
 * How causes are found, and of what part of the days: `causes by time and path, 1 of 2 days read until 12:04`, and
 * shorter; null: none are asked for.
 */
export function causePart(state: State): { long: string; short: string } | null {
  const needs = causeNeeds(state);
  if (needs === null) return null;
  const told = needs.flatMap((need) => originDayTold(state, need) ?? []);
  const at = Math.min(...told.map((known) => known.at));
  const until = told.length > 0 ? ` until ${timeOfDay(at, { zone: clockZone(state) }).slice(0, 5)}` : '';
  const isRefused = state.evidence.refused.has('originErrors');
  const rest = isRefused ? ', refused' : needs.length > MOST_DAYS ? ', :causes asks for more' : '';
  const of = `${told.length} of ${counted(needs.length, 'day')}`;
  return {
    long: `causes by time and path, ${of} read${until}${rest}`,
    short: `causes of ${of}${isRefused ? rest : ''}`,
  };
}
