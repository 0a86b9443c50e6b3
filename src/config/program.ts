import { THEME_NAMES } from './settings.ts';

/**
 * What the command line knows: the one source of `--help`, of the usage checks and of whatever else describes the
 * program to a shell.
 */
export type CommandRow = {
  /** Its words after the command, as the help writes them. */
  operands: string;
  does: string;
  /** Lines as they are typed, and what each is for. */
  examples: readonly (readonly [line: string, does: string])[];
  /** The log that the query behind it asks. */
  query?: 'logs' | 'shield';
  /** The words of which one must follow. */
  words?: readonly string[];
  /** The only options that act on it; all that name no commands when absent. */
  options?: readonly string[];
};

export type OptionRow = {
  /** `count` is a whole number; `choice` one of `choices`. A text or count not given is null. */
  type: 'boolean' | 'text' | 'count' | 'choice';
  short?: string;
  /** What stands for the value in the help. */
  value?: string;
  choices?: readonly string[];
  /** The largest count. */
  most?: number;
  /** The commands it acts on; all of them when absent. */
  for?: readonly string[];
  does: string;
  /** What it does without a value and without a command, where it can stand so. */
  alone?: string;
};

export const PROGRAM_COMMANDS = {
  zones: {
    operands: '',
    does: 'pick a zone and watch its CDN traffic; printed: the list of zones',
    examples: [
      ['edgescope', 'the picker, with the account of the environment or of the profile'],
      ['edgescope --demo', 'the same on the embedded simulator'],
      ['edgescope zones --format csv', 'the list, printed'],
    ],
  },
  logs: {
    operands: '<zone[,zone…]> [query…]',
    query: 'logs',
    does: "the log pane of a zone: its name, id or hostname; of several as one log: shop,api or 'shop-*'",
    examples: [
      ['edgescope logs shop-eu status:5xx last:15m', 'what failed in the last quarter of an hour'],
      ["edgescope logs 'shop-*,api' -f status:5xx", 'several zones as one log, in order of time'],
      ["edgescope logs 'shop-*' by:zone,status --format table", 'what each of them answered, counted'],
      ["edgescope logs shop-eu --from 'yesterday 03:00' --to 04:00", 'an hour of yesterday, UTC'],
      ['edgescope logs shop-eu by:ip last:5m --limit 20 --format table', 'who asks most, printed'],
      ['edgescope logs shop-eu -f -ip:192.0.2.7 > rows.ndjson', 'follow into a file, one address left out'],
      ["edgescope logs shop-eu --until 'hit<60%'", 'follow until the hit ratio of a minute is that low'],
      [
        'edgescope logs shop-eu --day yesterday --resume place >> day.ndjson',
        'a whole day; the same command resumes that day where it was cut off',
      ],
    ],
  },
  shield: {
    operands: '<zone> [query…]',
    query: 'shield',
    does: 'the Shield events of a zone, or of shield:<id>',
    examples: [
      [
        'edgescope shield shop-eu action:blocked last:6h by:rule,asn',
        'what was blocked, by rule, then by network',
      ],
      ['edgescope shield shop-eu ip:203.0.113.0/24 --rows', 'single events of a network'],
      ["edgescope shield shop-eu --until 'blocked>500/min over 5m'", 'wait for an attack'],
    ],
  },
  health: {
    operands: '[zone…]',
    does: 'every zone beside its own past, worst first; on screen it is the picker, with zones it is printed',
    examples: [
      [
        'edgescope health --format table',
        'requests, hit ratio, 4xx and 5xx of the newest rows, and what stands out',
      ],
      ["edgescope health 'shop-*' checkout", 'of some zones, printed'],
      ["edgescope health --until 'any 5xx>5%'", 'wait until a zone fails; says which, and exits with 10'],
    ],
  },
  storage: {
    operands: '[zone]',
    does: 'the storage zones, or the settings of one; with `set Field=value…` it changes them',
    examples: [
      ['edgescope storage', 'the list'],
      ['edgescope storage press --format ndjson', 'the settings of one, printed without its passwords'],
      [
        'edgescope storage press set Rewrite404To200=true --confirm press --write',
        'change a setting; the verdict is printed',
      ],
    ],
  },
  open: {
    operands: '<file…|-> [query…]',
    query: 'logs',
    does: 'saved logs in the same pane: NDJSON, CSV, v1 lines; gzip or not; - is standard input',
    options: [
      'since',
      'from',
      'to',
      'follow',
      'limit',
      'format',
      'profile',
      'theme',
      'ascii',
      'utc',
      'local',
      'debug',
    ],
    examples: [
      ['edgescope open incident.ndjson.gz status:5xx', 'filters, groups, search and detail as on a live log'],
      ['zcat 08-01-26/*.log.gz | edgescope open - by:ip', 'day files, through standard input'],
      ['edgescope open -f day.log', 'go on with what is added to the file'],
      [
        'edgescope open eu.log us.log zone:4711 -- \'"union select"\'',
        'several files; free text goes after --',
      ],
    ],
  },
  keys: {
    operands: '',
    does: 'the API keys by id, roles and fingerprint',
    examples: [['edgescope keys --format csv', 'ids, roles and fingerprints, printed; never a value']],
  },
  sim: {
    operands: '',
    does: 'the simulator of the API as a server',
    examples: [['edgescope sim --port 8080 --seed 7', 'prints its addresses, and a key that it takes']],
  },
  config: {
    operands: 'check | path',
    does: 'check config.json and say what is in use; print where it is',
    words: ['check', 'path'],
    options: ['profile'],
    examples: [
      ['edgescope config check --profile work', 'what a start with this profile would use'],
      ['edgescope config path', 'the file to write'],
    ],
  },
  doctor: {
    operands: '',
    does: 'look at all that a session needs: each line is ok, or says what to do',
    options: ['profile', 'format', 'offline'],
    examples: [
      [
        'edgescope doctor',
        'Node, terminal, configuration, key, clock, quota, files; sends two requests at most',
      ],
      ['edgescope doctor --offline --format ndjson', 'the same without a request, an object a line'],
    ],
  },
  completion: {
    operands: 'bash | zsh | fish',
    does: 'print a script that completes this command line',
    words: ['bash', 'zsh', 'fish'],
    options: [],
    examples: [['edgescope completion bash > edgescope.bash', 'a file to be sourced by .bashrc']],
  },
  man: {
    operands: '',
    does: 'print the manual page: edgescope man | man -l -',
    options: [],
    examples: [['edgescope man > edgescope.1', 'man ./edgescope.1 shows it']],
  },
  help: {
    operands: '[command]',
    does: 'what a command takes, with examples; without one: the commands',
    options: [],
    examples: [['edgescope help logs', 'the same as edgescope logs --help']],
  },
} as const satisfies Record<string, CommandRow>;

export type CommandName = keyof typeof PROGRAM_COMMANDS;

/** The commands that ask the API. */
const ASKING = ['zones', 'logs', 'shield', 'health', 'storage', 'keys'] as const;

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
    for: ['logs', 'shield', 'open'],
    does: 'the window: 15m, 2h, as last:D; or its beginning: yesterday, 03:00',
  },
  from: {
    type: 'text',
    value: 'T',
    for: ['logs', 'shield', 'open'],
    does: "where the window begins, UTC: 03:00, yesterday, '11-21 03:00', a date and time, -2h",
  },
  to: {
    type: 'text',
    value: 'T',
    for: ['logs', 'shield', 'open'],
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
    does: "follow until EXPR holds of a minute, of all zones together, such as 'hit<60%' or 'blocked>500/min over 5m'; on screen: ring; health: 'any 5xx>5%', of the newest rows",
  },
  limit: { type: 'count', value: 'N', for: ['logs', 'shield', 'open'], does: 'printed: at most N rows' },
  day: { type: 'text', value: 'D', for: ['logs'], does: 'a whole UTC day: yesterday, 11-19, 2026-11-19' },
  v1: { type: 'boolean', for: ['logs'], does: 'printed: the legacy file of --day, where v2 is unavailable' },
  resume: {
    type: 'text',
    value: 'FILE',
    for: ['logs'],
    does: 'printed: note in FILE what is written, and go on from there',
    alone: 'reopen the view of the last session that was cut off, and read what arrived meanwhile',
  },
  format: { type: 'choice', value: 'F', choices: ['ndjson', 'csv', 'table'], does: 'ndjson, csv or table' },
  profile: { type: 'text', value: 'NAME', does: 'a profile of config.json' },
  theme: { type: 'choice', value: 'NAME', choices: THEME_NAMES, does: 'default, mono, safe or 16' },
  write: { type: 'boolean', does: 'let this session change settings of storage zones; else it only reads' },
  confirm: {
    type: 'text',
    value: 'NAME',
    for: ['storage'],
    does: 'with set: the name of the zone to change, in full',
  },
  ascii: { type: 'boolean', does: 'draw with ASCII only' },
  utc: { type: 'boolean', does: 'times in UTC, as unless said' },
  local: { type: 'boolean', does: 'times in local time' },
  debug: {
    type: 'text',
    value: 'FILE',
    does: 'write actions and requests to FILE as JSON lines, without secrets',
  },
  record: {
    type: 'text',
    value: 'FILE',
    for: ASKING,
    does: 'write every answer to a new FILE, without secrets, to be replayed',
  },
  replay: {
    type: 'text',
    value: 'FILE',
    for: ASKING,
    does: 'show a recorded session again: no key, no network',
  },
  offline: { type: 'boolean', for: ['doctor'], does: 'send no request' },
  port: { type: 'count', value: 'N', most: 65_535, for: ['sim'], does: 'the port to listen on' },
  rate: { type: 'count', value: 'R', does: 'the simulator: rows per second of its busiest zone' },
} as const satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof OPTIONS;

/** Options that are answered by a text, whatever else stands on the line. */
export const ANSWERED_OPTIONS = {
  help: { type: 'boolean', short: 'h', does: 'the commands; behind a command: what it takes' },
  version: { type: 'boolean', short: 'V', does: 'the version, its commit, and the Node that runs it' },
} as const satisfies Record<string, OptionRow>;

export type AnsweredOption = keyof typeof ANSWERED_OPTIONS;

/** The option that a word names in its long or short form. */
export function optionNamed(word: string): readonly [name: string, row: OptionRow] | undefined {
  return Object.entries<OptionRow>(OPTIONS).find(
    ([name, { short }]) => word === `--${name}` || word === `-${short}`,
  );
}

/** The options that act on a command. */
export function optionsOf(command: CommandName): [name: string, row: OptionRow][] {
  const { options }: CommandRow = PROGRAM_COMMANDS[command];
  return Object.entries<OptionRow>(OPTIONS).filter(
    ([name, row]) => (!row.for || row.for.includes(command)) && (!options || options.includes(name)),
  );
}
