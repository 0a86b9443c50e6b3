import {
  ANSWERED_OPTIONS,
  type CommandRow,
  OPTIONS,
  type OptionRow,
  PROGRAM_COMMANDS,
} from '../config/program.ts';
import { complete } from '../domain/query/complete.ts';
import type { QuerySubject } from '../domain/query/query.ts';

export type Offer = { word: string; help: string };

/**
 * All that can be completed on the command line. Lists of offers by key: `commands`, `options/<command>`,
 * `choices/<option>`, `words/<command>`, `terms/<subject>` and `values/<subject>/<name>`; the scripts of all shells look
 * them up in the same way.
 */
export type CompletionWords = {
  lists: ReadonlyMap<string, readonly Offer[]>;
  /** Options that take a value, with their short forms. */
  valued: readonly string[];
  /** Options whose value is a file. */
  files: readonly string[];
  /** Commands that take a query, and how many words go before it. */
  queries: readonly { command: string; subject: QuerySubject; before: number }[];
  /** Commands that take files. */
  fileCommands: readonly string[];
};

const ANSWERED: readonly Offer[] = Object.entries(ANSWERED_OPTIONS).map(([name, { does }]) => ({
  word: `--${name}`,
  help: does,
}));
const SUBJECTS = ['logs', 'shield'] as const;
const COMMANDS = Object.entries<CommandRow>(PROGRAM_COMMANDS);
const OPTION_ROWS = Object.entries<OptionRow>(OPTIONS);

/** From the tables of commands, options and query fields, so that no shell offers what the program refuses. */
export function completionWords(): CompletionWords {
  const lists = new Map<string, readonly Offer[]>();
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
    fileCommands: COMMANDS.filter(([, { operands }]) => operands.includes('file')).map(([name]) => name),
  };
}

function optionsOf(command: string, { options }: CommandRow): Offer[] {
  return OPTION_ROWS.filter(
    ([name, row]) => (!row.for || row.for.includes(command)) && (!options || options.includes(name)),
  ).map(([name, { does }]) => ({ word: `--${name}`, help: does }));
}

/** As the query bar offers them where no rows were read, less what every shell would have to quote. */
function offersAfter(typed: string, subject: QuerySubject): Offer[] {
  return complete(typed, typed.length, subject, () => [])
    .map(({ insert, help }) => ({ word: insert, help }))
    .filter(({ word }) => /^[\w.:-]+$/.test(word));
}
