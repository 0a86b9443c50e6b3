import { EMPTY_QUERY, type Query } from '../query/query.ts';
import { printQuery } from '../query/query-text.ts';
import type { MetVerdict, Watch } from '../watch/watch.ts';
import { ndjsonLine } from './line-formats.ts';

/** What met a watch, as one line of JSON in ASCII. `condition`: as it was asked for; null: a query has no part in it. */
export function watchLine(
  { condition, zones, query }: { condition: string; zones: readonly string[]; query: Query | null },
  { metric, unit, value }: Watch,
  { from, to, measured, of, reason }: MetVerdict,
): string {
  const terms = query === null ? null : printQuery({ ...EMPTY_QUERY, terms: query.terms });
  const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return `${ndjsonLine({ condition, zones, query: terms, metric, measured, limit: value, unit, of, ...times, reason })}\n`;
}
