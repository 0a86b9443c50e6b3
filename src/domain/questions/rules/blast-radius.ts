import type { LogRecord } from '../../log.ts';
import { logField } from '../../query/fields.ts';
import { matcher } from '../../query/match.ts';
import type { FieldTerm, Query, Term } from '../../query/query.ts';
import type { ShieldEvent } from '../../shield/shield.ts';
import type { Anonymisation } from '../../zone.ts';
import { clientKey, sightingOfRecord, suspectsOf } from '../clients/client.ts';

/** A filter as a rule. `terms` are those that a rule can go by; the rule is wider than the filter without the others. */
export type RuleDraft = {
  terms: readonly FieldTerm[];
  left: readonly { term: Term; why: string }[];
};

export type BlastRadius = {
  /** CDN rows read, and those that the rule would hit. */
  read: number;
  hit: number;
  /** Answered with 2xx or 3xx, of clients without a Shield event; and those of them that the rule would hit. */
  good: number;
  goodHit: number;
  /** Their clients, where they can be told apart. */
  goodClients: number;
  goodClientsHit: number;
  /** Requests of clients with a Shield event: what the rule is for. */
  suspect: number;
  suspectHit: number;
  /** Requests that are good by their answer but have no address to tell their client by; they count as good. */
  anonymous: number;
};

/** What the rule hits in a row: a request of a good client, of one that Shield acted on, another one, or nothing. */
type BlastHit = 'good' | 'suspect' | 'other' | null;

/** What is known of an answer, or of one request only, can be no condition of a rule. */
const OF_ANSWERS: ReadonlySet<keyof LogRecord> = new Set([
  'statusCode',
  'cacheStatus',
  'bytesSent',
  'contentRange',
  'requestId',
  'pullZoneId',
]);

/** The call is in the published description of Shield (2026-08-20); see `rule-body` for what it is sent. */
export const RULE_CALL =
  'enter it in the Shield dashboard, or create it by POST /shield/waf/custom-rule, which edgescope never sends';

/**
 * The rule that a filter of CDN logs or of Shield comes to. Which conditions a rule of the platform offers is
 * not documented; a term is left out only when no rule could go by it.
 */
export function draftRule(terms: readonly Term[]): RuleDraft {
  const kept: FieldTerm[] = [];
  const left: { term: Term; why: string }[] = [];
  for (const term of terms) {
    const why = obstacleTo(term);
    if (why !== null) left.push({ term, why });
    else if (term.kind === 'field') kept.push(term);
  }
  return { terms: kept, left };
}

/**
 * What a rule would hit of the traffic that was read. Good = answered with 2xx or 3xx, from a client on which Shield did
 * not act in the events given. Under last-octet anonymisation a client is its network: all of it is suspect when one of
 * it is, and a rule for one address counts as hitting all of it. `events` must cover the time of the records.
 */
export function createBlastRadius(
  rule: RuleDraft,
  events: readonly ShieldEvent[],
  anonymisation: Anonymisation,
): { add(record: LogRecord): BlastHit; result(): BlastRadius } {
  const query: Query = { terms: rule.terms, window: null, groupBy: [] };
  const matches = rule.terms.length === 0 ? () => false : matcher(query, anonymisation);
  const suspects = suspectsOf(events, anonymisation);
  const clients = new Set<string>();
  const clientsHit = new Set<string>();
  const sums = { read: 0, hit: 0, good: 0, goodHit: 0, suspect: 0, suspectHit: 0, anonymous: 0 };
  return {
    add(record) {
      const isHit = matches(record);
      const { ip, requestId } = sightingOfRecord(record);
      const client = clientKey(ip, anonymisation);
      sums.read++;
      if (isHit) sums.hit++;
      const isSuspect =
        (client !== null && suspects.clients.has(client)) ||
        (requestId !== null && suspects.requestIds.has(requestId));
      if (isSuspect) {
        sums.suspect++;
        if (isHit) sums.suspectHit++;
        return isHit ? 'suspect' : null;
      }
      if (record.statusCode < 200 || record.statusCode > 399) return isHit ? 'other' : null;
      sums.good++;
      if (isHit) sums.goodHit++;
      if (client === null) {
        sums.anonymous++;
        return isHit ? 'good' : null;
      }
      clients.add(client);
      if (isHit) clientsHit.add(client);
      return isHit ? 'good' : null;
    },
    result: () => ({ ...sums, goodClients: clients.size, goodClientsHit: clientsHit.size }),
  };
}

function obstacleTo(term: Term): string | null {
  if (term.kind === 'text') return 'free text looks into answers too; name the field it stands in';
  if (term.field === 'rule' || term.field === 'feature' || term.field === 'action') {
    return `${term.field} is what Shield made of a request, nothing that the request brings`;
  }
  const field = logField(term.field);
  if (field === null) return `CDN logs have no field ${term.field}`;
  const isOfAnswer = field.column === null || OF_ANSWERS.has(field.column);
  return isOfAnswer ? `${term.field} is known only of the answer, or of one request` : null;
}
