import { parseQuery } from '../query/query-text.ts';
import { parseShieldQuery } from '../shield/shield-window.ts';

/** A place kept under a name. A relative window stays relative: the query is text, as it would be typed. */
export type SavedView = {
  name: string;
  screen: 'logs' | 'shield';
  /** The word that names the zone: its id, or `shield:<id>`. */
  zone: string;
  /** What the zone was called when it was saved. */
  zoneName: string;
  query: string;
  /** Single events instead of the usual groups, where the query says nothing of groups. */
  rows: boolean;
  /** Unix ms. */
  savedAt: number;
};

/** The query of a place that was kept as text. `now`: Unix ms. */
export function keptQuery({ screen, query }: Pick<SavedView, 'screen' | 'query'>, now: number) {
  return screen === 'shield' ? parseShieldQuery(query, now) : parseQuery(query, 'logs', now);
}

/** Longest name of a view, in UTF-16 units; more would not be read in a list. */
const LONGEST_NAME = 60;

/** Why a view cannot be kept under this name; null = it can. */
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

/** What a change of the file came to: the file as it is now, and why the change was not made, if it was not. */
export type ViewsChange = ViewsFile & { failed: string | null };

/** Where views are kept. Each change reads the file anew, because other processes write it too. */
export type ViewStore = {
  read: () => Promise<ViewsFile>;
  save: (view: SavedView) => Promise<ViewsChange>;
  remove: (name: string) => Promise<ViewsChange>;
};
