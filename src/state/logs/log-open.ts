import type { Query } from '../../domain/query/query.ts';
import type { Zones } from '../../domain/zone.ts';
import type { State } from '../model.ts';
import { openGroups } from './groups.ts';
import { openLog } from './session.ts';

/** Opens the log of one zone or several; a query that groups opens its groups over the rows. */
export function openLogView(state: State, zones: Zones, query: Query): State {
  const opened = openLog(state, zones, { ...query, groupBy: [] });
  return query.groupBy.length === 0 ? opened : openGroups(opened, query.groupBy);
}
