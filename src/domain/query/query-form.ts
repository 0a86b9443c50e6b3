import { parseAddress } from './address.ts';
import { fieldIds, fieldRow } from './fields.ts';
import {
  EMPTY_QUERY,
  type FieldTerm,
  type Query,
  type QuerySubject,
  type Term,
  type TermOp,
} from './query.ts';
import { printQuery } from './query-text.ts';
import { canonicalTerm } from './terms.ts';

/** The rows of a query as a form: its window, one for each term, a place for a new one, and the grouping. */
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

/** The next operator that the field offers: each plain, then each excluding. */
export function nextOperator(subject: QuerySubject, term: Term): Term {
  if (term.kind === 'text') return { ...term, negated: !term.negated };
  const ops = fieldRow(subject, term.field)?.ops ?? ['eq'];
  for (let step = 1; step <= ops.length; step++) {
    const at = ops.indexOf(term.op) + step;
    const op = ops[at % ops.length] ?? 'eq';
    const next = canonicalTerm(subject, {
      ...term,
      op,
      values: term.values.map((value) => valueFor(op, value)),
      negated: at >= ops.length ? !term.negated : term.negated,
    });
    // A value may have no form under an operator: then the one after it is next.
    if (next.op === op && isSayable(next)) return next;
  }
  return { ...term, negated: !term.negated };
}

/** The term on the next field, with its operator where that field offers it. */
export function nextField(subject: QuerySubject, term: Term): Term {
  if (term.kind === 'text') return term;
  const ids = fieldIds(subject);
  const field = ids[(ids.indexOf(term.field) + 1) % ids.length] ?? term.field;
  const ops = fieldRow(subject, field)?.ops ?? ['eq'];
  const op = ops.includes(term.op) ? term.op : 'eq';
  const values = term.values.map((value) => valueFor(op, value));
  const next = canonicalTerm(subject, { ...term, field, op, values });
  return isSayable(next) ? next : canonicalTerm(subject, { ...term, field, op: 'eq' });
}

/** Every text contains the empty one: such a filter says nothing and cannot be written. */
function isSayable(term: FieldTerm): boolean {
  return term.values.length > 0 && (term.op !== 'contains' || !term.values.includes(''));
}

/** Why a term makes no sense; null = it does. Such a term is marked and the query is not sent. */
export function termTrouble(subject: QuerySubject, term: Term): string | null {
  if (term.kind === 'text' || term.op !== 'eq') return null;
  const row = fieldRow(subject, term.field);
  for (const value of term.values) {
    const reading = value === '' ? null : row?.read(value);
    if (reading && !reading.ok) return `${reading.message}; ${reading.hint}`;
  }
  return null;
}

function valueFor(op: TermOp, value: string): string {
  const plain = value.replace(/\/\d{1,3}$/, (tail) =>
    parseAddress(value.slice(0, -tail.length)) ? '' : tail,
  );
  if (op === 'wildcard') return plain.includes('*') ? plain : `${plain}*`;
  const bare = plain.replaceAll('*', '');
  if (op !== 'cidr') return bare;
  return parseAddress(bare) ? `${bare}/${bare.includes(':') ? 64 : 24}` : bare;
}
