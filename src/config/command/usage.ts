import { DIRECTIVES, fieldIds, fieldRow } from '../../domain/query/fields.ts';
import type { QuerySubject } from '../../domain/query/query.ts';
import { QUESTION_IDS, questionOf } from '../../domain/questions/asked/questions.ts';
import { STORAGE_FIELD_NAMES, STORAGE_FIELDS } from '../../domain/storage/storage-edit.ts';
import { wrapText } from '../../text/fit.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { ANSWERED_OPTIONS, OPTIONS, type OptionRow, optionNamed } from './options.ts';
import { type CommandName, type CommandRow, optionsOf, PROGRAM_COMMANDS } from './program.ts';

/** Cells of a line of the help. */
const WIDEST = 80;
/** A longer left side has its meaning on the next line. */
const LEFT_MOST = 24;

type Lines = readonly (readonly [left: string, right: string])[];

/** The text of `--help` without a command: the commands, the options of all of them, and where there is more. */
export function helpText(description: string): string {
  const commands: Lines = [
    ...Object.entries<CommandRow>(PROGRAM_COMMANDS).map(
      ([name, row]) => [commandText(name, row), row.does] as const,
    ),
    ...aloneTexts(),
  ];
  const forAll = Object.entries<OptionRow>(OPTIONS).filter(([, row]) => row.for === undefined);
  return page([
    inText(description),
    ['  Usage', ...inColumns(commands)],
    inText(
      'edgescope help logs, or edgescope logs --help, tells what a command takes: its options, the query, examples. edgescope man has all of it.',
    ),
    inText(
      'On a terminal a command opens its screen. With standard output not a terminal, or with --format, the same command prints data and exits.',
    ),
    ['  Options of all commands', ...inColumns([...optionLines(forAll), ...ANSWERED])],
    exitCodes(),
  ]);
}

/** What `edgescope help <command>` says, and `--help` behind the command. */
export function commandHelp(name: CommandName): string {
  const row: CommandRow = PROGRAM_COMMANDS[name];
  const [own = [], shared = []] = [true, false].map((isOwn) =>
    optionLines(optionsOf(name).filter(([, option]) => (option.for !== undefined) === isOwn)),
  );
  return page([
    [`  ${commandText(name, row)}`],
    inText(row.does),
    [
      '  Examples',
      ...Object.entries(row.examples).flatMap(([line, does]) => [`    ${line}`, ...inText(does, 8)]),
    ],
    own.length === 0 ? [] : [`  Options of ${name}`, ...inColumns(own)],
    name === 'ask' ? ['  Questions', ...questionLines()] : [],
    name === 'storage' ? ['  Settings that set changes', ...inColumns(settings())] : [],
    row.query ? queryHelp(row.query) : [],
    ['  Options of other commands, too', ...inColumns([...shared, ...ANSWERED])],
    exitCodes(),
  ]);
}

/** What the words before `--` ask the help for: a command, all of them (null), or a word that is none. */
export function helpAsked(words: readonly string[]): { command: CommandName | null } | { unknown: string } {
  const [first, second] = bareWords(words);
  const word = first === 'help' ? (second ?? (words.some(isHelp) ? 'help' : null)) : (first ?? null);
  if (word === null) return { command: null };
  return Object.hasOwn(PROGRAM_COMMANDS, word) ? { command: word as CommandName } : { unknown: word };
}

/** The words that are neither an option nor its value. */
export function bareWords(words: readonly string[]): string[] {
  return words.filter((word, at) => !word.startsWith('-') && !takesValue(words[at - 1]));
}

const ANSWERED = optionLines(Object.entries<OptionRow>(ANSWERED_OPTIONS));

/** Whether a word is an option with its value behind it. */
export function takesValue(word = ''): boolean {
  const [, row] = optionNamed(word) ?? [];
  return row !== undefined && row.type !== 'boolean';
}

function isHelp(word: string): boolean {
  return word === '--help' || word === `-${ANSWERED_OPTIONS.help.short}`;
}

function optionLines(rows: readonly (readonly [name: string, row: OptionRow])[]): Lines {
  return rows.map(([name, row]) => [optionText(name, row), row.does] as const);
}

function settings(): Lines {
  return STORAGE_FIELD_NAMES.map((field) => [field, STORAGE_FIELDS[field].note] as const);
}

function questionLines(): string[] {
  return inColumns(
    QUESTION_IDS.map((id) => {
      const { does, names, wrong } = questionOf(id);
      const parts = [
        does,
        ...(names === '' ? [] : [`names ${names}`]),
        ...(wrong === null ? [] : [`wrong: ${wrong}`]),
      ];
      return [id, parts.join('; ')] as const;
    }),
  );
}

function queryHelp(subject: QuerySubject): string[] {
  const fields = fieldIds(subject).flatMap((id) => {
    const row = fieldRow(subject, id);
    return row ? [[row.example, row.help] as const] : [];
  });
  const directives = Object.values(DIRECTIVES).map(({ help, example }) => [example, help] as const);
  return [
    '  Query',
    ...inText(
      'Terms side by side must all hold. field:value[,value] is one of the values, field~text contains, field~/re/ matches a regular expression, * is any run of characters, a leading - excludes, any other word is free text; times are UTC.',
      4,
    ),
    ...inColumns([...fields, ...directives]),
  ];
}

function exitCodes(): string[] {
  const codes = Object.entries(EXIT_CODES).map(([code, meaning]) => `${code} ${meaning}`);
  return ['  Exit codes', ...codes.map((code) => `    ${code}`)];
}

/** Paragraphs with a line between them, and one before and after. */
function page(parts: readonly (readonly string[])[]): string {
  return ['', ...parts.filter((part) => part.length > 0).flatMap((part) => [...part, ''])].join('\n');
}

function inText(text: string, indent = 2): string[] {
  return wrapText(text, WIDEST - indent).map((line) => ' '.repeat(indent) + line);
}

function inColumns(rows: Lines): string[] {
  const widths = rows.map(([left]) => left.length).filter((width) => width <= LEFT_MOST);
  const at = 6 + Math.max(0, ...widths);
  return rows.flatMap(([left, right]) => {
    const [first = '', ...rest] = wrapText(right, WIDEST - at);
    const head = `    ${left}`;
    const lines =
      head.length + 2 <= at
        ? [head.padEnd(at) + first]
        : [head, ...(first === '' ? [] : [' '.repeat(at) + first])];
    return [...lines, ...rest.map((line) => ' '.repeat(at) + line)].map((line) => line.trimEnd());
  });
}

/** A command as it is typed. */
export function commandText(name: string, row: CommandRow): string {
  return name === 'zones' ? 'edgescope [zones]' : `edgescope ${name} ${row.operands}`.trimEnd();
}

/** An option as typed, with its placeholder. */
export function optionText(name: string, row: OptionRow): string {
  return `${row.short ? `-${row.short}, ` : ''}--${name}${row.value ? ` ${row.value}` : ''}`;
}

/** What an option does, and with which commands. */
export function optionMeaning(row: OptionRow): string {
  return row.for ? `${row.does} (${row.for.join(', ')})` : row.does;
}

/** `logs, shield and open`. */
export function inWords(names: readonly string[], last: 'and' | 'or'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

/** What is typed as an option alone, and what it does. */
export function aloneTexts(): [string, string][] {
  return Object.entries<OptionRow>(OPTIONS).flatMap(([name, { alone }]) =>
    alone === undefined ? [] : [[`edgescope --${name}`, alone] as [string, string]],
  );
}
