import {
  BYPASS_FIELDS,
  type BypassField,
  type Sighting,
  sightingOfEvent,
  sightingOfRecord,
} from '../../domain/clients/client-identity.ts';
import { within } from '../../domain/inquiry/answer-table.ts';
import { SAVED_ZONE } from '../../domain/inquiry/saved-inquiry.ts';
import { EMPTY_QUERY, type Query } from '../../domain/query/query.ts';
import {
  type Asked,
  clientTerms,
  type Known,
  noLogWords,
  termsOfSighting,
} from '../../domain/questions/asked/asked.ts';
import type { QuestionId } from '../../domain/questions/asked/questions.ts';
import {
  type Against,
  isInParts,
  type Lens,
  lensesOf,
  NO_LENS,
} from '../../domain/questions/comparison/lenses.ts';
import { FEW_ROWS } from '../../domain/questions/incidents/ask-incidents.ts';
import { ACCOUNT_SPANS } from '../../domain/questions/incidents/zone-samples.ts';
import { logOf } from '../../domain/shield/shield-rows.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import { shared, type TimeRange } from '../../domain/tail/coverage.ts';
import { anonymisationOf, type PullZone, type Zones } from '../../domain/zone.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { choiceOf, OF_LOGS, openAnswer } from '../../screens/answer/answer-commands.ts';
import { stoppedToChoose } from '../../screens/log/log-commands.ts';
import { onTop, valueUnder } from '../../screens/screens.ts';
import type { Choice } from '../../state/answer-model.ts';
import { onlyZone, shieldZoneOf } from '../../state/log-zones.ts';
import { noticed, type State } from '../../state/model.ts';
import { topOf, viewsOf } from '../../state/view-stack.ts';
import { duration, HOUR, joined } from '../../text/units.ts';
import { causesAsked, changesAsked, mayAskCauses, wrongAsked } from './evidence-questions.ts';
import { radiusAsked, suspectsAsked } from './rule-questions.ts';
import { readTimes, type Scene, type Selected, sceneOf, sessionOf, storedUntil } from './scene.ts';

const CHOOSE = 'the arrows choose the row and its value, then the same again';

/** Two logs date one request apart by the time it took, ms. */
const MARGIN = 60_000;

/** The command that asks each question on a screen, and how. */
const ASKS: Record<QuestionId, [CommandId, (state: State, scene: Scene) => State]> = {
  compare: ['compare', compared],
  through: ['bypassCheck', passed],
  timeline: ['pivot', pivoted],
  misses: ['missLens', missed],
  'false-positives': ['suspectRules', suspectsAsked],
  rule: ['blastRadius', radiusAsked],
  wrong: ['wrong', wrongAsked],
  incidents: ['incidents', incidentsAsked],
  changes: ['changes', changesAsked],
  causes: ['causes', causesAsked],
};

export const QUESTION_KEYS = Object.values(ASKS).map(([command]) => command);

/** Opens the question that a key asks about the view or its selected times; null = the command asks none. */
export function questioned(state: State, command: CommandId, selected: Selected | null = null): State | null {
  const ask = Object.values(ASKS).find(([by]) => by === command)?.[1];
  if (!ask) return null;
  const scene = sceneOf(state, selected);
  return typeof scene === 'string' ? noticed(state, 'info', scene) : ask(state, scene);
}

/** The value under the cursor where clients are identified by it, or why they are not. */
export function clientUnder(state: State): { field: BypassField; value: string | null } | string {
  const under = valueUnder(state);
  if (typeof under === 'string') return under;
  const field = BYPASS_FIELDS.find((each) => each === under.field);
  if (field) return { field, value: under.value };
  const fields = `${BYPASS_FIELDS.slice(0, -1).join(', ')} or ${BYPASS_FIELDS.at(-1)}`;
  return `:through asks about ${fields}, not ${under.field}: choose one of them`;
}

/** Whether the client with the value under the cursor was let through, by the CDN logs of the same times. */
function passed(state: State, { subject, zones, range }: Scene): State {
  const held = stoppedToChoose(state, CHOOSE);
  if (held) return held;
  const under = clientUnder(state);
  if (typeof under === 'string') return noticed(state, 'info', under);
  // What is kept of addresses; for a line of several logs, what all of them keep.
  const seen = zoneOfRow(state, zones)?.anonymisation ?? anonymisationOf(zones);
  const terms = clientTerms(under, seen);
  const [zone] = zones;
  const shieldZoneId = subject === 'shield' && zones.length === 1 ? shieldZoneOf(state, zone) : null;
  // In Shield the client's events show it, too.
  const known: Known = { now: state.now, shieldZoneId, seen, ...storedUntil(state) };
  const times = [
    { title: 'while it was seen', times: seenTimes(state, range) },
    { title: 'the window on screen', times: range },
  ];
  const choices = times.flatMap(({ title, times }): Choice[] => {
    if (times === null) return [];
    return [choiceOf(title, { ...OF_LOGS, question: 'through', zones, terms, range: times }, known)];
  });
  return openAnswer(state, {
    crumb: `through? ${under.field}`,
    zones,
    query: within({ ...EMPTY_QUERY, terms }, range),
    choices,
    isFirstMeant: true,
    isWayTold: choices.length > 1,
  });
}

/** The zone of the row under the cursor; where that names none, the only one. */
function zoneOfRow(state: State, zones: Zones): PullZone | null {
  const one = onTop(state, 'under')?.one;
  if (one?.kind !== 'record') return null;
  return zones.find(({ id }) => id === one.record.pullZoneId) ?? (zones.length === 1 ? zones[0] : null);
}

/** The part of a window in which the group under the cursor was seen, where that is known and shorter. */
function seenTimes(state: State, range: TimeRange): TimeRange | null {
  const times = onTop(state, 'under')?.seen;
  if (!times) return null;
  const [seen] = shared(range, [{ from: times.from - MARGIN, to: times.to + 1 + MARGIN }]);
  return seen && seen.to - seen.from < range.to - range.from ? seen : null;
}

/** The line under the cursor in the other log, and what its client did around that time. */
function pivoted(state: State, { subject, zones }: Scene): State {
  const held = stoppedToChoose(state, CHOOSE);
  if (held) return held;
  const sighting = sightingUnder(state);
  if (typeof sighting === 'string') return noticed(state, 'info', sighting);
  const zone = zoneOfRow(state, zones) ?? zones[0];
  const others = zones.filter((each) => each !== zone);
  const range = { from: sighting.at, to: sighting.at + 1 };
  const of = { zones: [zone, ...others], terms: termsOfSighting(sighting), range } as const;
  const asked: Asked = { ...OF_LOGS, ...of, question: 'timeline' };
  const known: Known = { now: state.now, shieldZoneId: shieldZoneOf(state, zone), sighting };
  const choice = choiceOf('within a minute', asked, known);
  return openAnswer(state, {
    crumb: 'timeline',
    subject: subject === 'shield' || others.length > 0 ? 'logs' : 'shield',
    zones: [zone, ...others],
    query: choice.query ?? EMPTY_QUERY,
    choices: [choice],
  });
}

/** The client of the line under the cursor, or why there is none. */
function sightingUnder(state: State): Sighting | string {
  const one = onTop(state, 'under')?.one;
  if (!one) return 'there is no request or event under the cursor';
  if (one.kind === 'record') return sightingOfRecord(one.record);
  const { event } = one;
  return sightingOfEvent({ timestamp: event.at, fields: event.fields, log: logOf(event) });
}

/** The newest time of the log that its rate is taken from, ms, and how much of it must have been read. */
const RATE_SPAN = 60_000;
const RATE_LEAST = 10_000;

/** This window against others; the user chooses one by its price. */
function compared(state: State, scene: Scene): State {
  const { subject, zones, query, range } = scene;
  const zone = onlyZone(scene.zones);
  const shieldZoneId = typeof zone === 'string' ? null : shieldZoneOf(state, zone);
  if (subject === 'shield' && !shieldZoneId)
    return noticed(state, 'info', 'the Shield zone is still being looked for');
  const lenses = lensesOfScene(state, scene).filter((lens) => subject === 'logs' || !isInParts(lens));
  const choices = lenses.map((lens): Choice => {
    const { title, why } = lens;
    const asked = askedAgainst('compare', scene, lens);
    return asked === null
      ? { title, inquiry: null, asked, why }
      : choiceOf(title, asked, { now: state.now, shieldZoneId, ...storedUntil(state) }, why);
  });
  return openAnswer(state, {
    crumb: 'compared with',
    subject,
    zones,
    query: within(query, range),
    choices,
    needsAll: true,
    isFirstMeant: true,
    isWayTold: true,
  });
}

/** What started missing; from its answer the next window to compare with is asked. */
function missed(state: State, scene: Scene): State {
  if (scene.subject !== 'logs')
    return noticed(state, 'info', 'misses are counted in the CDN log: 2 goes there');
  const variant = topOf(state, 'answer')?.variant ?? null;
  const isAgain = variant !== null;
  const beneath = isAgain ? { ...state, views: state.views.slice(0, -1) } : state;
  const about = isAgain ? sceneOf(beneath) : scene;
  if (typeof about === 'string') return noticed(state, 'info', about);
  const { zones, query } = about;
  const lenses = lensesOfScene(beneath, about).filter((lens) => lens.before && !isInParts(lens));
  const last = lenses.findIndex(({ id }) => variant === `misses ${id}`);
  const lens = lenses[(last + 1) % lenses.length];
  const asked = lens ? askedAgainst('misses', about, lens) : null;
  if (!lens || asked === null) return noticed(state, 'info', NO_LENS);
  const known: Known = {
    now: state.now,
    shieldZoneId: undefined,
    rows: rowsExpected(state, lens.now),
    withCauses: mayAskCauses(state, zones),
    ...storedUntil(state),
  };
  return openAnswer(beneath, {
    crumb: 'misses',
    zones,
    query: within(query, lens.now),
    variant: `misses ${lens.id}`,
    choices: [choiceOf(lens.title, asked, known)],
    needsAll: true,
  });
}

function lensesOfScene(state: State, { subject, zones, range, rest, edge }: Scene): Lens[] {
  const held = subject === 'logs' ? readTimes(state, zones) : [];
  return lensesOf({ range, rest, held, edge });
}

/** A question about a scene against an earlier window; null where there is none. */
function askedAgainst(
  question: Asked['question'],
  { subject, zones, query: { terms } }: Scene,
  { id, title, now, before }: Lens,
): Asked | null {
  if (before === null) return null;
  const against: Against = { id, title, ranges: before };
  return { question, subject, zones, terms, range: now, against };
}

/** The rows of a window at the rate of the log on screen; null where too little of that was read. */
function rowsExpected({ session }: State, range: TimeRange): number | null {
  const to = session?.report?.completeTo ?? null;
  if (!session || to === null) return null;
  const from = Math.max(session.from ?? Number.NEGATIVE_INFINITY, to - RATE_SPAN);
  if (to - from < RATE_LEAST) return null;
  const { requests } = session.book.stats({ from, to }, 1).total;
  return (requests * (range.to - range.from)) / (to - from);
}

/** The spans that one zone can be examined over; the last hours of each are read first. */
const SWEEPS = [
  { title: 'last day', span: 24 * HOUR },
  { title: '3 days kept', span: 72 * HOUR },
] as const;

/** What stood out in the time that is kept, by samples: of the log on screen; in the picker, of a zone or of all. */
function incidentsAsked(state: State, scene: Scene): State {
  const choices = scene.isListed ? pickerChoices(state, scene) : logChoices(state, scene);
  const [zone] = scene.zones;
  if (choices.length === 0) {
    return noticed(state, 'info', zone.logging ? FEW_ROWS : noLogWords(zone));
  }
  return openAnswer(state, {
    crumb: 'incidents',
    zones: scene.zones,
    query: { ...scene.query, groupBy: [] },
    choices,
    isWayTold: true,
  });
}

function logChoices(state: State, scene: Scene): Choice[] {
  const { zones, query } = scene;
  if (zones[0] === SAVED_ZONE) return fromMemory(state, scene);
  const sweeps = zones.length === 1 ? sweepsOf(state, zones[0], query) : accountSweeps(state, zones, query);
  return [
    ...olderWindow(state, scene),
    ...fromMemory(state, scene),
    ...keptFor(state, zones, query),
    ...sweeps,
  ];
}

/** The window on screen, where a store has it. */
function olderWindow(state: State, { zones, query, range }: Scene): Choice[] {
  const { storedUntil: until } = storedUntil(state);
  if (until === undefined || range.from >= until) return [];
  return [choiceOf('window on screen', askedOf(zones, query, range), knownOf(state))];
}

/**
 * The marked zones, or else those listed, in their order, and the zone under the cursor; that one first where the
 * list was searched for it.
 */
function pickerChoices(state: State, scene: Scene): Choice[] {
  const { narrow } = state.zones;
  const [zone] = scene.zones;
  const { zones, name, unlisted } = scopeOf(state);
  const named = (choices: readonly Choice[], name: string) =>
    choices.map((choice) => ({ ...choice, title: `${name}, ${choice.title}` }));
  const sweeps = zones.length > 1 ? accountSweeps(state, zones, EMPTY_QUERY, unlisted) : [];
  const [all, ...longer] = named(sweeps, name);
  const [day, ...days] = named(sweepsOf(state, zone, EMPTY_QUERY), zone.name);
  const kept = [...keptFor(state, [zone], EMPTY_QUERY), ...keptOfSeveral(state)];
  const firsts = (narrow === '' ? [all, day] : [day, all]).flatMap((choice) => choice ?? []);
  return [...fromMemory(state, scene), ...kept, ...firsts, ...longer, ...days];
}

/** The zones that the picker can ask about together. `unlisted`: how many of them are not listed yet. */
function scopeOf({ zones }: State): { zones: readonly PullZone[]; name: string; unlisted: number } {
  const { items, shown, marked, total, nextPage } = zones;
  if (marked.size > 1) {
    const listed = [...new Set([...shown, ...items])];
    return { zones: listed.filter(({ id }) => marked.has(id)), name: 'marked zones', unlisted: 0 };
  }
  if (shown.length < items.length) return { zones: shown, name: 'listed zones', unlisted: 0 };
  const unlisted = nextPage === null ? 0 : Math.max(0, (total ?? 0) - items.length);
  return { zones: shown, name: 'all zones', unlisted };
}

function sweepsOf(state: State, zone: PullZone, query: Query): Choice[] {
  if (!zone.logging) return [];
  return SWEEPS.map(({ title, span }) =>
    choiceOf(title, askedOf([zone], query, lastOf(state, span)), {
      ...knownOf(state),
      withCauses: mayAskCauses(state, [zone]),
    }),
  );
}

function accountSweeps(state: State, all: readonly PullZone[], query: Query, unlisted = 0): Choice[] {
  const [first, ...others] = all;
  if (!first) return [];
  return ACCOUNT_SPANS.map(({ title, span }) =>
    choiceOf(title, askedOf([first, ...others], query, lastOf(state, span)), {
      ...knownOf(state),
      unlisted,
      withCauses: mayAskCauses(state, [first]),
    }),
  ).filter(({ inquiry }) => inquiry !== null);
}

function askedOf(zones: Zones, { terms }: Query, range: TimeRange): Asked {
  return { ...OF_LOGS, question: 'incidents', zones, terms, range };
}

function knownOf({ now }: State): Known {
  return { now, shieldZoneId: undefined };
}

function lastOf({ now }: State, duration: number): TimeRange {
  return rangeOf({ kind: 'last', duration }, now);
}

/** Samples of the rows in memory, where these suffice to know what is usual. */
function fromMemory(state: State, { zones, query, range: onScreen }: Scene): Choice[] {
  const held = readTimes(state, zones);
  const [first, last] = [held[0], held.at(-1)];
  const book = sessionOf(state, zones)?.book;
  if (!first || !last || !book) return [];
  const range = zones[0] === SAVED_ZONE ? onScreen : { from: first.from, to: last.to };
  const known = { ...knownOf(state), held: book.size };
  return [choiceOf('rows in memory', askedOf(zones, query, range), known)].filter(
    ({ inquiry }) => inquiry !== null,
  );
}

/** The kept answer, as a way to ask that costs nothing. */
function keptFor(state: State, zones: Zones, { terms }: Query): Choice[] {
  const kept = state.keptAnswer;
  const idsOf = (all: Zones) => all.map(({ id }) => id).join();
  if (!kept || idsOf(kept.zones) !== idsOf(zones)) return [];
  return JSON.stringify(kept.query.terms) === JSON.stringify(terms) ? keptChoice(state, '') : [];
}

/** In the picker the last answer about several zones is offered, whichever they were. */
function keptOfSeveral(state: State): Choice[] {
  const { keptAnswer: kept } = state;
  const isOfAll = kept && kept.zones.length > 1 && kept.query.terms.length === 0;
  return isOfAll ? keptChoice(state, `${kept.zones.length} zones`) : [];
}

function keptChoice({ keptAnswer, now, views, parked }: State, of: string): Choice[] {
  if (!keptAnswer) return [];
  const { inquiry, asked, query, zones, readAt } = keptAnswer;
  // Two views of one inquiry would feed it twice.
  if (viewsOf([...views, ...parked], 'answer').some(({ begun }) => begun.has(inquiry))) return [];
  const left = inquiry.rest().length;
  if (left === inquiry.needs.length) return [];
  const why = joined([of, left > 0 ? `${left} more with Ctrl-r` : ''], ', ');
  return [{ title: `read ${duration(now - readAt)} ago`, inquiry, asked, query, zones, why, isKept: true }];
}
