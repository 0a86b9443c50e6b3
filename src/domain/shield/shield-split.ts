import { SHIELD_FIELDS, type ShieldFieldId, shieldFieldOf } from '../query/fields.ts';
import type { FieldTerm, Term } from '../query/query.ts';
import { canonicalTerm } from '../query/terms.ts';
import type { ShieldDimension, ShieldFilter, ShieldOp } from './shield.ts';

/** What a Shield search is asked, and the terms that are left to decide here by `shieldMatcher`. */
export type ShieldSplit = {
  query: string | null;
  filters: readonly ShieldFilter[];
  local: readonly Term[];
};

/**
 * Shares terms out between Shield and us. Shield has no negation, no "has none", and one free text; the first one
 * goes there. Whether it minds the case is not documented, so that its answer may be narrower than ours.
 */
export function splitForShield(terms: readonly Term[]): ShieldSplit {
  const filters: ShieldFilter[] = [];
  const local: Term[] = [];
  let query: string | null = null;
  for (const term of terms) {
    const filter = term.kind === 'field' ? filterOf(term) : null;
    if (filter) filters.push(filter.asked);
    if (filter?.isExact) continue;
    if (term.kind === 'text' && !term.negated && query === null) query = term.value;
    else local.push(term);
  }
  return { query, filters, local };
}

/** The API's name of what a field id is read from; null for a field that Shield has not. */
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
  const { derive, wider } = row;
  if (derive && !wider) return null;
  if (wider && term.op !== 'contains')
    return { asked: { field, op: 'wildcard', value: term.values.map(wider) }, isExact: false };
  const value = term.op === 'cidr' ? term.values.map(asNetwork) : term.values;
  return { asked: { field, op: opOf(term), value }, isExact: derive === undefined };
}

function opOf({ op, values }: FieldTerm): ShieldOp {
  return op === 'eq' && values.length > 1 ? 'in' : op;
}

/** A plain address in a list of networks is a network of one. */
function asNetwork(value: string): string {
  if (value.includes('/')) return value;
  return `${value}/${value.includes(':') ? 128 : 32}`;
}
