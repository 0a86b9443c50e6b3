/** `npm run readme`: renews what the documents have from the program's own tables, and what they show of its output. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_CODES } from '../../src/config/command/exit-codes.ts';
import { commandText, optionMeaning, optionText } from '../../src/config/command/help.ts';
import { OPTIONS, type OptionRow } from '../../src/config/command/options.ts';
import { type CommandRow, PROGRAM_COMMANDS } from '../../src/config/command/program.ts';
import { PROFILE_SETTINGS } from '../../src/config/settings/config-file.ts';
import { STORE_SETTINGS } from '../../src/config/settings/store-settings.ts';
import { VARIABLES } from '../../src/config/settings/variables.ts';
import { explain, FAILURES, type FailureKind, failureOf } from '../../src/domain/failure.ts';
import { CACHE_STATUSES } from '../../src/domain/log.ts';
import { type Field, LOG_FIELDS, type LogField, SHIELD_FIELDS } from '../../src/domain/query/fields.ts';
import { QUESTION_IDS, questionOf } from '../../src/domain/questions/asked/questions.ts';
import { usageOf } from '../../src/keymap/line-words.ts';
import { BINDINGS, COMMANDS, type CommandId } from '../../src/keys/bindings.ts';
import { STORIES } from '../session/stories.ts';
import { keysOf } from '../session/story.ts';
import { DOCUMENTS, textOf } from './documents.ts';
import { ROOT } from './source.ts';

/** Documents with parts in them that are drawn. */
export const DRAWN: readonly string[] = [...DOCUMENTS, 'test/README.md'];

/** What is drawn from a table, by the name in its markers. Each has its place in one document. */
export const PARTS: Readonly<Record<string, () => string>> = {
  keys: () =>
    [...new Set(COMMANDS.map((id) => BINDINGS[id].group))]
      .map((group) => {
        const rows = COMMANDS.filter((id) => BINDINGS[id].group === group).map(keyRow);
        return `### ${group}\n\n${table(['key', 'command line', 'does'], rows)}`;
      })
      .join('\n\n'),
  fields: () =>
    table(
      ['field', 'means', 'example', 'decided by'],
      Object.entries<LogField>(LOG_FIELDS).map(([id, field]) => [
        `\`${id}\``,
        field.help,
        `\`${field.example}\``,
        field.server ? 'the server, where it can' : field.wider ? 'edgescope, of fewer rows' : 'edgescope',
      ]),
    ),
  'shield fields': () =>
    table(
      ['field', 'means', 'example'],
      Object.entries<Field>(SHIELD_FIELDS).map(([id, { help, example }]) => [
        `\`${id}\``,
        help,
        `\`${example}\``,
      ]),
    ),
  commands: () =>
    table(
      ['command', 'does'],
      Object.entries<CommandRow>(PROGRAM_COMMANDS).map(([name, row]) => [
        `\`${commandText(name, row)}\``,
        row.does,
      ]),
    ),
  questions: () =>
    table(
      ['question', 'answers', 'the query has to name', 'with `--fail-if-found` ends with 10 where'],
      QUESTION_IDS.map((id) => {
        const { does, names, wrong } = questionOf(id);
        return [`\`${id}\``, does, names, wrong ?? ''];
      }),
    ),
  options: () =>
    table(
      ['option', 'does'],
      Object.entries<OptionRow>(OPTIONS).map(([name, row]) => [
        `\`${optionText(name, row)}\``,
        optionMeaning(row),
      ]),
    ),
  variables: () =>
    table(
      ['variable', 'meaning'],
      Object.entries(VARIABLES).map(([names, meaning]) => [
        names
          .split(', ')
          .map((name) => `\`${name}\``)
          .join(', '),
        meaning,
      ]),
    ),
  settings: () =>
    table(
      ['setting', 'is', 'which'],
      [
        ...Object.entries(PROFILE_SETTINGS),
        ...Object.entries(STORE_SETTINGS).map(([name, row]) => [`stores.NAME.${name}`, row] as const),
      ].map(([name, { does, form }]) => [`\`${name}\``, form, does]),
    ),
  codes: () =>
    table(
      ['code', 'meaning'],
      Object.entries(EXIT_CODES).map(([code, meaning]) => [code, meaning]),
    ),
  cache: () =>
    table(
      ['mark', 'means'],
      Object.values(CACHE_STATUSES).map(({ letter, word, meaning }) => [`\`${letter} ${word}\``, meaning]),
    ),
  stories: () =>
    table(
      ['journey', 'keys before', 'keys now'],
      STORIES.map((story) => [story.title, String(story.before ?? '–'), String(keysOf(story))]),
    ),
  failures: () =>
    table(
      ['it says', 'which means', 'do', 'exit code'],
      Object.entries(FAILURES).map(([kind, { traits }]) => {
        const { what, meaning, next } = explain(failureOf(kind as FailureKind, { host: 'HOST' }));
        return [what, meaning, next, String(traits.exit)];
      }),
    ),
};

/** A document with every part in it as the tables have it now. */
export function renewed(text: string): string {
  return Object.entries(PARTS).reduce((done, [name, part]) => {
    const { begin, end } = markersOf(name);
    const from = done.indexOf(begin);
    if (from < 0) return done;
    const to = done.indexOf(end);
    if (to < from) throw new Error(`the part ${name} has no end`);
    return `${done.slice(0, from + begin.length)}\n${part()}\n${done.slice(to)}`;
  }, text);
}

export function markersOf(name: string): { begin: string; end: string } {
  return { begin: `<!-- ${name}: generated by npm run readme -->`, end: `<!-- /${name} -->` };
}

function keyRow(id: CommandId): string[] {
  const { keys, line, does } = BINDINGS[id];
  const words = line === null ? [] : [usageOf(id) ?? '', ...(line.also ?? []).map((word) => `:${word}`)];
  return [keys.map((key) => `\`${key}\``).join(' '), words.map((word) => `\`${word}\``).join(' '), does];
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cellText).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A bar would end the cell, and `<n>` outside of code is a tag that nobody sees. */
function cellText(cell: string): string {
  return cell.replaceAll('|', '\\|').replace(/(`[^`]*`)|</g, (found, code) => code ?? `\\${found}`);
}

if (import.meta.main) {
  const { withOutputs } = await import('./shown-output.ts');
  for (const document of DRAWN)
    writeFileSync(join(ROOT, document), await withOutputs(renewed(textOf(document))));
}
