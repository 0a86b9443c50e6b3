import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import type { LogSeriesId } from '../../domain/timeline/series.ts';
import { type Steps, stepAt, stepOf, stepsOf } from '../../domain/timeline/steps.ts';
import { hasTimeline, timelineCells, timelineView } from '../list/screen-layout.ts';
import { zonesOfLog } from '../log-zones.ts';
import type { StepsAnswer, Subscription } from '../messages.ts';
import type { LogSession, State } from '../model.ts';
import { logTimes } from '../sessions/log-times.ts';
import { isReading } from '../sessions/paging.ts';
import { countedTimes, restFrom, storedRows } from '../sessions/stored-groups.ts';
import { topOf } from '../view-stack.ts';

/** What a store would count for the timeline; null where the rows held are the whole window, or no store has a part. */
function wanted(state: State): { key: string; steps: Steps; series: LogSeriesId } | null {
  const { session } = state;
  if (!session || !hasTimeline(state) || timelineView(state)?.kind !== 'log') return null;
  const { from, report, asked, paged, tails, book } = session;
  if (from === null || report === null || paged === null || tails.some(({ pages }) => pages?.failure))
    return null;
  if (report.gaps.length === 0 && book.evicted === 0) return null;
  const { series } = state.timeline;
  const to = session.to ?? logTimes(session, state.now)?.drawn.to ?? paged.liveFrom ?? from;
  const steps = stepsOf({ from, to }, timelineCells(state));
  const ids = zonesOfLog(session).map(({ id }) => id);
  const of = [ids, from, session.to, asked.terms, steps.from, steps.step, series];
  return { key: `steps ${JSON.stringify(of)}`, steps, series };
}

/** The question to ask, behind the pages that a reader waits for. */
export function stepSubscriptions(state: State): Subscription[] {
  const want = isReading(state) && topOf(state, 'log') ? null : wanted(state);
  const { session } = state;
  if (want === null || !session || session.storedSteps?.key === want.key) return [];
  const rows = storedRows(state, session.asked.terms);
  return rows === null ? [] : [{ kind: 'steps', ...want, rows }];
}

/** A store's count of the steps. Where it could not count, the rows held are drawn as before. */
export function storeStepped(state: State, { key, answer }: { key: string; answer: StepsAnswer }): State {
  const { session } = state;
  if (session?.paged == null) return state;
  return { ...state, session: { ...session, storedSteps: { key, told: answer.ok ? answer.value : null } } };
}

/** The window's steps as the store counted them, with the rows held behind its time; null where it has not. */
export function storedTimes(
  state: State,
  session: LogSession,
): {
  steps: Steps;
  counts: readonly (readonly number[])[];
  reads: TimeRange[][];
  gaps: readonly Gap[];
} | null {
  const want = wanted(state);
  const { storedSteps, book } = session;
  if (want === null || storedSteps?.key !== want.key || !storedSteps.told) return null;
  const { steps, series } = want;
  const { told } = storedSteps;
  const times = countedTimes(session, told);
  const since = restFrom(session, told);
  if (since === null) return { steps, counts: told.counts, ...times };
  const at = stepOf(steps, since);
  const cut =
    book.timeline.of({ from: since, step: stepAt(steps, at).to - since, count: 1 }, series)[0] ?? [];
  const here = book.timeline.of(steps, series);
  const counts = here.map((own, n) => {
    const stored = told.counts[n] ?? [];
    if (n !== at) return n < at ? stored : own;
    return cut.map((rows, part) => rows + (stored[part] ?? 0));
  });
  return { steps, counts, ...times };
}
