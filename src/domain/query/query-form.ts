import { fieldRow } from './fields.ts';
import { EMPTY_QUERY, type Query, type QuerySubject, type Term } from './query.ts';
import { printQuery } from './query-text.ts';

/** The rows of a query as a form: its window, one a term, a place for a new one, and the grouping. */
export type FormRow = { kind: 'window' } | { kind: 'term'; at: number } | { kind: 'add' } | { kind: 'by' };

export function formRows(query: Query): FormRow[] {
  return [
    { kind: 'window' },
    ...query.terms.map((_, at) => ({ kind: 'term', at }) as const),
    { kind: 'add' },
    { kind: 'by' },
  ];
}

/** The part of the text that a row stands for. The form is the query itself, so both are always in step. */
export function textOfRow(query: Query, row: FormRow): string {
  switch (row.kind) {
    case 'window':
      return printQuery({ ...EMPTY_QUERY, window: query.window });
    case 'term':
      return printQuery({ ...EMPTY_QUERY, terms: query.terms.slice(row.at, row.at + 1) });
    case 'add':
      return '';
    case 'by':
      return printQuery({ ...EMPTY_QUERY, groupBy: query.groupBy });
  }
}

/** The query with the text of a row replaced. Parts of another kind go where they belong. */
export function withRow(query: Query, row: FormRow, written: Query): Query {
  const at = row.kind === 'term' ? row.at : query.terms.length;
  const removed = row.kind === 'term' ? 1 : 0;
  return {
    terms: query.terms.toSpliced(at, removed, ...written.terms),
    window: row.kind === 'window' ? written.window : (written.window ?? query.window),
    groupBy: row.kind === 'by' || written.groupBy.length > 0 ? written.groupBy : query.groupBy,
  };
}

/** Why a term is invalid; null = it is not. An invalid term is marked, and the query is not sent. */
export function termTrouble(subject: QuerySubject, term: Term): string | null {
  if (term.kind === 'text' || term.op !== 'eq') return null;
  const row = fieldRow(subject, term.field);
  for (const value of term.values) {
    const reading = value === '' ? null : row?.read(value);
    if (reading && !reading.ok) return `${reading.message}; ${reading.hint}`;
  }
  return null;
}
