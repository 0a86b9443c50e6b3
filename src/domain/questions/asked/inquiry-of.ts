import { HOUR } from '../../../text/units.ts';
import { oldestAsked } from '../../kept.ts';
import { isCauseTerm, NO_CAUSE_OF_ANSWER } from '../../query/cause-terms.ts';
import { EMPTY_QUERY, type Query } from '../../query/query.ts';
import { anonymisationOf, type PullZone, type Zones } from '../../zone.ts';
import { BYPASS_FIELDS, bypassInquiry, bypassQuestions } from '../clients/ask-bypass.ts';
import { timelineById, timelineInquiry } from '../clients/ask-timeline.ts';
import { shieldTermsOf } from '../clients/client.ts';
import { logComparison, shieldComparison } from '../comparison/ask-comparison.ts';
import { NO_LENS } from '../comparison/lenses.ts';
import { causesInquiry } from '../evidence/ask-causes.ts';
import { changesInquiry, namesBy } from '../evidence/ask-changes.ts';
import { incidentsInquiry } from '../incidents/ask-incidents.ts';
import { planOfHeld, planWords, samplePlan } from '../incidents/zone-samples.ts';
import { within } from '../inquiry/answer-table.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import { eachWords } from '../inquiry/log-reading.ts';
import { SAVED_ZONE, sayingImported } from '../inquiry/saved-inquiry.ts';
import { missInquiry } from '../misses/ask-misses.ts';
import { blastInquiry, draftRule } from '../rules/ask-blast-radius.ts';
import { falsePositiveInquiry } from '../rules/ask-false-positives.ts';
import { wrongInquiry } from '../wrong/ask-wrong.ts';
import { type Asked, clientAsked, type Known, type Made, sightingAsked } from './asked.ts';
import type { QuestionId } from './questions.ts';

/** The fewest rows in memory of which it is told what stood out. */
const ROWS_LEAST = 1000;

export const FEW_ROWS = 'too few rows read to tell what stands out';

const MAKERS: Readonly<Record<QuestionId, (asked: Asked, known: Known) => Made>> = {
  wrong,
  misses,
  compare,
  through,
  incidents,
  timeline,
  'false-positives': falsePositives,
  rule,
  changes,
  causes,
};

/** What is answered by evidence alone; the others read rows, of which no origin errors are told to them. */
const OF_NO_ROWS: readonly QuestionId[] = ['causes', 'changes'];

/** The requests of a question and what becomes of their answers: the same on a screen and in a pipe. */
export function inquiryOf(asked: Asked, known: Known): Made {
  if (!OF_NO_ROWS.includes(asked.question) && asked.terms.some(isCauseTerm))
    return refused(NO_CAUSE_OF_ANSWER);
  const answered = MAKERS[asked.question](asked, known);
  return answered.ok ? { ...answered, inquiry: sayingImported(answered.inquiry) } : answered;
}

/** The requests of a log that a question is about, and of no group of them. */
function queryOf({ terms }: Asked): Query {
  return { ...EMPTY_QUERY, terms };
}

function made(asked: Asked, inquiry: Inquiry, why = eachWords(asked.zones, inquiry)): Made & { ok: true } {
  return { ok: true, inquiry, why, zones: asked.zones, query: within(queryOf(asked), asked.range) };
}

function refused(why: string): Made {
  return { ok: false, why };
}

function wrong(asked: Asked, { now, edge, shieldZoneId, rules = null, withCauses }: Known): Made {
  const [zone] = asked.zones;
  const inquiry = wrongInquiry({
    zone,
    shieldZoneId,
    query: queryOf(asked),
    range: asked.range,
    edge: edge ?? oldestAsked(now, 'logs'),
    rules,
    withEvidence: withCauses ?? false,
  });
  if (inquiry.needs.length === 0) return refused(noLogWords(zone));
  const why = shieldZoneId === undefined && zone !== SAVED_ZONE ? 'Shield not known yet: not asked' : '';
  return made(asked, inquiry, why);
}

function misses(asked: Asked, { rows = null, withCauses = false, storedUntil }: Known): Made {
  const { zones, range: now, against } = asked;
  const [before, ...more] = against?.ranges ?? [];
  if (against === null || before === undefined) return refused(NO_LENS);
  if (more.length > 0)
    return refused('misses are compared with those of one window: before this one, or after it');
  const windows = { query: queryOf(asked), now, before, against: against.title };
  return made(asked, missInquiry({ zones, ...windows, rows, withCauses, storedUntil }));
}

function compare(asked: Asked, { shieldZoneId, storedUntil }: Known): Made {
  const { zones, range: now, against, subject } = asked;
  if (against === null) return refused(NO_LENS);
  const windows = { query: queryOf(asked), now, against: against.title };
  if (subject === 'logs')
    return made(asked, logComparison({ zones, ...windows, before: against.ranges, storedUntil }));
  if (!shieldZoneId) return refused(noShield(zones[0]));
  const [before, ...more] = against.ranges;
  if (!before || more.length > 0)
    return refused('events are compared with one window: before this one, or after it');
  return made(asked, shieldComparison({ shieldZoneId, ...windows, before }));
}

function through(asked: Asked, { shieldZoneId, seen, storedUntil }: Known): Made {
  const { zones, range, terms } = asked;
  const client = clientAsked(terms);
  if (client === null) {
    return refused(`through asks about one client: one of ${BYPASS_FIELDS.join(':, ')}: with one value`);
  }
  const { field, value } = client;
  const questions = bypassQuestions(field, value, zones, seen ?? anonymisationOf(zones));
  if (!questions.ok) return refused(questions.why);
  const [{ zone, question }] = questions.asked;
  const shield =
    shieldZoneId && zones.length === 1 ? { shieldZoneId, terms: shieldTermsOf(field, value, zone) } : null;
  const inquiry = bypassInquiry({ ...questions, range, shield, storedUntil });
  return made({ ...asked, terms: question.terms }, inquiry);
}

function incidents(asked: Asked, { held, unlisted = 0, withCauses = false }: Known): Made {
  const { zones, range } = asked;
  const [zone, ...others] = zones;
  if (held !== undefined && held < ROWS_LEAST * zones.length) return refused(FEW_ROWS);
  if (others.length === 0 && !zone.logging) return refused(noLogWords(zone));
  const plan =
    held === undefined ? samplePlan(zones, range.to - range.from, unlisted) : planOfHeld(zones, range, held);
  const [first, ...more] = plan.zones;
  if (!first) return refused(`none of the ${zones.length} zones keeps a CDN log that can be read`);
  const inquiry = incidentsInquiry({ plan, query: queryOf(asked), range, withCauses });
  const why = held === undefined ? planWords(plan, inquiry.needs.length) : '';
  return made({ ...asked, zones: [first, ...more] }, inquiry, why);
}

function timeline(asked: Asked, { now, shieldZoneId, sighting: known }: Known): Made {
  const { range, terms } = asked;
  const [zone, ...others] = asked.zones;
  const sighting = known ?? sightingAsked(terms, range.from);
  if (typeof sighting === 'string') return refused(sighting);
  const about = { zone, others, shieldZoneId, now };
  if (known === undefined && sighting.requestId !== null && zone.logging) {
    const inquiry = timelineById({ ...about, sighting, id: sighting.requestId, range });
    return made(asked, inquiry, '');
  }
  const pivot = timelineInquiry({ ...about, subject: sighting });
  if (!pivot.ok) return refused(pivot.why);
  return { ...made(asked, pivot.inquiry), query: pivot.query };
}

function falsePositives(asked: Asked, { shieldZoneId, events = null, rules = null }: Known): Made {
  const [zone] = asked.zones;
  if (!shieldZoneId) return refused(noShield(zone));
  if (!zone.logging) return refused(`${zone.name} keeps no CDN log, so good clients cannot be identified`);
  const about = { zone, shieldZoneId, query: queryOf(asked), range: asked.range };
  return made(asked, falsePositiveInquiry({ ...about, known: events, rules }), '');
}

function rule(asked: Asked, { shieldZoneId }: Known): Made {
  const [zone] = asked.zones;
  if (!zone.logging) return refused(`${zone.name} keeps no CDN log to try a rule on`);
  const draft = draftRule(asked.terms);
  if (draft.terms.length === 0) {
    const [left] = draft.left;
    return refused(left?.why ?? 'the query says what the rule would stop, such as ua~curl path:/login*');
  }
  const parts = partsFor(asked.range.to - asked.range.from);
  const inquiry = blastInquiry({ zone, shieldZoneId, rule: draft, range: asked.range, parts });
  const why = shieldZoneId === undefined ? 'Shield not known yet: no client flagged' : '';
  return made({ ...asked, terms: draft.terms }, inquiry, why);
}

function changes(asked: Asked, { shieldZoneId, starts = [], nameOf = namesBy(asked.zones) }: Known): Made {
  const [{ id: pullZoneId, name }] = asked.zones;
  const zone = { pullZoneId, shieldZoneId, name };
  return made(asked, changesInquiry({ zone, range: asked.range, starts, nameOf }), '');
}

function causes(asked: Asked, { shieldZoneId, failures, nameOf = namesBy(asked.zones) }: Known): Made {
  const { range } = asked;
  const [first, ...others] = asked.zones;
  const zones: Zones = [{ ...first, shieldZoneId: shieldZoneId ?? first.shieldZoneId }, ...others];
  return made(asked, causesInquiry({ zones, query: queryOf(asked), range, nameOf, held: failures }), '');
}

/** Requests for the CDN log of the time that a rule is tried on. */
function partsFor(span: number): number {
  return span <= HOUR ? 4 : span <= 6 * HOUR ? 8 : 12;
}

function noShield({ name }: PullZone): string {
  return `${name} has no Shield zone: switch Shield on in the pull zone`;
}

export function noLogWords({ name }: Pick<Zones[0], 'name'>): string {
  return `${name} keeps no CDN log; it is switched on under Logging of the pull zone`;
}
