import type { QuerySubject } from '../../domain/query/query.ts';
import type { State } from '../model.ts';
import { onTop } from '../screens.ts';

/** The value that a key would act on now: a query field of a subject, and its text; null stands for "has none". */
export type ValueUnder = { subject: QuerySubject; field: string; value: string | null };

/** The value under the cursor, or why there is none. */
export function valueUnder(state: State): ValueUnder | string {
  const cell = onTop(state, 'cell');
  return typeof cell === 'string' ? cell : cell.asked;
}
