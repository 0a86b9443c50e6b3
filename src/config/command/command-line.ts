import meow from 'meow';
import type { QuerySubject } from '../../domain/query/query.ts';
import { queryOfArguments } from '../../domain/query/query-text.ts';
import { END_OF_TIME, parseDuration, parseMoment } from '../../domain/query/query-time.ts';
import { type QuestionId, subjectOf } from '../../domain/questions/asked/questions.ts';
import { readAssignments } from '../../domain/storage/storage-assignments.ts';
import type { StorageDraft } from '../../domain/storage/storage-edit.ts';
import { clashOf, questionClash, storeWords } from './clashes.ts';
import { EXCLUSION, oddFlag, SHORT, switched, withJoinedTimes } from './flag-words.ts';
import { bareWords, commandHelp, helpAsked, helpText, inWords } from './help.ts';
import type { ListenAddress } from './listen-address.ts';
import {
  ANSWERED_OPTIONS,
  type AnsweredOption,
  choicesOf,
  OPTIONS,
  type OptionRow,
  type OptionValues,
} from './options.ts';
import { type CommandName, type CommandRow, PROGRAM_COMMANDS } from './program.ts';
import { versionLine } from './version.ts';

/** What the command line asked for. */
export type CommandLine = Omit<
  OptionValues,
  'since' | 'from' | 'to' | 'local' | 'file' | 'format' | 'metrics'
> & {
  command: CommandName;
  format: Exclude<OptionValues['format'], 'markdown'>;
  /** The format of answers alone. */
  isMarkdown: boolean;
  /** The log that its query is of. */
  subject: QuerySubject;
  /** True when no command was named: the picker. */
  implicit: boolean;
  /** The zone of `logs` and `shield`, the zones of `health` and `keep` with commas between them, or the storage zone. */
  zone: string | null;
  /** Where `keep` serves its figures. */
  metrics: ListenAddress | null;
  /** What `open`, `keep` and `ask --file` read: paths, or `-` for standard input; the day of `store drop-before`. */
  files: readonly string[];
  /** What `config`, `store` and `completion` are to do, and what `ask` asks. */
  word: string | null;
  /** Query terms and the window, joined as they would be typed in the query bar. */
  query: string;
  /** `storage <zone> set …`: what to change, and the name that was given to confirm it. */
  edit: { draft: StorageDraft; confirm: string } | null;
};

export type Format = NonNullable<CommandLine['format']>;

export type Usage = { ok: true; value: CommandLine } | { ok: false; message: string };

const FLAGS = Object.keys(OPTIONS).map(flagName);

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
  const row: CommandRow = PROGRAM_COMMANDS[command];
  if (row.words && !row.words.includes(rest[0] ?? ''))
    return refused(
      `${command} takes ${inWords(row.words, 'or')}${rest[0] === undefined ? '' : `, not '${rest[0]}'`}`,
    );
  const kept = command === 'keep' || command === 'store' ? storeWords(command, rest, options) : null;
  if (typeof kept === 'string') return refused(kept);
  const operands = row.words ? rest.slice(1) : rest;
  const isQuestion = command === 'ask';
  const isAsked = command === 'logs' || command === 'shield' || (isQuestion && options.file.length === 0);
  const zone = isAsked ? operands[0] : undefined;
  const files = command === 'open' ? filesOf(rest) : options.file;
  const terms = operands.slice(isAsked ? 1 : command === 'open' ? files.length : 0);
  if (isAsked && !zone) {
    return refused(
      `${command} needs a zone: edgescope ${command} ${isQuestion ? `${rest[0]} ` : ''}<name, id or hostname>; 'edgescope zones' lists them${isQuestion ? ', --file asks of a saved log' : ''}`,
    );
  }
  if (command === 'open' && files.length === 0) {
    return refused('open needs a file: edgescope open <file...> [query...], or - for standard input');
  }
  if (files.includes(''))
    return refused(`${command} got an empty word where a file stands, perhaps an unset variable`);
  const storage = command === 'storage' ? storageWords(rest, options) : null;
  if (typeof storage === 'string') return refused(storage);
  const isHealth = command === 'health';
  if (isHealth && rest.includes(''))
    return refused('health got an empty word where a zone stands, perhaps an unset variable');
  const term = isHealth ? [...exclusions, ...after][0] : undefined;
  if (term !== undefined) return refused(`health takes zones alone, but got '${term}'`);
  const named = isHealth && rest.length > 0 ? rest.join(',') : null;
  const hasWords = row.query !== undefined || isHealth || (storage ?? kept) !== null;
  if (!hasWords && terms.length > 0)
    return refused(`${command} takes no further words, but got '${terms.join(' ')}'`);
  const { since, from, to, local, file: _, metrics: __, ...flags } = options;
  if (flags.utc && local) return refused('--utc and --local exclude each other');
  const question = isQuestion ? (rest[0] as QuestionId) : null;
  const clash = clashOf(options) ?? (question && questionClash(question, options));
  if (clash !== null) return refused(clash);
  const subject = question ? subjectOf(question, options.shield) : (row.query ?? 'logs');
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
      format: flags.format === 'markdown' ? null : flags.format,
      isMarkdown: flags.format === 'markdown',
      subject,
      implicit: word === undefined,
      zone: zone ?? storage?.zone ?? kept?.zone ?? named,
      edit: storage?.edit ?? null,
      files: kept?.files ?? files,
      metrics: kept?.metrics ?? null,
      word: row.words ? (rest[0] ?? null) : null,
      query: queryOfArguments(
        [...((storage ?? named ?? kept) === null ? terms : []), ...exclusions, ...after, ...window],
        subject,
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
  const { shared }: CommandRow = PROGRAM_COMMANDS[command];
  for (const name of Object.keys(given)) {
    if (!FLAGS.includes(name) && !SHORT.includes(name)) return `there is no option '-${name}'`;
  }
  for (const [name, row] of Object.entries<OptionRow>(OPTIONS)) {
    const text = given[flagName(name)];
    const isGiven = isSet(row, text);
    const isAlone = row.alone !== undefined && isImplicit && text === '';
    if (isGiven && row.alone !== undefined && text === '' && !isAlone)
      return `--${name} needs its ${row.value}; alone, as edgescope --${name}, it resumes a lost session`;
    if (isGiven && row.for && !row.for.includes(command) && !isAlone)
      return `--${name} goes with ${inWords(row.for, 'and')}`;
    if (isGiven && !row.for && shared?.includes(name) === false) return `${command} takes no --${name}`;
    if (row.type === 'boolean') values[name] = isGiven;
    else if (row.type === 'texts') values[name] = isGiven ? text : [];
    else if (!isGiven) values[name] = null;
    else if (row.type === 'count') {
      if (!/^\d{1,9}$/.test(String(text))) return `--${name} takes a whole number, not '${text}'`;
      values[name] = Number(text);
      if (row.most !== undefined && Number(text) > row.most)
        return `--${name} goes up to ${row.most}, not ${text}`;
    } else {
      const choices = choicesOf(row, command);
      if (choices && !choices.includes(String(text)))
        return `--${name} takes ${inWords(choices, 'or')}, not '${text}'`;
      values[name] = String(text);
    }
  }
  return values as OptionValues;
}

/** The flag parser knows an option by its name without hyphens: `mostRequests`. */
function flagName(option: string): string {
  return option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The parser makes a list of what may be given again, and an empty one where it is not given. */
function isSet({ type }: OptionRow, value: unknown): boolean {
  if (type === 'boolean') return value === true;
  return type === 'texts' ? Array.isArray(value) && value.length > 0 : value !== undefined;
}

function meowFlags() {
  return Object.fromEntries(
    Object.entries<OptionRow>(OPTIONS).map(([name, row]) => [
      flagName(name),
      {
        type: row.type === 'boolean' ? ('boolean' as const) : ('string' as const),
        ...(row.short ? { shortFlag: row.short } : {}),
        ...(row.type === 'texts' ? { isMultiple: true } : {}),
      },
    ]),
  );
}

function refused(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
