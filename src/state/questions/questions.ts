import { EMPTY_QUERY, type Query, type QuerySubject } from '../../domain/query/query.ts';
import { logComparison } from '../../domain/questions/ask-comparison-logs.ts';
import { shieldComparison } from '../../domain/questions/ask-comparison-shield.ts';
import { incidentsInquiry, paceWords } from '../../domain/questions/ask-incidents.ts';
import { missInquiry } from '../../domain/questions/ask-miss-lens.ts';
import { passageInquiry } from '../../domain/questions/ask-passage.ts';
import { timelineInquiry } from '../../domain/questions/ask-timeline.ts';
import { BASELINES, type BaselineId, baselineOf } from '../../domain/questions/baseline.ts';
import { PASSAGE_FIELDS, type PassageField, passageQuestion } from '../../domain/questions/passage.ts';
import { type Sighting, sightingOfEvent, sightingOfRecord } from '../../domain/questions/sighting.ts';
import { logOf } from '../../domain/shield/shield-rows.ts';
import { rangeOf, retentionEdge } from '../../domain/shield/shield-window.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import type { PullZone } from '../../domain/zone.ts';
import { duration } from '../../text/units.ts';
import type { CommandId } from '../commands.ts';
import { NOT_CONNECTED } from '../handover/saved-handover.ts';
import { listHeight } from '../layout.ts';
import { logWindow, pausedToChoose, TAIL_WINDOW } from '../logs/log.ts';
import { noticed, type State, topView, zoneOfLog } from '../model.ts';
import { isShieldView } from '../shield/shield-model.ts';
import { shieldZoneOf } from '../shield/shield-zone-of.ts';
import { openAnswer, rowUnder } from './answer.ts';
import type { AnswerChoice } from './answer-model.ts';
import { radiusAsked, shieldTermsOf, suspectsAsked } from './rule-questions.ts';
import { valueUnder } from './value-under.ts';

/** What a question is asked about: one log of a zone, in the times on screen. */
type Scene = { subject: QuerySubject; zone: PullZone; query: Query; range: TimeRange };

const HOUR = 3_600_000;

/** The lengths of time that incidents are looked for in; what is read first of either are the last hours. */
const SWEEPS = [
  { title: 'last day', span: 24 * HOUR },
  { title: '3 days kept', span: 72 * HOUR },
] as const;

/** The time of the log on screen that tells its rate, ms, and how much of it must have been read. */
const RATE_SPAN = 60_000;
const RATE_LEAST = 10_000;

const LENSES = Object.keys(BASELINES) as BaselineId[];

const ASKS: Partial<Record<CommandId, (state: State, scene: Scene) => State>> = {
  compare: compared,
  passage: passed,
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

/** This window against three others; the user chooses one and sees what each costs. */
function compared(state: State, { subject, zone, query, range }: Scene): State {
  const shieldZoneId = shieldZoneOf(state, zone);
  if (subject === 'shield' && !shieldZoneId)
    return noticed(state, 'info', 'the Shield zone is still being looked for');
  const choices = LENSES.map((against): AnswerChoice => {
    const { title } = BASELINES[against];
    const baseline = baselineOf(range, against, retentionEdge(state.now));
    if (!baseline.ok) return { title, inquiry: null, why: baseline.why };
    const windows = { query, now: range, before: baseline.range, against };
    const inquiry =
      subject === 'shield' && shieldZoneId
        ? shieldComparison({ shieldZoneId, ...windows })
        : logComparison({ zone, ...windows });
    const why = baseline.lost > 0 ? 'its beginning is no longer kept; counts are scaled by length' : '';
    return { title, inquiry, why };
  });
  return openAnswer(state, { crumb: 'compared with', subject, zone, query: within(query, range), choices });
}

/** The value under the cursor where it is one that clients are told by, or why it is not. */
export function clientUnder(state: State): { field: PassageField; value: string | null } | string {
  const under = valueUnder(state);
  if (typeof under === 'string') return under;
  const field = PASSAGE_FIELDS.find((each) => each === under.field);
  if (field) return { field, value: under.value };
  const fields = `${PASSAGE_FIELDS.slice(0, -1).join(', ')} or ${PASSAGE_FIELDS.at(-1)}`;
  return `a asks about ${fields}, not ${under.field}: choose one of them`;
}

/** Whether the client with the value under the cursor was let through, in the CDN log of the same times. */
function passed(state: State, { subject, zone, range }: Scene): State {
  const held = stopped(state);
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
  const question = passageQuestion(field, under.value, zone);
  if (!question.ok) return noticed(state, 'info', question.why);
  const shieldZoneId = shieldZoneOf(state, zone);
  // In Shield the client's events tell of it, too.
  const shield =
    subject === 'shield' && shieldZoneId
      ? { shieldZoneId, terms: shieldTermsOf(field, under.value, zone) }
      : null;
  const inquiry = passageInquiry({ zone, range, question, shield });
  return openAnswer(state, {
    crumb: `through? ${field}`,
    subject: 'logs',
    zone,
    query: within({ ...EMPTY_QUERY, terms: question.terms }, range),
    choices: [{ title: 'the window on screen', inquiry, why: '' }],
  });
}

/** The line under the cursor in the other log, and what its client did around it. */
function pivoted(state: State, { subject, zone }: Scene): State {
  const held = stopped(state);
  if (held) return held;
  const sighting = sightingUnder(state);
  if (typeof sighting === 'string') return noticed(state, 'info', sighting);
  const shieldZoneId = shieldZoneOf(state, zone) ?? null;
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

/** What started missing; asked again on its answer, against the next of the windows to compare with. */
function missed(state: State, { subject, zone, query, range }: Scene): State {
  if (subject !== 'logs') return noticed(state, 'info', 'misses are counted in the CDN log: 2 goes there');
  const view = topView(state);
  const asked = view.kind === 'answer' ? LENSES.findIndex((id) => view.variant === `misses ${id}`) : -1;
  const beneath = asked < 0 ? state : { ...state, views: state.views.slice(0, -1) };
  const order = LENSES.map((_, index) => LENSES[(asked + 1 + index) % LENSES.length] ?? 'previous');
  for (const against of order) {
    const baseline = baselineOf(range, against, retentionEdge(state.now));
    if (!baseline.ok) continue;
    const rows = rowsExpected(state, range);
    const inquiry = missInquiry({ zone, query, now: range, before: baseline.range, against, rows });
    const { title } = BASELINES[against];
    return openAnswer(beneath, {
      crumb: 'misses',
      subject: 'logs',
      zone,
      query: within(query, range),
      variant: `misses ${against}`,
      choices: [{ title, inquiry, why: '' }],
    });
  }
  return noticed(state, 'info', 'there is no earlier window to compare with: logs are kept three days');
}

/** Rows of a window at the rate of those of the log on screen; null where too little of it was read to tell. */
function rowsExpected({ session }: State, range: TimeRange): number | null {
  const to = session?.report?.completeTo ?? null;
  if (!session || to === null) return null;
  const from = Math.max(session.from ?? Number.NEGATIVE_INFINITY, to - RATE_SPAN);
  if (to - from < RATE_LEAST) return null;
  const { requests } = session.book.stats({ from, to }, 1).total;
  return (requests * (range.to - range.from)) / (to - from);
}

/** What stood out in the hours that are kept, by samples of the log. */
function incidentsAsked(state: State, { zone, query }: Scene): State {
  if (!zone.logging)
    return noticed(
      state,
      'info',
      `${zone.name} keeps no CDN log; it is switched on under Logging of the pull zone`,
    );
  const choices = SWEEPS.map(({ title, span }): AnswerChoice => {
    const range = rangeOf({ kind: 'last', duration: span }, state.now);
    const inquiry = incidentsInquiry({ zone, query: { ...query, groupBy: [] }, range });
    return { title, inquiry, why: paceWords(inquiry.needs.length), query: within(query, range) };
  });
  const kept = keptFor(state, zone, query);
  return openAnswer(state, {
    crumb: topView(state).kind === 'zones' ? zone.name : 'incidents',
    subject: 'logs',
    zone,
    query: { ...query, groupBy: [] },
    choices: kept ? [kept, ...choices] : choices,
  });
}

/** The answer that was read before, as a way to ask that costs nothing. */
function keptFor({ keptAnswer, now }: State, zone: PullZone, { terms }: Query): AnswerChoice | null {
  if (keptAnswer?.zoneId !== zone.id) return null;
  if (JSON.stringify(keptAnswer.query.terms) !== JSON.stringify(terms)) return null;
  const { inquiry, query, readAt } = keptAnswer;
  const left = inquiry.rest().length;
  if (left === inquiry.needs.length) return null;
  const why = left > 0 ? `${left} more with Ctrl-r` : '';
  return { title: `read ${duration(now - readAt)} ago`, inquiry, query, why, isKept: true };
}

/** At the live end no line is marked: the first press stops it there. */
function stopped(state: State): State | null {
  const view = topView(state);
  if (view.kind !== 'log' || view.paused) return null;
  return pausedToChoose(state, view, 'j k h l choose the row and its value, then the key again');
}

/** What the line under the cursor tells of who sent it, or why there is none. */
function sightingUnder(state: State): Sighting | string {
  const view = topView(state);
  const book = state.session?.book;
  if (view.kind === 'shieldRows' || view.kind === 'shieldEvent') {
    const row = view.kind === 'shieldEvent' ? view.row : view.rows.shown[view.cursor];
    if (!row) return 'there is no event under the cursor';
    return sightingOfEvent({ timestamp: row.at, fields: row.fields, log: logOf(row) });
  }
  if (view.kind === 'record' && book?.has(view.id)) return sightingOfRecord(book.record(view.id));
  const item = view.kind === 'log' && book?.at(logWindow(view, book, listHeight(state)).cursor);
  return item && item.kind === 'row' && book
    ? sightingOfRecord(book.record(item.id))
    : 'there is no row under the cursor';
}

function sceneOf(state: State): Scene | string {
  const view = topView(state);
  if (view.kind === 'zones') {
    const zone = state.zones.shown[view.cursor];
    if (!zone) return 'no zone is listed yet';
    return { subject: 'logs', zone, query: EMPTY_QUERY, range: rangeOf(TAIL_WINDOW, state.now) };
  }
  if (!('query' in view)) return 'open a zone first';
  const subject = view.kind === 'answer' ? view.subject : isShieldView(view) ? 'shield' : 'logs';
  if (state.session?.source.kind === 'files') return NOT_CONNECTED;
  const zone = view.kind === 'answer' ? view.zone : (zoneOfLog(state.session) ?? state.shield?.zone);
  if (!zone) return 'nothing is being followed';
  const usual = subject === 'logs' ? TAIL_WINDOW : null;
  // A row of an answer may be about a part of its times: a further question is about that part.
  const part = view.kind === 'answer' ? rowUnder(state, view)?.leads?.query.window : null;
  const query = part ? { ...view.query, window: part } : view.query;
  return { subject, zone, query, range: rangeOf(query.window ?? usual, state.now) };
}

/** The query over the very times that were asked about. */
function within(query: Query, range: TimeRange): Query {
  return { ...query, groupBy: [], window: { kind: 'absolute', ...range } };
}
