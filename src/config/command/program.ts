import { QUESTION_IDS } from '../../domain/questions/asked/questions.ts';
import { OPTIONS, type OptionRow } from './options.ts';

/**
 * What the command line knows: the one source of `--help`, of the usage checks and of whatever else describes the
 * program to a shell.
 */
export type CommandRow = {
  /** Its words after the command, as the help writes them. */
  operands: string;
  does: string;
  /** Lines as typed, with what each is for. */
  examples: Readonly<Record<string, string>>;
  /** The log that its query asks. */
  query?: 'logs' | 'shield';
  /** The words of which one must follow. */
  words?: readonly string[];
  /** Of the options without commands of their own, those that act on it; all of them when absent. */
  shared?: readonly string[];
};

export const PROGRAM_COMMANDS = {
  zones: {
    operands: '',
    does: 'the zones by their health; printed: a list of them',
    examples: {
      edgescope: 'the picker, with the account of the environment or of the profile',
      'edgescope --demo': 'the same on the embedded simulator',
      'edgescope zones --format csv': 'the list, printed',
    },
  },
  logs: {
    operands: '<zone[,zone…]> [query…]',
    query: 'logs',
    does: "the log pane of a zone: its name, id or hostname; of several as one log: shop,api or 'shop-*'",
    examples: {
      'edgescope logs shop-eu status:5xx last:15m': 'what failed in the last quarter of an hour',
      "edgescope logs 'shop-*,api' -f status:5xx": 'several zones as one log, in order of time',
      "edgescope logs 'shop-*' by:zone,status --format table": 'what each of them answered, counted',
      "edgescope logs shop-eu --from 'yesterday 03:00' --to 04:00": 'an hour of yesterday, UTC',
      'edgescope logs shop-eu by:ip last:5m --limit 20 --format table': 'who asks most, printed',
      'edgescope logs shop-eu -f -ip:192.0.2.7 > rows.ndjson': 'follow into a file, one address left out',
      "edgescope logs shop-eu --until 'hit<60%'": 'follow until the hit ratio of a minute is that low',
      'edgescope logs shop-eu --day yesterday --resume place >> day.ndjson':
        'a whole day; the same command resumes that day where it was cut off',
    },
  },
  shield: {
    operands: '<zone> [query…]',
    query: 'shield',
    does: 'the Shield events of a zone, or of shield:<id>',
    examples: {
      'edgescope shield shop-eu action:blocked last:6h by:rule,asn':
        'what was blocked, by rule, then by network',
      'edgescope shield shop-eu ip:203.0.113.0/24 --rows': 'single events of a network',
      "edgescope shield shop-eu --until 'blocked>500/min over 5m'": 'wait for an attack',
    },
  },
  health: {
    operands: '[zone…]',
    does: 'every zone beside its own past, worst first; on screen it is the picker, with zones it is printed',
    examples: {
      'edgescope health --format table':
        'requests, hit ratio, 4xx and 5xx of the newest rows, and what stands out',
      "edgescope health 'shop-*' checkout": 'of some zones, printed',
      "edgescope health --until 'any 5xx>5%'": 'wait until a zone fails; says which, and exits with 10',
    },
  },
  ask: {
    operands: '<question> [zone[,zone…]] [query…]',
    query: 'logs',
    words: QUESTION_IDS,
    does: 'the answer to a question of the screens, printed',
    shared: ['format', 'profile', 'demo', 'seed', 'epoch', 'rate', 'debug'],
    examples: {
      'edgescope ask misses shop-eu last:30m': 'what started missing the cache in the last half hour',
      'edgescope ask compare shop-eu last:1h --against 1d --format table':
        'against the same hour of yesterday',
      'edgescope ask through shop-eu ip:203.0.113.7 last:6h --fail-if-found':
        'exits with 10 where one got through',
      "edgescope ask incidents 'shop-*' last:3h --most-requests 60":
        'which zone, since when, for 60 requests',
      'edgescope ask misses --file incident.ndjson.gz --format markdown': 'of a saved log, for a ticket',
    },
  },
  storage: {
    operands: '[zone]',
    does: 'the storage zones, or the settings of one; with `set Field=value…` it changes them',
    examples: {
      'edgescope storage': 'the list',
      'edgescope storage press --format ndjson': 'the settings of one, printed without its passwords',
      'edgescope storage press set Rewrite404To200=true --confirm press --write':
        'change a setting; the verdict is printed',
    },
  },
  open: {
    operands: '<file…|-> [query…]',
    query: 'logs',
    does: 'saved logs in the same pane: NDJSON, CSV, v1 lines, gzipped or not; - is standard input',
    shared: ['format', 'profile', 'theme', 'ascii', 'utc', 'local', 'debug'],
    examples: {
      'edgescope open incident.ndjson.gz status:5xx': 'filters, groups, search and detail as on a live log',
      'zcat 08-01-26/*.log.gz | edgescope open - by:ip': 'day files, through standard input',
      'edgescope open -f day.log': 'go on with what is added to the file',
      'edgescope open eu.log us.log zone:4711 -- \'"union select"\'':
        'several files; free text goes after --',
    },
  },
  keep: {
    operands: '<zone…>',
    does: 'follow zones for good and write their log to a store',
    shared: ['profile'],
    examples: {
      "edgescope keep 'shop-*' --store main --metrics 127.0.0.1:9464":
        'several zones, with figures for Prometheus',
      "edgescope keep 'shop-*' --store main --shared": 'the same on several hosts, each zone on one',
      'edgescope keep --import day.ndjson.gz 08-01-26/*.log --store main':
        'NDJSON, CSV or v1 lines, gzip or not',
      'zcat old.log.gz | edgescope keep --import -': 'standard input, into the only store of the profile',
      'edgescope keep --stored shop-eu --from 2026-11-01 --to 2026-11-08':
        'a week of the files of Permanent Log Storage',
    },
  },
  store: {
    operands: 'check | init | drop-before <day>',
    does: 'look at a store of logs, make it, drop days',
    words: ['check', 'init', 'drop-before'],
    shared: ['profile'],
    examples: {
      'edgescope store init --dry-run': 'print the statements that make the tables',
      'edgescope store check --store main':
        'version, rows and size; exits with 1 or 3 where something is wrong',
      'edgescope store drop-before 2026-08-01 --store main --confirm main':
        'drop all rows before that day, UTC',
    },
  },
  keys: {
    operands: '',
    does: 'the API keys by id, roles and fingerprint',
    examples: { 'edgescope keys --format csv': 'ids, roles and fingerprints, printed; never a value' },
  },
  mcp: {
    operands: '',
    does: 'serve agents by MCP; it only reads',
    shared: ['profile', 'demo', 'seed', 'epoch', 'rate', 'write'],
    examples: {
      'edgescope mcp --profile work': 'what an agent is told to start; a session may send 60 requests',
      'edgescope mcp --pseudonyms --most-requests 200': 'no address leaves, and more may be asked',
    },
  },
  skill: {
    operands: '',
    does: 'print a skill file: what agents run, and its price',
    shared: [],
    examples: { 'edgescope skill > SKILL.md': 'in a folder named edgescope among the skills of an agent' },
  },
  sim: {
    operands: '',
    does: 'the simulator of the API as a server',
    examples: { 'edgescope sim --port 8080 --seed 7': 'prints its addresses, and a key that it takes' },
  },
  config: {
    operands: 'check | path',
    does: 'check config.json, or print where it is',
    words: ['check', 'path'],
    shared: ['profile'],
    examples: {
      'edgescope config check --profile work': 'what a start with this profile would use',
      'edgescope config path': 'the file to write',
    },
  },
  doctor: {
    operands: '',
    does: 'look at what a session needs; say what to do',
    shared: ['profile', 'format'],
    examples: {
      'edgescope doctor':
        'Node, terminal, configuration, key, clock, quota, files; sends two requests at most',
      'edgescope doctor --offline --format ndjson': 'the same without a request, an object a line',
    },
  },
  completion: {
    operands: 'bash | zsh | fish',
    does: 'print a script that completes this command line',
    words: ['bash', 'zsh', 'fish'],
    shared: [],
    examples: { 'edgescope completion bash > edgescope.bash': 'a file to be sourced by .bashrc' },
  },
  man: {
    operands: '',
    does: 'print the manual page: edgescope man | man -l -',
    shared: [],
    examples: { 'edgescope man > edgescope.1': 'man ./edgescope.1 shows it' },
  },
  help: {
    operands: '[command]',
    does: 'what a command takes; alone: the commands',
    shared: [],
    examples: { 'edgescope help logs': 'the same as edgescope logs --help' },
  },
} as const satisfies Record<string, CommandRow>;

export type CommandName = keyof typeof PROGRAM_COMMANDS;

/** The options that act on a command. */
export function optionsOf(command: CommandName): [name: string, row: OptionRow][] {
  const { shared }: CommandRow = PROGRAM_COMMANDS[command];
  return Object.entries<OptionRow>(OPTIONS).filter(
    ([name, row]) => row.for?.includes(command) ?? shared?.includes(name) ?? true,
  );
}
