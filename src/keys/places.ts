/** Each view where keys act, as sentences call it. The form of an edit and what comes after it are places of their own. */
export const VIEW_TITLES = {
  zones: 'the zone picker',
  log: 'the log pane',
  groups: 'the groups',
  record: 'the row detail',
  shieldGroups: 'the Shield groups',
  shieldRows: 'the Shield events',
  shieldEvent: 'the Shield event',
  answer: 'an answer',
  notebook: 'the notebook',
  storage: 'the storage zones',
  storageZone: 'the storage zone',
  storageEdit: 'the form of a storage zone',
  storageChange: 'the change of a storage zone',
  keys: 'the API keys',
} as const;

/** What may lie over a view, as sentences call it. */
const OVERLAY_TITLES = {
  help: 'the help',
  requests: 'the request log',
  groupPick: 'the choice of groups',
  columnPick: 'the choice of columns',
  plain: 'the plain text',
  shieldPick: 'the choice of dimensions',
  shieldColumns: 'the choice of columns',
  shieldForm: 'the query form',
  copyMenu: 'the copy menu',
  exportMenu: 'the export',
  marks: 'the marked rows',
  viewList: 'the saved views',
  finding: 'the notebook entry',
  timeline: 'the timeline',
  topValues: 'the top values',
} as const;

/** Where a key acts. */
export const PLACE_TITLES = { ...VIEW_TITLES, ...OVERLAY_TITLES } as const;

export type KeyScope = keyof typeof PLACE_TITLES;

export const SHIELD_LISTS = ['shieldGroups', 'shieldRows'] as const;
export const SHIELD_VIEWS = [...SHIELD_LISTS, 'shieldEvent'] as const;
/** Views of rows of one of the two logs. */
export const LOGGED = ['log', 'groups', 'record', ...SHIELD_VIEWS] as const;
export const PICKER_PLACES = ['groupPick', 'columnPick', 'shieldPick', 'shieldColumns'] as const;
export const ACCOUNT_VIEWS = ['storage', 'storageZone', 'storageEdit', 'storageChange', 'keys'] as const;
export const VIEWS = Object.keys(VIEW_TITLES) as (keyof typeof VIEW_TITLES)[];
export const HANDOVER_MENUS = ['copyMenu', 'exportMenu', 'marks', 'viewList'] as const;
export const LISTS = [
  ...VIEWS,
  'help',
  'requests',
  ...PICKER_PLACES,
  'shieldForm',
  ...HANDOVER_MENUS,
  'timeline',
  'topValues',
] as const;

export const LOG_LISTS = ['log', 'groups', ...SHIELD_LISTS] as const;
export const OF_ONE_ROW = ['log', 'record', ...SHIELD_VIEWS] as const;
export const SEARCHED = ['log', ...SHIELD_VIEWS, 'notebook'] as const;

/** Views that questions about an incident are asked from. */
export const ASKED = [...LOGGED, 'answer'] as const;

/** Views whose rows can be written to a file, and those that can be handed over at all. */
export const HANDED_ROWS = ['zones', ...LOGGED, 'answer', 'storage', 'keys'] as const;
export const HANDED = [...HANDED_ROWS, 'storageZone'] as const;

/** Lists over a window of time. */
export const TIMED = ['log', ...SHIELD_LISTS] as const;

/** Views with the traffic over time above their list. */
export const WITH_TIMELINE = [...LOG_LISTS, 'answer'] as const;
