import { fieldNamed, logField } from './fields.ts';
import type { Query, Term } from './query.ts';

/** Whether a query asks for what no row holds, and only origin errors tell. */
export function asksCause({ terms, groupBy }: Pick<Query, 'terms' | 'groupBy'>): boolean {
  return groupBy.some(isTold) || terms.some(isCauseTerm);
}

export function isCauseTerm(term: Term): boolean {
  return term.kind === 'field' && isTold(term.field);
}

/** Said of rows that nobody can be asked about. */
export const NO_CAUSE_OF_SAVED = {
  message: 'origin errors tell cause:, and saved logs hold none: open the log of the zone',
  hint: 'edgescope logs <zone> status:5xx by:cause',
} as const;

/** Said of a question that reads rows by itself. */
export const NO_CAUSE_OF_ANSWER =
  'only :causes and `ask causes` are asked by cause:; leave it out of the query';

/** Said where rows are judged as they come. */
export const NO_CAUSE_OF_COMING = 'origin errors come late: cause: is asked of a window that ends';

function isTold(name: string): boolean {
  const id = fieldNamed('logs', name);
  return id !== null && logField(id)?.column === null;
}

/** Why a query cannot ask for causes of what a command line names, and what to do; null = it does not ask, or it can. */
export function causeRefused(
  query: Pick<Query, 'terms' | 'groupBy'>,
  { files, until }: { files: readonly string[]; until: string | null },
): readonly string[] | null {
  if (!asksCause(query)) return null;
  if (files.length > 0) return [NO_CAUSE_OF_SAVED.message, NO_CAUSE_OF_SAVED.hint];
  return until === null ? null : [NO_CAUSE_OF_COMING];
}
