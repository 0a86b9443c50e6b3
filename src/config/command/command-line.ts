import meow from 'meow';
import type { Query, QuerySubject } from '../../domain/query/query.ts';
import { queryOfArguments } from '../../domain/query/query-text.ts';
import {
  END_OF_TIME,
  momentTime,
  parseDay,
  parseDuration,
  parseMoment,
  printMoment,
} from '../../domain/query/query-time.ts';
import { type QuestionId, questionOf, subjectOf } from '../../domain/questions/asked/questions.ts';
import { readAssignments, type StorageDraft } from '../../domain/storage/storage-edit.ts';
import type { Settings } from '../settings/settings.ts';
import { type ListenAddress, parseListenAddress } from './listen-address.ts';
import {
  ANSWERED_OPTIONS,
  type AnsweredOption,
  choicesOf,
  OPTIONS,
  type OptionName,
  type OptionRow,
  type OptionValues,
  optionNamed,
} from './options.ts';
import { type CommandName, type CommandRow, PROGRAM_COMMANDS } from './program.ts';
import { bareWords, commandHelp, helpAsked, helpText, inWords } from './usage.ts';
import { versionLine } from './version.ts';

/** What the command line asked for. */
export type CommandLine = Omit<
  OptionValues,
  'since' | 'from' | 'to' | 'status' | 'local' | 'file' | 'format' | 'metrics'
> & {
  command: CommandName;
  format: Exclude<OptionValues['format'], 'markdown'>;
  /** Markdown, which only answers have. */
  isMarkdown: boolean;
  /** The log that its query asks. */
  subject: QuerySubject;
  /** True when no command was named, which opens the picker. */
  implicit: boolean;
  /** The zone of `logs` and `shield`, the comma-separated zones of `health` and `keep`, or the storage zone. */
  zone: string | null;
  /** Where `keep` serves its figures. */
  metrics: ListenAddress | null;
  /** What `open`, `keep` and `ask --file` read: paths, or `-` for standard input; the day of `store drop-before`. */
  files: readonly string[];
  /** What `config`, `store` and `completion` should do, and what `ask` asks. */
  word: string | null;
  /** Query terms and the window, joined as in the query bar. */
  query: string;
  /** `storage <zone> set …`: the changes, and the name given to confirm them. */
  edit: { draft: StorageDraft; confirm: string } | null;
};

export type Format = NonNullable<CommandLine['format']>;

export type Usage = { ok: true; value: CommandLine } | { ok: false; message: string };

const FLAGS = Object.keys(OPTIONS).map(flagName);

const COMMANDS = Object.keys(PROGRAM_COMMANDS) as CommandName[];

/** Where to find more after a mistake. */
export const USAGE_HINT = 'edgescope help lists the commands, edgescope help <command> what each takes';

/**
 * The answer to `help`, or to `--help` and `--version` anywhere before `--`: a text, or why there is none; null when
 * nothing asks for it.
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
  const { since, from, to, status, local, file: _, metrics: __, ...flags } = options;
  if (flags.utc && local) return refused('--utc and --local exclude each other');
  const question = isQuestion ? (rest[0] as QuestionId) : null;
  const clash = clashOf(options) ?? (question && questionClash(question, options));
  if (clash !== null) return refused(clash);
  const subject = question ? subjectOf(question, options.shield) : (row.query ?? 'logs');
  const spelled = [
    ...(status === null ? [] : [`status:${status}`]),
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
        [...((storage ?? named ?? kept) === null ? terms : []), ...exclusions, ...after, ...spelled],
        subject,
      ),
      follow: flags.follow || flags.until !== null,
      utc: !local,
    },
  };
}

/** A query term such as `status:5xx` or `ua~curl`; a file of such a name needs `./` before it. */
const TERM = /^-?[A-Za-z][A-Za-z0-9_]*[:~]|^-?"/;

/** The words before the first term: a name may hold anything, and free text looks like one. */
function filesOf(words: readonly string[]): string[] {
  const first = words.findIndex((word) => TERM.test(word));
  return words.slice(0, first < 0 ? words.length : first);
}

/** `--since yesterday` says when the window begins, `--since 15m` how long it is. */
function isMoment(since: string): boolean {
  return parseDuration(since) === null && parseMoment(since, END_OF_TIME).ok;
}

/** `[zone] [set Field=value…]`; a change needs `--write` and the zone's name before anything is asked. */
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

/** A flag's value as one value of the query, whatever it holds. */
function asOneValue(text: string): string {
  return /[\s,"\\\u201c\u201d]/.test(text)
    ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    : text;
}

/** The options as the table types them, or why one is refused. */
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

/** The parser makes a list of an option that may be repeated, and an empty one where it is absent. */
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

/**
 * An excluding term, which a flag parser would take apart: `-ip:192.0.2.7`, `-ua~curl`, `-"a b"` even without its
 * quotes, and whatever no flag begins with, such as `-/login*` or `-404`.
 */
const EXCLUSION = /^-[A-Za-z][A-Za-z0-9_]*[:~]|^-[^-A-Za-z]|^-[^-].*\s/s;

const SHORT = Object.values<OptionRow>(OPTIONS).flatMap((row) => row.short ?? []);

/**
 * A flag that is unknown, repeated or has a value that it cannot have. Read from the words themselves: the flag
 * parser takes `--no-` for a negation, changes the case of what it does not know and throws at repetition.
 */
function oddFlag(words: readonly string[]): string | null {
  const seen = new Set<string>();
  for (const word of words) {
    if (EXCLUSION.test(word)) continue;
    if (/^-[A-Za-z]/.test(word) && !SHORT.includes(word.slice(1))) {
      const meant = word.length > 2 ? `; to exclude a text write -- ${word}` : '';
      return `there is no option '${word}'${meant}`;
    }
    const [, name, value] = /^--([^=]+)(=.*)?$/s.exec(word) ?? [];
    if (name === undefined) continue;
    const row: OptionRow | undefined = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : undefined;
    if (row === undefined && !Object.hasOwn(ANSWERED_OPTIONS, name)) return `there is no option '--${name}'`;
    if (row?.type === 'boolean' || row === undefined) {
      if (value !== undefined) return `--${name} takes no value`;
    } else if (seen.has(name)) return `--${name} is given twice; leave one out`;
    seen.add(name);
  }
  return null;
}

/** A switch with its value, so that the parser takes no word `true` or `false` behind it for one. */
export function switched(word: string): string {
  const [name, row] = optionNamed(word) ?? [];
  return row?.type === 'boolean' ? `--${name}=true` : word;
}

/** `--from -1h` is a time before now, which a flag parser would take for another flag. */
function withJoinedTimes(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (const word of argv) {
    const flag = words.at(-1) ?? '';
    if (/^--(since|from|to)$/.test(flag) && /^-\d/.test(word)) words[words.length - 1] = `${flag}=${word}`;
    else words.push(word);
  }
  return words;
}

/** Why options clash; null when they do not. */
function clashOf(options: OptionValues): string | null {
  const { day, v1, follow, resume, until, limit, since, from, to, status, order } = options;
  if (status !== null && !/^[1-5][\dx]{2}(?:,[1-5][\dx]{2})*$/i.test(status))
    return `--status takes codes and classes, as in 404,5xx, not '${status}'`;
  if (order !== null && (follow || until !== null || v1 || resume !== null))
    return '--order takes no --follow, --until, --v1 or --resume';
  if (until !== null && ((day ?? to ?? limit ?? resume) !== null || v1))
    return '--until waits for what comes; leave out --day, --to, --limit, --resume and --v1';
  const read = day === null ? null : parseDay(day, END_OF_TIME);
  if (read?.ok === false) return `--day takes a day such as yesterday or 2026-11-19: ${read.message}`;
  if (v1 && day === null) return '--v1 reads the file of a day: add --day 2026-11-19';
  if (day !== null && (since ?? from ?? to) !== null)
    return '--day is the whole window; leave out the others';
  if (follow && day !== null) return '--follow has no end, so it takes no --day';
  if (follow && resume !== null) return '--resume continues a window that ends; leave out --follow';
  return v1 && resume !== null ? '--resume continues slices of time, which v1 does not have' : null;
}

/** Why options clash with the question; null when they do not. */
function questionClash(question: QuestionId, { against, shield, file, demo }: OptionValues): string | null {
  const { isCompared, subject, shield: asksShield } = questionOf(question);
  if (against !== null && !isCompared) return `--against goes with misses and compare, not with ${question}`;
  if (shield && question !== 'compare') return `--shield goes with compare, not with ${question}`;
  if (file.length === 0) return null;
  if (shield || subject === 'shield' || asksShield === 'always')
    return 'saved logs hold no Shield events; leave out --file, and name a zone';
  return demo ? '--file asks no server: leave out --demo' : null;
}

/** The words behind `store` or `keep`: the day of `drop-before`, files, or zones. A text says why they are refused. */
function storeWords(
  command: 'store' | 'keep',
  words: readonly string[],
  options: OptionValues,
): { files: readonly string[]; zone?: string; metrics?: ListenAddress | null } | string {
  if (words.includes('')) return `${command} got an empty word, perhaps an unset variable`;
  if (command === 'keep') {
    if (options.import && options.stored)
      return '--import reads files, and --stored those of the platform; leave out one';
    const begins = options.since ?? options.from;
    if (!options.stored && (begins ?? options.to) !== null)
      return '--since, --from and --to go with keep --stored: keep reads what comes, and --import all of a file';
    if (options.stored && begins === null)
      return 'keep --stored needs to know since when: --from 2026-11-01, or --since 7d';
    const metrics = options.metrics === null ? null : parseListenAddress(options.metrics);
    if (options.metrics !== null && metrics === null)
      return `--metrics takes an address and a port, such as 127.0.0.1:9464, not '${options.metrics}'`;
    if (metrics !== null && (options.import || options.stored))
      return '--metrics serves the figures of what is followed; leave out --import and --stored';
    if (options.shared && (options.import || options.stored))
      return '--shared shares zones that are followed; leave out --import and --stored';
    if (!options.import)
      return words.length > 0
        ? { files: [], zone: words.join(','), metrics }
        : 'keep needs a zone: edgescope keep <zone…>, or files: edgescope keep --import <file…>';
    return words.length > 0 ? { files: words } : 'keep --import needs a file, or - for standard input';
  }
  const [verb, day, ...more] = words;
  if (options['dry-run'] && verb !== 'init') return '--dry-run goes with store init';
  if (options.confirm !== null && verb !== 'drop-before') return '--confirm goes with store drop-before';
  if (verb !== 'drop-before')
    return day === undefined ? { files: [] } : `store ${verb} takes no further words, but got '${day}'`;
  if (day === undefined || more.length > 0)
    return 'drop-before takes one day: edgescope store drop-before 2026-08-01';
  // Only calendar days: what is dropped must not depend on when the command runs.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !parseDay(day, END_OF_TIME).ok)
    return `drop-before takes a day such as 2026-08-01, not '${day}'`;
  return { files: [day] };
}

/** Whether a command prints its data on a terminal, too: no screen shows what it was asked for. */
export function isAlwaysPrinted({ command, format, edit, v1, resume, zone, until }: CommandLine): boolean {
  if (command === 'ask' || command === 'mcp' || command === 'keep') return true;
  if (command === 'health' && (zone ?? until) !== null) return true;
  return format !== null || edit !== null || v1 || resume !== null;
}

/** The zone that the command line, or else the profile, opens the screen at; null: none. */
export function wantedZone(line: CommandLine, { zone }: Pick<Settings, 'zone'>, query: Query) {
  if (line.command === 'storage') return null;
  const word = line.zone ?? (line.implicit ? zone : null);
  const screen = line.command === 'shield' ? ('shield' as const) : ('logs' as const);
  return word === null ? null : { word, query, screen, rows: line.rows };
}

/** The simulator's seed, where none is given. */
export const USUAL_SEED = 1;

/** The values that the simulator's rows are a function of. */
export function trafficOf({ seed, rate }: CommandLine, epoch: number) {
  return { seed: seed ?? USUAL_SEED, rate: rate ?? undefined, epoch };
}

/** The flags with which a colleague's start sees the same account, or the same simulated one. */
export function accountFlags(line: CommandLine, epoch: number): string[] {
  const profile = line.profile === null ? [] : ['--profile', line.profile];
  const rate = line.rate === null ? [] : ['--rate', String(line.rate)];
  return line.demo
    ? ['--demo', '--seed', String(line.seed ?? USUAL_SEED), '--epoch', printMoment(epoch), ...rate]
    : profile;
}

/** The minute that the simulated incidents are counted from: the same minute and seed give the same rows. */
export function epochOf(
  line: CommandLine,
  now: number,
): { ok: true; value: number } | { ok: false; message: string } {
  if (line.epoch === null) return { ok: true, value: Math.floor(now / 60_000) * 60_000 };
  const read = parseMoment(line.epoch, now);
  const time = read.ok ? momentTime(read.moment, now, null) : null;
  return time === null
    ? { ok: false, message: `--epoch takes a time such as 2026-08-01T02:10Z, not '${line.epoch}'` }
    : { ok: true, value: time };
}
