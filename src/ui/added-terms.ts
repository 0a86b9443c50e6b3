import type { Query } from '../domain/query/query.ts';
import { printQuery } from '../domain/query/query-text.ts';
import { inAscii } from '../text/sanitise.ts';

/** Cells of a step in the breadcrumbs, at most. */
const MOST = 40;

/** What a query asks for beyond the one that it was gone into from; empty where that is nothing. */
export function addedTerms(below: Query, { terms }: Query): string {
  const known = new Set(below.terms.map((term) => JSON.stringify(term)));
  const added = terms.filter((term) => !known.has(JSON.stringify(term)));
  return inAscii(printQuery({ terms: added, window: null, groupBy: [] }), MOST);
}
