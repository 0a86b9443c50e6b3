import type { TimeRange } from '../../domain/tail/coverage.ts';
import type { Step } from '../messages.ts';
import { type LogSession, noticed, type State } from '../model.ts';

/** Reads what a gap lacks. */
export function backfilled(state: State, range: TimeRange): Step {
  const { session } = state;
  if (!session) return [state, []];
  if (session.source.kind === 'files') {
    const text = 'this was missing when the log was saved: nothing here can read it';
    return [noticed(state, 'info', text), []];
  }
  if (session.report?.reading.some((asked) => asked.from < range.to && range.from < asked.to)) {
    return [noticed(state, 'info', 'this is being read; Esc stops it'), []];
  }
  return [
    {
      ...state,
      session: { ...session, backfilling: true },
      notice: { tone: 'info', text: 'reading what is missing here; Esc stops it' },
    },
    [{ type: 'backfill', generation: session.generation, range }],
  ];
}

/** Reads no gap any more; null where none is being read. */
export function backfillStopped(state: State): Step | null {
  const { session } = state;
  if (!session || !isBackfilling(session)) return null;
  const text = 'stopped; what was read of the gap stays, and Enter on what is left of it goes on';
  return [
    { ...state, session: { ...session, backfilling: false }, notice: { tone: 'info', text } },
    [{ type: 'stopBackfill', generation: session.generation }],
  ];
}

/** What the user asked for of a gap is still being read. */
function isBackfilling({ report }: LogSession): boolean {
  return report !== null && report.reading.length > 0 && report.status !== 'stopped';
}
