import { ACCOUNT_LISTS, eachOpener } from '../lists/account-lists.ts';
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
 * The argument of a word of the command line, as its usage shows it: `<>` marks a required one. An argument is read
 * as the key's own prompt reads it, where the key opens one.
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
  condition: '[condition]',
  onOff: '[on|off]',
  word: '[word]',
} as const;

/** `name` and `also` are typed in full after `:`; terms of a query have no name before them. */
type LineWord = { name: string; also?: readonly string[]; takes?: keyof typeof TAKES };

export type Binding = {
  /** Chords as `keymap/chord` names them; none where only the command line has the command. */
  keys: readonly string[];
  /** Chords of similar programs: pressed, they name its key or word. */
  was?: readonly string[];
  where: readonly KeyScope[];
  /** What it does, as the help says it. */
  does: string;
  /** What a user wants who looks for it. */
  group:
    | 'What is wrong'
    | 'Who is it'
    | 'Since when'
    | 'Only these'
    | 'Hand it over'
    | 'Look'
    | 'Move'
    | 'Change'
    | 'Program';
  /** Its words on the command line; null where that lacks it. */
  line: LineWord | null;
  /** Words that people look for it by, besides its name and description. */
  found?: string;
  /** A shorter word for the hints, by the view that shows it. */
  hint?: Partial<Record<KeyScope, string>>;
};

/**
 * A row as written. Without `where` it acts in every view; without `word` the command line has it by its id
 * (`pageDown` is `:page-down`), and `null` keeps it out of there.
 */
type Row = Omit<Binding, 'keys' | 'where' | 'group' | 'line'> &
  Partial<Pick<Binding, 'keys' | 'where'>> &
  Omit<LineWord, 'name'> & { word?: string | null };

/**
 * The one table of commands: the state, resolving, the help, the hints, the palette and the documents go by it.
 * `keymap/conditions` says when a command can do nothing.
 */
export const BINDINGS = {
  ...grouped('What is wrong', {
    wrong: {
      keys: ['!'],
      where: ['zones', ...ASKED, 'timeline'],
      does: 'what is wrong here, since when, why, and how sure',
      found: 'why broken outage errors attack alert',
      hint: each('wrong?', ['zones', ...ASKED, 'timeline']),
    },
    incidents: {
      where: ['zones', ...ASKED],
      does: 'what stood out in the last hours or days, in the picker of all zones',
      found: 'history yesterday night weekend',
    },
    compare: {
      where: [...ASKED, 'timeline'],
      does: 'compare with another window: what is more frequent now',
      found: 'difference changed new',
    },
    missLens: {
      word: 'misses',
      where: ['log', 'groups', 'record', 'answer', 'timeline'],
      does: 'what started missing: query strings, pages, the origin; again: against another window',
      found: 'cache slow hit',
    },
    causes: {
      where: ['zones', ...ASKED],
      does: 'why the origin fails, by the origin errors of these times, and what was changed right before',
      found: 'origin dns timeout slow',
    },
    tell: {
      takes: 'condition',
      where: LOGGED,
      does: 'ring and notify the desktop once a whole minute meets a condition, such as 5xx>5% over 2m; alone: no longer',
      found: 'alert alarm bell watch wait until',
    },
    changes: {
      where: ['zones', ...ASKED],
      does: 'what was changed in the account, of this zone first, and what lies right before 5xx or misses rose',
      found: 'audit deploy config',
    },
  }),
  ...grouped('Who is it', {
    chooseGroups: {
      keys: ['b'],
      word: 'by',
      also: ['group'],
      takes: 'fields',
      where: [...LOG_LISTS, 'timeline', 'topValues'],
      does: 'group by one or more fields; in the log pane: over the rows read',
      found: 'who country clients top count',
      hint: { ...each('group', ['log', 'groups', 'timeline', 'topValues']), ...each('by', SHIELD_LISTS) },
    },
    topValues: {
      word: 'values',
      where: ['log', 'groups', 'topValues'],
      does: 'the most frequent values of the rows in view, field by field; beside the list from 140 columns on, where it hides them the second time',
      found: 'who country top',
    },
    bypassCheck: {
      word: 'through',
      where: [...ASKED, 'timeline'],
      does: 'did anything get through? what this ip, ja4, ua, url, asn or country was answered with, and what it looks like',
      found: 'attack login leak success bypass',
      hint: { shieldGroups: 'passed?', shieldEvent: 'passed?' },
    },
    pivot: {
      keys: ['p'],
      where: ['log', 'record', 'shieldRows', 'shieldEvent'],
      does: 'this request in the other log, by its id; else its client within a minute, in one timeline',
      found: 'other log trace',
      hint: { shieldEvent: 'pivot', record: 'pivot' },
    },
    suspectRules: {
      word: 'false-positives',
      where: SHIELD_VIEWS,
      does: 'which rules stop good clients, and what they matched',
      found: 'blocked customer block',
    },
    blastRadius: {
      word: 'rule',
      where: ['log', 'groups', 'record', ...SHIELD_VIEWS, 'answer', 'timeline'],
      does: 'what the filter or this value would hit as a rule; never applied',
      found: 'block ban deny rule',
    },
    findSame: {
      was: ['*'],
      word: 'same',
      where: OF_ONE_ROW,
      does: 'the next line with the value under the cursor; from one row: in the list under it',
    },
    findSameBefore: { was: ['#'], word: 'same-before', where: OF_ONE_ROW, does: 'the line with it before' },
  }),
  ...grouped('Since when', {
    chooseWindow: {
      keys: ['t'],
      word: 'time',
      also: ['window'],
      takes: 'window',
      where: ['log', ...SHIELD_LISTS],
      does: 'choose the time window: 30m, yesterday, 03:00-04:00, 11-21 03:00; Tab offers more',
      found: 'yesterday when since hour',
      hint: each('time', ['log', ...SHIELD_LISTS]),
    },
    timeline: {
      keys: ['Tab'],
      word: 'select-time',
      where: ['log', 'groups', ...SHIELD_LISTS, 'timeline'],
      does: 'to the timeline, and back: a cursor on it selects times',
      hint: { timeline: 'list' },
    },
    timelineSize: {
      word: 'timeline',
      where: [...WITH_TIMELINE, 'timeline'],
      does: 'the traffic over time: low, high or none; in Shield first count its events, for the searches it says',
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
    earlier: { where: TIMED, does: 'the window half its length earlier', found: 'before' },
    later: { where: TIMED, does: 'the window half its length later', found: 'after' },
    zoomIn: { where: TIMED, does: 'a shorter window', found: 'narrower shorter' },
    zoomOut: { where: TIMED, does: 'a longer window, up to the 72 h that are kept', found: 'wider longer' },
    readDay: { word: 'day', takes: 'day', where: SHIELD_LISTS, does: 'read a whole UTC day' },
    timelineSeries: {
      word: 'timeline-by',
      where: ['log', 'timeline'],
      does: 'draw the timeline by status or by cache status',
    },
    localTime: {
      word: 'clock',
      also: ['utc'],
      where: OF_ONE_ROW,
      does: 'times in UTC or local time',
      found: 'timezone',
    },
  }),
  ...grouped('Only these', {
    editQuery: {
      keys: ['i'],
      word: 'query',
      takes: 'query',
      where: [...LOG_LISTS, 'queryForm'],
      does: 'edit the query; Tab completes, Enter runs it, Esc leaves it as it was',
      hint: { ...each('query', [...SHIELD_LISTS, 'log']), queryForm: 'type' },
    },
    filterIn: {
      keys: ['+'],
      word: 'keep',
      where: [...LOGGED, 'queryForm', 'topValues'],
      does: 'keep only rows with the value under the cursor; in the form: one more filter',
      hint: { ...each('keep', [...SHIELD_LISTS, 'log', 'groups', 'record']), queryForm: 'add' },
    },
    filterOut: {
      keys: ['-'],
      word: 'hide',
      where: [...LOGGED, 'queryForm', 'topValues'],
      does: 'hide rows with the value under the cursor; in the form: exclude or not',
      hint: { ...each('hide', [...SHIELD_LISTS, 'log', 'groups', 'record', 'topValues']), queryForm: 'not' },
    },
    filterOnly: {
      word: 'only',
      where: [...LOGGED, 'topValues'],
      does: 'this value and nothing else: replaces all filters',
      found: 'just',
    },
    dropFilter: {
      keys: ['x'],
      word: 'drop',
      where: [...LOG_LISTS, 'queryForm', 'storageEdit', 'topValues', 'marks', 'viewList'],
      does: 'take out the last filter; in a form or a list of your own: what is under the cursor',
      hint: { queryForm: 'drop', marks: 'unmark', viewList: 'delete' },
    },
    dropFilters: { word: 'drop-all', where: LOG_LISTS, does: 'drop all filters' },
    addTerms: {
      word: '',
      takes: 'terms',
      where: LOGGED,
      does: 'terms of the query language, such as status:5xx, 5xx for short, or -ip:192.0.2.7, join the query of the view',
    },
    find: {
      keys: ['/'],
      also: ['search'],
      takes: 'text',
      where: [...viewsThat('find'), ...PICKER_PLACES],
      does: 'search in the view, Up brings the last text back; in pickers: narrow the list',
      hint: { ...each('narrow', [...PICKER_PLACES, 'zones']), log: 'search' },
    },
    findNext: { keys: ['n'], word: 'next', where: viewsThat('next'), does: 'the next match' },
    findPrevious: { keys: ['N'], word: 'previous', where: viewsThat('next'), does: 'the match before' },
    findToFilter: {
      was: ['&'],
      word: 'keep-found',
      where: ['log', ...SHIELD_VIEWS],
      does: 'turn the search into a filter',
      found: 'filter',
    },
    switchForm: {
      word: 'form',
      where: LOG_LISTS,
      does: 'the query as a form: its terms are taken out, switched off and on; Tab goes there from the line of text',
      found: 'chips terms filters toggle',
    },
    leaveForm: {
      keys: ['Tab', 'Shift-Tab'],
      word: null,
      where: ['queryForm'],
      does: 'the form as a line of text',
      hint: { queryForm: 'text' },
    },
    markZone: {
      keys: ['Space'],
      where: ['zones'],
      does: 'mark the zone or unmark it: Enter opens all that are marked as one log',
      hint: { zones: 'mark' },
    },
    markZones: {
      was: ['*'],
      takes: 'text',
      where: ['zones'],
      does: 'mark the zones of these names: shop,api or shop-*; nothing unmarks all',
    },
  }),
  ...grouped('Hand it over', {
    copy: {
      keys: ['y'],
      also: ['yank'],
      where: [...viewsThat('copy'), 'copyMenu'],
      does: 'copy the value, the row as JSON, this view as a command, or its request as curl; again: what is chosen',
      hint: { copyMenu: 'copy' },
    },
    showText: {
      keys: ['L'],
      word: null,
      where: ['copyMenu'],
      does: 'what would be copied as bare text, for selecting with the mouse',
      hint: { copyMenu: 'show the text' },
    },
    export: {
      where: viewsThat('export'),
      does: 'write the rows of this view to a file: NDJSON, CSV or Markdown',
      found: 'save download csv json file report',
    },
    exportMarks: {
      keys: ['e'],
      word: null,
      where: ['marks'],
      does: 'write the marked rows to a file',
      hint: { marks: 'export' },
    },
    note: {
      where: ASKED,
      does: 'add this view and a note to the incident notebook of the day',
      found: 'notebook report write',
    },
    mark: {
      takes: 'highlight',
      where: LOGGED,
      does: 'mark the row or unmark it; with a text: highlight that in every list, in a colour such as red',
    },
    marks: {
      where: ['zones', ...ASKED],
      does: 'the marked rows of this session: go to one, unmark it, write all to a file',
    },
    unmark: { takes: 'highlighted', where: LOGGED, does: 'highlight a text no longer' },
    panel: {
      also: ['dashboard'],
      where: [...viewsThat('copy'), 'storageEdit'],
      does: "copy and link the dashboard's page of what is under the cursor",
      found: 'open browser web url address link',
    },
    savedViews: {
      word: 'views',
      where: viewsThat('copy'),
      does: 'saved views: open one, save this one, delete one',
      found: 'bookmarks',
    },
    saveView: {
      keys: ['+'],
      word: null,
      where: ['viewList'],
      does: 'save the view underneath under a name',
      hint: { viewList: 'save this view' },
    },
    plainText: {
      word: 'plain',
      where: viewsThat('plain'),
      does: 'rows from the cursor on, whole and as bare text, for selecting with the mouse; any key returns',
    },
  }),
  ...grouped('Look', {
    open: {
      keys: ['Enter'],
      word: 'enter',
      where: [
        ...viewsThat('open'),
        ...PICKER_PLACES,
        'queryForm',
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
        columnPick: 'show',
        ...each('open', ['answer', 'viewList']),
        shieldGroups: 'in',
        shieldRows: 'event',
        queryForm: 'run',
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
        ...each('leave', [...HANDOVER_MENUS, 'queryForm', 'timeline', 'topValues']),
      },
    },
    back: {
      keys: ['q'],
      where: LISTS,
      does: 'back; at the root: quit',
      hint: { zones: 'quit', ...each('back', ['log', 'groups', 'record', 'requests', 'how']) },
    },
    zonesScreen: { keys: ['1'], word: 'zones', does: 'the zone picker' },
    logsScreen: {
      keys: ['2'],
      word: 'logs',
      also: ['log'],
      takes: 'logsOfZone',
      does: 'the log pane of the zone under the cursor; from its explorer: as it was left, still followed',
    },
    shieldScreen: {
      keys: ['3'],
      word: 'shield',
      also: ['waf'],
      takes: 'shieldOfZone',
      does: 'the Shield explorer of the zone under the cursor; from its logs: as it was left',
      hint: { zones: 'shield' },
    },
    switchZone: {
      word: 'zone',
      takes: 'eitherOfZone',
      does: 'another zone in the screen on show: its Shield explorer in the explorer, else its logs',
    },
    ...eachOpener((kind): Row => {
      const { called, takes } = ACCOUNT_LISTS[kind];
      return { word: kind, ...(takes && { takes }), does: `the ${called} of the account` };
    }),
    pause: {
      keys: ['Space'],
      where: ['log', ...SHIELD_LISTS, ...PICKER_PLACES, 'queryForm', 'storageEdit'],
      does: 'pause or go on, rows that arrive are kept; in Shield: ask every 10 s; in choices: choose; in the form: off or on',
      hint: { log: 'pause', ...each('choose', PICKER_PLACES), queryForm: 'off or on' },
    },
    follow: {
      where: ['zones', 'log', ...SHIELD_LISTS],
      does: 'follow the newest rows; in Shield: ask again every 10 s, or no longer; in the zone picker: read its figures, or no longer',
      found: 'live tail',
    },
    refresh: {
      keys: ['Ctrl-r'],
      where: viewsThat('refresh'),
      does: 'ask again now; in an answer: read what memory does not hold, or was left; of a 5xx row: its cause',
      hint: { answer: 'read on' },
    },
    historyBack: {
      was: ['['],
      word: 'view-before',
      where: viewsThat('history'),
      does: 'the view before this one; of a log, the query before',
    },
    historyForward: {
      was: [']'],
      word: 'view-after',
      where: viewsThat('history'),
      does: 'the view after this one; of a log, the query after',
    },
    sort: {
      keys: ['s'],
      where: viewsThat('sort'),
      does: 'sort by the next column',
      hint: { zones: 'sort', groups: 'sort', shieldGroups: 'sort' },
    },
    reverse: { where: viewsThat('sort'), does: 'reverse the order' },
    chooseColumns: { word: 'columns', where: ['log', 'shieldGroups'], does: 'choose the columns' },
    unfold: {
      where: ['shieldGroups'],
      does: 'the dimensions of the grouping in one table, or one after another',
    },
    nextTable: {
      keys: ['Tab'],
      where: ['answer'],
      does: 'the next table of the answer: its first line that leads somewhere',
      hint: { answer: 'next table' },
    },
    previousTable: { keys: ['Shift-Tab'], where: ['answer'], does: 'the table before' },
  }),
  ...grouped('Move', {
    down: { keys: ['j', 'Down'], where: LISTS, does: 'one row down' },
    up: { keys: ['k', 'Up'], where: LISTS, does: 'one row up; in the live log this pauses' },
    pageDown: { keys: ['PgDn', 'Ctrl-d'], was: ['Ctrl-f'], where: LISTS, does: 'one page down' },
    pageUp: { keys: ['PgUp', 'Ctrl-u'], was: ['Ctrl-b'], where: LISTS, does: 'one page up' },
    first: { keys: ['g', 'Home'], where: LISTS, does: 'to the first row' },
    last: {
      keys: ['G', 'End'],
      where: LISTS,
      does: 'to the last row; in the log pane: go live',
      hint: { log: 'live' },
    },
    left: {
      keys: ['Left'],
      was: ['h'],
      where: [...LOG_LISTS, 'timeline'],
      does: 'the value to the left, for + and -; an earlier time',
    },
    right: {
      keys: ['Right'],
      was: ['l'],
      where: [...LOG_LISTS, 'timeline'],
      does: 'the value to the right, for + and -; a later time',
    },
    scrollRight: {
      where: LOG_LISTS,
      does: 'scroll the texts of the column under the cursor, where they are cut, by half its width',
    },
    scrollLeft: { where: LOG_LISTS, does: 'scroll them back' },
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
      keys: ['P'],
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
  ...grouped('Program', {
    palette: {
      keys: [':'],
      word: null,
      where: [...VIEWS, 'timeline', 'topValues'],
      does: 'the command line: a command by its name, a zone to go to, a term of a query; Tab completes',
    },
    help: {
      keys: ['?'],
      also: ['h'],
      takes: 'word',
      does: 'the keys of this view',
      hint: each('help', viewsThat('copy')),
    },
    how: {
      does: 'how each figure of this screen comes about; in the help: ? again',
      found: 'explain formula meaning why',
    },
    mouse: {
      takes: 'onOff',
      does: 'clicks and the wheel act here, or no longer; Shift leaves both to the terminal, which selects text',
      found: 'click wheel select scroll',
    },
    requests: {
      does: 'what was asked of the API and of a store, with status, wait and time',
      found: 'api network debug price',
    },
    redraw: { keys: ['Ctrl-l'], where: LISTS, does: 'draw the whole screen again' },
    suspend: { keys: ['Ctrl-z'], where: LISTS, does: 'to the shell; fg returns', found: 'shell' },
    exit: {
      word: 'q',
      also: ['quit', 'exit'],
      does: 'leave the program, unless something is still being written',
      found: 'leave close',
    },
    quit: { keys: ['Ctrl-c'], word: 'q!', also: ['quit!'], where: [...LISTS, 'plain'], does: 'quit' },
  }),
};

/** Everything that a key or the command line can order. */
export type CommandId = keyof typeof BINDINGS;

export const COMMANDS = Object.keys(BINDINGS) as CommandId[];

/**
 * Commands that only turn something on or off, with what they say then. The state holds which are on, and painters
 * read it.
 */
export const TOGGLES = {
  localTime: { on: 'times of this machine', off: 'times in UTC' },
} as const satisfies Partial<Record<CommandId, { on: string; off: string }>>;

export type Toggle = keyof typeof TOGGLES;

/** The name of a command and its aliases; none where the command line lacks it. */
export function wordsOf(id: CommandId): readonly string[] {
  const { line } = BINDINGS[id];
  return line === null || line.name === '' ? [] : [line.name, ...(line.also ?? [])];
}

function grouped<Id extends string>(group: Binding['group'], rows: Record<Id, Row>): Record<Id, Binding> {
  const bound = Object.entries<Row>(rows).map(([id, { word, also, takes, ...row }]) => {
    const name = word === undefined ? id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : word;
    const line = name === null ? null : { name, ...(also && { also }), ...(takes && { takes }) };
    return [id, { keys: [], where: VIEWS, ...row, group, line }];
  });
  return Object.fromEntries(bound) as Record<Id, Binding>;
}

/** The keys that carry a night, each with a word; they stand first everywhere. */
export const NIGHT: readonly { ids: readonly CommandId[]; word: string }[] = [
  { ids: ['wrong'], word: 'what is wrong' },
  { ids: ['open'], word: 'in' },
  { ids: ['leave'], word: 'out' },
  { ids: ['find'], word: 'search' },
  { ids: ['chooseGroups'], word: 'group' },
  { ids: ['chooseWindow'], word: 'time' },
  { ids: ['editQuery'], word: 'query' },
  { ids: ['filterIn'], word: 'keep' },
  { ids: ['filterOut'], word: 'hide' },
  { ids: ['pause'], word: 'pause' },
  { ids: ['copy'], word: 'copy' },
  { ids: ['palette'], word: 'any command' },
  { ids: ['help'], word: 'help' },
  { ids: ['back'], word: 'back' },
  { ids: ['down', 'up'], word: 'move' },
  { ids: ['zonesScreen', 'logsScreen', 'shieldScreen'], word: 'zones, logs, Shield' },
];

/** The same hint in each of these places. */
function each(word: string, places: readonly KeyScope[]): Partial<Record<KeyScope, string>> {
  return Object.fromEntries(places.map((place) => [place, word]));
}
