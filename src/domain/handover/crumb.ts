import { sanitise } from '../../text/sanitise.ts';
import { EMPTY_QUERY, type Query } from '../query/query.ts';
import { printQuery } from '../query/query-text.ts';

/** A place in the program that a command line can name: what a colleague opens, or a pipe prints. */
export type Crumb =
  | { screen: 'zones' | 'keys' }
  /** Null: the list of storage zones. */
  | { screen: 'storage'; storageZone: string | null }
  | { screen: 'open'; files: readonly string[]; query: Query }
  | {
      screen: 'logs' | 'shield';
      /** The word that names the zone on the command line. */
      zone: string;
      query: Query;
    };

/** What every word of a POSIX shell may hold bare. */
const BARE = /^[A-Za-z0-9@%+=:,./_-]+$/;

/**
 * The command that opens this place, on one line; piped it prints its data. `flags` say which account it was
 * (`--profile`, `--demo`). The window stands first: a query that began with `-` would be read as a flag.
 */
export function commandOf(crumb: Crumb, flags: readonly string[]): string {
  const safe = flags.map((flag) => sanitise(flag, 'text'));
  return ['edgescope', ...commandWords(crumb, safe)].map(shellWord).join(' ');
}

/** The same as the words that the program itself is given. */
export function commandWords(crumb: Crumb, flags: readonly string[]): string[] {
  const words: string[] = [crumb.screen];
  if (crumb.screen === 'storage' && crumb.storageZone !== null) words.push(crumb.storageZone);
  if ('query' in crumb) {
    const { terms, window, groupBy } = crumb.query;
    const parts = [
      { ...EMPTY_QUERY, window },
      { ...EMPTY_QUERY, terms },
      { ...EMPTY_QUERY, groupBy },
    ].map(printQuery);
    const operands = crumb.screen === 'open' ? crumb.files.map(fileWord) : [crumb.zone];
    words.push(...operands, parts.filter((part) => part !== '').join(' '));
    if (crumb.screen !== 'open' && isBareShield(crumb)) words.push('--rows');
  }
  return [...words, ...flags];
}

/**
 * One word of a POSIX shell in which nothing acts: between single quotes no character means anything but itself. What
 * would act on the terminal that it is pasted into, as a control in the name of a file, is printed by its octal number.
 */
export function shellWord(text: string): string {
  if (BARE.test(text)) return text;
  const isShown = text.split('\\').every((part) => sanitise(part, 'text') === part);
  return isShown ? singleQuoted(text) : printed(text);
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A substitution loses line breaks at its end, which therefore stand behind it. */
function printed(text: string): string {
  const end = text.search(/(?<!\n)\n*$/);
  const [body, breaks] = [text.slice(0, end), text.slice(end)];
  const format = [...body].map((each) => (isSafeInFormat(each) ? each : octal(each))).join('');
  return `"$(printf '${format}')"${breaks === '' ? '' : singleQuoted(breaks)}`;
}

/** Means itself in a format of printf, between quotes within quotes, and on a line that is typed. */
function isSafeInFormat(character: string): boolean {
  return sanitise(character, 'text') === character && !/[!"$`'\\%-]/.test(character);
}

function octal(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** A file whose name would be read as a flag or as a term of the query is named with its folder. */
function fileWord(path: string): string {
  return /^-|^[A-Za-z][A-Za-z0-9_]*[:~]|^"/.test(path) ? `./${path}` : path;
}

/** Without this flag a Shield command that asks nothing but a window opens the usual groups. */
function isBareShield({ screen, query }: Extract<Crumb, { zone: string }>): boolean {
  return screen === 'shield' && query.terms.length === 0 && query.groupBy.length === 0;
}
