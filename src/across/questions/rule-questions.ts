import { within } from '../../domain/inquiry/answer-table.ts';
import { SAVED_ZONE } from '../../domain/inquiry/saved-inquiry.ts';
import { EMPTY_QUERY, type Term } from '../../domain/query/query.ts';
import { termForShown } from '../../domain/query/terms.ts';
import type { Asked, Known } from '../../domain/questions/asked/asked.ts';
import { draftRule, type RuleDraft } from '../../domain/questions/rules/ask-blast-radius.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import { shared } from '../../domain/tail/coverage.ts';
import { choiceOf, OF_LOGS, openAnswer } from '../../screens/answer/answer-commands.ts';
import { stoppedToChoose } from '../../screens/log/log-commands.ts';
import { queryOnTop, valueUnder } from '../../screens/screens.ts';
import type { Choice } from '../../state/answer-model.ts';
import { onlyZone, shieldZoneOf } from '../../state/log-zones.ts';
import { noticed, type State } from '../../state/model.ts';
import { wholeEvents } from '../../state/sessions/held.ts';
import { isShieldList } from '../../state/shield-model.ts';
import { HOUR } from '../../text/units.ts';
import { readTimes, type Scene } from './scene.ts';

/** The times that a rule is tried on. Null = the window on screen. */
const TRIALS = [
  { title: 'window on screen', span: null },
  { title: 'the last hour', span: HOUR },
  { title: 'the last 6 hours', span: 6 * HOUR },
  { title: 'the last day', span: 24 * HOUR },
] as const;

/** Which rules stop good clients, by the events on screen and the CDN log of the same times. */
export function suspectsAsked(state: State, scene: Scene): State {
  const { query, range } = scene;
  const zone = onlyZone(scene.zones);
  if (typeof zone === 'string') return noticed(state, 'info', zone);
  const shieldZoneId = shieldZoneOf(state, zone);
  if (!shieldZoneId) return noticed(state, 'info', 'the Shield zone is still being looked for');
  if (!zone.logging) {
    return noticed(state, 'info', `${zone.name} keeps no CDN log, so good clients cannot be identified`);
  }
  const events = wholeEvents(state);
  // The events at hand belong to the times that they were asked for.
  const times = events?.reading.range ?? range;
  const of = { zones: [zone], terms: query.terms, range: times } as const;
  const asked: Asked = { ...of, question: 'false-positives', subject: 'shield', against: null };
  const known: Known = {
    now: state.now,
    shieldZoneId,
    events: events?.rows.rows.length ?? eventsKnown(state),
    rules: state.shield?.rules ?? null,
  };
  return openAnswer(state, {
    crumb: 'good clients stopped',
    subject: 'shield',
    zones: [zone],
    query: within(query, times),
    choices: [choiceOf('window on screen', asked, known)],
    needsAll: events === null || shared(times, readTimes(state, [zone])).length === 0,
  });
}

/** What the filter on screen would hit as a rule. Each length of time shows its price before one is chosen. */
export function radiusAsked(state: State, scene: Scene): State {
  const { range } = scene;
  const zone = onlyZone(scene.zones);
  if (typeof zone === 'string') return noticed(state, 'info', zone);
  if (!zone.logging) return noticed(state, 'info', `${zone.name} keeps no CDN log to try a rule on`);
  const stopped = stoppedToChoose(state, 'the arrows choose the value for the rule, then the same again');
  if (stopped && draftRule(termsOnTop(state)).terms.length === 0) return stopped;
  const rule = ruleUnder(state);
  if (typeof rule === 'string') return noticed(state, 'info', rule);
  const known: Known = { now: state.now, shieldZoneId: shieldZoneOf(state, zone) };
  // Terms that no rule can use are named with it.
  const terms = [...rule.terms, ...rule.left.map(({ term }) => term)];
  const trials = zone === SAVED_ZONE ? TRIALS.slice(0, 1) : TRIALS;
  const choices = trials.map(({ title, span }): Choice => {
    const times = span === null ? range : rangeOf({ kind: 'last', duration: span }, state.now);
    return choiceOf(title, { ...OF_LOGS, question: 'rule', zones: [zone], terms, range: times }, known);
  });
  return openAnswer(state, {
    crumb: 'as a rule,',
    zones: [zone],
    query: within({ ...EMPTY_QUERY, terms: rule.terms }, range),
    choices,
    isWayTold: true,
  });
}

/**
 * The rule to try: in an answer that of the value under the cursor; elsewhere the filter, or the value where no term
 * of the filter can be part of a rule. Or why there is none.
 */
export function ruleUnder(state: State): RuleDraft | string {
  const terms = termsOnTop(state);
  const ofFilter = draftRule(terms);
  if (ofFilter.terms.length > 0) return ofFilter;
  const under = valueUnder(state);
  const term = typeof under === 'string' ? null : termForShown(under.subject, under.field, under.value);
  if (term === null) {
    const [left] = ofFilter.left;
    return left?.why ?? (typeof under === 'string' ? under : 'there is no value to make a rule from');
  }
  const rule = draftRule([...terms, term]);
  const [left] = rule.left;
  return rule.terms.length > 0 ? rule : (left?.why ?? 'nothing here can be part of a rule');
}

/** The filter on screen; that of an answer selects none of its lines. */
function termsOnTop(state: State): readonly Term[] {
  return queryOnTop(state)?.query.terms ?? [];
}

/** Events of the newest Shield list in the stack, as far as its answer counts them. */
function eventsKnown(state: State): number | null {
  const view = state.views.findLast(isShieldList);
  if (!view) return null;
  return view.kind === 'shieldRows' ? view.reading.total : view.table.events;
}
