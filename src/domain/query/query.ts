/** The two logs that a query can ask; each has its own fields. */
export type QuerySubject = 'logs' | 'shield';

/**
 * The operator of a term. `eq` with several values means any of them; `contains` is a case-insensitive substring;
 * `wildcard` has `*` = any run; the values of `regex` are regular expressions as they are written, `/bot|crawl/i`; `cidr`
 * is for addresses only.
 */
export type TermOp = 'eq' | 'contains' | 'wildcard' | 'regex' | 'cidr';

/** Whether a value of the operator is a part of what it finds, as in `field~value`. */
export function isSearch(op: TermOp): boolean {
  return op === 'contains' || op === 'regex';
}

export type FieldTerm = {
  kind: 'field';
  /** A field id of the subject's field table, e.g. `ip`, `status`, `cache`, `url`. */
  field: string;
  op: TermOp;
  values: readonly string[];
  negated: boolean;
};

/** `isRegex`: the value is a regular expression as it is written. */
export type TextTerm = { kind: 'text'; value: string; negated: boolean; isRegex?: true };

export type Term = FieldTerm | TextTerm;

/** Times are Unix ms UTC, durations ms. `to: null` = until now. */
export type TimeWindow =
  | { kind: 'last'; duration: number }
  | { kind: 'absolute'; from: number; to: number | null };

/** What a key makes of a window: half its length earlier or later, a shorter or a longer one. */
export type WindowMove = 'earlier' | 'later' | 'zoomIn' | 'zoomOut';

/** Terms are AND-ed. `groupBy` is ordered field ids. */
export type Query = {
  terms: readonly Term[];
  window: TimeWindow | null;
  groupBy: readonly string[];
};

export const EMPTY_QUERY: Query = { terms: [], window: null, groupBy: [] };

/** Why a text is no value, time or window, and what to write instead. */
export type Refusal = { ok: false; message: string; hint: string };

export function refuse(message: string, hint: string): Refusal {
  return { ok: false, message, hint };
}

/** The term that any of these values meets. */
export function termOfAny(field: string, values: readonly string[], op: TermOp = 'eq'): FieldTerm {
  return { kind: 'field', field, op, values, negated: false };
}

/** The query with further terms, where there are any. */
export function withTerms<Q extends Pick<Query, 'terms'>>(query: Q, ...terms: readonly (Term | null)[]): Q {
  return { ...query, terms: [...query.terms, ...terms.filter((term) => term !== null)] };
}
