import {
  ANSWERED_OPTIONS,
  type CommandName,
  type CommandRow,
  OPTIONS,
  type OptionRow,
  PROGRAM_COMMANDS,
} from '../config/program.ts';
import { complete } from '../domain/query/complete.ts';
import type { QuerySubject } from '../domain/query/query.ts';
import { STORAGE_FIELDS } from '../domain/storage/storage.ts';
import { offeredValues } from '../domain/storage/storage-assignments.ts';
import { STORAGE_FIELD_NAMES } from '../domain/storage/storage-edit.ts';

export type CompletionWord = { word: string; help: string };

/**
 * All that can be completed on the command line. Lists of offers by key: `commands`, `options/<command>`,
 * `choices/<option>`, `words/<command>`, `terms/<subject>` and `values/<subject>/<name>`, and for a command that changes
 * what a word names `verbs/<command>`, `fields/<command>` and `assigned/<command>/<field>`; the scripts of all shells
 * look them up in the same way.
 */
export type CompletionWords = {
  lists: ReadonlyMap<string, readonly CompletionWord[]>;
  /** Options that take a value, with their short forms. */
  valued: readonly string[];
  /** Options whose value is a file. */
  files: readonly string[];
  /** Commands that take a query, and how many words go before it. */
  queries: readonly { command: string; subject: QuerySubject; before: number }[];
  /** Commands after whose first word a verb and then `Field=value` words can stand. */
  assigning: readonly string[];
  /** Commands that take files. */
  fileCommands: readonly string[];
};

const ANSWERED: readonly CompletionWord[] = Object.entries(ANSWERED_OPTIONS).map(([name, { does }]) => ({
  word: `--${name}`,
  help: does,
}));
const SUBJECTS = ['logs', 'shield'] as const;
/** The one command that changes anything. */
const ASSIGNING = 'storage' satisfies CommandName;
const COMMANDS = Object.entries<CommandRow>(PROGRAM_COMMANDS);
const OPTION_ROWS = Object.entries<OptionRow>(OPTIONS);

/** From the tables of commands, options and query fields, so that no shell offers what the program refuses. */
export function completionWords(): CompletionWords {
  const lists = new Map<string, readonly CompletionWord[]>();
  lists.set(
    'commands',
    COMMANDS.map(([word, { does }]) => ({ word, help: does })),
  );
  for (const [command, row] of COMMANDS) {
    lists.set(`options/${command}`, [...optionsOf(command, row), ...ANSWERED]);
    if (row.words)
      lists.set(
        `words/${command}`,
        row.words.map((word) => ({ word, help: row.does })),
      );
  }
  lists.set('words/help', lists.get('commands') ?? []);
  for (const [name, row] of OPTION_ROWS) {
    if (row.choices)
      lists.set(
        `choices/--${name}`,
        row.choices.map((word) => ({ word, help: row.does })),
      );
  }
  for (const subject of SUBJECTS) {
    const terms = offersAfter('', subject);
    lists.set(`terms/${subject}`, terms);
    for (const { word } of terms) {
      const values = offersAfter(word, subject);
      if (values.length > 0) lists.set(`values/${subject}/${word}`, values);
    }
  }
  lists.set(`verbs/${ASSIGNING}`, [
    { word: 'set', help: 'change settings of this zone, with --confirm and --write' },
  ]);
  lists.set(
    `fields/${ASSIGNING}`,
    STORAGE_FIELD_NAMES.map((field) => ({ word: `${field}=`, help: STORAGE_FIELDS[field].note })),
  );
  for (const field of STORAGE_FIELD_NAMES) {
    const offers = offeredValues(field).map((word) => ({ word, help: STORAGE_FIELDS[field].note }));
    if (offers.length > 0) lists.set(`assigned/${ASSIGNING}/${field}=`, offers);
  }
  const asking = COMMANDS.filter(([, { operands }]) => operands.includes('query'));
  return {
    lists,
    valued: OPTION_ROWS.filter(([, row]) => row.type !== 'boolean').flatMap(([name, row]) => [
      `--${name}`,
      ...(row.short ? [`-${row.short}`] : []),
    ]),
    files: OPTION_ROWS.filter(([, row]) => row.value === 'FILE').map(([name]) => `--${name}`),
    queries: asking.map(([command, { operands }]) => ({
      command,
      subject: command === 'shield' ? 'shield' : 'logs',
      before: operands.startsWith('<zone>') ? 1 : 0,
    })),
    assigning: [ASSIGNING],
    fileCommands: COMMANDS.filter(([, { operands }]) => operands.includes('file')).map(([name]) => name),
  };
}

function optionsOf(command: string, { options }: CommandRow): CompletionWord[] {
  return OPTION_ROWS.filter(
    ([name, row]) => (!row.for || row.for.includes(command)) && (!options || options.includes(name)),
  ).map(([name, { does }]) => ({ word: `--${name}`, help: does }));
}

/** As the query bar offers them where no rows were read, less what every shell would have to quote. */
function offersAfter(typed: string, subject: QuerySubject): CompletionWord[] {
  return complete(typed, typed.length, subject, () => [])
    .map(({ insert, help }) => ({ word: insert, help }))
    .filter(({ word }) => /^[\w.:-]+$/.test(word));
}
