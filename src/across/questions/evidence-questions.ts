import { type NameOf, type Start, startsIn } from '../../domain/evidence/change.ts';
import { originBeginnings } from '../../domain/evidence/origin-tally.ts';
import { within } from '../../domain/inquiry/answer-table.ts';
import { SAVED_ZONE } from '../../domain/inquiry/saved-inquiry.ts';
import { oldestAsked } from '../../domain/log-retention.ts';
import { EMPTY_QUERY } from '../../domain/query/query.ts';
import type { Asked, Known } from '../../domain/questions/asked/asked.ts';
import { namesBy } from '../../domain/questions/evidence/ask-changes.ts';
import { WRONG_BUDGET } from '../../domain/questions/wrong/ask-wrong.ts';
import { shared, type TimeRange } from '../../domain/tail/coverage.ts';
import type { Zones } from '../../domain/zone.ts';
import { choiceOf, OF_LOGS, openAnswer } from '../../screens/answer/answer-commands.ts';
import { originDaysTold } from '../../state/evidence/platform-evidence.ts';
import { onlyZone, shieldZoneOf } from '../../state/log-zones.ts';
import { noticed, type State } from '../../state/model.ts';
import { HOUR, MINUTE } from '../../text/units.ts';
import { readTimes, type Scene, sessionOf } from './scene.ts';

/** How far back changes and origin errors go without a window. */
const CHANGES_BACK = 24 * HOUR;
const CAUSES_BACK = 3 * HOUR;
/** Minutes in memory searched for a beginning. */
const MOST_MINUTES = 24 * 60;

const NOBODY = 'saved logs name no zone that could be asked about';

/** Whether another answer may ask for origin errors by itself: not for files, and not where they were refused. */
export function mayAskCauses({ evidence }: State, [zone]: Zones): boolean {
  return zone !== SAVED_ZONE && !evidence.refused.has('originErrors');
}

/** The changes of the account: of the window and some hours before it, or of the last day. */
export function changesAsked(state: State, scene: Scene): State {
  const [zone] = scene.zones;
  if (zone === SAVED_ZONE) return noticed(state, 'info', NOBODY);
  const { to } = scene.range;
  const range = { from: Math.min(scene.range.from - HOUR, to - CHANGES_BACK), to: Math.max(to, state.now) };
  const known = {
    now: state.now,
    shieldZoneId: shieldZoneOf(state, zone),
    starts: knownStarts(state, scene.zones, range),
    nameOf: namesOf(state, scene.zones),
  };
  const asked = { ...OF_LOGS, question: 'changes', zones: [zone], terms: [], range } as const;
  return openAnswer(state, {
    crumb: 'changes',
    zones: scene.zones,
    query: within(EMPTY_QUERY, range),
    choices: [choiceOf('changes of the account', asked, known)],
    needsAll: true,
  });
}

/** Why the origin fails, in the window on screen or the last hours. */
export function causesAsked(state: State, scene: Scene): State {
  if (scene.zones[0] === SAVED_ZONE) return noticed(state, 'info', NOBODY);
  const isSet = scene.query.window?.kind === 'absolute';
  const { from, to } = scene.range;
  const range = isSet ? scene.range : { from: Math.min(from, to - CAUSES_BACK), to: Math.max(to, state.now) };
  const query = within(scene.subject === 'logs' ? scene.query : EMPTY_QUERY, range);
  const zones = worstFirst(state, scene.zones);
  const known = {
    now: state.now,
    shieldZoneId: shieldZoneOf(state, zones[0]),
    nameOf: namesOf(state, zones),
  };
  const asked = { ...OF_LOGS, question: 'causes', zones, terms: query.terms, range } as const;
  return openAnswer(state, {
    crumb: 'causes',
    zones: scene.zones,
    query,
    choices: [choiceOf('origin errors and changes', asked, known)],
    needsAll: true,
  });
}

/** By the 5xx of each in memory: where not all are asked about, the worst are. */
function worstFirst(state: State, zones: Zones): Zones {
  const book = zones.length > 1 ? sessionOf(state, zones)?.book : undefined;
  if (!book) return zones;
  const { groups } = book.groupBy(['zone'], Number.POSITIVE_INFINITY);
  const errors = new Map(groups.map(({ key, errors }) => [key['zone'] ?? '', errors]));
  const [first = zones[0], ...others] = zones.toSorted(
    (a, b) => (errors.get(b.id) ?? 0) - (errors.get(a.id) ?? 0),
  );
  return [first, ...others];
}

function namesOf(state: State, zones: Zones): NameOf {
  const listed = state.zones.items.flatMap(({ id, name }) => {
    const shield = state.zones.shieldOf?.get(id);
    return [{ id, name }, ...(shield === undefined ? [] : [{ id: shield, name }])];
  });
  const storage = state.storage.items.map(({ id, name }) => ({ id, name }));
  return namesBy([...storage, ...listed, ...zones]);
}

/** When something began, as far as rows in memory and known origin errors show. */
function knownStarts(state: State, zones: Zones, range: TimeRange): Start[] {
  const held = shared(range, readTimes(state, zones)).toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
  const book = sessionOf(state, zones)?.book;
  const minutes = held ? Math.floor((held.to - held.from) / MINUTE) : 0;
  const rises =
    held && book && minutes > 1
      ? startsIn(book.stats(wholeMinutes(held, minutes), Math.min(minutes, MOST_MINUTES)).buckets)
      : [];
  const causes = originDaysTold(state.evidence, zones)
    .flatMap(({ errors }) => originBeginnings(errors, range))
    .map(({ at, code }) => ({ at, what: code }));
  return [...rises, ...causes];
}

/** The newest minutes, as many as are searched. */
function wholeMinutes({ to }: TimeRange, minutes: number): TimeRange {
  const end = Math.floor(to / MINUTE) * MINUTE;
  return { from: end - Math.min(minutes, MOST_MINUTES) * MINUTE, to: end };
}

/**
 * What is wrong in the times on screen, in both logs of a zone; from Shield's screen the question is about all
 * requests.
 */
export function wrongAsked(state: State, { subject, zones, query, range, edge }: Scene): State {
  const zone = onlyZone(zones);
  if (typeof zone === 'string') return noticed(state, 'info', zone);
  // A filter on events does not select requests.
  const terms = subject === 'logs' ? query.terms : [];
  const asked: Asked = { ...OF_LOGS, question: 'wrong', zones, terms, range };
  const known: Known = {
    now: state.now,
    edge,
    // Events that are gone are not asked for; a store has none.
    shieldZoneId: range.to <= oldestAsked(state.now, 'shield') ? undefined : shieldZoneOf(state, zone),
    rules: state.shield?.rules ?? null,
    withCauses: mayAskCauses(state, zones),
  };
  return openAnswer(state, {
    crumb: 'wrong',
    zones,
    query: within({ ...query, terms }, range),
    choices: [choiceOf('what is wrong here?', asked, known)],
    needsAll: true,
    free: WRONG_BUDGET,
  });
}
