import type { CommandId } from '../state/commands.ts';
import { isDrilled, WINDOW_BELOW } from '../state/logs/session.ts';
import { type State, topView } from '../state/model.ts';
import { waysOf } from '../state/questions/answer-model.ts';
import { clientUnder } from '../state/questions/questions.ts';
import { ruleUnder } from '../state/questions/rule-questions.ts';
import type { Chord } from './chord.ts';

/** Where a key acts: a view, or an overlay that lies over it. */
export type KeyScope =
  | 'zones'
  | 'log'
  | 'groups'
  | 'record'
  | 'help'
  | 'requests'
  | 'plain'
  | (typeof ACCOUNT_VIEWS)[number]
  | 'answer'
  | 'notebook'
  | (typeof SHIELD_VIEWS)[number]
  | (typeof PICKERS)[number]
  | 'shieldForm'
  | (typeof HANDOVER_OVERLAYS)[number];

/**
 * What may stand behind a word of the command line, as its usage writes it: what is in `<>` must be there. An argument is
 * read as the key's own prompt reads it, wherever the key opens one.
 */
export const TAKES = {
  logsOfZone: '[zone] [query...]',
  shieldOfZone: '[zone] [query...]',
  eitherOfZone: '<zone> [query...]',
  storageZone: '[zone]',
  window: '[window]',
  fields: '[field...]',
  terms: 'field:value',
  query: '[query...]',
  day: '[day]',
  text: '[text]',
  highlight: '[text] [colour]',
  highlighted: '<text>',
  word: '[word]',
} as const;

/** `name` and `also` are what is typed after `:`, in full; terms of a query have no name before them. */
export type LineWord = { name: string; also?: readonly string[]; takes?: keyof typeof TAKES };

export type Binding = {
  /** None where there is a word of the command line instead. */
  keys: readonly Chord[];
  where: readonly KeyScope[];
  /** What it does, as the help says it. */
  does: string;
  /** A shorter word for the line of hints of each view that hints at it. */
  hint?: Partial<Record<KeyScope, string>>;
  group: 'Move' | 'Look' | 'Filter' | 'Follow' | 'Change' | 'Program' | 'Hand over';
  /** Where the hint is of no use just now though the key acts: the line of hints is short. */
  isHintIdle?: (state: State) => boolean;
  /** Why the key can do nothing just now; null = it can. */
  whyNot?: (state: State) => string | null;
  /** How the command line calls it. */
  line?: LineWord;
  /** What to press instead, in views where other programs have it act. */
  instead?: Partial<Record<KeyScope, string>>;
};

/** No list is wrapped: one line a row is what scrolling is counted and drawn by. */
const ONE_LINE_EACH = 'rows stay on one line each: Enter shows one whole, L the text of all, wrapped';

const SHIELD_LISTS = ['shieldGroups', 'shieldRows'] as const;
const SHIELD_VIEWS = [...SHIELD_LISTS, 'shieldEvent'] as const;
const PICKERS = ['groupPick', 'columnPick', 'shieldPick', 'shieldColumns'] as const;
const ACCOUNT_VIEWS = ['storage', 'storageZone', 'storageEdit', 'storageChange', 'keys'] as const;
const VIEWS = [
  'zones',
  'log',
  'groups',
  'record',
  ...SHIELD_VIEWS,
  'answer',
  'notebook',
  ...ACCOUNT_VIEWS,
] as const;
const HANDOVER_MENUS = ['copyMenu', 'exportMenu', 'marks', 'viewList'] as const;
const HANDOVER_OVERLAYS = [...HANDOVER_MENUS, 'finding'] as const;
const LISTS = [...VIEWS, 'help', 'requests', ...PICKERS, 'shieldForm', ...HANDOVER_MENUS] as const;

/** Views of rows of one of the two logs. */
const LOGGED = ['log', 'groups', 'record', ...SHIELD_VIEWS] as const;

/** Views whose rows can be written to a file, and those that can be handed over at all. */
const HANDED_ROWS = ['zones', ...LOGGED, 'answer', 'storage', 'keys'] as const;
const HANDED = [...HANDED_ROWS, 'storageZone'] as const;

/** Lists over a window of time. */
const TIMED = ['log', ...SHIELD_LISTS] as const;

/** The one table of keys: resolving, the help, the hints, the palette and the README all read it. */
export const BINDINGS = {
  down: { keys: ['j', 'Down'], line: { name: 'down' }, where: LISTS, does: 'one row down', group: 'Move' },
  up: {
    keys: ['k', 'Up'],
    line: { name: 'up' },
    where: LISTS,
    does: 'one row up; in the live log this pauses',
    group: 'Move',
  },
  pageDown: {
    keys: ['Ctrl-d', 'PgDn', 'Ctrl-f'],
    line: { name: 'page-down' },
    where: LISTS,
    does: 'one page down',
    group: 'Move',
  },
  pageUp: {
    keys: ['Ctrl-u', 'PgUp', 'Ctrl-b'],
    line: { name: 'page-up' },
    where: LISTS,
    does: 'one page up',
    group: 'Move',
  },
  first: {
    keys: ['g', 'Home'],
    line: { name: 'first' },
    where: LISTS,
    does: 'to the first row',
    group: 'Move',
  },
  last: {
    keys: ['G', 'End'],
    line: { name: 'last' },
    where: LISTS,
    does: 'to the last row; in the log pane: go live',
    group: 'Move',
    hint: { log: 'live' },
    isHintIdle: (state) => paceOf(state) !== 'paused',
  },
  left: {
    keys: ['h', 'Left'],
    line: { name: 'left' },
    where: ['log', 'groups', ...SHIELD_LISTS, 'shieldForm'],
    does: 'the value to the left, for + - =',
    group: 'Move',
  },
  right: {
    keys: ['l', 'Right'],
    line: { name: 'right' },
    where: ['log', 'groups', ...SHIELD_LISTS, 'shieldForm'],
    does: 'the value to the right, for + - =',
    group: 'Move',
  },
  scrollRight: {
    keys: ['>'],
    line: { name: 'scroll-right' },
    where: ['log', 'groups', ...SHIELD_LISTS],
    does: 'scroll the texts of the column under the cursor, where they are cut, by half its width',
    group: 'Move',
  },
  scrollLeft: {
    keys: ['<'],
    line: { name: 'scroll-left' },
    where: ['log', 'groups', ...SHIELD_LISTS],
    does: 'scroll them back',
    group: 'Move',
  },
  count: {
    keys: ['0', '6', '7', '8', '9'],
    where: LISTS,
    does: 'a count for a key: 9j, 60G; behind 1 to 5 a 0 makes one: 10j',
    group: 'Move',
  },
  open: {
    keys: ['Enter'],
    line: { name: 'enter' },
    where: [...VIEWS, ...PICKERS, 'shieldForm', ...HANDOVER_MENUS],
    does: 'go in: zone, row, group; on a gap: read what is missing',
    group: 'Look',
    hint: {
      zones: 'logs',
      log: 'row',
      groups: 'rows',
      groupPick: 'group',
      columnPick: 'show',
      answer: 'open',
      notebook: 'open',
      shieldGroups: 'in',
      shieldRows: 'event',
      shieldPick: 'group',
      shieldColumns: 'show',
      shieldForm: 'run',
      copyMenu: 'copy',
      exportMenu: 'name the file',
      marks: 'to the row',
      viewList: 'open',
      storage: 'settings',
      storageZone: 'edit',
      storageEdit: 'change',
      storageChange: 'go on',
    },
  },
  leave: {
    keys: ['Esc'],
    line: { name: 'leave' },
    where: LISTS,
    does: 'exactly one step back; never quits. While a spinner turns: cancel what it waits for',
    group: 'Look',
    hint: {
      answer: 'back',
      notebook: 'back',
      shieldGroups: 'up',
      shieldRows: 'up',
      shieldEvent: 'up',
      shieldForm: 'leave',
      copyMenu: 'leave',
      exportMenu: 'leave',
      marks: 'leave',
      viewList: 'leave',
      storage: 'back',
      storageZone: 'back',
      storageEdit: 'back',
      storageChange: 'back',
      keys: 'back',
    },
  },
  back: {
    keys: ['q'],
    line: { name: 'back' },
    where: LISTS,
    does: 'back; at the root: quit',
    group: 'Look',
    hint: { zones: 'quit', log: 'back', groups: 'back', record: 'back', help: 'back', requests: 'back' },
  },
  zonesScreen: { keys: ['1'], line: { name: 'zones' }, where: VIEWS, does: 'the zone picker', group: 'Look' },
  logsScreen: {
    keys: ['2'],
    line: { name: 'logs', also: ['log'], takes: 'logsOfZone' },
    where: VIEWS,
    does: 'the log pane of the zone under the cursor; from its explorer: as it was left, still followed',
    group: 'Look',
    whyNot: (state) =>
      topView(state).kind === 'zones' && state.zones.shown.length === 0 && !state.session
        ? 'no zone is listed yet; Ctrl-r asks again'
        : null,
  },
  find: {
    keys: ['/'],
    line: { name: 'find', also: ['search'], takes: 'text' },
    where: ['zones', 'log', ...SHIELD_VIEWS, 'notebook', 'help', ...PICKERS],
    does: 'search in the view, Up brings the last text back; in pickers and here: narrow the list',
    group: 'Look',
    hint: {
      zones: 'narrow',
      log: 'search',
      notebook: 'search',
      help: 'narrow',
      groupPick: 'narrow',
      columnPick: 'narrow',
      shieldPick: 'narrow',
      shieldColumns: 'narrow',
    },
  },
  findNext: {
    keys: ['n'],
    line: { name: 'next' },
    where: ['log', ...SHIELD_VIEWS, 'notebook'],
    does: 'the next match',
    group: 'Look',
    whyNot: needsSearch,
  },
  findPrevious: {
    keys: ['N'],
    line: { name: 'previous' },
    where: ['log', ...SHIELD_VIEWS, 'notebook'],
    does: 'the match before',
    group: 'Look',
    whyNot: needsSearch,
  },
  findSame: {
    keys: ['*'],
    line: { name: 'same' },
    where: ['log', 'record', ...SHIELD_VIEWS],
    does: 'the next line with the value under the cursor; from one row: in the list under it',
    group: 'Look',
  },
  findSameBefore: {
    keys: ['#'],
    line: { name: 'same-before' },
    where: ['log', 'record', ...SHIELD_VIEWS],
    does: 'the line with it before',
    group: 'Look',
  },
  findToFilter: {
    keys: ['&'],
    line: { name: 'keep-found' },
    where: ['log', ...SHIELD_VIEWS],
    does: 'turn the search into a filter',
    group: 'Filter',
    whyNot: needsSearch,
  },
  filterIn: {
    keys: ['+'],
    line: { name: 'keep' },
    where: ['log', 'groups', 'record', ...SHIELD_VIEWS, 'shieldForm'],
    does: 'keep only rows with the value under the cursor; in the form: one more filter',
    group: 'Filter',
    hint: {
      log: 'keep',
      groups: 'keep',
      record: 'keep',
      shieldGroups: 'keep',
      shieldRows: 'keep',
      shieldForm: 'add',
    },
    isHintIdle: (state) => paceOf(state) === 'moving',
  },
  filterOut: {
    keys: ['-'],
    line: { name: 'hide' },
    where: ['log', 'groups', 'record', ...SHIELD_VIEWS, 'shieldForm'],
    does: 'hide rows with the value under the cursor; in the form: exclude or not',
    group: 'Filter',
    hint: {
      log: 'hide',
      groups: 'hide',
      record: 'hide',
      shieldGroups: 'hide',
      shieldRows: 'hide',
      shieldForm: 'not',
    },
    isHintIdle: (state) => paceOf(state) === 'moving',
  },
  filterOnly: {
    keys: ['='],
    line: { name: 'only' },
    where: ['log', 'groups', 'record', ...SHIELD_VIEWS],
    does: 'this value and nothing else: replaces all filters',
    group: 'Filter',
  },
  dropFilter: {
    keys: ['x'],
    line: { name: 'drop' },
    where: ['log', 'groups', ...SHIELD_LISTS, 'shieldForm', 'storageEdit'],
    does: 'drop the last filter; in a form: the change of this row',
    group: 'Filter',
    hint: { shieldForm: 'drop' },
    whyNot: needsFilter,
  },
  dropFilters: {
    keys: ['X'],
    line: { name: 'drop-all' },
    where: ['log', 'groups', ...SHIELD_LISTS],
    does: 'drop all filters',
    group: 'Filter',
    whyNot: needsFilter,
  },
  editQuery: {
    keys: ['i'],
    line: { name: 'query', takes: 'query' },
    where: ['log', 'groups', ...SHIELD_LISTS, 'shieldForm'],
    does: 'edit the query; Tab completes, Enter runs it, Esc leaves it as it was',
    group: 'Filter',
    hint: { log: 'query', shieldGroups: 'query', shieldRows: 'query', shieldForm: 'type' },
  },
  chooseWindow: {
    keys: ['t'],
    line: { name: 'time', also: ['window'], takes: 'window' },
    where: ['log', ...SHIELD_LISTS],
    does: 'choose the time window: 30m, yesterday, 03:00-04:00, 11-21 03:00; Tab offers more',
    group: 'Filter',
    whyNot: needsWholeLog,
  },
  chooseGroups: {
    keys: ['b'],
    line: { name: 'by', also: ['group'], takes: 'fields' },
    where: ['log', 'groups', ...SHIELD_LISTS],
    does: 'group by one or more fields; in the log pane: over the rows read',
    group: 'Filter',
    hint: { log: 'group', groups: 'group', shieldGroups: 'by', shieldRows: 'by' },
  },
  chooseColumns: {
    keys: ['c'],
    line: { name: 'columns' },
    where: ['log', 'shieldGroups'],
    does: 'choose the columns',
    group: 'Look',
  },
  sort: {
    keys: ['s'],
    line: { name: 'sort' },
    where: ['groups', 'shieldGroups', 'shieldPick'],
    does: 'sort by the next column; in the choice of dimensions: single events',
    group: 'Look',
    hint: { groups: 'sort', shieldGroups: 'sort' },
  },
  reverse: {
    keys: ['S'],
    line: { name: 'reverse' },
    where: ['groups', 'shieldGroups'],
    does: 'reverse the order',
    group: 'Look',
  },
  pause: {
    keys: ['Space'],
    line: { name: 'pause' },
    where: ['log', ...PICKERS, 'shieldForm', 'storageEdit'],
    does: 'pause or go on; rows that arrive are kept and counted. In a list of choices: choose',
    group: 'Follow',
    hint: {
      log: 'pause',
      groupPick: 'choose',
      columnPick: 'choose',
      shieldPick: 'choose',
      shieldColumns: 'choose',
      shieldForm: 'change',
    },
    isHintIdle: (state) =>
      topView(state).kind === 'log' && state.overlay === null && paceOf(state) !== 'moving',
  },
  follow: {
    keys: ['f'],
    line: { name: 'follow' },
    where: ['log', ...SHIELD_LISTS],
    does: 'follow the newest rows; in Shield: ask again every 10 s, or no longer',
    group: 'Follow',
  },
  refresh: {
    keys: ['Ctrl-r'],
    line: { name: 'refresh' },
    where: ['zones', 'log', 'groups', ...SHIELD_LISTS, 'answer', 'notebook', ...ACCOUNT_VIEWS],
    does: 'ask again now; in an answer: read what memory does not hold, or was left',
    group: 'Follow',
    hint: { answer: 'read on' },
    isHintIdle: (state) => !isLeft(state),
  },
  clock: {
    keys: ['u'],
    line: { name: 'clock', also: ['utc'] },
    where: ['log', 'record', ...SHIELD_VIEWS],
    does: 'times in UTC or local time',
    group: 'Look',
  },
  plainText: {
    keys: ['L'],
    line: { name: 'plain' },
    where: ['zones', 'log', 'groups', 'record', ...SHIELD_VIEWS, 'notebook', 'copyMenu'],
    does: 'rows from the cursor on, whole and as bare text, for selecting with the mouse; any key returns',
    group: 'Program',
    hint: { copyMenu: 'show the text' },
  },
  help: {
    keys: ['?'],
    line: { name: 'help', also: ['h'], takes: 'word' },
    where: VIEWS,
    does: 'the keys of this view',
    group: 'Program',
    hint: {
      zones: 'help',
      log: 'help',
      groups: 'help',
      record: 'help',
      answer: 'help',
      notebook: 'help',
      shieldGroups: 'help',
      shieldRows: 'help',
      shieldEvent: 'help',
      storage: 'help',
      storageZone: 'help',
      keys: 'help',
    },
  },
  nextTable: {
    keys: ['Tab'],
    line: { name: 'next-table' },
    where: ['answer'],
    does: 'the next table of the answer: its first line that leads somewhere',
    group: 'Move',
    hint: { answer: 'next table' },
    whyNot: needsTables,
  },
  previousTable: {
    keys: ['Shift-Tab'],
    line: { name: 'previous-table' },
    where: ['answer'],
    does: 'the table before',
    group: 'Move',
    whyNot: needsTables,
  },
  palette: {
    keys: [':'],
    where: VIEWS,
    does: 'the command line: a command by its name, a zone to go to, a term of a query; Tab completes',
    group: 'Program',
  },
  exit: {
    keys: [],
    line: { name: 'q', also: ['quit', 'exit'] },
    where: VIEWS,
    does: 'leave the program, unless something is still being written',
    group: 'Program',
    whyNot: beingWritten,
  },
  switchZone: {
    keys: [],
    line: { name: 'zone', takes: 'eitherOfZone' },
    where: VIEWS,
    does: 'another zone in the screen on show: its Shield explorer in the explorer, else its logs',
    group: 'Look',
  },
  addTerms: {
    keys: [],
    line: { name: '', takes: 'terms' },
    where: [...LOGGED],
    does: 'terms of the query language, such as status:5xx, 5xx for short, or -ip:192.0.2.7, join the query of the view',
    group: 'Filter',
  },
  requests: {
    keys: ['@'],
    line: { name: 'requests' },
    where: VIEWS,
    does: 'what was asked of the API, with status, wait and time',
    group: 'Program',
  },
  redraw: {
    keys: ['Ctrl-l'],
    line: { name: 'redraw' },
    where: LISTS,
    does: 'draw the whole screen again',
    group: 'Program',
  },
  suspend: {
    keys: ['Ctrl-z'],
    line: { name: 'suspend' },
    where: LISTS,
    does: 'to the shell; fg returns',
    group: 'Program',
  },
  quit: {
    keys: ['Ctrl-c'],
    line: { name: 'q!', also: ['quit!'] },
    where: [...LISTS, 'plain'],
    does: 'quit',
    group: 'Program',
  },
  shieldScreen: {
    keys: ['3'],
    line: { name: 'shield', also: ['waf'], takes: 'shieldOfZone' },
    where: VIEWS,
    does: 'the Shield explorer of the zone under the cursor; from its logs: as it was left',
    group: 'Look',
    hint: { zones: 'shield' },
    whyNot: (state) =>
      topView(state).kind === 'zones' && state.zones.shown.length === 0
        ? 'no zone is listed yet; Ctrl-r asks again'
        : null,
  },
  historyBack: {
    keys: ['['],
    line: { name: 'view-before' },
    where: ['log', ...SHIELD_VIEWS, 'notebook'],
    does: 'the view before this one; of a log, the query before; in the notebook: the day before',
    group: 'Look',
  },
  historyForward: {
    keys: [']'],
    line: { name: 'view-after' },
    where: ['log', ...SHIELD_VIEWS, 'notebook'],
    does: 'the view after this one; of a log, the query after; in the notebook: the day after',
    group: 'Look',
  },
  earlier: {
    keys: ['{'],
    line: { name: 'earlier' },
    where: TIMED,
    does: 'the window half its length earlier',
    group: 'Filter',
  },
  later: {
    keys: ['}'],
    line: { name: 'later' },
    where: TIMED,
    does: 'the window half its length later',
    group: 'Filter',
  },
  zoomIn: { keys: ['z'], line: { name: 'zoom-in' }, where: TIMED, does: 'a shorter window', group: 'Filter' },
  zoomOut: {
    keys: ['Z'],
    line: { name: 'zoom-out' },
    where: TIMED,
    does: 'a longer window, up to the 72 h that are kept',
    group: 'Filter',
  },
  histogram: {
    keys: ['H'],
    line: { name: 'histogram' },
    where: SHIELD_LISTS,
    does: 'count the events of the window over time, by action: 12 searches',
    group: 'Look',
  },
  readDay: {
    keys: ['D'],
    line: { name: 'day', takes: 'day' },
    where: SHIELD_LISTS,
    does: 'read a whole UTC day',
    group: 'Look',
  },
  unfold: {
    keys: ['w'],
    line: { name: 'unfold' },
    where: ['shieldGroups'],
    does: 'the dimensions of the grouping in one table, or one after another',
    group: 'Look',
    instead: {
      log: ONE_LINE_EACH,
      groups: 'groups stay on one line each: L shows the text of all, wrapped',
      shieldRows: ONE_LINE_EACH,
      record: 'the value under the cursor stands whole below the table; L wraps all of them',
      shieldEvent: 'the value under the cursor stands whole below the table; L wraps all of them',
    },
  },
  switchForm: {
    keys: ['Tab', 'Shift-Tab'],
    line: { name: 'form' },
    where: [...SHIELD_LISTS, 'shieldForm'],
    does: 'the query as a form, and back to the line of text',
    group: 'Filter',
    hint: { shieldForm: 'text' },
  },
  storageScreen: {
    keys: ['4'],
    line: { name: 'storage', takes: 'storageZone' },
    where: VIEWS,
    does: 'the storage zones of the account',
    group: 'Look',
  },
  keysScreen: {
    keys: ['5'],
    line: { name: 'keys' },
    where: VIEWS,
    does: 'the API keys of the account',
    group: 'Look',
  },
  editSettings: {
    keys: ['E'],
    line: { name: 'edit' },
    where: ['storageZone'],
    does: 'edit the settings of the zone; nothing is sent before its name is typed',
    group: 'Change',
    hint: { storageZone: 'edit' },
    whyNot: needsWrite,
  },
  previewChange: {
    keys: ['p'],
    line: { name: 'preview' },
    where: ['storageEdit'],
    does: 'look at the change and the request before anything is sent',
    group: 'Change',
    hint: { storageEdit: 'preview' },
  },
  undoChange: {
    keys: ['U'],
    line: { name: 'undo' },
    where: ['storageZone'],
    does: 'take the last change of this zone back, where that is possible',
    group: 'Change',
    hint: { storageZone: 'undo' },
  },
  revealKey: {
    keys: ['r'],
    line: { name: 'reveal' },
    where: ['keys'],
    does: 'show the value of this key for 10 s, or hide it; each showing is written to the audit file',
    group: 'Change',
    hint: { keys: 'show value' },
  },
  compare: {
    keys: ['d'],
    line: { name: 'compare' },
    where: [...LOGGED, 'answer'],
    does: 'compare with another window: what is over-represented now; its price is shown first',
    group: 'Look',
  },
  missLens: {
    keys: ['m'],
    line: { name: 'misses' },
    where: ['log', 'groups', 'record', 'answer'],
    does: 'what started missing: query strings, pages, the origin; again: against another window',
    group: 'Look',
    hint: { log: 'misses' },
    isHintIdle: (state) => paceOf(state) === 'paused',
  },
  incidents: {
    keys: ['I'],
    line: { name: 'incidents' },
    where: ['zones', ...LOGGED, 'answer'],
    does: 'what stood out in the last hours or days, by samples of the CDN log; its price is shown first',
    group: 'Look',
    hint: { zones: 'incidents' },
  },
  pivot: {
    keys: ['p'],
    line: { name: 'pivot' },
    where: ['log', 'record', 'shieldRows', 'shieldEvent'],
    does: 'this request in the other log, by its id; else its client within a minute, in one timeline',
    group: 'Look',
    hint: { shieldEvent: 'pivot', record: 'pivot' },
  },
  bypassCheck: {
    keys: ['a'],
    line: { name: 'through' },
    where: [...LOGGED, 'answer'],
    does: 'did anything get through? what this ip, ja4, ua, url, asn or country was answered with, and what it looks like',
    group: 'Look',
    hint: { shieldGroups: 'got through?', shieldEvent: 'got through?' },
    isHintIdle: (state) => typeof clientUnder(state) === 'string',
  },
  suspectRules: {
    keys: ['F'],
    line: { name: 'false-positives' },
    where: SHIELD_VIEWS,
    does: 'which rules stop good clients, and what they matched',
    group: 'Look',
  },
  blastRadius: {
    keys: ['B'],
    line: { name: 'rule' },
    where: ['log', 'groups', 'record', ...SHIELD_VIEWS, 'answer'],
    does: 'what the filter or this value would hit as a rule; never applied',
    group: 'Look',
    whyNot: needsRule,
  },
  mark: {
    keys: ['M'],
    line: { name: 'mark', takes: 'highlight' },
    where: LOGGED,
    does: 'mark the row or unmark it; with a text: highlight that in every list, in a colour such as red',
    group: 'Look',
  },
  marks: {
    keys: ["'"],
    line: { name: 'marks' },
    where: ['zones', ...LOGGED, 'answer'],
    does: 'the marked rows of this session: go to one, unmark it, write all to a file',
    group: 'Look',
    whyNot: ({ handover }) =>
      handover.marks.size > 0 ? null : 'no row is marked yet: M marks the one under the cursor',
  },
  dropMark: {
    keys: ['x'],
    where: ['marks'],
    does: 'unmark the row',
    group: 'Look',
    hint: { marks: 'unmark' },
  },
  unmark: {
    keys: [],
    line: { name: 'unmark', takes: 'highlighted' },
    where: LOGGED,
    does: 'highlight a text no longer',
    group: 'Look',
  },
  copy: {
    keys: ['y'],
    line: { name: 'copy', also: ['yank'] },
    where: HANDED,
    does: 'copy the value, the row as JSON, this view as a command, or its request as curl',
    group: 'Hand over',
  },
  copyValue: {
    keys: ['v'],
    where: ['copyMenu'],
    does: 'copy the value under the cursor',
    group: 'Hand over',
  },
  copyRow: { keys: ['r'], where: ['copyMenu'], does: 'copy the row as JSON', group: 'Hand over' },
  copyCommand: {
    keys: ['c'],
    where: ['copyMenu'],
    does: 'copy the command that opens this view, or prints it in a pipe',
    group: 'Hand over',
  },
  copyCurl: {
    keys: ['u'],
    where: ['copyMenu'],
    does: 'copy the request of this view as curl, the key from $EDGESCOPE_ACCESS_KEY',
    group: 'Hand over',
  },
  export: {
    keys: ['e'],
    line: { name: 'export' },
    where: [...HANDED_ROWS, 'marks'],
    does: 'write the rows of this view to a file: NDJSON, CSV or Markdown',
    group: 'Hand over',
    hint: { marks: 'export' },
    whyNot: (state) =>
      state.handover.exporting ? 'a file is being written; Esc cancels it, then e again' : null,
  },
  savedViews: {
    keys: ['v'],
    line: { name: 'views' },
    where: HANDED,
    does: 'saved views: open one, save this one, delete one',
    group: 'Hand over',
  },
  saveView: {
    keys: ['s'],
    where: ['viewList'],
    does: 'save the view underneath under a name',
    group: 'Hand over',
    hint: { viewList: 'save this view' },
  },
  deleteView: {
    keys: ['x'],
    where: ['viewList'],
    does: 'delete the saved view under the cursor, after a second x',
    group: 'Hand over',
    hint: { viewList: 'delete' },
  },
  note: {
    keys: ['o'],
    line: { name: 'note' },
    where: [...LOGGED, 'answer'],
    does: 'add this view and a note to the incident notebook of the day',
    group: 'Hand over',
  },
  notebook: {
    keys: ['O'],
    line: { name: 'notebook' },
    where: VIEWS,
    does: 'the incident notebook of the day, to be read; Enter on an entry: the view that it was taken from',
    group: 'Hand over',
  },
  strike: {
    keys: ['x'],
    line: { name: 'strike' },
    where: ['notebook'],
    does: 'strike this entry: it stays, struck, with the time; again: take the strike back',
    group: 'Hand over',
    hint: { notebook: 'strike' },
  },
  editNote: {
    keys: ['E'],
    line: { name: 'edit-note' },
    where: ['notebook'],
    does: 'edit the note of this entry; the note before stays, struck, with the time',
    group: 'Hand over',
    hint: { notebook: 'edit note' },
  },
} as const satisfies Record<CommandId, Binding>;

/** The place of the view on top. The form of an edit and what comes after it are places of their own. */
export function viewPlace(state: State): KeyScope {
  const view = topView(state);
  if (view.kind !== 'storageEdit') return view.kind;
  return view.stage.kind === 'editing' ? 'storageEdit' : 'storageChange';
}

/** Whether the log on top moves by itself, and so has no cursor, or would if it were not paused; else it is still. */
function paceOf({ session, overlay, views }: State): 'moving' | 'paused' | 'still' {
  const view = views.at(-1);
  if (overlay !== null || view?.kind !== 'log' || !session) return 'still';
  const { source, to } = session;
  const moves = source.kind === 'files' ? source.report.status === 'following' : to === null;
  if (!moves) return 'still';
  return view.paused ? 'paused' : 'moving';
}

/** Whether the answer on top has something left to read, or can be asked in another way. */
function isLeft(state: State): boolean {
  const view = topView(state);
  if (view.kind !== 'answer' || view.stage.kind !== 'read') return false;
  return view.inquiry.rest().length > 0 || waysOf(view) > 1;
}

function needsTables(state: State): string | null {
  const view = topView(state);
  return view.kind === 'answer' && view.stage.kind === 'priced' ? 'nothing was asked yet; Enter asks' : null;
}

function needsRule(state: State): string | null {
  const rule = ruleUnder(state);
  return typeof rule === 'string' ? rule : null;
}

/** The window of a group's rows is that of the log that was grouped. */
function needsWholeLog(state: State): string | null {
  return topView(state).kind === 'log' && isDrilled(state) ? WINDOW_BELOW : null;
}

function needsSearch(state: State): string | null {
  const view = topView(state);
  const isSought = 'needle' in view ? view.needle !== null : view.kind === 'log' && view.search !== null;
  return isSought ? null : 'nothing has been searched for yet: / searches';
}

function beingWritten({ storage, handover }: State): string | null {
  if (storage.job !== null) return 'a change of a storage zone is under way; :q! leaves without its verdict';
  return handover.exporting ? 'a file is being written; :q! leaves it unwritten' : null;
}

function needsWrite(state: State): string | null {
  return state.mayWrite ? null : 'this session is read-only: start edgescope with --write';
}

function needsFilter(state: State): string | null {
  if (state.overlay?.kind === 'shieldForm') return null;
  const view = topView(state);
  if (view.kind === 'storageEdit') return null;
  return 'query' in view && view.query.terms.length > 0 ? null : 'there is no filter to drop';
}
