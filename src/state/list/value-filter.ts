import type { QuerySubject, Term } from '../../domain/query/query.ts';
import { termForShown } from '../../domain/query/terms.ts';
import type { CommandId } from '../../keys/bindings.ts';

/** What `+ - =` make of a value: keep its rows, hide its rows, or keep this value alone. */
export type FilterMode = 'in' | 'out' | 'only';

export const FILTER_MODES: Partial<Record<CommandId, FilterMode>> = {
  filterIn: 'in',
  filterOut: 'out',
  filterOnly: 'only',
};

/**
 * The terms with a filter on a value; null stands for "has none". A value is never kept in and out at once. A masked
 * value is asked for as a pattern: nobody has its real text.
 */
export function filteredBy(
  terms: readonly Term[],
  mode: FilterMode,
  field: string,
  value: string | null,
  subject: QuerySubject = 'logs',
): readonly Term[] {
  const shown = termForShown(subject, field, value);
  if (!shown) return terms;
  const term = { ...shown, negated: mode === 'out' };
  if (mode === 'only') return [term];
  if (term.op === 'wildcard') return [...terms, term];
  const kept = terms.flatMap((each) => withoutValues(each, term.field, term.values, !term.negated));
  const at = kept.findIndex((each) => isList(each, term.field, term.negated));
  const before = kept[at];
  if (before?.kind !== 'field') return [...kept, term];
  // The rows on screen have one of the kept values, so joining this one to them would narrow nothing.
  if (!term.negated) return kept.with(at, term);
  return kept.with(at, { ...before, values: [...new Set([...before.values, ...term.values])] });
}

function isList(term: Term, field: string, negated: boolean): boolean {
  return term.kind === 'field' && term.field === field && term.op === 'eq' && term.negated === negated;
}

function withoutValues(term: Term, field: string, gone: readonly string[], negated: boolean): Term[] {
  if (term.kind !== 'field' || !isList(term, field, negated)) return [term];
  const values = term.values.filter((value) => !gone.includes(value));
  return values.length > 0 ? [{ ...term, values }] : [];
}
