import {
  type HealthAnswer,
  type HealthReading,
  isPastRead,
  nextReading,
  withAnswer,
} from '../../domain/health/health-plan.ts';
import { scoreOf } from '../../domain/health/health-score.ts';
import {
  blockedPerMinute,
  NO_HEALTH,
  recentFigures,
  type ZoneHealth,
} from '../../domain/health/zone-health.ts';
import { narrowZones } from '../../domain/query/zone-search.ts';
import { CLOCK_STEP } from '../../domain/tail/server-time.ts';
import { canBeRead, type PullZone } from '../../domain/zone.ts';
import {
  type HealthAsk,
  type HealthState,
  type KnownHealth,
  ZONE_SORTS,
  type ZoneSort,
} from '../../state/account-model.ts';
import { orderBy } from '../../state/list/list-screen.ts';
import { detailedHeight } from '../../state/list/screen-layout.ts';
import { memoised } from '../../state/memoised.ts';
import type { Subscription } from '../../state/messages.ts';
import type { State, ZonesView } from '../../state/model.ts';
import { nearestOf, topOf, withEach } from '../../state/view-stack.ts';

/** The greatest age of figures of zones on screen, ms, and of those that stand out. */
const ROUND = 28_000;
const ROUND_OF_WORST = 10_000;

/** Requests begun in a second at most: for zones on screen, for others never read yet, then for all. */
const BEGUN_MOST = 8;
const FIRST_MOST = 9;
const BEHIND_MOST = 3;

/** The least time between two for the past and Shield of calm zones, for which nobody waits, ms. */
const CALM_EVERY = 2_000;

/** The same for zones on screen while the list itself is read, when no others are. */
const BESIDE_LIST = 2;

/** Requests under way at once; fewer for zones that lately did not answer, so that they delay no others. */
const UNDER_WAY = 20;
const SLOW_UNDER_WAY = 3;

/** Zones off the screen examined in one second for one that is due: an account may have 50,000. */
const LOOKED_AT = 500;

/**
 * Requests a minute, with those for the past of calm zones on screen while it is read (`isMore`). `every`: how often
 * those are read, ms; `others`: how long a round over all others takes, ms, the first one where `isFirst`; null:
 * there are none.
 */
type HealthPace = {
  perMinute: number;
  isMore: boolean;
  every: number;
  others: number | null;
  isFirst: boolean;
};

/** True while the picker is on screen and its figures are read. */
export function isHealthRead(state: State): boolean {
  const { health, leaving } = state;
  return !health.isStopped && !leaving && topOf(state, 'zones') !== null;
}

/** The requests under way, and a clock for the next ones. */
export function healthSubscriptions(state: State): Subscription[] {
  if (!isHealthRead(state) || state.zones.items.length === 0) return [];
  return [
    { kind: 'healthDue', key: 'health', every: 1000 },
    ...state.health.asking.map(
      ({ zone, reading, turn }): Subscription => ({
        kind: 'health',
        key: `health ${zone.id} ${turn}`,
        turn,
        zone,
        reading,
      }),
    ),
  ];
}

/** The next requests, zones on screen first; none where the picker is not on screen. */
export function withReadings(state: State): State {
  const { health } = state;
  if (!isHealthRead(state)) {
    return health.asking.length === 0 ? state : { ...state, health: { ...health, asking: [] } };
  }
  const begun: HealthAsk[] = [];
  let { turn, calmAt } = health;
  const begin = (zone: PullZone, isSecond = false): boolean => {
    const isCalm = !standsOut(state, zone);
    const isNewest = isCalm && state.now - calmAt < CALM_EVERY;
    const reading = readingOf(state, zone, { begun, isNewest });
    if (reading === null) return false;
    turn += 1;
    if (isCalm && !isDue(state, zone)) calmAt = state.now;
    begun.push({ zone, reading, turn, isSecond });
    return true;
  };
  const { items } = state.zones;
  const onScreen = mostUrgent(state, zonesOnScreen(state));
  // A page of the list that somebody waits for goes first: it is as large as the rows of ten zones.
  const isListRead = state.zones.loading.kind === 'loading';
  const mostNear = isListRead ? BESIDE_LIST : BEGUN_MOST;
  for (const zone of onScreen) if (begun.length < mostNear) begin(zone);
  const isFilled = onScreen.every((zone) => !canBeRead(zone) || isAsked(state, zone, begun));
  const isFirst = isFirstRound(state);
  const most = begun.length + (isFilled && !isListRead ? (isFirst ? FIRST_MOST : BEHIND_MOST) : 0);
  const near = new Set(onScreen.map(({ id }) => id));
  const more = health.more.filter((id) => {
    const zone = begun.length < most ? listedOf(items).byId.get(id) : undefined;
    return zone !== undefined && !begin(zone, true);
  });
  let { next } = health;
  for (let looked = 0; looked < Math.min(LOOKED_AT, items.length) && begun.length < most; looked++) {
    const zone = items[next % items.length];
    next = (next + 1) % items.length;
    if (zone && !near.has(zone.id)) begin(zone, isFirst);
  }
  const asking = begun.length === 0 ? health.asking : [...health.asking, ...begun];
  return { ...state, health: { ...health, turn, calmAt, more, next, asking } };
}

/** The answer to a request; one that was given up is over. */
export function healthRead(state: State, turn: number, answer: HealthAnswer): State {
  const { health } = state;
  const ask = health.asking.find((each) => each.turn === turn);
  if (ask === undefined) return state;
  const clockAhead = answer.kind === 'rows' ? aheadOf(state.now, answer.serverNow) : health.clockAhead;
  const before = healthOf(state, ask.zone);
  const after = withAnswer(before, ask.reading, answer, state.now - clockAhead);
  const comesTo = { health: after, figures: recentFigures(after), score: scoreOf(after) };
  const known = new Map(health.known).set(ask.zone.id, comesTo);
  const asking = health.asking.filter((each) => each !== ask);
  const next = { ...state, health: { ...health, known, asking, clockAhead } };
  const isBehind = !zonesOnScreen(state).some(({ id }) => id === ask.zone.id);
  const hasMore = isBehind && !ask.isSecond && readingOf(next, ask.zone) !== null;
  const more = hasMore ? [...health.more, ask.zone.id] : health.more;
  const read = { ...next, health: { ...next.health, more } };
  // Once all on screen have figures, and again once all zones have, lines move only when all of them were read again.
  if (isFirstRound(state) && !isFirstRound(read)) return renewed(read);
  const wasFilled = zonesOnScreen(state).every((zone) => !canBeRead(zone) || health.known.has(zone.id));
  return wasFilled && state.now - health.orderedAt < ROUND_OF_WORST ? read : renewed(read);
}

/**
 * The picker in the order of the newest figures while its cursor is on the first line. Once moved, the line under it
 * and the lines it moves to stay.
 */
export function renewed(state: State): State {
  if (isHeld(state)) return state;
  const health = { ...state.health, orderedAt: state.now };
  return { ...state, health, zones: { ...state.zones, shown: orderedZones(state) } };
}

/** The list with what is known of its zones now; zones new to it go behind. */
export function relisted(state: State): State {
  const { zones } = state;
  if (!isHeld(state) || zones.narrow !== '')
    return { ...state, zones: { ...zones, shown: orderedZones(state) } };
  const { byId } = listedOf(zones.items);
  const held = zones.shown.flatMap(({ id }) => byId.get(id) ?? []);
  const listed = new Set(held.map(({ id }) => id));
  const shown = [...held, ...zones.items.filter(({ id }) => !listed.has(id))];
  return { ...state, zones: { ...zones, shown } };
}

function isHeld({ views }: State): boolean {
  return nearestOf(views, 'zones', ({ cursor }) => cursor > 0) !== null;
}

export function healthOf({ health }: Pick<State, 'health'>, { id }: PullZone): ZoneHealth {
  return health.known.get(id)?.health ?? NO_HEALTH;
}

/** What the figures of zones on screen and of all zones cost. */
export function healthPace(state: State): HealthPace {
  const onScreen = zonesOnScreen(state).filter(canBeRead);
  const shielded = (zones: readonly PullZone[]) => zones.filter(({ shieldZoneId }) => shieldZoneId).length;
  const behind = listedOf(state.zones.items).readable - onScreen.length;
  const rounds = onScreen.reduce((sum, zone) => sum + 60_000 / roundOf(state, zone), 0);
  const now = state.now - state.health.clockAhead;
  const isMore = !onScreen.every((zone) => isPastRead(healthOf(state, zone), now));
  // The others have a past, too, and some are always behind with it.
  const near = Math.round(rounds + (isMore || behind > 0 ? 60_000 / CALM_EVERY : shielded(onScreen) / 2));
  if (behind <= 0) return { perMinute: near, isMore, every: ROUND, others: null, isFirst: false };
  const isFirst = isFirstRound(state);
  const others = Math.max(ROUND, (behind / (isFirst ? FIRST_MOST : BEHIND_MOST)) * 1000);
  return { perMinute: near + (behind * 60_000) / others, isMore, every: ROUND, others, isFirst };
}

/** Whether some zones were never read: until then each has one request, so that the worst is found soon. */
function isFirstRound({ health, zones }: State): boolean {
  return health.known.size < listedOf(zones.items).readable;
}

function readingOf(
  state: State,
  zone: PullZone,
  { begun = [], isNewest = false }: { begun?: readonly HealthAsk[]; isNewest?: boolean } = {},
): HealthReading | null {
  const { asking, clockAhead } = state.health;
  const underWay = [...asking, ...begun];
  const isUnderWay = underWay.some((ask) => ask.zone.id === zone.id);
  if (!canBeRead(zone) || isUnderWay || underWay.length >= UNDER_WAY) return null;
  const health = healthOf(state, zone);
  const isSlow = (ask: HealthAsk) => healthOf(state, ask.zone).failure !== null;
  if (health.failure !== null && underWay.filter(isSlow).length >= SLOW_UNDER_WAY) return null;
  const hasShield = typeof zone.shieldZoneId === 'string';
  return nextReading(health, {
    now: state.now - clockAhead,
    every: roundOf(state, zone),
    hasShield,
    isNewest,
  });
}

/** Whether a zone was asked about, whatever came of it. */
function isAsked(state: State, zone: PullZone, begun: readonly HealthAsk[]): boolean {
  const isUnderWay = [...state.health.asking, ...begun].some((ask) => ask.zone.id === zone.id);
  return isUnderWay || healthOf(state, zone).readAt > Number.NEGATIVE_INFINITY;
}

/** Due figures, the oldest first; then what else there is to know of zones that stand out, and of the others. */
function mostUrgent(state: State, zones: readonly PullZone[]): readonly PullZone[] {
  const due = zones
    .filter((zone) => isDue(state, zone))
    .sort((a, b) => {
      const [first, second] = [healthOf(state, a).readAt, healthOf(state, b).readAt];
      return first === second ? 0 : first - second;
    });
  const others = zones.filter((zone) => !isDue(state, zone));
  const isWorse = (zone: PullZone) => standsOut(state, zone);
  return [...due, ...others.filter(isWorse), ...others.filter((zone) => !isWorse(zone))];
}

function standsOut({ health }: State, { id }: PullZone): boolean {
  return (health.known.get(id)?.score?.parts.length ?? 0) > 0;
}

function roundOf(state: State, zone: PullZone): number {
  return standsOut(state, zone) ? ROUND_OF_WORST : ROUND;
}

function isDue(state: State, zone: PullZone): boolean {
  return state.now - state.health.clockAhead - healthOf(state, zone).readAt >= roundOf(state, zone);
}

function zonesOnScreen(state: State): readonly PullZone[] {
  const view = topOf(state, 'zones');
  return view ? state.zones.shown.slice(view.top, view.top + detailedHeight(state)) : [];
}

function aheadOf(now: number, serverNow: number | null): number {
  const ahead = serverNow === null ? 0 : now - serverNow;
  return Math.abs(ahead) > CLOCK_STEP ? ahead : 0;
}

export const ZONES_ORDER = orderBy(
  ZONE_SORTS,
  ({ health }) => health,
  (state, _: ZonesView, order) => atFirstZone({ ...state, health: { ...state.health, ...order } }),
);

/** The list from its first line on, in the order of now. */
export function atFirstZone(state: State): State {
  const views = withEach(state.views, 'zones', (view) => ({ ...view, cursor: 0, top: 0 }));
  return renewed({ ...state, views });
}

type Figure = (known: KnownHealth) => number | null;

/** The figure each order sorts by, the largest first; unknown comes last, and equals stay in the platform's order. */
const FIGURES: Record<Exclude<ZoneSort, 'name' | 'list'>, Figure> = {
  // A zone that does not stand out has no place by chance.
  worst: ({ score }) => (score === null || score.parts.length === 0 ? null : score.score),
  requests: ({ figures }) => figures?.requestsPerSecond ?? null,
  // The fewer hits, the more there is to look at.
  hit: ({ figures }) => negated(figures?.hitRatio),
  clientErrors: ({ figures }) => figures?.clientErrorRatio ?? null,
  errors: ({ figures }) => figures?.errorRatio ?? null,
  blocked: ({ health }) => blockedPerMinute(health.blocked),
  age: ({ figures }) => negated(figures?.to),
};

/** The zones as the picker lists them: while narrowed the best match first, else in its order. */
function orderedZones({ zones, health }: Pick<State, 'zones' | 'health'>): readonly PullZone[] {
  if (zones.narrow !== '') return narrowZones(zones.items, zones.narrow);
  return sortedZones(zones.items, health);
}

function sortedZones(
  items: readonly PullZone[],
  { known, sort, reversed }: HealthState,
): readonly PullZone[] {
  if (sort === 'list') return reversed ? items.toReversed() : items;
  if (sort === 'name') {
    const sorted = items.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    return reversed ? sorted.reverse() : sorted;
  }
  const figure = FIGURES[sort];
  const figures = new Map<PullZone, number>();
  const { byId } = listedOf(items);
  for (const [id, of] of known) {
    const zone = byId.get(id);
    const value = figure(of);
    if (zone && value !== null) figures.set(zone, reversed ? -value : value);
  }
  const first: PullZone[] = [];
  const others: PullZone[] = [];
  // These are never read, so they stand last from the beginning and nothing jumps over them.
  const last: PullZone[] = [];
  for (const zone of items) (figures.has(zone) ? first : canBeRead(zone) ? others : last).push(zone);
  first.sort((a, b) => (figures.get(b) ?? 0) - (figures.get(a) ?? 0));
  return [...first, ...others, ...last];
}

function negated(n: number | null | undefined): number | null {
  return n === null || n === undefined ? null : -n;
}

/** What is counted and looked up of a list of zones. */
type Listed = { byId: ReadonlyMap<string, PullZone>; readable: number; logging: number; shielded: number };

/** A list of zones never changes in place, so what 50,000 of them come to is computed once. */
export const listedOf = memoised(
  (items: readonly PullZone[]): Listed => ({
    byId: new Map(items.map((zone) => [zone.id, zone])),
    readable: items.filter(canBeRead).length,
    logging: items.filter(({ logging }) => logging).length,
    shielded: items.filter(({ shieldZoneId }) => shieldZoneId).length,
  }),
);

/**
 * Of the zones that have a log, how many have the figures they are sorted by; zones not listed yet may have a log,
 * too.
 */
export function figuresRead({ zones, health }: Pick<State, 'zones' | 'health'>): {
  read: number;
  of: number;
} {
  const { items, total } = zones;
  const unlisted = Math.max(0, (total ?? items.length) - items.length);
  return { read: withFigures(health.known, { items }), of: listedOf(items).readable + unlisted };
}

const withFigures = memoised(
  (known: HealthState['known'], { items }: { items: readonly PullZone[] }): number => {
    const { byId } = listedOf(items);
    let read = 0;
    for (const [id, { figures }] of known) {
      const zone = figures === null ? undefined : byId.get(id);
      if (zone && canBeRead(zone)) read += 1;
    }
    return read;
  },
);
