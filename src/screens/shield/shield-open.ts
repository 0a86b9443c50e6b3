import type { Query } from '../../domain/query/query.ts';
import { USUAL_SPAN } from '../../domain/shield/shield-window.ts';
import { type PullZone, unlistedZone } from '../../domain/zone.ts';
import { reported, type State, type WantedView } from '../../state/model.ts';
import type { ShieldState } from '../../state/shield-model.ts';
import { noShieldWords } from '../../state/shield-model.ts';
import { backTo } from '../../state/view-stack.ts';
import { asking } from './shield-ask.ts';

/**
 * The explorer's first question: which rules fire, then which networks they stop, then from which addresses. That
 * leads from an alert to an attacker.
 */
export const FIRST_QUESTION: Query = {
  terms: [],
  window: { kind: 'last', duration: USUAL_SPAN },
  groupBy: ['rule', 'asn', 'ip'],
};

/** Opens the explorer of a zone; a null query is the first question. */
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

/** The explorer of a zone before its first question. */
function shieldStateOf(state: State, zone: PullZone): ShieldState {
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

/** The question of the command line; an empty one is the first question, unless single events are asked for. */
export function wantedQuery({ query, rows = false }: WantedView): Query {
  return query.terms.length === 0 && query.groupBy.length === 0 && !rows
    ? { ...FIRST_QUESTION, window: query.window }
    : query;
}

/** A Shield zone known by its own id alone, as `shield:<id>` names it. */
export function zoneOfShieldId(id: string): PullZone {
  return unlistedZone({ id: '', name: `shield:${id}`, shieldZoneId: id });
}

/** The explorer of a zone over the views on screen. */
export function shieldOver(state: State, zone: PullZone, { query }: { query: Query }): State {
  const known = state.shield?.zone.id === zone.id ? state.shield : shieldStateOf(state, zone);
  const [shield, view] = asking({ ...state, shield: known }, query);
  return { ...state, shield, views: [...state.views, view] };
}
