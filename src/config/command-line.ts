import meow from 'meow';
import { queryOfArguments } from '../domain/query/query-text.ts';
import { END_OF_TIME, parseDay, parseDuration, parseMoment } from '../domain/query/query-time.ts';
import { readAssignments } from '../domain/storage/storage-assignments.ts';
import type { StorageDraft } from '../domain/storage/storage-edit.ts';
import { EXCLUSION, oddFlag, SHORT, switched, withJoinedTimes } from './flag-words.ts';
import { bareWords, commandHelp, helpAsked, helpText, inWords } from './help.ts';
import {
  ANSWERED_OPTIONS,
  type AnsweredOption,
  type CommandName,
  type CommandRow,
  OPTIONS,
  type OptionName,
  type OptionRow,
  PROGRAM_COMMANDS,
} from './program.ts';
import { versionLine } from './version.ts';

/** The value of each option, as its row in the table has it. */
type OptionValues = {
  [N in OptionName]: (typeof OPTIONS)[N] extends { type: 'boolean' }
    ? boolean
    : (typeof OPTIONS)[N] extends { type: 'count' }
      ? number | null
      : (typeof OPTIONS)[N] extends { choices: readonly (infer Choice)[] }
        ? Choice | null
        : string | null;
};

/** What the command line asked for. */
export type CommandLine = Omit<OptionValues, 'since' | 'from' | 'to' | 'local' | 'confirm'> & {
  command: CommandName;
  /** True when no command was named: the picker. */
  implicit: boolean;
  /** The zone of `logs` and `shield`, the zones of `health` with commas between them, or the storage zone. */
  zone: string | null;
  /** What `open` reads: paths, or `-` for standard input. */
  files: readonly string[];
  /** What `config` and `completion` are to do. */
  word: string | null;
  /** Query terms and the window, joined as they would be typed in the query bar. */
  query: string;
  /** `storage <zone> set …`: what to change, and the name that was given to confirm it. */
  edit: { draft: StorageDraft; confirm: string } | null;
};

export type Format = NonNullable<CommandLine['format']>;

export type Usage = { ok: true; value: CommandLine } | { ok: false; message: string };

const COMMANDS = Object.keys(PROGRAM_COMMANDS) as CommandName[];

/** Where whoever typed something else finds more. */
export const USAGE_HINT = 'edgescope help lists the commands, edgescope help <command> what each takes';

/**
 * What `help`, or `--help` and `--version` wherever they stand before `--`, are answered with: a text, or why there is
 * none; null when nothing asks for it.
 */
export function answerOf(
  argv: readonly string[],
  pkg: { version: string; description: string },
): { ok: true; text: string } | { ok: false; message: string } | null {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const names = Object.keys(ANSWERED_OPTIONS) as AnsweredOption[];
  const asks = (word: string, name: AnsweredOption) =>
    word === `--${name}` || word === `-${ANSWERED_OPTIONS[name].short}`;
  const first = words.find((word) => names.some((name) => asks(word, name)));
  if (first === undefined && bareWords(words)[0] !== 'help') return null;
  if (first !== undefined && asks(first, 'version'))
    return { ok: true, text: `${versionLine(pkg.version)}\n` };
  const asked = helpAsked(words);
  if ('unknown' in asked) return refused(unknownCommand(asked.unknown));
  return { ok: true, text: asked.command === null ? helpText(pkg.description) : commandHelp(asked.command) };
}

function unknownCommand(word: string): string {
  return `there is no command '${word}'; the commands are ${COMMANDS.join(', ')}`;
}

/** Reads the arguments, less those that `answerOf` answers. */
export function readCommandLine(
  argv: readonly string[],
  importMeta: ImportMeta,
  pkg: { name: string; version: string; description: string },
): Usage {
  const end = argv.indexOf('--');
  const before = withJoinedTimes(end < 0 ? argv : argv.slice(0, end));
  const after = end < 0 ? [] : argv.slice(end + 1);
  const odd = oddFlag(before);
  if (odd !== null) return refused(odd);
  const exclusions = before.filter((word) => EXCLUSION.test(word));
  const { unnormalizedFlags, input } = meow({
    importMeta,
    pkg,
    autoHelp: false,
    autoVersion: false,
    argv: before.filter((word) => !EXCLUSION.test(word)).map(switched),
    flags: meowFlags(),
  });
  const given: Record<string, unknown> = unnormalizedFlags;
  const [word, ...rest] = input;
  const command = COMMANDS.find((each) => each === (word ?? 'zones'));
  if (!command) return refused(unknownCommand(word ?? ''));
  const options = optionValues(given, command, word === undefined);
  if (typeof options === 'string') return refused(options);
  const isAsked = command === 'logs' || command === 'shield';
  const zone = isAsked ? rest[0] : undefined;
  const row: CommandRow = PROGRAM_COMMANDS[command];
  const files = command === 'open' ? filesOf(rest) : [];
  const terms = rest.slice(isAsked || row.words ? 1 : files.length);
  if (isAsked && !zone) {
    return refused(
      `${command} needs a zone: edgescope ${command} <name, id or hostname>; 'edgescope zones' lists them`,
    );
  }
  if (command === 'open' && files.length === 0) {
    return refused('open needs a file: edgescope open <file...> [query...], or - for standard input');
  }
  if (files.includes(''))
    return refused('open got an empty word where a file stands, perhaps an unset variable');
  const storage = command === 'storage' ? storageWords(rest, options) : null;
  if (typeof storage === 'string') return refused(storage);
  if (row.words && !row.words.includes(rest[0] ?? ''))
    return refused(
      `${command} takes ${inWords(row.words, 'or')}${rest[0] === undefined ? '' : `, not '${rest[0]}'`}`,
    );
  const isHealth = command === 'health';
  if (isHealth && rest.includes(''))
    return refused('health got an empty word where a zone stands, perhaps an unset variable');
  const term = isHealth ? [...exclusions, ...after][0] : undefined;
  if (term !== undefined) return refused(`health takes zones alone, but got '${term}'`);
  const named = isHealth && rest.length > 0 ? rest.join(',') : null;
  if (!isAsked && !isHealth && storage === null && command !== 'open' && terms.length > 0)
    return refused(`${command} takes no further words, but got '${terms.join(' ')}'`);
  const { since, from, to, local, confirm: _, ...flags } = options;
  if (flags.replay !== null && (flags.record !== null || flags.demo || flags.write))
    return refused('--replay sends no requests: it excludes --record, --demo and --write');
  if (flags.utc && local) return refused('--utc and --local exclude each other');
  const clash = clashOf(options);
  if (clash !== null) return refused(clash);
  const window = [
    ...(flags.day === null || flags.v1 ? [] : [`from:${flags.day} last:1d`]),
    ...(since === null ? [] : [`${isMoment(since) ? 'from' : 'last'}:${asOneValue(since)}`]),
    ...(from === null ? [] : [`from:${asOneValue(from)}`]),
    ...(to === null ? [] : [`to:${asOneValue(to)}`]),
  ];
  return {
    ok: true,
    value: {
      ...flags,
      command,
      implicit: word === undefined,
      zone: zone ?? storage?.zone ?? named,
      edit: storage?.edit ?? null,
      files,
      word: row.words ? (rest[0] ?? null) : null,
      query: queryOfArguments(
        [...((storage ?? named) === null ? terms : []), ...exclusions, ...after, ...window],
        row.query ?? 'logs',
      ),
      follow: flags.follow || flags.until !== null,
      utc: !local,
    },
  };
}

/** A term of the query, such as `status:5xx` or `ua~curl`; a file of such a name is written with `./` before it. */
const TERM = /^-?[A-Za-z][A-Za-z0-9_]*[:~]|^-?"/;

/** The words before the first term: a name may hold anything, and free text looks like a name. */
function filesOf(words: readonly string[]): string[] {
  const first = words.findIndex((word) => TERM.test(word));
  return words.slice(0, first < 0 ? words.length : first);
}

/** Why options of `logs` make no sense together; null when they do. */
function clashOf({
  day,
  v1,
  follow,
  resume,
  until,
  limit,
  replay,
  since,
  from,
  to,
}: OptionValues): string | null {
  if (until !== null) {
    if ((day ?? to ?? limit ?? resume) !== null || v1)
      return '--until waits for what comes; leave out --day, --to, --limit, --resume and --v1';
    if (replay !== null) return '--until waits for what comes, and a recording has its end';
  }
  const read = day === null ? null : parseDay(day, END_OF_TIME);
  if (read?.ok === false) return `--day takes a day such as yesterday or 2026-11-19: ${read.message}`;
  if (v1 && day === null) return '--v1 reads the file of a day: add --day 2026-11-19';
  if (day !== null && (since ?? from ?? to) !== null)
    return '--day is the whole window; leave out the others';
  if (follow && day !== null) return '--follow has no end, so it takes no --day';
  if (follow && resume !== null) return '--resume continues a window that ends; leave out --follow';
  return v1 && resume !== null ? '--resume continues slices of time, which v1 does not have' : null;
}

/** `--since yesterday` names where the window begins, and `--since 15m` how long it is. */
function isMoment(since: string): boolean {
  return parseDuration(since) === null && parseMoment(since, END_OF_TIME).ok;
}

/** `[zone] [set Field=value…]`; a change needs `--write` and the zone's name, and nothing is asked before both are there. */
function storageWords(
  [zone, verb, ...words]: readonly string[],
  { write, confirm }: OptionValues,
): { zone: string | null; edit: CommandLine['edit'] } | string {
  if (verb === undefined) return { zone: zone ?? null, edit: null };
  if (verb !== 'set') return `after a storage zone only 'set Field=value…' can stand, not '${verb}'`;
  const assigned = readAssignments(words);
  if (!assigned.ok) return assigned.message;
  if (!write) return 'set changes a live zone: nothing is sent without --write';
  if (confirm === null) return 'set needs --confirm with the full name of the zone';
  return { zone: zone ?? null, edit: { draft: assigned.draft, confirm } };
}

/** A value of a flag as one value of the query, whatever it holds. */
function asOneValue(text: string): string {
  return /[\s,"\\\u201c\u201d]/.test(text)
    ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    : text;
}

/** The options as the table types them, or why one cannot be taken. */
function optionValues(
  given: Record<string, unknown>,
  command: CommandName,
  isImplicit: boolean,
): OptionValues | string {
  const values: Record<string, unknown> = {};
  const { options }: CommandRow = PROGRAM_COMMANDS[command];
  for (const name of Object.keys(given)) {
    if (!(name in OPTIONS) && !SHORT.includes(name)) return `there is no option '-${name}'`;
  }
  for (const [name, row] of Object.entries<OptionRow>(OPTIONS)) {
    const text = given[name];
    const isGiven = row.type === 'boolean' ? text === true : text !== undefined;
    const isAlone = row.alone !== undefined && isImplicit && text === '';
    if (isGiven && row.alone !== undefined && text === '' && !isAlone)
      return `--${name} needs its ${row.value}; alone, as edgescope --${name}, it resumes a lost session`;
    if (isGiven && row.for && !row.for.includes(command) && !isAlone)
      return `--${name} goes with ${inWords(row.for, 'and')}`;
    if (isGiven && options && !options.includes(name)) return `${command} takes no --${name}`;
    if (row.type === 'boolean') values[name] = isGiven;
    else if (!isGiven) values[name] = null;
    else if (row.type === 'count') {
      if (!/^\d{1,9}$/.test(String(text))) return `--${name} takes a whole number, not '${text}'`;
      values[name] = Number(text);
      if (row.most !== undefined && Number(text) > row.most)
        return `--${name} goes up to ${row.most}, not ${text}`;
    } else {
      if (row.choices && !row.choices.includes(String(text)))
        return `--${name} takes ${inWords(row.choices, 'or')}, not '${text}'`;
      values[name] = String(text);
    }
  }
  return values as OptionValues;
}

function meowFlags() {
  return Object.fromEntries(
    Object.entries<OptionRow>(OPTIONS).map(([name, row]) => [
      name,
      {
        type: row.type === 'boolean' ? ('boolean' as const) : ('string' as const),
        ...(row.short ? { shortFlag: row.short } : {}),
      },
    ]),
  );
}

function refused(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
