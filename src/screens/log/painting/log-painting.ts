import { type Painting, PLAIN_PAINTING } from '../../../paint/painting.ts';
import type { GroupsView, LogView, RecordView } from '../../../state/model.ts';
import { fieldsOf } from '../log-screens.ts';
import { groupsBody, plainGroups } from './groups-body.ts';
import { logBody, plainLog } from './log-body.ts';
import { GROUPS_LINES, groupAside, LOG_LINES, logAside, logCrumb } from './log-lines.ts';

export const LOG_PAINTING = {
  ...PLAIN_PAINTING,
  ...LOG_LINES,
  body: logBody,
  crumb: logCrumb,
  aside: logAside,
  plain: plainLog,
} as const satisfies Painting<LogView>;

export const GROUPS_PAINTING = {
  ...PLAIN_PAINTING,
  ...GROUPS_LINES,
  body: groupsBody,
  crumb: (_, view) => `by ${view.by.join(',')}`,
  aside: groupAside,
  plain: plainGroups,
} as const satisfies Painting<GroupsView>;

export const RECORD_PAINTING = {
  ...PLAIN_PAINTING,
  ...LOG_LINES,
  body: null,
  crumb: () => 'row',
  plain: (state, view) => fieldsOf(state, view).map(({ name, value }) => `${name}: ${value}`),
} as const satisfies Painting<RecordView>;
