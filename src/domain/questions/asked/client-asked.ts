import { MASK } from '../../../text/mask.ts';
import type { FieldTerm, Term } from '../../query/query.ts';
import { termForShown } from '../../query/terms.ts';
import type { Anonymisation } from '../../zone.ts';
import { BYPASS_FIELDS, type BypassField } from '../clients/bypass-check.ts';
import { clientNetwork, logTermOf } from '../clients/client.ts';

/** A client by a value that both logs know of it; null = it has none. */
type Client = { field: BypassField; value: string | null };

/** The client that a query names; null where it names none, or more than one. */
export function clientAsked(terms: readonly Term[]): Client | null {
  const [term, ...others] = terms;
  if (term?.kind !== 'field' || term.negated || others.length > 0) return null;
  const field = BYPASS_FIELDS.find((each) => each === term.field);
  const [value, ...more] = term.values;
  if (field === undefined || value === undefined || more.length > 0 || term.op === 'contains') return null;
  return { field, value: shownValue(term, value) };
}

/** The terms that name a client. `seen`: what the log keeps of addresses that its value was seen in. */
export function clientTerms({ field, value }: Client, seen: Anonymisation): readonly Term[] {
  const network = field === 'ip' ? clientNetwork(value ?? '', seen) : null;
  const term = network === null ? termForShown('logs', field, value) : logTermOf(network);
  return term === null ? [] : [term];
}

/** The value as a log shows it, a masked secret in it too. */
function shownValue({ field, op }: FieldTerm, value: string): string | null {
  if (value === '') return null;
  return op === 'wildcard' && field !== 'ip' ? value.replaceAll('*', MASK) : value;
}
