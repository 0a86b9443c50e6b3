import type { Query } from '../../domain/query/query.ts';
import { USUAL_SPAN } from '../../domain/shield/shield-window.ts';
import { type PullZone, unlistedZone } from '../../domain/zone.ts';
import { reported, type State, type WantedView } from '../model.ts';
import { backTo } from '../view-stack.ts';
import { noShieldWords } from './shield-answers.ts';
import { asking } from './shield-ask.ts';
import type { ShieldState } from './shield-model.ts';

/**
 * What the explorer asks at first: which rules fire, then which networks they stop, then from which addresses. That
 * is the way from an alert to an attacker.
 */
export const FIRST_QUESTION: Query = {
  terms: [],
  window: { kind: 'last', duration: USUAL_SPAN },
  groupBy: ['rule', 'asn', 'ip'],
};

/** Opens the explorer of a zone; a null query is the usual first question. */
export function openShield(state: State, zone: PullZone, query: Query | null): State {
  if (zone.shieldZoneId === null) {
    return reported(state, 'warning', noShieldWords(zone.name));
  }
  const question = query ?? FIRST_QUESTION;
  const window = question.window ?? FIRST_QUESTION.window;
  const [shield, view] = asking({ ...state, shield: shieldStateOf(state, zone) }, { ...question, window });
  const root = backTo(state, 'zones')?.views ?? [];
  return { ...state, session: null, shield, views: [...root, view], parked: [] };
}

/** An explorer of a zone in which nothing was asked yet. */
export function shieldStateOf(state: State, zone: PullZone): ShieldState {
  return {
    zone,
    shieldZoneId: zone.shieldZoneId ?? null,
    rules: null,
    features: new Map(),
    request: state.shield?.request ?? 0,
    past: [],
    future: [],
    isAuto: false,
    columns: state.shield?.columns ?? null,
  };
}

/** A question from the command line; one that says nothing is the usual first one, unless single events are asked for. */
export function wantedQuery({ query, rows = false }: WantedView): Query {
  return query.terms.length === 0 && query.groupBy.length === 0 && !rows
    ? { ...FIRST_QUESTION, window: query.window }
    : query;
}

/** A Shield zone known by its own id only, as `shield:<id>` on the command line names it. */
export function zoneOfShieldId(id: string): PullZone {
  return unlistedZone({ id: '', name: `shield:${id}`, shieldZoneId: id });
}

/**
 * The Shield zone of a pull zone as far as anything on the way here told it; null = it has none, undefined = nobody has
 * told yet. A log that was opened by name is there before the list that joins both kinds of zones.
 */
export function shieldZoneOf(
  { shield, zones }: Pick<State, 'shield' | 'zones'>,
  zone: PullZone,
): string | null | undefined {
  if (zone.shieldZoneId !== undefined) return zone.shieldZoneId;
  if (shield?.zone.id === zone.id && shield.shieldZoneId !== null) return shield.shieldZoneId;
  return zones.shieldOf ? (zones.shieldOf.get(zone.id) ?? null) : undefined;
}
