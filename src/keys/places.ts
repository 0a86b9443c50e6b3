import { ACCOUNT_LISTS, eachList } from '../lists/account-lists.ts';

/** Keys shared by some views: the `Screen` of each view that names one here handles it. */
type Taken =
  /** Enter; `/`; `n` and `N`; `[` and `]`; `s` and `S`; Ctrl-r. */
  | 'open'
  | 'find'
  | 'next'
  | 'history'
  | 'sort'
  | 'refresh'
  /** `y` and `v`; `e`, of its `sheet`; `L`, of its `plain` rows. */
  | 'copy'
  | 'export'
  | 'plain';

type ViewPlace = { title: string; takes: readonly Taken[] };

/**
 * Each view where keys act, by its name in sentences, and the shared keys it takes. The form of an edit and the page
 * behind it are places of their own.
 */
const VIEW_PLACES = {
  zones: { title: 'the zone picker', takes: ['open', 'find', 'sort', 'refresh', 'copy', 'export', 'plain'] },
  log: {
    title: 'the log pane',
    takes: ['open', 'find', 'next', 'history', 'refresh', 'copy', 'export', 'plain'],
  },
  groups: { title: 'the groups', takes: ['open', 'sort', 'refresh', 'copy', 'export', 'plain'] },
  record: { title: 'the row detail', takes: ['refresh', 'copy', 'export', 'plain'] },
  shieldGroups: {
    title: 'the Shield groups',
    takes: ['open', 'find', 'next', 'history', 'sort', 'refresh', 'copy', 'export', 'plain'],
  },
  shieldRows: {
    title: 'the Shield events',
    takes: ['open', 'find', 'next', 'history', 'refresh', 'copy', 'export', 'plain'],
  },
  shieldEvent: { title: 'the Shield event', takes: ['find', 'next', 'history', 'copy', 'export', 'plain'] },
  answer: { title: 'an answer', takes: ['open', 'refresh', 'copy', 'export'] },
  ...eachList((kind): ViewPlace => {
    const { called, opens } = ACCOUNT_LISTS[kind];
    const takes: Taken[] = ['refresh', 'copy', 'export'];
    return { title: `the ${called}`, takes: opens ? ['open', ...takes] : takes };
  }),
  storageZone: { title: 'the storage zone', takes: ['open', 'refresh', 'copy'] },
  storageEdit: { title: 'the form of a storage zone', takes: ['open'] },
  storageChange: { title: 'the change of a storage zone', takes: ['open', 'refresh'] },
} as const satisfies Record<string, ViewPlace>;

type ViewScope = keyof typeof VIEW_PLACES;

/** Overlays by their names in sentences. */
const OVERLAY_TITLES = {
  help: 'the help',
  requests: 'the request log',
  how: 'how figures come about',
  groupPick: 'the choice of groups',
  columnPick: 'the choice of columns',
  plain: 'the plain text',
  queryForm: 'the query form',
  copyMenu: 'the copy menu',
  exportMenu: 'the export',
  marks: 'the marked rows',
  viewList: 'the saved views',
  finding: 'the notebook entry',
  timeline: 'the timeline',
  topValues: 'the top values',
} as const;

/** Where a key acts. */
export const PLACE_TITLES = { ...titlesOf(VIEW_PLACES), ...OVERLAY_TITLES };

export type KeyScope = keyof typeof PLACE_TITLES;

export const SHIELD_LISTS = ['shieldGroups', 'shieldRows'] as const;
export const SHIELD_VIEWS = [...SHIELD_LISTS, 'shieldEvent'] as const;
/** Views of rows of one of the two logs. */
export const LOGGED = ['log', 'groups', 'record', ...SHIELD_VIEWS] as const;
export const PICKER_PLACES = ['groupPick', 'columnPick'] as const;
export const VIEWS = Object.keys(VIEW_PLACES) as ViewScope[];
export const HANDOVER_MENUS = ['copyMenu', 'exportMenu', 'marks', 'viewList'] as const;
export const LISTS = [
  ...VIEWS,
  'requests',
  'how',
  ...PICKER_PLACES,
  'queryForm',
  ...HANDOVER_MENUS,
  'timeline',
  'topValues',
] as const;

export const LOG_LISTS = ['log', 'groups', ...SHIELD_LISTS] as const;
export const OF_ONE_ROW = ['log', 'record', ...SHIELD_VIEWS] as const;

/** Views that questions about an incident are asked from. */
export const ASKED = [...LOGGED, 'answer'] as const;

/** Views of what belongs to the account, but for the picker of its zones. */
export const ACCOUNT_VIEWS = VIEWS.filter(
  (view) => view !== 'zones' && !(ASKED as readonly ViewScope[]).includes(view),
);

/** Lists over a window of time. */
export const TIMED = ['log', ...SHIELD_LISTS] as const;

/** Views with the traffic over time above their list. */
export const WITH_TIMELINE = [...LOG_LISTS, 'answer'] as const;

/** The views that take a shared key. */
export function viewsThat(takes: Taken): ViewScope[] {
  return VIEWS.filter((view) => (VIEW_PLACES[view].takes as readonly Taken[]).includes(takes));
}

function titlesOf<V extends string>(rows: Record<V, ViewPlace>): Record<V, string> {
  return Object.fromEntries(
    Object.entries<ViewPlace>(rows).map(([view, { title }]) => [view, title]),
  ) as Record<V, string>;
}
