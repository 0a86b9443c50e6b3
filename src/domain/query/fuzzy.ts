import { Fzf } from 'fzf';

/** The items whose text has the letters of `word` in order, best first; all of them for an empty word. */
export function fuzzy<T>(items: readonly T[], text: (item: T) => string, word: string): T[] {
  if (word === '') return [...items];
  return new Fzf([...items], { selector: text, casing: 'case-insensitive' })
    .find(word)
    .map((entry: { item: T }) => entry.item);
}
