import { EMPTY_QUERY, type Term } from '../../domain/query/query.ts';
import { termForShown } from '../../domain/query/terms.ts';
import { clientNetwork, shieldTermOf } from '../../domain/questions/clients/client.ts';
import { within } from '../../domain/questions/inquiry/answer-table.ts';
import { blastInquiry } from '../../domain/questions/rules/ask-blast-radius.ts';
import { falsePositiveInquiry } from '../../domain/questions/rules/ask-false-positives.ts';
import { draftRule, type RuleDraft } from '../../domain/questions/rules/blast-radius.ts';
import { termsInto } from '../../domain/shield/shield-question.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import { shared } from '../../domain/tail/coverage.ts';
import type { PullZone } from '../../domain/zone.ts';
import { stoppedToChoose } from '../logs/log.ts';
import { onlyZone } from '../logs/log-zones.ts';
import { noticed, type State, topView } from '../model.ts';
import { isShieldList } from '../shield/shield-model.ts';
import { shieldZoneOf } from '../shield/shield-zone-of.ts';
import { type Choice, openAnswer } from './answer.ts';
import { SAVED_ZONE, wholeEvents } from './held.ts';
import { readTimes, type Scene } from './scene.ts';
import { valueUnder } from './value-under.ts';

const HOUR = 3_600_000;

/** The times that a rule is tried on, and the requests for the CDN log of each. Null = the window on screen. */
const TRIALS = [
  { title: 'window on screen', span: null, parts: 4 },
  { title: 'the last hour', span: HOUR, parts: 4 },
  { title: 'the last 6 hours', span: 6 * HOUR, parts: 8 },
  { title: 'the last day', span: 24 * HOUR, parts: 12 },
] as const;

/** Which rules stop good clients: the events on screen, beside the CDN log of the same times. */
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
  // The events that are here are those of the times that they were asked for.
  const times = events?.reading.range ?? range;
  const inquiry = falsePositiveInquiry({
    zone,
    shieldZoneId,
    query,
    range: times,
    known: events?.rows.rows.length ?? eventsKnown(state),
    rules: state.shield?.rules ?? null,
  });
  return openAnswer(state, {
    crumb: 'good clients stopped',
    subject: 'shield',
    zones: [zone],
    query: within(query, times),
    choices: [{ title: 'window on screen', inquiry, why: '' }],
    needsAll: events === null || shared(times, readTimes(state, [zone])).length === 0,
  });
}

/** What the filter on screen would hit as a rule. The price of each length of time is shown before one is chosen. */
export function radiusAsked(state: State, scene: Scene): State {
  const { range } = scene;
  const zone = onlyZone(scene.zones);
  if (typeof zone === 'string') return noticed(state, 'info', zone);
  if (!zone.logging) return noticed(state, 'info', `${zone.name} keeps no CDN log to try a rule on`);
  const stopped = stoppedToChoose(state, 'j k h l choose the value for the rule, then the key again');
  if (stopped && draftRule(termsOnTop(state)).terms.length === 0) return stopped;
  const rule = ruleUnder(state);
  if (typeof rule === 'string') return noticed(state, 'info', rule);
  const query = { ...EMPTY_QUERY, terms: rule.terms };
  const shieldZoneId = shieldZoneOf(state, zone);
  const unknown = 'Shield not known yet: no client flagged';
  const trials = zone === SAVED_ZONE ? TRIALS.slice(0, 1) : TRIALS;
  const choices = trials.map(({ title, span, parts }): Choice => {
    const times = span === null ? range : rangeOf({ kind: 'last', duration: span }, state.now);
    const inquiry = blastInquiry({ zone, shieldZoneId, rule, range: times, parts });
    return { title, inquiry, why: shieldZoneId === undefined ? unknown : '', query: within(query, times) };
  });
  return openAnswer(state, {
    crumb: 'as a rule,',
    subject: 'logs',
    zones: [zone],
    query: within(query, range),
    choices,
    isWayTold: true,
  });
}

/**
 * The rule that `B` would try: in an answer that of the value under the cursor; elsewhere the filter, and where nothing
 * of it can be part of a rule the value with it. Or why there is none.
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

/** The filter on screen; the one that an answer was asked with is none of its lines. */
function termsOnTop(state: State): readonly Term[] {
  const view = topView(state);
  return view.kind !== 'answer' && 'query' in view ? view.query.terms : [];
}

/** The terms that find the events of a client in Shield by what the CDN log calls it. */
export function shieldTermsOf(field: string, value: string | null, zone: PullZone): readonly Term[] {
  const network = field === 'ip' ? clientNetwork(value ?? '', zone.anonymisation) : null;
  return network === null ? termsInto([], [field], { [field]: value }) : [shieldTermOf(network)];
}

/** Events of the newest list of Shield on the way here, as far as its answer tells them. */
function eventsKnown(state: State): number | null {
  const view = state.views.findLast(isShieldList);
  if (!view) return null;
  return view.kind === 'shieldRows' ? view.reading.total : view.table.events;
}
