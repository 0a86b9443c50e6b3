import { EXIT_CODES } from '../config/command/exit-codes.ts';
import { ANSWERED_OPTIONS, OPTIONS, type OptionRow } from '../config/command/options.ts';
import { type CommandRow, PROGRAM_COMMANDS } from '../config/command/program.ts';
import { aloneTexts, commandText, optionMeaning, optionText } from '../config/command/usage.ts';
import { buildOf } from '../config/command/version.ts';
import { PROFILE_SETTINGS } from '../config/settings/config-file.ts';
import { STORE_SETTINGS } from '../config/settings/store-settings.ts';
import { VARIABLES } from '../config/settings/variables.ts';
import { DIRECTIVES, fieldIds, fieldRow } from '../domain/query/fields.ts';
import type { QuerySubject } from '../domain/query/query.ts';
import { usageOf } from '../keymap/line-words.ts';
import { BINDINGS, type Binding, COMMANDS, type CommandId } from '../keys/bindings.ts';

const KEY_GROUPS = [...new Set(COMMANDS.map((id) => BINDINGS[id].group))];

/** The manual page as roff with the `man` macros; commands, options, fields and keys come from the program's tables. */
export function manualPage(manifest: string): string {
  const { version, day } = buildOf(manifest);
  return lines(
    `.TH EDGESCOPE 1 "${day}" "edgescope ${version}" "User commands"`,
    heading('name'),
    paragraph('edgescope - explore the request and Shield logs of an edge platform in the terminal'),
    heading('synopsis'),
    ...Object.entries<CommandRow>(PROGRAM_COMMANDS).map(([name, row]) =>
      lines('.PP', paragraph(commandText(name, row))),
    ),
    heading('description'),
    paragraph(
      'A keyboard-driven explorer of the CDN request logs and the Shield events of a zone, for the terminal. It follows a log live and never shows one as complete when it is not: time that no answer covered is a row that says so.',
    ),
    '.PP',
    paragraph(
      'With standard output not a terminal, or with --format, the same command prints data and exits: data on standard output, everything else on standard error.',
    ),
    heading('commands'),
    ...Object.entries<CommandRow>(PROGRAM_COMMANDS).map(([name, row]) =>
      tagged(commandText(name, row), row.does),
    ),
    ...aloneTexts().map(([text, does]) => tagged(text, does)),
    heading('options'),
    ...Object.entries<OptionRow>({ ...OPTIONS, ...ANSWERED_OPTIONS }).map(([name, row]) =>
      tagged(optionText(name, row), optionMeaning(row)),
    ),
    heading('query'),
    paragraph(
      'Terms side by side must all hold: field:value[,value] is one of the values, field~text contains, * is any run of characters, /n behind an address a network, a leading - excludes, any other word is free text.',
    ),
    ...Object.entries(DIRECTIVES).map(([name, { help, example }]) =>
      tagged(`${name}:`, `${help}; ${example}`),
    ),
    subheading('Fields of CDN logs'),
    ...fieldRows('logs'),
    subheading('Fields of Shield events'),
    ...fieldRows('shield'),
    heading('keys'),
    paragraph(
      '? shows the keys of the view on the screen. What begins with a colon is typed as it stands: the colon opens the command line, Tab completes there, Enter runs what is typed in full.',
    ),
    ...KEY_GROUPS.flatMap((group) => [
      subheading(group),
      ...COMMANDS.map((id): [CommandId, Binding] => [id, BINDINGS[id]])
        .filter(([, binding]) => binding.group === group)
        .map(([id, { keys, does }]) => tagged([...keys, usageOf(id) ?? []].flat().join('  '), does)),
    ]),
    heading('files'),
    tagged(
      '~/.config/edgescope/config.json',
      'profiles, mode 0600: { "profile": "NAME", "profiles": { "NAME": { … } } } with the settings below; edgescope config check says what is wrong in it.',
    ),
    ...Object.entries(PROFILE_SETTINGS).map(([name, { does, form }]) => tagged(name, `${form}: ${does}`)),
    subheading('Settings of a store'),
    ...Object.entries(STORE_SETTINGS).map(([name, { does, form }]) => tagged(name, `${form}: ${does}`)),
    heading('environment'),
    ...Object.entries(VARIABLES).map(([name, meaning]) => tagged(name, meaning)),
    heading('exit status'),
    ...Object.entries(EXIT_CODES).map(([code, meaning]) => tagged(code, meaning)),
  );
}

function fieldRows(subject: QuerySubject): string[] {
  return fieldIds(subject).flatMap((id) => {
    const row = fieldRow(subject, id);
    if (row === null) return [];
    const also = row.aliases.length > 0 ? ` Also ${row.aliases.join(', ')}.` : '';
    return [tagged(`${id}:`, `${row.help}; ${row.example}.${also}`)];
  });
}

/** Whole lines of a manual page in roff, with the macros of `man`. */
function lines(...parts: readonly string[]): string {
  return parts.map((part) => (part.endsWith('\n') ? part : `${part}\n`)).join('');
}

function heading(text: string): string {
  return lines(`.SH ${text.toUpperCase()}`);
}

function subheading(text: string): string {
  return lines(`.SS "${escaped(text)}"`);
}

export function paragraph(text: string): string {
  return lines(escaped(text));
}

/** A word in bold, and indented under it what it means. */
function tagged(tag: string, text: string): string {
  return lines('.TP', `\\fB${escaped(tag)}\\fR`, escaped(text));
}

/** Text that roff shows as it is: no escape, no request at the start of a line, and a hyphen that can be pasted. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replace(/^\./, '\\&.')
    .replace(
      /[^\x20-\x7e]/gu,
      (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}
