import type { Query } from '../../domain/query/query.ts';
import type { PullZone } from '../../domain/zone.ts';
import type { Effect } from '../messages.ts';
import type { State } from '../model.ts';
import { openGroups } from './groups.ts';
import { openLog } from './session.ts';

/** Opens the log of a zone; a query that groups opens its groups over the rows. */
export function openLogView(state: State, zone: PullZone, query: Query): [State, Effect[]] {
  const [opened, effects] = openLog(state, zone, { ...query, groupBy: [] });
  return [query.groupBy.length === 0 ? opened : openGroups(opened, query.groupBy), effects];
}
