import type { Query, TimeWindow } from '../../domain/query/query.ts';
import { type LogView, noticed, type State } from '../../state/model.ts';
import { isDrilled, logChanged, queried, shownLog, WINDOW_BELOW } from '../../state/sessions/session.ts';

/** Queries kept to go back to. */
const MOST = 50;

/** The log asked another query; the one before is kept, and what lay ahead is dropped. */
export function requestioned(state: State, query: Query): State {
  const before = shownLog(state);
  const next = queried(state, query);
  if (!before || JSON.stringify(before.query) === JSON.stringify(query)) return next;
  const past = [...(before.history?.past ?? []), before.query].slice(-MOST);
  return logChanged(next, { history: { past, future: [] } });
}

/**
 * The log asked over another window; null: no such command, undefined: there is no further one, as `noFurther` says.
 */
export function windowed(
  state: State,
  query: Query,
  window: TimeWindow | null | undefined,
  noFurther: string,
): State {
  if (isDrilled(state)) return noticed(state, 'info', WINDOW_BELOW);
  if (window === undefined) return noticed(state, 'info', noFurther);
  return requestioned(state, { ...query, window });
}

/** The query before or after this one, asked anew where the server has to be asked. */
export function logHistoryMoved(state: State, view: LogView, direction: 'past' | 'future'): State {
  const { past, future } = view.history ?? { past: [], future: [] };
  const query = direction === 'past' ? past.at(-1) : future[0];
  if (query === undefined) {
    const text =
      direction === 'past' ? 'there is no query before this one' : 'there is no query after this one';
    return noticed(state, 'info', text);
  }
  const here = view.query;
  const history =
    direction === 'past'
      ? { past: past.slice(0, -1), future: [here, ...future] }
      : { past: [...past, here], future: future.slice(1) };
  return logChanged(queried(state, query), { history });
}
