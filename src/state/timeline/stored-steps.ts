import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { without } from '../../domain/tail/coverage.ts';
import type { LogSeriesId } from '../../domain/timeline/series.ts';
import { type Steps, stepsOf } from '../../domain/timeline/steps.ts';
import { zonesOfLog } from '../logs/log-zones.ts';
import { isReading } from '../logs/paging.ts';
import { isWhollyStored, storedRows } from '../logs/stored-groups.ts';
import type { StepsAnswer, Subscription } from '../messages.ts';
import type { LogSession, State } from '../model.ts';
import { hasTimeline, timelineCells, timelineView } from './timeline-size.ts';

/** What a store would count for the timeline of its window; null where the rows here are all of it, or no store has all. */
function wanted(state: State): { key: string; steps: Steps; series: LogSeriesId } | null {
  const { session } = state;
  if (!session || !hasTimeline(state) || timelineView(state)?.kind !== 'log') return null;
  const { from, to, report, asked } = session;
  if (from === null || to === null || report === null || !isWhollyStored(state)) return null;
  if (report.failure !== null || (report.status === 'stopped' && report.gaps.length === 0)) return null;
  const { series } = state.timeline;
  const steps = stepsOf({ from, to }, timelineCells(state));
  const ids = zonesOfLog(session).map(({ id }) => id);
  return { key: `steps ${JSON.stringify([ids, from, to, asked.terms, steps, series])}`, steps, series };
}

/** The question that is to be put: behind the pages, which somebody waits for. */
export function stepSubscriptions(state: State): Subscription[] {
  const want = isReading(state) ? null : wanted(state);
  const { session } = state;
  if (want === null || !session || session.storedSteps?.key === want.key) return [];
  const rows = storedRows(session, session.asked.terms);
  return rows === null ? [] : [{ kind: 'steps', ...want, rows }];
}

/** What a store counted. Where it could not, the rows here are drawn as before. */
export function storeStepped(state: State, { key, answer }: { key: string; answer: StepsAnswer }): State {
  const { session } = state;
  if (session?.paged == null) return state;
  return { ...state, session: { ...session, storedSteps: { key, told: answer.ok ? answer.value : null } } };
}

/** The steps of the window on screen as the store counted them, and what it has of each zone; null where it has not. */
export function storedTimes(
  state: State,
  session: LogSession,
): { steps: Steps; counts: readonly number[][]; reads: TimeRange[][]; gaps: readonly Gap[] } | null {
  const want = wanted(state);
  const { storedSteps, from, to } = session;
  if (want === null || storedSteps?.key !== want.key || !storedSteps.told) return null;
  const { counts, gaps } = storedSteps.told;
  const window = { from: from ?? 0, to: to ?? 0 };
  const reads = zonesOfLog(session).map(({ id }) =>
    gaps.filter(({ zone }) => zone === id).reduce((rest, gap) => without(rest, gap), [window]),
  );
  return { steps: want.steps, counts, reads, gaps };
}
