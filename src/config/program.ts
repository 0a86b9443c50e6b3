/**
 * What the command line knows: the one source of `--help`, of the usage checks and of whatever else describes the
 * program to a shell.
 */
export type CommandRow = {
  /** Its words after the command, as the help writes them. */
  operands: string;
  does: string;
};

export type OptionRow = {
  /** `count` is a whole number; `choice` one of `choices`. A text or count not given is null. */
  type: 'boolean' | 'text' | 'count' | 'choice';
  short?: string;
  /** What stands for the value in the help. */
  value?: string;
  choices?: readonly string[];
  /** The commands it acts on; all of them when absent. */
  for?: readonly string[];
  does: string;
};

export const PROGRAM_COMMANDS = {
  zones: { operands: '', does: 'pick a zone and watch its CDN traffic; printed: the list of zones' },
  logs: { operands: '<zone> [query…]', does: 'the log pane of a zone: its name, id or hostname' },
  shield: { operands: '<zone> [query…]', does: 'the Shield events of a zone, or of shield:<id>' },
  keys: { operands: '', does: 'the API keys by fingerprint, printed only' },
  sim: { operands: '', does: 'the simulator of the API as a server' },
} as const satisfies Record<string, CommandRow>;

export type CommandName = keyof typeof PROGRAM_COMMANDS;

export const OPTIONS = {
  demo: { type: 'boolean', does: 'use the embedded simulator: no account, no key' },
  seed: { type: 'count', value: 'N', does: 'its traffic; the same number gives the same traffic' },
  since: {
    type: 'text',
    value: 'D',
    for: ['logs', 'shield'],
    does: 'the window: 15m, 2h; the same as last:D',
  },
  from: { type: 'text', value: 'T', for: ['logs', 'shield'], does: 'where the window begins, UTC: from:T' },
  to: { type: 'text', value: 'T', for: ['logs', 'shield'], does: 'where the window ends, UTC: to:T' },
  follow: { type: 'boolean', short: 'f', for: ['logs'], does: 'printed logs: go on with new rows' },
  limit: { type: 'count', value: 'N', for: ['logs', 'shield'], does: 'printed: at most N rows' },
  day: { type: 'text', value: 'D', for: ['logs'], does: 'a whole UTC day, as 2026-11-19' },
  v1: { type: 'boolean', for: ['logs'], does: 'printed: the legacy file of --day, where v2 is unavailable' },
  resume: {
    type: 'text',
    value: 'FILE',
    for: ['logs'],
    does: 'printed: note in FILE what is written, and go on from there',
  },
  format: { type: 'choice', value: 'F', choices: ['ndjson', 'csv', 'table'], does: 'ndjson, csv or table' },
  profile: { type: 'text', value: 'NAME', does: 'a profile of config.json' },
  theme: {
    type: 'choice',
    value: 'NAME',
    choices: ['default', 'mono', 'safe', '16'],
    does: 'default, mono, safe or 16',
  },
  ascii: { type: 'boolean', does: 'draw with ASCII only' },
  utc: { type: 'boolean', does: 'times in UTC, as unless said' },
  local: { type: 'boolean', does: 'times in local time' },
  debug: {
    type: 'text',
    value: 'FILE',
    does: 'write actions and requests to FILE as JSON lines, without secrets',
  },
  port: { type: 'count', value: 'N', for: ['sim'], does: 'the port to listen on' },
  rate: { type: 'count', value: 'R', does: 'the simulator: rows per second of its busiest zone' },
} as const satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof OPTIONS;

/** Code and meaning, as scripts rely on them. */
export const EXIT_CODES = {
  0: 'fine',
  1: 'the request failed',
  2: 'wrong usage',
  3: 'no or refused credentials',
  4: 'rate limited to the end',
  130: 'interrupted',
} as const;

/** The text of `--help`. */
export function helpText(): string {
  const commands = Object.entries(PROGRAM_COMMANDS).map(([name, row]) => [
    name === 'zones' ? 'edgescope [zones]' : `edgescope ${name} ${row.operands}`.trimEnd(),
    row.does,
  ]);
  const options = Object.entries<OptionRow>(OPTIONS).map(([name, row]) => [
    `${row.short ? `-${row.short}, ` : ''}--${name}${row.value ? ` ${row.value}` : ''}`,
    row.for ? `${row.does} (${row.for.join(', ')})` : row.does,
  ]);
  options.push(['--help, --version', '']);
  const codes = Object.entries(EXIT_CODES).map(([code, meaning]) => `${code} ${meaning}`);
  return [
    '',
    '  Usage',
    ...inColumns(commands),
    '',
    '  With standard output not a terminal, or with --format, the same command prints data and exits.',
    '',
    '  Query    status:5xx  -ip:192.0.2.7  ua~curl  url:/login*  ip:10.0.0.0/8  "free text"  last:15m  by:ip',
    '',
    '  Options',
    ...inColumns(options),
    '',
    '  Exit codes',
    `    ${codes.join('  ')}`,
    '',
  ].join('\n');
}

function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widest = Math.max(...rows.map(([left = '']) => left.length));
  return rows.map(([left = '', right = '']) => `    ${left.padEnd(widest)}  ${right}`.trimEnd());
}
