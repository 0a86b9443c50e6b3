import {
  ACCOUNT_VIEWS,
  ASKED,
  HANDOVER_MENUS,
  type KeyScope,
  LISTS,
  LOG_LISTS,
  LOGGED,
  OF_ONE_ROW,
  PICKER_PLACES,
  SHIELD_LISTS,
  SHIELD_VIEWS,
  TIMED,
  VIEWS,
  viewsThat,
  WITH_TIMELINE,
} from './places.ts';

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
type LineWord = { name: string; also?: readonly string[]; takes?: keyof typeof TAKES };

export type Binding = {
  /** Chords as `keymap/chord` names them; none where there is a word of the command line instead. */
  keys: readonly string[];
  where: readonly KeyScope[];
  /** What it does, as the help says it. */
  does: string;
  group: 'Move' | 'Look' | 'Filter' | 'Follow' | 'Ask' | 'Change' | 'Hand over' | 'Program';
  /** How the command line calls it; null where it does not have it. */
  line: LineWord | null;
  /** A shorter word for the line of hints of each view that hints at it. */
  hint?: Partial<Record<KeyScope, string>>;
  /** What to press instead, in views where other programs have it act. */
  instead?: Partial<Record<KeyScope, string>>;
};

/**
 * A row of the table as it is written. Without `where` it acts in every view; without `word` the command line calls it as
 * the table does (`pageDown` is `:page-down`), and `null` keeps it out of there.
 */
type Row = Omit<Binding, 'keys' | 'where' | 'group' | 'line'> &
  Partial<Pick<Binding, 'keys' | 'where'>> &
  Omit<LineWord, 'name'> & { word?: string | null };

/** No list is wrapped: one line a row is what scrolling is counted and drawn by. */
const ONE_LINE_EACH = 'rows stay on one line each: Enter shows one whole, L the text of all, wrapped';

/**
 * The one table of commands: what the state does by them, resolving, the help, the hints, the palette and the documents all go
 * by it. When a command can do nothing is said in `keymap/conditions`.
 */
export const BINDINGS = {
  ...grouped('Ask', {
    wrong: {
      keys: ['!'],
      where: ['zones', ...ASKED, 'timeline'],
      does: 'what is wrong here, since when, why, and how sure',
      hint: each('wrong?', ['zones', ...ASKED, 'timeline']),
    },
    compare: {
      keys: ['d'],
      where: [...ASKED, 'timeline'],
      does: 'compare with another window: what is more frequent now',
      hint: { timeline: 'compare' },
    },
    missLens: {
      keys: ['m'],
      word: 'misses',
      where: ['log', 'groups', 'record', 'answer', 'timeline'],
      does: 'what started missing: query strings, pages, the origin; again: against another window',
      hint: { timeline: 'misses' },
    },
    incidents: {
      keys: ['I'],
      where: ['zones', ...ASKED],
      does: 'what stood out in the last hours or days, in the picker of all zones',
      hint: { zones: 'incidents' },
    },
    causes: {
      keys: ['W'],
      where: ['zones', ...ASKED],
      does: 'why the origin fails, by the origin errors of these times, and what was changed right before',
    },
    changes: {
      keys: ['C'],
      where: ['zones', ...ASKED],
      does: 'what was changed in the account, of this zone first, and what lies right before 5xx or misses rose',
    },
    pivot: {
      keys: ['p'],
      where: ['log', 'record', 'shieldRows', 'shieldEvent'],
      does: 'this request in the other log, by its id; else its client within a minute, in one timeline',
      hint: { shieldEvent: 'pivot', record: 'pivot' },
    },
    bypassCheck: {
      keys: ['a'],
      word: 'through',
      where: [...ASKED, 'timeline'],
      does: 'did anything get through? what this ip, ja4, ua, url, asn or country was answered with, and what it looks like',
      hint: { shieldGroups: 'got through?', shieldEvent: 'got through?' },
    },
    suspectRules: {
      keys: ['F'],
      word: 'false-positives',
      where: SHIELD_VIEWS,
      does: 'which rules stop good clients, and what they matched',
    },
    blastRadius: {
      keys: ['B'],
      word: 'rule',
      where: ['log', 'groups', 'record', ...SHIELD_VIEWS, 'answer', 'timeline'],
      does: 'what the filter or this value would hit as a rule; never applied',
    },
  }),
  ...grouped('Move', {
    down: { keys: ['j', 'Down'], where: LISTS, does: 'one row down' },
    up: { keys: ['k', 'Up'], where: LISTS, does: 'one row up; in the live log this pauses' },
    pageDown: { keys: ['Ctrl-d', 'PgDn', 'Ctrl-f'], where: LISTS, does: 'one page down' },
    pageUp: { keys: ['Ctrl-u', 'PgUp', 'Ctrl-b'], where: LISTS, does: 'one page up' },
    first: { keys: ['g', 'Home'], where: LISTS, does: 'to the first row' },
    last: {
      keys: ['G', 'End'],
      where: LISTS,
      does: 'to the last row; in the log pane: go live',
      hint: { log: 'live' },
    },
    left: {
      keys: ['h', 'Left'],
      where: [...LOG_LISTS, 'shieldForm', 'timeline'],
      does: 'the value to the left, for + - =; an earlier time',
    },
    right: {
      keys: ['l', 'Right'],
      where: [...LOG_LISTS, 'shieldForm', 'timeline'],
      does: 'the value to the right, for + - =; a later time',
    },
    scrollRight: {
      keys: ['>'],
      where: LOG_LISTS,
      does: 'scroll the texts of the column under the cursor, where they are cut, by half its width',
    },
    scrollLeft: { keys: ['<'], where: LOG_LISTS, does: 'scroll them back' },
  }),
  ...grouped('Look', {
    open: {
      keys: ['Enter'],
      word: 'enter',
      where: [
        ...viewsThat('open'),
        ...PICKER_PLACES,
        'shieldForm',
        ...HANDOVER_MENUS,
        'timeline',
        'topValues',
      ],
      does: 'go in: zone, row, group; read a gap; take the times selected',
      hint: {
        timeline: 'window',
        topValues: 'keep',
        zones: 'logs',
        log: 'row',
        groups: 'rows',
        groupPick: 'group',
        shieldPick: 'group',
        columnPick: 'show',
        shieldColumns: 'show',
        ...each('open', ['answer', 'viewList']),
        shieldGroups: 'in',
        shieldRows: 'event',
        shieldForm: 'run',
        copyMenu: 'copy',
        exportMenu: 'name the file',
        marks: 'to the row',
        storage: 'settings',
        storageZone: 'edit',
        storageEdit: 'change',
        storageChange: 'go on',
      },
    },
    leave: {
      keys: ['Esc'],
      where: LISTS,
      does: 'exactly one step back; never quits. While a spinner turns: cancel what it waits for',
      hint: {
        ...each('back', [...ACCOUNT_VIEWS, 'answer']),
        ...each('up', SHIELD_VIEWS),
        ...each('leave', [...HANDOVER_MENUS, 'shieldForm', 'timeline', 'topValues']),
      },
    },
    back: {
      keys: ['q'],
      where: LISTS,
      does: 'back; at the root: quit',
      hint: { zones: 'quit', ...each('back', ['log', 'groups', 'record', 'help', 'requests']) },
    },
    help: {
      keys: ['?'],
      also: ['h'],
      takes: 'word',
      does: 'the keys of this view',
      hint: each('help', [
        ...SHIELD_VIEWS,
        'zones',
        'log',
        'groups',
        'record',
        'answer',
        'storage',
        'storageZone',
        'keys',
      ]),
    },
    nextTable: {
      keys: ['Tab'],
      where: ['answer'],
      does: 'the next table of the answer: its first line that leads somewhere',
      hint: { answer: 'next table' },
    },
    previousTable: { keys: ['Shift-Tab'], where: ['answer'], does: 'the table before' },
    zonesScreen: { keys: ['1'], word: 'zones', does: 'the zone picker' },
    logsScreen: {
      keys: ['2'],
      word: 'logs',
      also: ['log'],
      takes: 'logsOfZone',
      does: 'the log pane of the zone under the cursor; from its explorer: as it was left, still followed',
    },
    find: {
      keys: ['/'],
      also: ['search'],
      takes: 'text',
      where: [...viewsThat('find'), 'help', ...PICKER_PLACES],
      does: 'search in the view, Up brings the last text back; in pickers and here: narrow the list',
      hint: { ...each('narrow', [...PICKER_PLACES, 'zones', 'help']), log: 'search' },
    },
    findNext: { keys: ['n'], word: 'next', where: viewsThat('next'), does: 'the next match' },
    findPrevious: { keys: ['N'], word: 'previous', where: viewsThat('next'), does: 'the match before' },
    findSame: {
      keys: ['*'],
      word: 'same',
      where: OF_ONE_ROW,
      does: 'the next line with the value under the cursor; from one row: in the list under it',
    },
    findSameBefore: { keys: ['#'], word: 'same-before', where: OF_ONE_ROW, does: 'the line with it before' },
    chooseColumns: {
      keys: ['c'],
      word: 'columns',
      where: ['log', 'shieldGroups'],
      does: 'choose the columns',
    },
    sort: {
      keys: ['s'],
      where: [...viewsThat('sort'), 'shieldPick'],
      does: 'sort by the next column; in the choice of dimensions: single events',
      hint: { zones: 'sort', groups: 'sort', shieldGroups: 'sort' },
    },
    reverse: { keys: ['S'], where: viewsThat('sort'), does: 'reverse the order' },
    localTime: {
      keys: ['u'],
      word: 'clock',
      also: ['utc'],
      where: OF_ONE_ROW,
      does: 'times in UTC or local time',
    },
    switchZone: {
      word: 'zone',
      takes: 'eitherOfZone',
      does: 'another zone in the screen on show: its Shield explorer in the explorer, else its logs',
    },
    shieldScreen: {
      keys: ['3'],
      word: 'shield',
      also: ['waf'],
      takes: 'shieldOfZone',
      does: 'the Shield explorer of the zone under the cursor; from its logs: as it was left',
      hint: { zones: 'shield' },
    },
    historyBack: {
      keys: ['['],
      word: 'view-before',
      where: viewsThat('history'),
      does: 'the view before this one; of a log, the query before',
    },
    historyForward: {
      keys: [']'],
      word: 'view-after',
      where: viewsThat('history'),
      does: 'the view after this one; of a log, the query after',
    },
    topValues: {
      keys: ['V'],
      word: 'values',
      where: ['log', 'groups', 'topValues'],
      does: 'the most frequent values of the rows in view, field by field; beside the list from 140 columns on, where it hides them the second time',
    },
    timelineSize: {
      keys: ['H'],
      word: 'timeline',
      where: [...WITH_TIMELINE, 'timeline'],
      does: 'the traffic over time: low, high or none; in Shield first count its events, for the searches it says',
    },
    timeline: {
      keys: ['Tab'],
      word: 'select-time',
      where: ['log', 'groups', ...SHIELD_LISTS, 'timeline'],
      does: 'to the timeline, and back: a cursor on it selects times',
      hint: { timeline: 'list' },
    },
    selectTime: {
      keys: ['Space'],
      word: null,
      where: ['timeline'],
      does: 'select from here on; again: select nothing',
      hint: { timeline: 'select' },
    },
    selectLeft: {
      keys: ['Shift-Left'],
      word: 'select-left',
      where: ['timeline', 'answer'],
      does: 'select one step further left; in an answer: go to its timeline and select there',
    },
    selectRight: {
      keys: ['Shift-Right'],
      word: 'select-right',
      where: ['timeline', 'answer'],
      does: 'select one step further right; in an answer: go to its timeline and select there',
    },
    timelineSeries: {
      keys: ['c'],
      word: 'timeline-by',
      where: ['timeline'],
      does: 'draw it by status or by cache status',
      hint: { timeline: 'by' },
    },
    timelineScale: {
      keys: ['s'],
      word: 'timeline-log',
      where: ['timeline'],
      does: 'draw it on a logarithmic scale, which cuts no peak, or a linear one',
      hint: { timeline: 'scale' },
    },
    readDay: { keys: ['D'], word: 'day', takes: 'day', where: SHIELD_LISTS, does: 'read a whole UTC day' },
    unfold: {
      keys: ['w'],
      where: ['shieldGroups'],
      does: 'the dimensions of the grouping in one table, or one after another',
      instead: {
        log: ONE_LINE_EACH,
        groups: 'groups stay on one line each: L shows the text of all, wrapped',
        shieldRows: ONE_LINE_EACH,
        record: 'the value under the cursor stands whole below the table; L wraps all of them',
        shieldEvent: 'the value under the cursor stands whole below the table; L wraps all of them',
      },
    },
    storageScreen: {
      keys: ['4'],
      word: 'storage',
      takes: 'storageZone',
      does: 'the storage zones of the account',
    },
    keysScreen: { keys: ['5'], word: 'keys', does: 'the API keys of the account' },
    markZone: {
      keys: ['Space'],
      where: ['zones'],
      does: 'mark the zone or unmark it: Enter opens all that are marked as one log',
      hint: { zones: 'mark' },
    },
    markZones: {
      keys: ['*'],
      takes: 'text',
      where: ['zones'],
      does: 'mark the zones of these names: shop,api or shop-*; nothing unmarks all',
    },
    mark: {
      keys: ['M'],
      takes: 'highlight',
      where: LOGGED,
      does: 'mark the row or unmark it; with a text: highlight that in every list, in a colour such as red',
    },
    marks: {
      keys: ["'"],
      where: ['zones', ...ASKED],
      does: 'the marked rows of this session: go to one, unmark it, write all to a file',
    },
    dropMark: {
      keys: ['x'],
      word: null,
      where: ['marks'],
      does: 'unmark the row',
      hint: { marks: 'unmark' },
    },
    unmark: { takes: 'highlighted', where: LOGGED, does: 'highlight a text no longer' },
  }),
  ...grouped('Filter', {
    findToFilter: {
      keys: ['&'],
      word: 'keep-found',
      where: ['log', ...SHIELD_VIEWS],
      does: 'turn the search into a filter',
    },
    filterIn: {
      keys: ['+'],
      word: 'keep',
      where: [...LOGGED, 'shieldForm', 'topValues'],
      does: 'keep only rows with the value under the cursor; in the form: one more filter',
      hint: { ...each('keep', [...SHIELD_LISTS, 'log', 'groups', 'record']), shieldForm: 'add' },
    },
    filterOut: {
      keys: ['-'],
      word: 'hide',
      where: [...LOGGED, 'shieldForm', 'topValues'],
      does: 'hide rows with the value under the cursor; in the form: exclude or not',
      hint: { ...each('hide', [...SHIELD_LISTS, 'log', 'groups', 'record', 'topValues']), shieldForm: 'not' },
    },
    filterOnly: {
      keys: ['='],
      word: 'only',
      where: [...LOGGED, 'topValues'],
      does: 'this value and nothing else: replaces all filters',
    },
    dropFilter: {
      keys: ['x'],
      word: 'drop',
      where: [...LOG_LISTS, 'shieldForm', 'storageEdit', 'topValues'],
      does: 'drop the last filter; in a form: the change of this row',
      hint: { shieldForm: 'drop' },
    },
    dropFilters: { keys: ['X'], word: 'drop-all', where: LOG_LISTS, does: 'drop all filters' },
    editQuery: {
      keys: ['i'],
      word: 'query',
      takes: 'query',
      where: [...LOG_LISTS, 'shieldForm'],
      does: 'edit the query; Tab completes, Enter runs it, Esc leaves it as it was',
      hint: { ...each('query', [...SHIELD_LISTS, 'log']), shieldForm: 'type' },
    },
    chooseWindow: {
      keys: ['t'],
      word: 'time',
      also: ['window'],
      takes: 'window',
      where: ['log', ...SHIELD_LISTS],
      does: 'choose the time window: 30m, yesterday, 03:00-04:00, 11-21 03:00; Tab offers more',
    },
    chooseGroups: {
      keys: ['b'],
      word: 'by',
      also: ['group'],
      takes: 'fields',
      where: [...LOG_LISTS, 'timeline', 'topValues'],
      does: 'group by one or more fields; in the log pane: over the rows read',
      hint: { ...each('group', ['log', 'groups', 'timeline', 'topValues']), ...each('by', SHIELD_LISTS) },
    },
    addTerms: {
      word: '',
      takes: 'terms',
      where: LOGGED,
      does: 'terms of the query language, such as status:5xx, 5xx for short, or -ip:192.0.2.7, join the query of the view',
    },
    earlier: { keys: ['{'], where: TIMED, does: 'the window half its length earlier' },
    later: { keys: ['}'], where: TIMED, does: 'the window half its length later' },
    zoomIn: { keys: ['z'], where: TIMED, does: 'a shorter window' },
    zoomOut: { keys: ['Z'], where: TIMED, does: 'a longer window, up to the 72 h that are kept' },
    switchForm: {
      keys: ['Shift-Tab'],
      word: 'form',
      where: [...SHIELD_LISTS, 'shieldForm'],
      does: 'the query as a form, and back to the line of text',
    },
    leaveForm: {
      keys: ['Tab'],
      word: null,
      where: ['shieldForm'],
      does: 'the form as a line of text',
      hint: { shieldForm: 'text' },
    },
  }),
  ...grouped('Follow', {
    pause: {
      keys: ['Space'],
      where: ['log', ...PICKER_PLACES, 'shieldForm', 'storageEdit'],
      does: 'pause or go on; rows that arrive are kept and counted. In a list of choices: choose',
      hint: { log: 'pause', ...each('choose', PICKER_PLACES), shieldForm: 'change' },
    },
    follow: {
      keys: ['f'],
      where: ['zones', 'log', ...SHIELD_LISTS],
      does: 'follow the newest rows; in Shield: ask again every 10 s, or no longer; in the zone picker: read its figures, or no longer',
    },
    refresh: {
      keys: ['Ctrl-r'],
      where: viewsThat('refresh'),
      does: 'ask again now; in an answer: read what memory does not hold, or was left; of a 5xx row: its cause',
      hint: { answer: 'read on' },
    },
  }),
  ...grouped('Change', {
    editSettings: {
      keys: ['E'],
      word: 'edit',
      where: ['storageZone'],
      does: 'edit the settings of the zone; nothing is sent before its name is typed',
      hint: { storageZone: 'edit' },
    },
    previewChange: {
      keys: ['p'],
      word: 'preview',
      where: ['storageEdit'],
      does: 'look at the change and the request before anything is sent',
      hint: { storageEdit: 'preview' },
    },
    undoChange: {
      keys: ['U'],
      word: 'undo',
      where: ['storageZone'],
      does: 'take the last change of this zone back, where that is possible',
      hint: { storageZone: 'undo' },
    },
    revealKey: {
      keys: ['r'],
      word: 'reveal',
      where: ['keys'],
      does: 'show the value of this key for 10 s, or hide it; each showing is written to the audit file',
      hint: { keys: 'show value' },
    },
  }),
  ...grouped('Hand over', {
    copy: {
      keys: ['y'],
      also: ['yank'],
      where: viewsThat('copy'),
      does: 'copy the value, the row as JSON, this view as a command, or its request as curl',
    },
    copyValue: { keys: ['v'], word: null, where: ['copyMenu'], does: 'copy the value under the cursor' },
    copyRow: { keys: ['r'], word: null, where: ['copyMenu'], does: 'copy the row as JSON' },
    copyCommand: {
      keys: ['c'],
      word: null,
      where: ['copyMenu'],
      does: 'copy the command that opens this view, or prints it in a pipe',
    },
    copyCurl: {
      keys: ['u'],
      word: null,
      where: ['copyMenu'],
      does: 'copy the request of this view as curl, the key from $EDGESCOPE_ACCESS_KEY',
    },
    export: {
      keys: ['e'],
      where: [...viewsThat('export'), 'marks'],
      does: 'write the rows of this view to a file: NDJSON, CSV or Markdown',
      hint: { marks: 'export' },
    },
    savedViews: {
      keys: ['v'],
      word: 'views',
      where: viewsThat('copy'),
      does: 'saved views: open one, save this one, delete one',
    },
    saveView: {
      keys: ['s'],
      word: null,
      where: ['viewList'],
      does: 'save the view underneath under a name',
      hint: { viewList: 'save this view' },
    },
    deleteView: {
      keys: ['x'],
      word: null,
      where: ['viewList'],
      does: 'delete the saved view under the cursor, after a second x',
      hint: { viewList: 'delete' },
    },
    note: { keys: ['o'], where: ASKED, does: 'add this view and a note to the incident notebook of the day' },
  }),
  ...grouped('Program', {
    plainText: {
      keys: ['L'],
      word: 'plain',
      where: [...viewsThat('plain'), 'copyMenu'],
      does: 'rows from the cursor on, whole and as bare text, for selecting with the mouse; any key returns',
      hint: { copyMenu: 'show the text' },
    },
    palette: {
      keys: [':'],
      word: null,
      does: 'the command line: a command by its name, a zone to go to, a term of a query; Tab completes',
    },
    exit: {
      word: 'q',
      also: ['quit', 'exit'],
      does: 'leave the program, unless something is still being written',
    },
    requests: { keys: ['@'], does: 'what was asked of the API and of a store, with status, wait and time' },
    redraw: { keys: ['Ctrl-l'], where: LISTS, does: 'draw the whole screen again' },
    suspend: { keys: ['Ctrl-z'], where: LISTS, does: 'to the shell; fg returns' },
    quit: { keys: ['Ctrl-c'], word: 'q!', also: ['quit!'], where: [...LISTS, 'plain'], does: 'quit' },
  }),
};

/** Everything a key or the command line can ask for. */
export type CommandId = keyof typeof BINDINGS;

export const COMMANDS = Object.keys(BINDINGS) as CommandId[];

/**
 * Commands that turn something on, or off again, and do nothing else, with what they say then. The state keeps which are on, and
 * painters ask it.
 */
export const TOGGLES = {
  localTime: { on: 'times of this machine', off: 'times in UTC' },
  timelineScale: { on: 'logarithmic scale', off: 'linear scale' },
} as const satisfies Partial<Record<CommandId, { on: string; off: string }>>;

export type Toggle = keyof typeof TOGGLES;

function grouped<Id extends string>(group: Binding['group'], rows: Record<Id, Row>): Record<Id, Binding> {
  const bound = Object.entries<Row>(rows).map(([id, { word, also, takes, ...row }]) => {
    const name = word === undefined ? id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : word;
    const line = name === null ? null : { name, ...(also && { also }), ...(takes && { takes }) };
    return [id, { keys: [], where: VIEWS, ...row, group, line }];
  });
  return Object.fromEntries(bound) as Record<Id, Binding>;
}

/** The same hint in each of these places. */
function each(word: string, places: readonly KeyScope[]): Partial<Record<KeyScope, string>> {
  return Object.fromEntries(places.map((place) => [place, word]));
}
