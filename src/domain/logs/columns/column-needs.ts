import type { LogColumns } from './log-columns.ts';

/** Letters that nearly all texts of a column need, and the longest. */
type TextNeed = { usual: number; longest: number };

/**
 * What the texts of a book need of the screen. The rule of widths: a need is read from what the dictionaries count when they
 * take a text, never from rows; it is one of a few steps, each about half as large again as the one before; and it only
 * grows as long as the book lives, whatever is filtered or evicted. So a column moves a few times while the first rows come
 * in and hardly ever after, and is measured anew with a new question, which has a book of its own. Filters here and resizing
 * measure nothing: they share out what is known.
 */
export type ColumnNeeds = {
  path: TextNeed;
  host: TextNeed;
  referer: TextNeed;
  address: TextNeed;
  /** Rows are of more than one host. */
  hasHosts: boolean;
};

const NOTHING: TextNeed = { usual: 0, longest: 0 };

export const NO_NEEDS: ColumnNeeds = {
  path: NOTHING,
  host: NOTHING,
  referer: NOTHING,
  address: NOTHING,
  hasHosts: false,
};

/** The share of texts that `usual` covers: one client alone must not widen a column. */
const USUAL = 0.9;

const COLUMN_OF = { path: 'path', host: 'host', referer: 'referer', address: 'remoteIp' } as const;

/** The needs with what the columns took since; the same object where none grew. */
export function grownNeeds(known: ColumnNeeds, { coded }: LogColumns): ColumnNeeds {
  const hasHosts = known.hasHosts || coded.host.dictionary.size > 1;
  let grown = hasHosts === known.hasHosts ? known : { ...known, hasHosts };
  for (const name of Object.keys(COLUMN_OF) as (keyof typeof COLUMN_OF)[]) {
    const before = known[name];
    const { lengths } = coded[COLUMN_OF[name]].dictionary;
    const usual = Math.max(before.usual, lengths.within(USUAL));
    const longest = lengths.within(1);
    if (usual > before.usual || longest > before.longest) grown = { ...grown, [name]: { usual, longest } };
  }
  return grown;
}
