import type { CommandId } from '../state/commands.ts';
import { type State, topView } from '../state/model.ts';
import type { Chord } from './chord.ts';

/** Where a key acts: a view, or an overlay that lies over it. */
export type Place =
  | 'zones'
  | 'log'
  | 'groups'
  | 'record'
  | 'help'
  | 'requests'
  | 'groupPick'
  | 'columnPick'
  | 'plain';

export type Binding = {
  keys: readonly Chord[];
  where: readonly Place[];
  /** What it does, as the help says it. */
  does: string;
  /** A shorter word for the line of hints of each view that hints at it. */
  hint?: Partial<Record<Place, string>>;
  group: 'Move' | 'Look' | 'Filter' | 'Follow' | 'Program';
  /** Why the key can do nothing just now; null = it can. */
  whyNot?: (state: State) => string | null;
};

const LISTS = ['zones', 'log', 'groups', 'record', 'help', 'requests', 'groupPick', 'columnPick'] as const;
const VIEWS = ['zones', 'log', 'groups', 'record'] as const;

/** The one table of keys: resolving, the help, the hints, the palette and the README all read it. */
export const BINDINGS = {
  down: { keys: ['j', 'Down'], where: LISTS, does: 'one row down', group: 'Move' },
  up: {
    keys: ['k', 'Up'],
    where: LISTS,
    does: 'one row up; in the live log this pauses',
    group: 'Move',
  },
  pageDown: { keys: ['Ctrl-d', 'PgDn'], where: LISTS, does: 'one page down', group: 'Move' },
  pageUp: { keys: ['Ctrl-u', 'PgUp'], where: LISTS, does: 'one page up', group: 'Move' },
  first: { keys: ['g', 'Home'], where: LISTS, does: 'to the first row', group: 'Move' },
  last: {
    keys: ['G', 'End'],
    where: LISTS,
    does: 'to the last row; in the log pane: go live',
    group: 'Move',
    hint: { log: 'live' },
  },
  left: {
    keys: ['h', 'Left'],
    where: ['log', 'groups'],
    does: 'the value to the left, for + - =',
    group: 'Move',
  },
  right: {
    keys: ['l', 'Right'],
    where: ['log', 'groups'],
    does: 'the value to the right, for + - =',
    group: 'Move',
  },
  open: {
    keys: ['Enter'],
    where: [...VIEWS, 'groupPick', 'columnPick'],
    does: 'go in: zone, row, group; on a gap: read what is missing',
    group: 'Look',
    hint: { zones: 'logs', log: 'row', groups: 'rows', groupPick: 'group', columnPick: 'show' },
  },
  leave: { keys: ['Esc'], where: LISTS, does: 'exactly one step back; never quits', group: 'Look' },
  back: {
    keys: ['q'],
    where: LISTS,
    does: 'back; at the root: quit',
    group: 'Look',
    hint: { zones: 'quit', log: 'back', groups: 'back', record: 'back', help: 'back', requests: 'back' },
  },
  zonesScreen: { keys: ['1'], where: VIEWS, does: 'the zone picker', group: 'Look' },
  logsScreen: {
    keys: ['2'],
    where: VIEWS,
    does: 'the log pane of the zone under the cursor, or the one being followed',
    group: 'Look',
    whyNot: (state) =>
      topView(state).kind === 'zones' && state.zones.shown.length === 0 && !state.session
        ? 'no zone is listed yet; Ctrl-r asks again'
        : null,
  },
  find: {
    keys: ['/'],
    where: ['zones', 'log', 'help'],
    does: 'search in the view; in the picker and here: narrow the list',
    group: 'Look',
    hint: { zones: 'narrow', log: 'search', help: 'narrow' },
  },
  findNext: { keys: ['n'], where: ['log'], does: 'the next match', group: 'Look', whyNot: needsSearch },
  findPrevious: {
    keys: ['N'],
    where: ['log'],
    does: 'the match before',
    group: 'Look',
    whyNot: needsSearch,
  },
  findToFilter: {
    keys: ['&'],
    where: ['log'],
    does: 'turn the search into a filter',
    group: 'Filter',
    whyNot: needsSearch,
  },
  filterIn: {
    keys: ['+'],
    where: ['log', 'groups', 'record'],
    does: 'keep only rows with the value under the cursor',
    group: 'Filter',
    hint: { log: 'in', groups: 'in', record: 'in' },
  },
  filterOut: {
    keys: ['-'],
    where: ['log', 'groups', 'record'],
    does: 'hide rows with the value under the cursor',
    group: 'Filter',
    hint: { log: 'out', groups: 'out', record: 'out' },
  },
  filterOnly: {
    keys: ['='],
    where: ['log', 'groups', 'record'],
    does: 'this value and nothing else: replaces all filters',
    group: 'Filter',
  },
  dropFilter: {
    keys: ['x'],
    where: ['log', 'groups'],
    does: 'drop the last filter',
    group: 'Filter',
    whyNot: needsFilter,
  },
  dropFilters: {
    keys: ['X'],
    where: ['log', 'groups'],
    does: 'drop all filters',
    group: 'Filter',
    whyNot: needsFilter,
  },
  editQuery: {
    keys: ['i'],
    where: ['log', 'groups'],
    does: 'edit the query; Tab completes, Enter runs it, Esc leaves it as it was',
    group: 'Filter',
    hint: { log: 'query' },
  },
  chooseWindow: {
    keys: ['t'],
    where: ['log'],
    does: 'choose the time window',
    group: 'Filter',
  },
  chooseGroups: {
    keys: ['b'],
    where: ['log', 'groups'],
    does: 'group by one or more fields, over the rows read',
    group: 'Filter',
    hint: { log: 'group', groups: 'group' },
  },
  chooseColumns: { keys: ['c'], where: ['log'], does: 'choose the columns', group: 'Look' },
  sort: {
    keys: ['s'],
    where: ['groups'],
    does: 'sort by the next column',
    group: 'Look',
    hint: { groups: 'sort' },
  },
  reverse: { keys: ['S'], where: ['groups'], does: 'reverse the order', group: 'Look' },
  pause: {
    keys: ['Space'],
    where: ['log', 'groupPick', 'columnPick'],
    does: 'pause or go on; rows that arrive are kept and counted. In a list of choices: choose',
    group: 'Follow',
    hint: { log: 'pause', groupPick: 'choose', columnPick: 'choose' },
  },
  follow: { keys: ['f'], where: ['log'], does: 'follow the newest rows', group: 'Follow' },
  refresh: {
    keys: ['Ctrl-r'],
    where: ['zones', 'log', 'groups'],
    does: 'ask again now',
    group: 'Follow',
  },
  clock: { keys: ['u'], where: ['log', 'record'], does: 'times in UTC or local time', group: 'Look' },
  plainText: {
    keys: ['L'],
    where: VIEWS,
    does: 'rows from the cursor on, whole and as bare text, for selecting with the mouse; any key returns',
    group: 'Program',
  },
  help: {
    keys: ['?'],
    where: VIEWS,
    does: 'the keys of this view',
    group: 'Program',
    hint: { zones: 'help', log: 'help', groups: 'help', record: 'help' },
  },
  palette: { keys: [':'], where: VIEWS, does: 'find a command by name', group: 'Program' },
  requests: {
    keys: ['@'],
    where: VIEWS,
    does: 'what was asked of the API, with status, wait and time',
    group: 'Program',
  },
  redraw: { keys: ['Ctrl-l'], where: LISTS, does: 'draw the whole screen again', group: 'Program' },
  suspend: { keys: ['Ctrl-z'], where: LISTS, does: 'to the shell; fg returns', group: 'Program' },
  quit: { keys: ['Ctrl-c'], where: [...LISTS, 'plain'], does: 'quit', group: 'Program' },
} as const satisfies Record<CommandId, Binding>;

function needsSearch(state: State): string | null {
  const view = topView(state);
  return view.kind === 'log' && view.search ? null : 'nothing has been searched for yet: / searches';
}

function needsFilter(state: State): string | null {
  const view = topView(state);
  return view.kind !== 'zones' && view.query.terms.length > 0 ? null : 'there is no filter to drop';
}
