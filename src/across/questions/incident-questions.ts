import { SAVED_ZONE } from '../../domain/inquiry/saved-inquiry.ts';
import { EMPTY_QUERY, type Query } from '../../domain/query/query.ts';
import { type Asked, type Known, noLogWords } from '../../domain/questions/asked/asked.ts';
import { FEW_ROWS } from '../../domain/questions/incidents/ask-incidents.ts';
import { ACCOUNT_SPANS } from '../../domain/questions/incidents/zone-samples.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import type { PullZone, Zones } from '../../domain/zone.ts';
import { choiceOf, OF_LOGS, openAnswer } from '../../screens/answer/answer-commands.ts';
import type { Choice } from '../../state/answer-model.ts';
import { noticed, type State } from '../../state/model.ts';
import { viewsOf } from '../../state/view-stack.ts';
import { duration, HOUR, joined } from '../../text/units.ts';
import { mayAskCauses } from './evidence-questions.ts';
import { readTimes, type Scene, sessionOf, storedUntil } from './scene.ts';

/** The spans that one zone can be examined over; the last hours of each are read first. */
const SWEEPS = [
  { title: 'last day', span: 24 * HOUR },
  { title: '3 days kept', span: 72 * HOUR },
] as const;

/** What stood out in the time that is kept, by samples: of the log on screen; in the picker, of a zone or of all. */
export function incidentsAsked(state: State, scene: Scene): State {
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
