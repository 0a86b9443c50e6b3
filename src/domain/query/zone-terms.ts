import type { PullZone } from '../zone.ts';
import type { FieldTerm, Term } from './query.ts';
import { zonesCalled } from './zone-search.ts';

/** A list of zones never changes in place, so the names of its ids live as long as the list. */
const names = new WeakMap<readonly PullZone[], ReadonlyMap<string, string>>();

/**
 * Terms that rows can be tested by: a row has only its zone's id, so what a `zone:` term calls these zones becomes
 * their ids. A word that names none of them stays: it is an id, or matches nothing.
 */
export function withZoneIds(terms: readonly Term[], zones: readonly PullZone[]): readonly Term[] {
  return terms.some(isOfZone) ? terms.map((term) => (isOfZone(term) ? inIds(term, zones) : term)) : terms;
}

/** The name of the zone with this id, which is untrusted text; the id where none of these zones has it. */
export function zoneNameOf(zones: readonly PullZone[], id: string): string {
  const known = names.get(zones) ?? new Map(zones.map((zone) => [zone.id, zone.name]));
  names.set(zones, known);
  return known.get(id) ?? id;
}

function isOfZone(term: Term): term is FieldTerm {
  return term.kind === 'field' && term.field === 'zone';
}

function inIds(term: FieldTerm, zones: readonly PullZone[]): FieldTerm {
  const isPattern = term.op === 'wildcard';
  const values = term.values.flatMap((value) => {
    // A lone star asks for any zone, known or not; a value that is no pattern is in no name.
    if (value === '*' || (!isPattern && value.includes('*'))) return [value];
    const ids = zonesCalled(zones, value).map(({ id }) => id);
    return ids.length > 0 ? ids : [value];
  });
  const hasPattern = isPattern && values.some((value) => value.includes('*'));
  return { ...term, op: hasPattern ? 'wildcard' : 'eq', values: [...new Set(values)] };
}
