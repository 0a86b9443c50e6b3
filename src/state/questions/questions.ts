import { EMPTY_QUERY, type Query } from '../../domain/query/query.ts';
import { incidentsInquiry, paceWords, stepFor } from '../../domain/questions/anomalies/ask-incidents.ts';
import { bypassInquiry } from '../../domain/questions/clients/ask-bypass.ts';
import { timelineInquiry } from '../../domain/questions/clients/ask-timeline.ts';
import {
  BYPASS_FIELDS,
  type BypassField,
  bypassQuestion,
} from '../../domain/questions/clients/bypass-check.ts';
import { type Sighting, sightingOfEvent, sightingOfRecord } from '../../domain/questions/clients/client.ts';
import { within } from '../../domain/questions/inquiry/answer-table.ts';
import { logOf } from '../../domain/shield/shield-rows.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import { shared, type TimeRange } from '../../domain/tail/coverage.ts';
import type { PullZone } from '../../domain/zone.ts';
import { duration } from '../../text/units.ts';
import type { CommandId } from '../commands.ts';
import { stoppedToChoose } from '../logs/log.ts';
import { noticed, type State, topView } from '../model.ts';
import { onTop } from '../screens.ts';
import { shieldZoneOf } from '../shield/shield-zone-of.ts';
import { type Choice, openAnswer } from './answer.ts';
import { compared, missed } from './comparisons.ts';
import { SAVED_ZONE } from './held.ts';
import { radiusAsked, shieldTermsOf, suspectsAsked } from './rule-questions.ts';
import { readTimes, type Scene, sceneOf, sessionOf } from './scene.ts';
import { valueUnder } from './value-under.ts';

const HOUR = 3_600_000;

/** The lengths of time that incidents are looked for in; what is read first of either are the last hours. */
const SWEEPS = [
  { title: 'last day', span: 24 * HOUR },
  { title: '3 days kept', span: 72 * HOUR },
] as const;

/** The fewest rows in memory of which it is told what stood out. */
const ROWS_LEAST = 1000;

const CHOOSE = 'j k h l choose the row and its value, then the key again';

/** Two logs date one request differently by the time it took, ms. */
const MARGIN = 60_000;

const ASKS: Partial<Record<CommandId, (state: State, scene: Scene) => State>> = {
  compare: compared,
  bypassCheck: passed,
  pivot: pivoted,
  missLens: missed,
  suspectRules: suspectsAsked,
  blastRadius: radiusAsked,
  incidents: incidentsAsked,
};

/** Opens the question that a key asks about the view on screen; null = the command is none. */
export function questioned(state: State, command: CommandId): State | null {
  const ask = ASKS[command];
  if (!ask) return null;
  const scene = sceneOf(state);
  return typeof scene === 'string' ? noticed(state, 'info', scene) : ask(state, scene);
}

/** The value under the cursor where it is one that clients are told by, or why it is not. */
export function clientUnder(state: State): { field: BypassField; value: string | null } | string {
  const under = valueUnder(state);
  if (typeof under === 'string') return under;
  const field = BYPASS_FIELDS.find((each) => each === under.field);
  if (field) return { field, value: under.value };
  const fields = `${BYPASS_FIELDS.slice(0, -1).join(', ')} or ${BYPASS_FIELDS.at(-1)}`;
  return `a asks about ${fields}, not ${under.field}: choose one of them`;
}

/** Whether the client with the value under the cursor was let through, in the CDN log of the same times. */
function passed(state: State, { subject, zone, range }: Scene): State {
  const held = stoppedToChoose(state, CHOOSE);
  if (held) return held;
  const under = clientUnder(state);
  if (typeof under === 'string') return noticed(state, 'info', under);
  const { field } = under;
  if (!zone.logging)
    return noticed(
      state,
      'info',
      `${zone.name} keeps no CDN log; it is switched on under Logging of the pull zone`,
    );
  const question = bypassQuestion(field, under.value, zone);
  if (!question.ok) return noticed(state, 'info', question.why);
  const shieldZoneId = shieldZoneOf(state, zone);
  // In Shield the client's events tell of it, too.
  const shield =
    subject === 'shield' && shieldZoneId
      ? { shieldZoneId, terms: shieldTermsOf(field, under.value, zone) }
      : null;
  const times = [
    { title: 'while it was seen', times: seenTimes(state, range) },
    { title: 'the window on screen', times: range },
  ];
  const choices = times.flatMap(({ title, times }): Choice[] => {
    if (times === null) return [];
    const inquiry = bypassInquiry({ zone, range: times, question, shield });
    const query = within({ ...EMPTY_QUERY, terms: question.terms }, times);
    return [{ title, inquiry, query, why: '' }];
  });
  return openAnswer(state, {
    crumb: `through? ${field}`,
    subject: 'logs',
    zone,
    query: within({ ...EMPTY_QUERY, terms: question.terms }, range),
    choices,
    isFirstMeant: true,
    isWayTold: choices.length > 1,
  });
}

/** The part of a window in which the group under the cursor was seen, where that is known and shorter. */
function seenTimes(state: State, range: TimeRange): TimeRange | null {
  const times = onTop(state, 'under')?.seen;
  if (!times) return null;
  const [seen] = shared(range, [{ from: times.from - MARGIN, to: times.to + 1 + MARGIN }]);
  return seen && seen.to - seen.from < range.to - range.from ? seen : null;
}

/** The line under the cursor in the other log, and what its client did around it. */
function pivoted(state: State, { subject, zone }: Scene): State {
  const held = stoppedToChoose(state, CHOOSE);
  if (held) return held;
  const sighting = sightingUnder(state);
  if (typeof sighting === 'string') return noticed(state, 'info', sighting);
  const shieldZoneId = shieldZoneOf(state, zone);
  const pivot = timelineInquiry({ zone, shieldZoneId, subject: sighting, now: state.now });
  if (!pivot.ok) return noticed(state, 'info', pivot.why);
  return openAnswer(state, {
    crumb: 'timeline',
    subject: subject === 'shield' ? 'logs' : 'shield',
    zone,
    query: pivot.query,
    choices: [{ title: 'within a minute', inquiry: pivot.inquiry, why: '' }],
  });
}

/** What stood out in the hours that are kept, by samples of the log. */
function incidentsAsked(state: State, scene: Scene): State {
  const { zone, query } = scene;
  if (!zone.logging)
    return noticed(
      state,
      'info',
      `${zone.name} keeps no CDN log; it is switched on under Logging of the pull zone`,
    );
  const sweeps = SWEEPS.map(({ title, span }): Choice => {
    const range = rangeOf({ kind: 'last', duration: span }, state.now);
    const inquiry = incidentsInquiry({ zone, query: { ...query, groupBy: [] }, range });
    return { title, inquiry, why: paceWords(inquiry.needs.length), query: within(query, range) };
  });
  const choices = [
    ...sweptFromMemory(state, scene),
    ...keptFor(state, zone, query),
    ...(zone === SAVED_ZONE ? [] : sweeps),
  ];
  if (choices.length === 0) return noticed(state, 'info', 'too few rows read to tell what stands out');
  return openAnswer(state, {
    crumb: topView(state).kind === 'zones' ? zone.name : 'incidents',
    subject: 'logs',
    zone,
    query: { ...query, groupBy: [] },
    choices,
    isWayTold: true,
  });
}

/** Samples of the rows in memory, where they are enough to tell what is usual. */
function sweptFromMemory(state: State, scene: Scene): Choice[] {
  const { zone, query } = scene;
  const held = readTimes(state, zone);
  const [first, last] = [held[0], held.at(-1)];
  const book = sessionOf(state, zone)?.book;
  if (!first || !last || !book) return [];
  const range = zone === SAVED_ZONE ? scene.range : { from: first.from, to: last.to };
  if (book.size < ROWS_LEAST) return [];
  const step = stepFor(range, book.size);
  const inquiry = incidentsInquiry({ zone, query: { ...query, groupBy: [] }, range, step });
  return [{ title: 'rows in memory', inquiry, why: '', query: within(query, range) }];
}

/** The answer that was read before, as a way to ask that costs nothing. */
function keptFor({ keptAnswer, now }: State, zone: PullZone, { terms }: Query): Choice[] {
  if (keptAnswer?.zoneId !== zone.id) return [];
  if (JSON.stringify(keptAnswer.query.terms) !== JSON.stringify(terms)) return [];
  const { inquiry, query, readAt } = keptAnswer;
  const left = inquiry.rest().length;
  if (left === inquiry.needs.length) return [];
  const why = left > 0 ? `${left} more with Ctrl-r` : '';
  return [{ title: `read ${duration(now - readAt)} ago`, inquiry, query, why, isKept: true }];
}

/** What the line under the cursor tells of who sent it, or why there is none. */
function sightingUnder(state: State): Sighting | string {
  const one = onTop(state, 'under')?.one;
  if (!one) return 'there is no request or event under the cursor';
  if (one.kind === 'record') return sightingOfRecord(one.record);
  const { event } = one;
  return sightingOfEvent({ timestamp: event.at, fields: event.fields, log: logOf(event) });
}
