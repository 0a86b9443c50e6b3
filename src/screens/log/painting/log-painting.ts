import { cacheStatusRow } from '../../../domain/log.ts';
import { zoneNameOf } from '../../../domain/query/zone-terms.ts';
import type { Painting } from '../../../paint/painting.ts';
import { findsOf } from '../../../paint/row.ts';
import { zonesOfLog } from '../../../state/log-zones.ts';
import type { GroupsView, LogView, RecordView, State } from '../../../state/model.ts';
import { fieldsOf } from '../log-screens.ts';
import { groupsBody, plainGroups } from './groups-body.ts';
import { logBody, plainLog } from './log-body.ts';
import { GROUPS_LINES, groupAside, LOG_LINES, logAside, logCrumb } from './log-lines.ts';

export const LOG_PAINTING = {
  ...LOG_LINES,
  body: logBody,
  crumb: logCrumb,
  aside: logAside,
  plain: plainLog,
} as const satisfies Painting<LogView>;

export const GROUPS_PAINTING = {
  ...GROUPS_LINES,
  body: groupsBody,
  crumb: (_, view) => `by ${view.by.join(',')}`,
  aside: groupAside,
  plain: plainGroups,
} as const satisfies Painting<GroupsView>;

export const RECORD_PAINTING = {
  ...LOG_LINES,
  body: {
    fields: (state, view) => ({
      fields: fieldsOf(state, view).map(({ name, value }) => ({
        name,
        value: meaningOf(state, name, value),
        whole: value,
      })),
      names: 20,
      finds: findsOf(null, state.highlights),
      gone: 'this row left the bounded buffer; Esc goes back',
    }),
  },
  crumb: () => 'row',
} as const satisfies Painting<RecordView>;

function meaningOf(state: State, name: string, value: string): string {
  if (name === 'pullZoneId') {
    const zone = zoneNameOf(zonesOfLog(state.session), value);
    return zone === value ? value : `${value}  (${zone})`;
  }
  return name === 'cacheStatus' ? `${value}  (${cacheStatusRow(value).meaning})` : value;
}
