import meow from 'meow';
import { queryOfArguments } from '../domain/query-arguments.ts';

/** What the command line asked for, with usage errors found. Flags are as PRODUCT's contract has them. */
export type CommandLine = {
  command: 'zones' | 'logs' | 'shield' | 'keys' | 'sim';
  /** True when no command was named: the picker. */
  implicit: boolean;
  /** The zone of `logs` and `shield`. */
  zone: string | null;
  /** Query terms, joined as they would be typed in the query bar. */
  query: string;
  demo: boolean;
  seed: number;
  port: number;
  rate: number | null;
  follow: boolean;
  limit: number | null;
  format: Format | null;
  profile: string | null;
  ascii: boolean;
  theme: string | null;
  utc: boolean;
  debug: string | null;
};

export type Format = 'ndjson' | 'csv' | 'table';

export type Usage = { ok: true; value: CommandLine } | { ok: false; message: string };

const HELP = `
  Usage
    edgescope                        pick a zone and watch its CDN traffic
    edgescope logs <zone> [query…]   the log pane of a zone: its name, id or hostname
    edgescope shield <zone> [query…] the Shield events of a zone, or of shield:<id>
  edgescope zones | keys           lists; the keys by fingerprint, printed only
    edgescope sim                    the simulator of the API as a server

  With standard output not a terminal, or with --format, the same command prints data and exits.

  Query    status:5xx  -ip:192.0.2.7  ua~curl  url:/login*  ip:10.0.0.0/8  "free text"  last:15m  by:ip

  Options
    --demo               use the embedded simulator: no account, no key
    --seed N             its traffic; the same number gives the same traffic
    --since D            the window: 15m, 2h; the same as last:D
    --from T, --to T     the window in times, UTC; the same as from:T to:T
    -f, --follow         printed logs: go on with new rows
    --limit N            printed logs: at most N rows
    --format F           ndjson, csv or table
    --profile NAME       a profile of config.json
    --theme NAME         default, mono, safe or 16
    --ascii              draw with ASCII only
    --utc, --local       times in UTC (as unless said) or local time
    --debug FILE         write actions and requests to FILE as JSON lines, without secrets
    --port N, --rate R   sim: the port to listen on, rows per second of its busiest zone
    --help, --version

  Exit codes
    0 fine  1 the request failed  2 wrong usage  3 no or refused credentials  4 rate limited to the end  130 interrupted
`;

const COMMANDS = ['zones', 'logs', 'shield', 'keys', 'sim'] as const;
const FORMATS: readonly string[] = ['ndjson', 'csv', 'table'];

/** An excluding term such as `-ip:192.0.2.7` or `-ua~curl`, which a flag parser would take apart. */
const EXCLUSION = /^-[A-Za-z][A-Za-z0-9_]*[:~]|^-"/;

/** Reads the arguments; `--help`, `--version` and unknown flags end the program in meow, with 0 and 2. */
export function readCommandLine(
  argv: readonly string[],
  importMeta: ImportMeta,
  pkg: { name: string; version: string; description: string },
): Usage {
  const end = argv.indexOf('--');
  const before = withJoinedTimes(end < 0 ? argv : argv.slice(0, end));
  const after = end < 0 ? [] : argv.slice(end + 1);
  const exclusions = before.filter((word) => EXCLUSION.test(word));
  const { flags, input } = meow(HELP, {
    importMeta,
    pkg,
    argv: before.filter((word) => !EXCLUSION.test(word)),
    allowUnknownFlags: false,
    flags: {
      demo: { type: 'boolean', default: false },
      seed: { type: 'string' },
      port: { type: 'string' },
      rate: { type: 'string' },
      since: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      follow: { type: 'boolean', shortFlag: 'f', default: false },
      limit: { type: 'string' },
      format: { type: 'string' },
      profile: { type: 'string' },
      theme: { type: 'string' },
      ascii: { type: 'boolean', default: false },
      utc: { type: 'boolean', default: false },
      local: { type: 'boolean', default: false },
      debug: { type: 'string' },
    },
  });
  const [word, ...rest] = input;
  const command = COMMANDS.find((each) => each === (word ?? 'zones'));
  if (!command) return refused(`there is no command '${word}'; the commands are ${COMMANDS.join(', ')}`);
  const isAsked = command === 'logs' || command === 'shield';
  const zone = isAsked ? rest[0] : undefined;
  const terms = isAsked ? rest.slice(1) : rest;
  if (isAsked && zone === undefined) {
    return refused(
      `${command} needs a zone: edgescope ${command} <name, id or hostname>; 'edgescope zones' lists them`,
    );
  }
  if (!isAsked && flags.limit !== undefined) return refused('--limit goes with logs and shield');
  if (!isAsked && terms.length > 0)
    return refused(`${command} takes no further words, but got '${terms.join(' ')}'`);
  const numbers: Record<string, number | null> = {};
  for (const name of ['seed', 'port', 'rate', 'limit'] as const) {
    const text = flags[name];
    if (text !== undefined && !/^\d{1,9}$/.test(text))
      return refused(`--${name} takes a whole number, not '${text}'`);
    numbers[name] = text === undefined ? null : Number(text);
  }
  if (flags.format !== undefined && !FORMATS.includes(flags.format)) {
    return refused(`--format takes ndjson, csv or table, not '${flags.format}'`);
  }
  if (flags.utc && flags.local) return refused('--utc and --local exclude each other');
  const window = [
    ...(flags.since === undefined ? [] : [`last:${flags.since}`]),
    ...(flags.from === undefined ? [] : [`from:${flags.from}`]),
    ...(flags.to === undefined ? [] : [`to:${flags.to}`]),
  ];
  return {
    ok: true,
    value: {
      command,
      implicit: word === undefined,
      zone: zone ?? null,
      query: queryOfArguments(
        [...terms, ...exclusions, ...after, ...window],
        command === 'shield' ? 'shield' : 'logs',
      ),
      demo: flags.demo,
      seed: numbers['seed'] ?? 1,
      port: numbers['port'] ?? 0,
      rate: numbers['rate'] ?? null,
      follow: flags.follow,
      limit: numbers['limit'] ?? null,
      format: (flags.format as Format | undefined) ?? null,
      profile: flags.profile ?? null,
      ascii: flags.ascii,
      theme: flags.theme ?? null,
      utc: !flags.local,
      debug: flags.debug ?? null,
    },
  };
}

/** `--from -1h` is a time before now, which a flag parser would take for another flag. */
function withJoinedTimes(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (const word of argv) {
    const flag = words.at(-1) ?? '';
    if (/^--(from|to)$/.test(flag) && /^-\d/.test(word)) words[words.length - 1] = `${flag}=${word}`;
    else words.push(word);
  }
  return words;
}

function refused(message: string): Usage {
  return { ok: false, message };
}
