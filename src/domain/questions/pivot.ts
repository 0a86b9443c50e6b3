import type { FieldTerm, Query } from '../query/query.ts';
import { termForShown, termForValue } from '../query/terms.ts';
import type { TimeRange } from '../tail/coverage.ts';
import type { Anonymisation } from '../zone.ts';
import { clientNetwork, logTermOf, type Mask, maskOf, shieldTermOf } from './same-client.ts';
import type { Sighting } from './sighting.ts';
import { SAME_CLIENT_SECONDS } from './timeline.ts';

/** An id finds its request wherever it is; the two logs may date one request differently by the time it took. */
const SAME_REQUEST_SECONDS = 300;

/** One question of a pivot. `finds`: what an answer of it proves. */
export type PivotStep = { query: Query; finds: 'exact' | 'approximate'; mask: Mask };

/** The step that proves most comes first. */
export type PivotQuestion = { ok: true; steps: readonly PivotStep[] } | { ok: false; why: string };

/** How to ask the CDN log for the request of a Shield event, or else for what its client did around it. */
export function requestsOf(sighting: Sighting, anonymisation: Anonymisation, now: number): PivotQuestion {
  const steps: PivotStep[] = [];
  if (sighting.requestId !== null) {
    const id = termForValue('logs', 'id', sighting.requestId, false);
    if (id)
      steps.push({
        ...asked([id], around(sighting.at, SAME_REQUEST_SECONDS), now),
        finds: 'exact',
        mask: 'none',
      });
  }
  const network = networkOf(sighting, anonymisation);
  if (network !== null) {
    const query = asked([logTermOf(network)], around(sighting.at, SAME_CLIENT_SECONDS), now);
    steps.push({ ...query, finds: 'approximate', mask: maskOf(network) });
  }
  return steps.length > 0 ? { ok: true, steps } : { ok: false, why: nothingToAskBy(anonymisation) };
}

/**
 * How to ask Shield for the events of a CDN request. It cannot be asked for a request id: its client's events are asked
 * for, or without an address those of its URL, and `sameClient` finds the one with the id among them.
 */
export function eventsOf(sighting: Sighting, anonymisation: Anonymisation, now: number): PivotQuestion {
  const network = networkOf(sighting, anonymisation);
  if (network !== null) {
    const query = asked([shieldTermOf(network)], around(sighting.at, SAME_CLIENT_SECONDS), now);
    return { ok: true, steps: [{ ...query, finds: 'approximate', mask: maskOf(network) }] };
  }
  const url = sighting.requestId === null ? null : sighting.url;
  const term = url === null ? null : termForShown('shield', 'url', url);
  if (term === null) return { ok: false, why: nothingToAskBy(anonymisation) };
  const query = asked([term], around(sighting.at, SAME_REQUEST_SECONDS), now);
  return { ok: true, steps: [{ ...query, finds: 'exact', mask: 'none' }] };
}

function networkOf(sighting: Sighting, anonymisation: Anonymisation) {
  return anonymisation === 'drop' || sighting.ip === null ? null : clientNetwork(sighting.ip, anonymisation);
}

function nothingToAskBy(anonymisation: Anonymisation): string {
  return anonymisation === 'drop'
    ? 'it has no request id, and the zone logs no client addresses'
    : 'it has neither a request id nor a client address';
}

function around(at: number, seconds: number): TimeRange {
  return { from: Math.max(0, at - seconds * 1000), to: at + seconds * 1000 + 1 };
}

/** An end that has not come yet is left open. */
function asked(terms: readonly FieldTerm[], { from, to }: TimeRange, now: number): { query: Query } {
  return {
    query: { terms, window: { kind: 'absolute', from, to: to >= now ? null : to }, groupBy: [] },
  };
}
