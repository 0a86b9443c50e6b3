import { fieldNamed, shieldFieldOf } from '../query/fields.ts';
import type { Query, Term } from '../query/query.ts';
import { termForShown } from '../query/terms.ts';
import type { ShieldDimension, ShieldFilter } from './shield.ts';
import { dimensionOf, splitForShield } from './shield-split.ts';

/** What Shield is asked, and what is decided here. `folds` = asked in finer groups than shown, to decide exclusions. */
export type ShieldPlan = {
  query: string | null;
  filters: readonly ShieldFilter[];
  /** Asked for; finer than `dims` where those are derived, or an exclusion is about something else. Empty = rows. */
  groupBy: readonly ShieldDimension[];
  /** The dimensions on show: the API's names, and the ids of derived fields. */
  dims: readonly string[];
  local: readonly Term[];
  /** Terms that counts cannot tell: they act on rows only. */
  undecided: readonly Term[];
};

/**
 * Plans the groups of a query by `by` (field ids). Shield has no negation: an exclusion on a dimension that is not
 * shown is asked for as one more dimension, and the finer groups that fail it are left out of the sums here.
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

/** True when what is shown is added up from finer groups: until all of those are read it counts too little. */
export function isFolded({ groupBy, dims }: ShieldPlan): boolean {
  return groupBy.some((dimension) => !dims.includes(dimension));
}

/** The terms that lead into a group: its values are added. */
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

/** The field id of an API dimension; null for a name that is none. */
export function fieldOfDimension(dimension: string): string | null {
  return fieldNamed('shield', dimension);
}
