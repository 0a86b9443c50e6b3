import { type Query, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { ledBy, within } from '../inquiry/answer-section.ts';
import type { AnswerRow } from '../inquiry/answer-table.ts';
import type { Cause } from './verdict.ts';
import { isOfOldCopies } from './wrong-words.ts';

/** What was asked about. */
export type AskedAbout = { zone: PullZone; query: Query; range: TimeRange };

/** The requests of the cause, or the events of its rule. */
export function ledFrom(
  { deviation, rules, since, until }: Cause,
  { query, range, zone }: AskedAbout,
): Pick<AnswerRow, 'leads' | 'value'> {
  const ofZone = zone.id === '' ? {} : { zones: [zone.id] };
  if (deviation === null) {
    const [rule] = rules;
    if (!rule) return { leads: { subject: 'logs', query: within(query, range) } };
    return ledBy('shield', within({ ...query, terms: [] }, range), 'rule', rule.ruleId);
  }
  const begin = Math.max(range.from, since?.after ?? range.from);
  const times = { from: Math.floor(begin), to: Math.ceil(until?.before ?? range.to) };
  const [name] = deviation.names.filter(({ field }) => field !== 'status' && field !== 'cache');
  const answer = answerTerm(deviation);
  const terms = [
    name === undefined ? null : termForValue('logs', name.field, name.value, false),
    answer === null ? null : termForValue('logs', answer.field, answer.value, false),
  ];
  const found = terms.reduce((sum, term) => withTerms(sum, term), within(query, times));
  return { leads: { subject: 'logs', query: found, ...ofZone }, ...(name ? { value: name } : {}) };
}

/** What rows of a harm are found by besides their name; null: that name is all of them. */
function answerTerm(deviation: NonNullable<Cause['deviation']>): { field: string; value: string } | null {
  // Those of a surge are rows of the query.
  if (deviation.times !== null) return null;
  switch (deviation.harm) {
    case 'trouble':
      return isOfOldCopies(deviation)
        ? { field: 'cache', value: 'STALE' }
        : { field: 'status', value: '5xx' };
    case 'refused':
    case 'notFound':
    case 'clientErrors':
      return { field: 'status', value: String(deviation.statuses[0]?.status ?? '4xx') };
    case 'bypassed':
      return { field: 'cache', value: 'BYPASS' };
    case 'misses':
      return { field: 'cache', value: 'MISS' };
    case 'sender':
    case 'surge':
      return null;
  }
}
