import { ANSWERED_OPTIONS, choicesOf, type OptionRow, optionNamed } from '../config/command/options.ts';
import { type CommandName, type CommandRow, optionsOf, PROGRAM_COMMANDS } from '../config/command/program.ts';
import { takesValue } from '../config/command/usage.ts';
import { complete } from '../domain/query/complete.ts';
import type { QuerySubject } from '../domain/query/query.ts';
import { QUESTION_IDS, questionOf, subjectOf } from '../domain/questions/asked/questions.ts';
import { STORAGE_FIELD_NAMES, STORAGE_FIELDS } from '../domain/storage/storage-edit.ts';

/** A completion and its meaning. One that ends in `:` or `=` takes a value behind it. */
type WordOffer = { word: string; help: string };

/** `files`: file names fit, too. */
type Offers = { words: readonly WordOffer[]; files: boolean };

const COMMANDS = Object.entries<CommandRow>(PROGRAM_COMMANDS);
const NOTHING: Offers = { words: [], files: false };

/**
 * What the last word typed after the program's name can become, from the tables of commands, options and query fields
 * alone: a Tab waits for no network. Every offer begins with what is typed and settled; the shell narrows by the
 * rest.
 */
export function offersFor(typed: readonly string[]): Offers {
  const current = typed.at(-1) ?? '';
  const { command, operands, pending } = positionIn(typed.slice(0, -1));
  if (pending !== null) return valueOffers(pending, '', command);
  const [, option, joined] = /^(--[^=]*)(=.*)?$/s.exec(current) ?? [];
  if (option !== undefined && joined !== undefined) return valueOffers(option, `${option}=`, command);
  if (command !== null && !Object.hasOwn(PROGRAM_COMMANDS, command)) return NOTHING;
  const known = command as CommandName | null;
  if (option !== undefined || (known === null && current.startsWith('-')))
    return only(optionOffers(known ?? 'zones'));
  if (known === null) return only(commandOffers());
  const row: CommandRow = PROGRAM_COMMANDS[known];
  const files = row.operands.includes('file');
  if (operands.length === 0 && command === 'help') return only(commandOffers());
  if (operands.length === 0 && command === 'ask')
    return only(QUESTION_IDS.map((word) => ({ word, help: questionOf(word).does })));
  if (operands.length === 0 && row.words) return only(row.words.map((word) => ({ word, help: row.does })));
  if (row.query && operands.length >= (row.words ? 1 : 0) + (/[<[]zone/.test(row.operands) ? 1 : 0))
    return {
      words: termOffers(current, (command === 'ask' ? subjectAsked(operands) : null) ?? row.query),
      files,
    };
  return command === 'storage' ? only(storageOffers(current, operands)) : { words: [], files };
}

/**
 * What `completion -- <words>` prints for the scripts: a line an offer, with its meaning behind a tab; a blank line
 * asks for files.
 */
export function offersText(typed: readonly string[]): string {
  const { words, files } = offersFor(typed);
  return [...words.map(({ word, help }) => `${word}\t${help}\n`), files ? '\n' : ''].join('');
}

/** Where the next word stands; `pending`: the option whose value it is. */
function positionIn(words: readonly string[]) {
  let command: string | null = null;
  let pending: string | null = null;
  const operands: string[] = [];
  for (const word of words) {
    if (pending !== null) pending = null;
    else if (takesValue(word)) pending = word;
    else if (/^-(?!-).*[:~]/.test(word)) operands.push(word);
    else if (word.startsWith('-')) continue;
    else if (command === null) command = word;
    else operands.push(word);
  }
  return { command, operands, pending };
}

function commandOffers(): WordOffer[] {
  return COMMANDS.map(([word, { does }]) => ({ word, help: does }));
}

function optionOffers(command: CommandName): WordOffer[] {
  return [...optionsOf(command), ...Object.entries<OptionRow>(ANSWERED_OPTIONS)].map(([name, { does }]) => ({
    word: `--${name}`,
    help: does,
  }));
}

function valueOffers(option: string, head: string, command: string | null): Offers {
  const [, row] = optionNamed(option) ?? [];
  const choices = (row && choicesOf(row, command)) ?? [];
  const words = choices.map((choice) => ({ word: head + choice, help: row?.does ?? '' }));
  return { words, files: row?.value === 'FILE' };
}

/** The log that a question asks; null where none is named. */
function subjectAsked([word]: readonly string[]): QuerySubject | null {
  const id = QUESTION_IDS.find((each) => each === word);
  return id === undefined ? null : subjectOf(id, false);
}

/** As the query bar offers them without rows, less what a shell would have to quote. */
function termOffers(current: string, subject: QuerySubject): WordOffer[] {
  const head = /^-?(?:[^:]*:(?:.*,)?)?/s.exec(current)?.[0] ?? '';
  return complete(head, head.length, subject, () => [])
    .filter(({ insert }) => /^[\w.:-]+$/.test(insert))
    .map(({ insert, help }) => ({ word: head + insert, help }));
}

function storageOffers(current: string, [zone, verb]: readonly string[]): WordOffer[] {
  if (zone === undefined) return [];
  if (verb === undefined)
    return [{ word: 'set', help: 'change settings of this zone, with --confirm and --write' }];
  if (verb !== 'set') return [];
  const [head, name] = /^([^=]*)=(?:.*,)?/s.exec(current) ?? [];
  const field = STORAGE_FIELD_NAMES.find((each) => each === name);
  if (head === undefined) {
    return STORAGE_FIELD_NAMES.map((each) => ({ word: `${each}=`, help: STORAGE_FIELDS[each].note }));
  }
  if (field === undefined) return [];
  const { offered, note } = STORAGE_FIELDS[field];
  return offered.map((value) => ({ word: head + value, help: note }));
}

function only(words: readonly WordOffer[]): Offers {
  return { words, files: false };
}
