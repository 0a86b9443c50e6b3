import type { Query } from '../../domain/query/query.ts';
import type { Zones } from '../../domain/zone.ts';
import type { State } from '../../state/model.ts';
import { logViewOf, openLog, restoredLog, shownLog } from '../../state/sessions/session.ts';
import { pushed } from '../../state/view-stack.ts';
import { openGroups } from './group-commands.ts';

/** Opens the log of one zone or more; a query that groups opens its groups over the rows. */
export function openLogView(state: State, zones: Zones, query: Query): State {
  const opened = openLog(state, zones, { ...query, groupBy: [] });
  return query.groupBy.length === 0 ? opened : openGroups(opened, query.groupBy);
}

/** Rows of saved logs over the views on screen: all are here, and there is nobody to ask. */
export function openSavedOver(state: State, query: Query): State {
  const wasPaused = shownLog(state)?.paused ?? true;
  return restoredLog(pushed(state, logViewOf(query, wasPaused)), wasPaused);
}
