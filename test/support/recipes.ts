import { readFileSync } from 'node:fs';
import { README } from './readme.ts';

/** Commands of the README that say of themselves, in a comment before them, that a test may run them. */
export type Recipe = {
  /** The heading or the bold words that it stands under. */
  title: string;
  script: string;
  needs: readonly string[];
  mayPrintNothing: boolean;
};

const MARKED = /<!-- recipe(?:: ([^\n]*?))? -->\n```sh\n([\s\S]*?)```/g;

export function recipes(): Recipe[] {
  const text = readFileSync(README, 'utf8');
  return [...text.matchAll(MARKED)].map(({ 1: notes = '', 2: script = '', index }) => ({
    title:
      /(?:^#+ (.+)|^\*\*(.+?)\*\*)(?![\s\S]*^(?:#+ |\*\*))/m
        .exec(text.slice(0, index))
        ?.slice(1)
        .find(Boolean) ?? '',
    script,
    needs: /needs ([^,]*)/.exec(notes)?.[1]?.trim().split(' ') ?? [],
    mayPrintNothing: notes.includes('may print nothing'),
  }));
}
