import { type Painting, PLAIN_PAINTING } from '../../../paint/painting.ts';
import type { ShieldEventView, ShieldGroupsView, ShieldRowsView } from '../../../state/shield-model.ts';
import { plainShieldGroups, shieldGroupsBody } from './shield-groups-body.ts';
import { plainShieldEvent, SHIELD_EVENT_LINES, SHIELD_LINES } from './shield-lines.ts';
import { plainShieldRows, shieldRowsBody } from './shield-rows-body.ts';

export const SHIELD_GROUPS_PAINTING = {
  ...SHIELD_LINES,
  body: shieldGroupsBody,
  plain: plainShieldGroups,
} as const satisfies Painting<ShieldGroupsView>;

export const SHIELD_ROWS_PAINTING = {
  ...SHIELD_LINES,
  body: shieldRowsBody,
  plain: plainShieldRows,
} as const satisfies Painting<ShieldRowsView>;

export const SHIELD_EVENT_PAINTING = {
  ...PLAIN_PAINTING,
  ...SHIELD_EVENT_LINES,
  body: null,
  plain: plainShieldEvent,
} as const satisfies Painting<ShieldEventView>;
