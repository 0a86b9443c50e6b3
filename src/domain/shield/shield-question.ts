import { SHIELD_FIELDS, type ShieldFieldId, shieldFieldOf } from '../query/fields.ts';
import type { FieldTerm, Query, Term } from '../query/query.ts';
import { commonText, textsHeld } from '../query/regex.ts';
import { canonicalTerm, termForShown } from '../query/terms.ts';
import type { ShieldDimension, ShieldFilter } from './shield.ts';

/** What a Shield search is asked, and the terms that are left to decide here by `shieldMatcher`. */
type ShieldSplit = {
  query: string | null;
  filters: readonly ShieldFilter[];
  local: readonly Term[];
};

/**
 * Divides terms between Shield and us. Shield has no negation, no "has none", and one free text, which the first one
 * takes. Whether it minds the case is undocumented, so its answer may be narrower than ours.
 */
export function splitForShield(terms: readonly Term[]): ShieldSplit {
  const filters: ShieldFilter[] = [];
  const local: Term[] = [];
  let query: string | null = null;
  for (const term of terms) {
    const filter = term.kind === 'field' ? filterOf(term) : null;
    if (filter) filters.push(filter.asked);
    if (filter?.isExact) continue;
    if (term.kind === 'text' && !term.negated && !term.isRegex && query === null) query = term.value;
    else local.push(term);
  }
  return { query, filters, local };
}

/** The API's name of what a field is read from; null for a field that Shield lacks. */
export function dimensionOf(id: string): ShieldDimension | null {
  return Object.hasOwn(SHIELD_FIELDS, id) ? SHIELD_FIELDS[id as ShieldFieldId].dimension : null;
}

/** What Shield can decide of a term: all of it, or which rows may pass it. */
function filterOf(term: FieldTerm): { asked: ShieldFilter; isExact: boolean } | null {
  const row = shieldFieldOf(term.field);
  const field = dimensionOf(term.field);
  const readsAbsence = term.values.some((value) => value === '' || (term.op === 'wildcard' && value === '*'));
  if (!row || !field || term.negated || readsAbsence) return null;
  if (row.same !== undefined) return filterOf(canonicalTerm('shield', { ...term, field: row.same }));
  const { derive, wider, widerText } = row;
  if (derive && !wider) return null;
  // Shield has no regular expressions: it is asked for a text that each match holds.
  if (term.op === 'regex') {
    const values = term.values.map((value) => commonText([textsHeld('regex', value)]));
    const held = values.includes('') ? null : filterOf({ ...term, op: 'contains', values });
    return held && { ...held, isExact: false };
  }
  const pattern = term.op === 'contains' ? widerText : wider;
  if (pattern) return { asked: { field, op: 'wildcard', value: term.values.map(pattern) }, isExact: false };
  const value = term.op === 'cidr' ? term.values.map(asNetwork) : term.values;
  const op = term.op === 'eq' && value.length > 1 ? 'in' : term.op;
  return { asked: { field, op, value }, isExact: derive === undefined };
}

/** A plain address in a list of networks is a network of one. */
function asNetwork(value: string): string {
  if (value.includes('/')) return value;
  return `${value}/${value.includes(':') ? 128 : 32}`;
}

/** What Shield is asked, and what is decided here. `folds` = asked in finer groups than shown, to decide exclusions. */
export type ShieldPlan = {
  query: string | null;
  filters: readonly ShieldFilter[];
  /** Asked for; finer than `dims` where those are derived, or an exclusion needs it. Empty = rows. */
  groupBy: readonly ShieldDimension[];
  /** The dimensions shown: the API's names, and the ids of derived fields. */
  dims: readonly string[];
  local: readonly Term[];
  /** Terms that counts cannot decide: they act on rows only. */
  undecided: readonly Term[];
};

/**
 * Plans the groups of a query by `by` (field ids). Shield has no negation: an exclusion on a dimension that is not
 * shown becomes one more dimension, and the finer groups that fail it are left out of the sums here.
 */
export function planGroups(query: Query, by: readonly string[]): ShieldPlan {
  const split = splitForShield(query.terms);
  const local = split.local.filter((term) => term.kind === 'field');
  const extra = local.flatMap((term) => (term.kind === 'field' ? (dimensionOf(term.field) ?? []) : []));
  return {
    query: split.query,
    filters: split.filters,
    groupBy: [...new Set([...by.flatMap((id) => dimensionOf(id) ?? []), ...extra])],
    dims: by.flatMap((id) => (shieldFieldOf(id)?.derive ? id : (dimensionOf(id) ?? []))),
    local,
    undecided: split.local.filter((term) => term.kind === 'text'),
  };
}

export function planRows(query: Query): ShieldPlan {
  return { ...splitForShield(query.terms), groupBy: [], dims: [], undecided: [] };
}

/** True when finer groups are summed: until all are read the sums are too low. */
export function isFolded({ groupBy, dims }: ShieldPlan): boolean {
  return groupBy.some((dimension) => !dims.includes(dimension));
}

/** The terms that open a group, with its values. */
export function termsInto(
  terms: readonly Term[],
  dims: readonly string[],
  key: Readonly<Record<string, string | null>>,
): Term[] {
  return [
    ...terms,
    ...dims.flatMap((dimension) => termForShown('shield', dimension, key[dimension] ?? null) ?? []),
  ];
}
