import type { LogView, State } from '../model.ts';
import type { Idle } from '../screen.ts';
import { isDrilled, WINDOW_BELOW } from './session.ts';

export const LOG_IDLE: Idle<LogView> = {
  last: (state, view) => paceOf(state, view) !== 'paused',
  pause: (state, view) => paceOf(state, view) !== 'moving',
  missLens: (state, view) => paceOf(state, view) === 'paused',
  filterIn: (state, view) => paceOf(state, view) === 'moving',
  filterOut: (state, view) => paceOf(state, view) === 'moving',
  // The window of a group's rows is that of the log that was grouped.
  chooseWindow: (state) => isDrilled(state) && WINDOW_BELOW,
};

/** Whether a log moves by itself, and so has no cursor, or would if it were not paused; else it is still. */
function paceOf({ session }: State, { paused }: LogView): 'moving' | 'paused' | 'still' {
  if (!session) return 'still';
  const { source, to } = session;
  const moves = source.kind === 'files' ? source.report.status === 'following' : to === null;
  return moves ? (paused ? 'paused' : 'moving') : 'still';
}
