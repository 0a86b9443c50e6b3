import type { State, View } from '../state/model.ts';
import { topView } from '../state/view-stack.ts';
import { KEYS_LINES, STORAGE_EDIT_LINES, STORAGE_LINES, STORAGE_ZONE_LINES } from './account-lines.ts';
import { GROUPS_LINES, groupAside, LOG_LINES, logAside, logCrumb } from './logs/log-lines.ts';
import { type Area, NO_ASIDE, type Strip } from './row.ts';
import { ANSWER_LOOKS } from './screens/answer.ts';
import { groupsBody } from './screens/groups.ts';
import { keysBody } from './screens/keys.ts';
import { logBody } from './screens/log.ts';
import {
  plainGroups,
  plainLog,
  plainRecord,
  plainShieldEvent,
  plainShieldGroups,
  plainShieldRows,
  plainZones,
} from './screens/plain.ts';
import { shieldGroupsBody } from './screens/shield-groups-body.ts';
import { shieldRowsBody } from './screens/shield-rows-body.ts';
import { storageBody } from './screens/storage.ts';
import { storageChangeBody, storageEditBody } from './screens/storage-edit.ts';
import { accountsBadge, zonesAside, zonesBody, zonesCrumb, zonesLine } from './screens/zones.ts';
import { SHIELD_EVENT_LINES, SHIELD_LINES } from './shield/shield-lines.ts';
import type { Look, Words } from './theme.ts';

type Line<V> = (state: State, view: V, strip: Strip) => string;

/** What a view of a kind looks like. */
type Screen<V> = {
  /** The lines of the list, each at most as wide as there is room for; null where Ink draws them (`INK_BODIES`). */
  body: ((state: State, view: V, area: Area) => string[]) | null;
  /** Its part of the way in the title; `index`: where it stands in the stack. */
  crumb: (state: State, view: V, index: number) => string;
  /** How it stands, in a word or two at the end of the title. */
  badge: (state: State, view: V) => Words;
  /** The line under the title. */
  head: Line<V>;
  query: Line<V>;
  /** The status line. */
  foot: Line<V>;
  /** What stands before the keys in the last line: where a search is, or what a group looks like. */
  aside: (state: State, view: V) => Words;
  /** What takes the last line, in so many columns, because it goes wrong; null: nothing does. */
  trouble: (state: State, view: V, columns: number) => string | null;
  /** Its rows as bare text, not sanitised yet. */
  plain: (state: State, view: V, look: Look) => string[];
};

const none = () => '';

const OF_ANY = { aside: () => NO_ASIDE, trouble: () => null, plain: () => [] } as const;

const OF_LOG = { ...OF_ANY, ...LOG_LINES } as const;
const WITHOUT_QUERY = { ...OF_ANY, query: none, foot: none } as const;

const SCREENS = {
  zones: {
    ...WITHOUT_QUERY,
    aside: zonesAside,
    plain: plainZones,
    body: zonesBody,
    crumb: zonesCrumb,
    badge: accountsBadge,
    head: zonesLine,
  },
  log: { ...OF_LOG, body: logBody, crumb: logCrumb, aside: logAside, plain: plainLog },
  groups: {
    ...OF_ANY,
    ...GROUPS_LINES,
    body: groupsBody,
    crumb: (_, view) => `by ${view.by.join(',')}`,
    aside: groupAside,
    plain: plainGroups,
  },
  record: { ...OF_LOG, body: null, crumb: () => 'row', plain: plainRecord },
  shieldGroups: { ...SHIELD_LINES, body: shieldGroupsBody, plain: plainShieldGroups },
  shieldRows: { ...SHIELD_LINES, body: shieldRowsBody, plain: plainShieldRows },
  shieldEvent: { ...OF_ANY, ...SHIELD_EVENT_LINES, body: null, plain: plainShieldEvent },
  answer: { ...OF_ANY, ...ANSWER_LOOKS },
  storage: { ...WITHOUT_QUERY, ...STORAGE_LINES, body: storageBody },
  storageZone: { ...WITHOUT_QUERY, ...STORAGE_ZONE_LINES, body: null },
  storageEdit: {
    ...WITHOUT_QUERY,
    ...STORAGE_EDIT_LINES,
    body: (state, view, area) =>
      (view.stage.kind === 'editing' ? storageEditBody : storageChangeBody)(state, view, area),
  },
  keys: { ...WITHOUT_QUERY, ...KEYS_LINES, body: keysBody },
} as const satisfies { [K in View['kind']]: Screen<Extract<View, { kind: K }>> };

/** Views whose body Ink draws. */
export type InkKind = {
  [K in View['kind']]: (typeof SCREENS)[K]['body'] extends null ? K : never;
}[View['kind']];

/** The row of a view. The one place where the compiler does not see that kind and row belong together. */
export function looksOf<V extends View>({ kind }: V): Screen<V> {
  return SCREENS[kind] as unknown as Screen<V>;
}

/** The line over the timeline: the rates of a log, the answer in one sentence, how much there is. */
export const headLine = lineOf('head');

/** The query of the view, term by term. */
export const queryLine = lineOf('query');

/** The status line: what was read of what there is, up to when it is complete, and its price. */
export const footLine = lineOf('foot');

function lineOf(part: 'head' | 'query' | 'foot') {
  return (state: State, look: Look): string => {
    const view = topView(state);
    return looksOf(view)[part](state, view, { columns: state.size.columns, look });
  };
}
