import { shellCommand } from '../../text/shell-command.ts';
import { EMPTY_QUERY, type Query } from '../query/query.ts';
import { windowFirst } from '../query/query-text.ts';
import { type Asked, askedOptions, askedTerms } from '../questions/asked/asked.ts';
import type { Highlight } from './highlights.ts';

/** A place in the program that a command line names: what a colleague opens, or a pipe prints. */
export type CommandSource =
  | { screen: 'zones' | 'health' | 'keys' }
  /** Null: the list of storage zones. */
  | { screen: 'storage'; storageZone: string | null }
  | { screen: 'open'; files: readonly string[]; query: Query }
  /** An answer, which is printed. `zone` null: of the files. */
  | {
      screen: 'ask';
      question: string;
      zone: string | null;
      files: readonly string[];
      query: Query;
      options: readonly string[];
    }
  | {
      screen: 'logs' | 'shield';
      /** The word that names the zone on the command line. */
      zone: string;
      query: Query;
    };

/**
 * The command that opens this place, on one line; piped it prints its data. `flags` name the account (`--profile`,
 * `--demo`). The window stands first: a query that began with `-` would be read as a flag. Null where no command line
 * can hold a name.
 */
export function commandOf(crumb: CommandSource, flags: readonly string[]): string | null {
  return shellCommand(['edgescope', ...commandWords(crumb, flags)]);
}

/** The same as the words that the program itself is given. */
export function commandWords(crumb: CommandSource, flags: readonly string[]): string[] {
  const words: string[] = [crumb.screen];
  if (crumb.screen === 'storage' && crumb.storageZone !== null) words.push(crumb.storageZone);
  if ('query' in crumb) {
    words.push(...operandsOf(crumb), windowFirst(crumb.query));
    if (crumb.screen === 'ask') words.push(...crumb.options);
    const asksNothing = crumb.query.terms.length === 0 && crumb.query.groupBy.length === 0;
    // Without it a Shield command with only a window opens the usual groups.
    if (crumb.screen === 'shield' && asksNothing) words.push('--rows');
  }
  return [...words, ...flags];
}

/** The command line that asks a question again, with absolute times. `zone` null: of the files. */
export function askedCommand(
  asked: Asked,
  { zone, files }: { zone: string | null; files: readonly string[] },
): CommandSource {
  return {
    screen: 'ask',
    question: asked.question,
    zone,
    files,
    query: { ...EMPTY_QUERY, terms: askedTerms(asked), window: { kind: 'absolute', ...asked.range } },
    options: askedOptions(asked),
  };
}

/** A file whose name would be read as a flag or a term is named with its folder. */
function fileWord(path: string): string {
  return /^-|^[A-Za-z][A-Za-z0-9_]*[:~]|^"/.test(path) ? `./${path}` : path;
}

function operandsOf(crumb: Extract<CommandSource, { query: Query }>): string[] {
  if (crumb.screen === 'open') return crumb.files.map(fileWord);
  if (crumb.screen !== 'ask') return [crumb.zone];
  const { question, zone, files } = crumb;
  return [question, ...(zone === null ? files.map((file) => `--file=${file}`) : [zone])];
}

/** A place saved under a name. A relative window stays relative: the query is text, as typed. */
export type SavedView = {
  name: string;
  screen: 'logs' | 'shield';
  /** The word that names the zone: its id, or `shield:<id>`. */
  zone: string;
  /** The zone's name when the view was saved. */
  zoneName: string;
  query: string;
  /** Single events instead of the usual groups, where the query says nothing of groups. */
  rows: boolean;
  /** Unix ms. */
  savedAt: number;
};

/** A view in a list of them. */
export type ListedView = SavedView & { isShared: boolean };

/** Longest name of a view, in UTF-16 units: nobody would read more in a list. */
const LONGEST_NAME = 60;

/** Why a view cannot be saved under this name; null = it can. */
export function nameTrouble(
  name: string,
  views: readonly SavedView[],
): { message: string; hint: string } | null {
  if (name === '') return { message: 'a view needs a name', hint: 'such as checkout 5xx' };
  if (name.length > LONGEST_NAME)
    return { message: 'the name is too long', hint: `at most ${LONGEST_NAME} characters` };
  return views.some((view) => view.name === name)
    ? { message: 'there is a view of this name', hint: 'Esc, then x deletes it; or take another name' }
    : null;
}

/** The file of saved views. `trouble` says why it must not be written to, such as a newer version's form. */
export type ViewsFile = { views: readonly SavedView[]; trouble: string | null };

/** The outcome of a change: the file as it is now, and why the change failed, if it did. */
export type ViewsChange = ViewsFile & { failed: string | null };

/** Where views are kept. Each change reads the file anew, because other processes write it too. */
export type ViewStore = {
  /** `shared`: of a file beside one's own, which is only read; absent = none is named. */
  read: () => Promise<ViewsFile & { shared?: ViewsFile }>;
  save: (view: SavedView) => Promise<ViewsChange>;
  remove: (name: string) => Promise<ViewsChange>;
};

/** The place of a session, where another start can go on. No secret is in it. */
export type SessionPlace = {
  /** The words after `edgescope` that open the view, with the flags of its account. */
  words: readonly string[];
  utc: boolean;
  /** Event time of the row that a paused log stands on, Unix ms; null = not paused, or no log. */
  pausedAt: number | null;
  /** Everything of the log before this event time was read or named as a gap, Unix ms. */
  completeTo: number | null;
  highlights: readonly Highlight[];
};

/** A place as kept: with the host it asked, its machine, and its time (Unix ms). */
export type KeptPlace = SessionPlace & { host: string; machine: string; savedAt: number };

/** Where the place of this session is kept; each call throws what the file system says. */
export type PlaceFile = { write: (place: SessionPlace, now: number) => void; clear: () => void };
