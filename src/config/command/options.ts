import { USUAL_MOST } from '../../domain/handover/answer-formats.ts';
import { THEME_NAMES } from '../settings/settings.ts';

export type OptionRow = {
  /**
   * `count` is a whole number; `choice` one of `choices`; `texts` may be repeated. A text or count not given is null.
   */
  type: 'boolean' | 'text' | 'texts' | 'count' | 'choice';
  short?: string;
  /** The placeholder of the value in the help. */
  value?: string;
  choices?: readonly string[];
  /** The choices of a single command, each with that command. */
  only?: Readonly<Record<string, string>>;
  /** The largest count. */
  most?: number;
  /** The commands it acts on; all of them when absent. */
  for?: readonly string[];
  does: string;
  /** What it does without a value and a command, where it can stand so. */
  alone?: string;
};

export const OPTIONS = {
  demo: { type: 'boolean', does: 'use the embedded simulator: no account, no key' },
  seed: { type: 'count', value: 'N', does: 'its traffic; the same number gives the same traffic' },
  epoch: {
    type: 'text',
    value: 'T',
    does: 'the minute its incidents are counted from; a copied command carries it',
  },
  since: {
    type: 'text',
    value: 'D',
    for: ['logs', 'shield', 'ask', 'open', 'keep'],
    does: 'the window: 15m, 2h, as last:D; or its beginning: yesterday, 03:00',
  },
  from: {
    type: 'text',
    value: 'T',
    for: ['logs', 'shield', 'ask', 'open', 'keep'],
    does: "where the window begins, UTC: 03:00, yesterday, '11-21 03:00', a date and time, -2h",
  },
  to: {
    type: 'text',
    value: 'T',
    for: ['logs', 'shield', 'ask', 'open', 'keep'],
    does: 'where the window ends, UTC, in the same words',
  },
  rows: {
    type: 'boolean',
    for: ['shield'],
    does: 'single events, where a query without by: would open the usual groups',
  },
  follow: {
    type: 'boolean',
    short: 'f',
    for: ['logs', 'open'],
    does: 'printed logs, and open: go on with new rows',
  },
  until: {
    type: 'text',
    value: 'EXPR',
    for: ['logs', 'shield', 'health'],
    does: "follow until EXPR holds of a minute, of all zones together, such as 'hit<60%' or 'blocked>500/min over 5m'; on screen: ring and notify; health: 'any 5xx>5%', of the newest rows",
  },
  exec: {
    type: 'text',
    value: 'COMMAND',
    for: ['logs', 'shield', 'health'],
    does: 'have /bin/sh run COMMAND for up to 30 s with what --until, or :tell on screen, finds, as a line of JSON on its standard input',
  },
  limit: {
    type: 'count',
    value: 'N',
    for: ['logs', 'shield', 'open', 'ask'],
    does: `printed: at most N rows; ask: findings, ${USUAL_MOST} of what a screen lists unless said`,
  },
  status: { type: 'text', value: 'S', for: ['logs'], does: "status:S in the words of bunny's CLI: 4xx,5xx" },
  order: {
    type: 'choice',
    value: 'O',
    choices: ['asc', 'desc'],
    for: ['logs'],
    does: 'printed: asc is oldest first, as without it; desc newest first',
  },
  day: { type: 'text', value: 'D', for: ['logs'], does: 'a whole UTC day: yesterday, 11-19, 2026-11-19' },
  v1: { type: 'boolean', for: ['logs'], does: 'printed: the legacy file of --day, where v2 is unavailable' },
  resume: {
    type: 'text',
    value: 'FILE',
    for: ['logs'],
    does: 'printed: note in FILE what is written, and go on from there',
    alone: 'reopen the view that was cut off, and read on',
  },
  against: {
    type: 'text',
    value: 'T',
    for: ['ask'],
    does: 'what misses and compare compare with: 1d, the same time a day earlier; with compare 1d,2d, of both days; or a window, as --from and --to take it, of one around this its rest; else the time before',
  },
  shield: { type: 'boolean', for: ['ask'], does: 'compare: the Shield events instead of the CDN log' },
  file: {
    type: 'texts',
    value: 'FILE',
    for: ['ask'],
    does: 'ask of a saved log, or of several, and of no server',
  },
  'most-requests': {
    type: 'count',
    value: 'N',
    for: ['health', 'ask', 'mcp'],
    does: 'send at most N requests; ask: also more than the price, where that leaves something unread; health: the newest rows of each zone first; mcp: those of a session, 61 unless said',
  },
  'fail-if-found': {
    type: 'boolean',
    for: ['ask'],
    does: 'exit with 10 where the answer is that something is wrong',
  },
  format: {
    type: 'choice',
    value: 'F',
    choices: ['ndjson', 'csv', 'table', 'markdown'],
    only: { markdown: 'ask' },
    does: 'ndjson, csv or table; ask: markdown, too',
  },
  pseudonyms: {
    type: 'boolean',
    for: ['mcp'],
    does: 'give addresses as ip-1, ip-2 …, the same one always the same, and take them so',
  },
  views: {
    type: 'text',
    value: 'FILE',
    for: ['zones', 'logs', 'shield', 'storage', 'keys'],
    does: 'on screen: list the saved views of FILE, such as one in a repository, beside your own; it is only read',
  },
  profile: { type: 'text', value: 'NAME', does: "a profile of config.json, or bunny:NAME of bunny's CLI" },
  theme: { type: 'choice', value: 'NAME', choices: THEME_NAMES, does: 'default, mono, safe or 16' },
  write: { type: 'boolean', does: 'let this session change settings of storage zones; else it only reads' },
  confirm: {
    type: 'text',
    value: 'NAME',
    for: ['storage', 'store'],
    does: 'with set: the name of the zone to change, in full; with drop-before: the name of the store',
  },
  store: {
    type: 'text',
    value: 'NAME',
    for: ['store', 'keep', 'logs', 'ask'],
    does: 'a store of the profile; its only one where none is named. Logs and answers that are older than 3 days come from it',
  },
  import: { type: 'boolean', for: ['keep'], does: 'load saved logs instead: its words are files' },
  stored: {
    type: 'boolean',
    for: ['keep'],
    does: 'load what the platform stores of the zones (Permanent Log Storage) since --from, and end',
  },
  shared: {
    type: 'boolean',
    for: ['keep'],
    does: 'share zones with other keepers of the same store: each is read by one, and another takes over within 30 s',
  },
  metrics: {
    type: 'text',
    value: 'ADDRESS',
    for: ['keep'],
    does: 'serve lag, rows, gaps and quota to Prometheus at this address, such as 127.0.0.1:9464; a port alone is one of the loopback',
  },
  'dry-run': { type: 'boolean', for: ['store'], does: 'init: print the statements, and send none' },
  ascii: { type: 'boolean', does: 'draw with ASCII only' },
  utc: { type: 'boolean', does: 'times in UTC, as unless said' },
  local: { type: 'boolean', does: 'times in local time' },
  debug: {
    type: 'text',
    value: 'FILE',
    does: 'write actions and requests to FILE as JSON lines, without secrets',
  },
  offline: { type: 'boolean', for: ['doctor'], does: 'send no request' },
  port: { type: 'count', value: 'N', most: 65_535, for: ['sim'], does: 'the port to listen on' },
  rate: { type: 'count', value: 'R', does: 'the simulator: rows per second of its busiest zone' },
} as const satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof OPTIONS;

/** The value of each option, as its row in the table has it. */
export type OptionValues = {
  [N in OptionName]: (typeof OPTIONS)[N] extends { type: 'boolean' }
    ? boolean
    : (typeof OPTIONS)[N] extends { type: 'texts' }
      ? readonly string[]
      : (typeof OPTIONS)[N] extends { type: 'count' }
        ? number | null
        : (typeof OPTIONS)[N] extends { choices: readonly (infer Choice)[] }
          ? Choice | null
          : string | null;
};

/** Options that are answered by a text, whatever else the line says. */
export const ANSWERED_OPTIONS = {
  help: { type: 'boolean', short: 'h', does: 'the commands; behind a command: what it takes' },
  version: { type: 'boolean', short: 'V', does: 'the version, its commit, and the Node that runs it' },
} as const satisfies Record<string, OptionRow>;

export type AnsweredOption = keyof typeof ANSWERED_OPTIONS;

/** The choices of an option with a command; undefined: it has no choices. */
export function choicesOf(
  { choices, only }: OptionRow,
  command: string | null,
): readonly string[] | undefined {
  return choices?.filter((choice) => (only?.[choice] ?? command) === command);
}

/** The option that a word names in its long or short form. */
export function optionNamed(word: string): readonly [name: string, row: OptionRow] | undefined {
  return Object.entries<OptionRow>(OPTIONS).find(
    ([name, { short }]) => word === `--${name}` || word === `-${short}`,
  );
}
