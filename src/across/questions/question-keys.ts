import {
  BYPASS_FIELDS,
  type BypassField,
  type Sighting,
  sightingOfEvent,
  sightingOfRecord,
} from '../../domain/clients/client-identity.ts';
import { within } from '../../domain/inquiry/answer-table.ts';
import { EMPTY_QUERY } from '../../domain/query/query.ts';
import { type Asked, clientTerms, type Known, termsOfSighting } from '../../domain/questions/asked/asked.ts';
import { logOf } from '../../domain/shield/shield-rows.ts';
import { shared, type TimeRange } from '../../domain/tail/coverage.ts';
import { anonymisationOf, type PullZone, type Zones } from '../../domain/zone.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { choiceOf, OF_LOGS, openAnswer } from '../../screens/answer/answer-commands.ts';
import { stoppedToChoose } from '../../screens/log/log-commands.ts';
import { onTop, valueUnder } from '../../screens/screens.ts';
import type { Choice } from '../../state/answer-model.ts';
import { shieldZoneOf } from '../../state/log-zones.ts';
import { noticed, type State } from '../../state/model.ts';
import { compared, missed } from './comparisons.ts';
import { causesAsked, changesAsked, wrongAsked } from './evidence-questions.ts';
import { incidentsAsked } from './incident-questions.ts';
import { radiusAsked, suspectsAsked } from './rule-questions.ts';
import { type Scene, type Selected, sceneOf, storedUntil } from './scene.ts';

const CHOOSE = 'the arrows choose the row and its value, then the same again';

/** Two logs date one request apart by the time it took, ms. */
const MARGIN = 60_000;

const ASKS: Partial<Record<CommandId, (state: State, scene: Scene) => State>> = {
  compare: compared,
  bypassCheck: passed,
  pivot: pivoted,
  missLens: missed,
  suspectRules: suspectsAsked,
  blastRadius: radiusAsked,
  wrong: wrongAsked,
  incidents: incidentsAsked,
  changes: changesAsked,
  causes: causesAsked,
};

/** The commands that ask a question. */
export const QUESTION_KEYS = Object.keys(ASKS) as CommandId[];

/** Opens the question that a key asks about the view or its selected times; null = the command asks none. */
export function questioned(state: State, command: CommandId, selected: Selected | null = null): State | null {
  const ask = ASKS[command];
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
