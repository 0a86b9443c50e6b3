import { width } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { QueryError } from './query-text.ts';

/** Cells before and under what is wrong in a query, as its text is shown: escapes are longer, East-Asian letters wider. */
export function markedCells(
  text: string,
  { column, length }: Pick<QueryError, 'column' | 'length'>,
): { before: number; wide: number } {
  const cells = (part: string) => width(sanitise(part, 'text'));
  return {
    before: cells(text.slice(0, column)),
    wide: Math.max(1, cells(text.slice(column, column + length))),
  };
}

/** A query, and below it a line with carets under what is wrong. */
export function markedLines(text: string, error: Pick<QueryError, 'column' | 'length'>): [string, string] {
  const { before, wide } = markedCells(text, error);
  return [text, ' '.repeat(before) + '^'.repeat(wide)];
}
