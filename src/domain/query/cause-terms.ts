import { fieldNamed, logField } from './fields.ts';
import type { Query, Term } from './query.ts';

/** Whether a query asks for causes, which no row holds and origin errors give. */
export function asksCause({ terms, groupBy }: Pick<Query, 'terms' | 'groupBy'>): boolean {
  return groupBy.some(isTold) || terms.some(isCauseTerm);
}

export function isCauseTerm(term: Term): boolean {
  return term.kind === 'field' && isTold(term.field);
}

/** For rows that nobody can be asked about. */
export const NO_CAUSE_OF_SAVED = {
  message: 'origin errors tell cause:, and saved logs hold none: open the log of the zone',
  hint: 'edgescope logs <zone> status:5xx by:cause',
} as const;

/** For a question that reads rows by itself. */
export const NO_CAUSE_OF_ANSWER =
  'only :causes and `ask causes` are asked by cause:; leave it out of the query';

/** For rows that are judged as they come. */
export const NO_CAUSE_OF_COMING = 'origin errors come late: cause: is asked of a window that ends';

function isTold(name: string): boolean {
  const id = fieldNamed('logs', name);
  return id !== null && logField(id)?.column === null;
}

/** Why a query of the command line cannot ask for causes, and what to do; null = it does not, or it can. */
export function causeRefused(
  query: Pick<Query, 'terms' | 'groupBy'>,
  { files, until }: { files: readonly string[]; until: string | null },
): readonly string[] | null {
  if (!asksCause(query)) return null;
  if (files.length > 0) return [NO_CAUSE_OF_SAVED.message, NO_CAUSE_OF_SAVED.hint];
  return until === null ? null : [NO_CAUSE_OF_COMING];
}
