import { explain } from '../../domain/failure.ts';
import { healthReport, healthRow } from '../../domain/handover/health-shapes.ts';
import { zoneRow } from '../../domain/handover/shapes.ts';
import { healthSheet, lineOf, type Sheet, zoneSheet } from '../../domain/handover/sheet.ts';
import { UNKNOWN_BEFORE } from '../../domain/health/health-score.ts';
import { EMPTY_QUERY, type Query } from '../../domain/query/query.ts';
import {
  type FoundZones,
  findZones,
  narrowZones,
  zonesCalled,
  zonesOfIds,
} from '../../domain/query/zone-search.ts';
import { canBeRead, type PullZone, type Zones } from '../../domain/zone.ts';
import type { CommandId } from '../../keys/bindings.ts';
import {
  listCell,
  listTold,
  pageAsked,
  pageFailed,
  pageRead,
  pageRequest,
  plainLine,
  readingEnded,
} from '../../state/list/list-screen.ts';
import { detailedHeight } from '../../state/list/screen-layout.ts';
import { NO_LIST, placed } from '../../state/list.ts';
import { CHOOSE_ONE_ZONE, MOST_ZONES_WORDS, ZONES_OF_A_LOG } from '../../state/log-zones.ts';
import type { Done, Effect, Message } from '../../state/messages.ts';
import {
  noticed,
  type Prompt,
  reported,
  type State,
  type WantedView,
  type ZonesState,
  type ZonesView,
} from '../../state/model.ts';
import { byCommand, type Screen, type Under } from '../../state/screen.ts';
import { topOf, withEach, withTop } from '../../state/view-stack.ts';
import { watchBegun } from '../../state/watching.ts';
import { count, counted } from '../../text/units.ts';
import { openLogView } from '../log/log-open.ts';
import { openShield, wantedQuery, zoneOfShieldId } from '../shield/shield-open.ts';
import { atFirstZone, healthOf, relisted, renewed, withReadings, ZONES_ORDER } from './health-reading.ts';

/** Zones that a refusal names. */
const ZONES_NAMED = 5;

const zonesCommanded = byCommand<ZonesView>({
  open: zoneOpened,
  logsScreen: zoneOpened,
  shieldScreen: zoneOpened,
  markZone: zoneMarked,
  refresh: (state) => pageAsked(state, 'zones', 1),
  leave(state) {
    // With the search for a zone that was named.
    const ended = readingEnded(state, 'zones');
    if (ended) return { ...ended, zones: { ...ended.zones, wanted: null } };
    if (state.zones.narrow !== '') return narrowedZones(state, '');
    return state.zones.marked.size === 0 ? null : withMarks(state, []);
  },
  back: (state) => (state.zones.narrow === '' ? null : narrowedZones(state, '')),
  follow: (state) =>
    withReadings({ ...state, health: { ...state.health, isStopped: !state.health.isStopped } }),
});

export const ZONES_SCREEN: Screen<ZonesView> = {
  commands: zonesCommanded,
  idle: { logsScreen: (state) => state.session === null && noneListed(state), shieldScreen: noneListed },
  arrived: zonesArrived,
  failed: zonesFailed,
  list: { length: ({ zones }) => zones.shown.length, isDetailed: true, moved: movedInZones },
  order: ZONES_ORDER,
  askedOf: ({ zones }, { cursor }) => {
    const zone = zones.shown[cursor];
    if (!zone) return 'no zone is listed yet';
    return { subject: 'logs', zones: [zone], query: EMPTY_QUERY, isListed: true };
  },
  command: (state) => ({ screen: hasFigures(state) ? 'health' : 'zones' }),
  request: pageRequest('/pullzone'),
  sheet: zonesSheet,
  under: zoneUnder,
  cell: ({ zones }, view) => listCell(zones.shown[view.cursor]?.name),
};

export const NO_ZONES: ZonesState = {
  ...NO_LIST,
  shieldOf: null,
  narrow: '',
  marked: new Set(),
  shown: [],
  wanted: null,
};

function noneListed({ zones }: State): string | boolean {
  return zones.shown.length === 0 && 'no zone is listed yet; Ctrl-r asks again';
}

function zonesArrived(state: State, message: Message<'listArrived'>): Done {
  const { page } = message;
  const read = pageRead(state, message);
  if (read === null) return state;
  const { zones } = read;
  const next = relisted({ ...read, zones: { ...zones, items: withShield(zones.items, zones.shieldOf) } });
  // Figures of later pages wait for their second: those pages may come one after another.
  const listed = arrived(page.page <= 1 ? withReadings(next) : next);
  // Shield is asked for over the same connection, behind the first page, so that no row of it waits.
  const isUnknown = page.page <= 1 && zones.shieldOf === null;
  // A log that was waiting for the list comes first: see `shieldAfterRows`.
  return isUnknown && !topOf(listed, 'log') ? [listed, [{ type: 'loadShieldMapping' }]] : listed;
}

/** After the first answer about a log, given the state before it: what the list of zones still lacks. */
export function shieldAfterRows({ session, zones }: State, generation: number): Effect[] {
  const isFirst = session?.generation === generation && session.report === null;
  return isFirst && zones.shieldOf === null ? [{ type: 'loadShieldMapping' }] : [];
}

function arrived(state: State): State {
  if (state.zones.wanted) return lookForWanted(state);
  return state.zones.narrow === '' ? settled(state) : loadMore(settled(state));
}

function zonesFailed(state: State, message: Message<'listFailed'>): State {
  const { request, failure } = message;
  if (request !== state.zones.request) return state;
  const { wanted } = state.zones;
  const next = pageFailed(state, message);
  // A logging token opens logs and no list: an id needs none.
  const isOfLog = failure.kind === 'noKey' && wanted !== null && wanted.screen !== 'shield';
  const byId = isOfLog ? zonesOfIds(wanted.word) : null;
  if (isOfLog && byId !== null)
    return openZones(watchBegun(lookedUp(next, wanted), byId), byId, wanted.query);
  if (wanted === null || topOf(state, 'zones')) return next;
  const text = `zone '${wanted.word}' was not looked up: ${explain(failure).what}`;
  return reported(lookedUp(next, wanted), 'warning', text);
}

export function shieldMapped(
  state: State,
  pairs: readonly { shieldZoneId: string; pullZoneId: string }[],
): State {
  const shieldOf = new Map(pairs.map((pair) => [pair.pullZoneId, pair.shieldZoneId]));
  const items = withShield(state.zones.items, shieldOf);
  return settled(relisted({ ...state, zones: { ...state.zones, shieldOf, items } }));
}

/** The list narrowed to its matches; the cursor goes to the best one, and unread pages are fetched. */
export function narrowedZones(state: State, narrow: string): State {
  const next = atFirstZone({ ...state, zones: { ...state.zones, narrow } });
  return narrow === '' ? next : loadMore(next);
}

function movedInZones(state: State, view: ZonesView): State {
  const next = renewed(withTop(state, view));
  const isNearEnd = view.cursor + detailedHeight(state) >= state.zones.shown.length;
  return isNearEnd && state.zones.narrow === '' ? loadMore(next) : next;
}

function zoneOpened(state: State, view: ZonesView, command: CommandId): State {
  const zone = state.zones.shown[view.cursor];
  if (!zone) return state;
  // Whoever opens a zone no longer waits for the one named before.
  const chosen: State = { ...state, zones: { ...state.zones, wanted: null } };
  if (command === 'shieldScreen') return openShield(chosen, zone, null);
  const wanted = command === 'open' ? zonesChosen(chosen, zone) : ([zone] as const);
  if (typeof wanted === 'string') return noticed(state, 'info', wanted);
  return withOffer(openZones(chosen, wanted, EMPTY_QUERY), chosen, wanted);
}

/**
 * Opens the log of one zone or more, or says what prevents it: that logging is off is known before anything is asked.
 * In a log of several such a zone stays named and delays no other.
 */
export function openZones(state: State, zones: Zones, query: Query): State {
  if (zones.length > ZONES_OF_A_LOG)
    return reported(state, 'warning', `these are ${zones.length} zones; ${MOST_ZONES_WORDS}`);
  if (zones.some(({ logging }) => logging)) return openLogView(state, zones, query);
  const names = zones.map(({ name }) => name).join(', ');
  const text = `${names}: logging is off. Switch it on under Logging of the pull zone; Ctrl-r`;
  return reported(state, 'warning', text);
}

/** Opens a view by the word for its zones: now where all are listed, else when their page comes. */
export function openWanted(state: State, wanted: WantedView): State {
  const { zones } = state;
  const next = { ...state, zones: { ...zones, wanted } };
  if (zones.items.length === 0 && zones.loading.kind !== 'loading') return pageAsked(next, 'zones', 1);
  return lookForWanted(next);
}

function lookForWanted(state: State): State {
  const { wanted, items, nextPage } = state.zones;
  if (!wanted) return state;
  const shieldId = wanted.screen === 'shield' ? /^shield:(\d+)$/i.exec(wanted.word)?.[1] : undefined;
  if (shieldId !== undefined) {
    const zone = items.find((each) => each.shieldZoneId === shieldId) ?? zoneOfShieldId(shieldId);
    const next = watchBegun(lookedUp(state, wanted), [zone]);
    return openShield(next, zone, wantedQuery(wanted));
  }
  const found = findZones(items, wanted.word);
  // A name missing from this page may be on the next, and so may more zones of a pattern: only the whole list
  // decides.
  const isOpen = found.kind === 'unknown' || (found.kind === 'found' && wanted.word.includes('*'));
  if (nextPage !== null && isOpen) return loadMore(state);
  if (found.kind === 'found') {
    const { zones } = found;
    if (wanted.screen !== 'shield')
      return openZones(watchBegun(lookedUp(state, wanted), zones), zones, wanted.query);
    if (zones.length === 1)
      return openShield(watchBegun(lookedUp(state, wanted), zones), zones[0], wantedQuery(wanted));
  }
  const text = zonesUnfoundWords(found);
  const settled = lookedUp(state, wanted);
  if (!topOf(state, 'zones')) return reported(settled, 'warning', text);
  // As if the word had been typed into the picker: Esc removes it.
  const word = found.kind === 'found' ? '' : found.word;
  const matches = narrowZones(items, word);
  const narrow = matches.length > 0 ? word : '';
  const shown = atFirstZone({ ...settled, zones: { ...settled.zones, narrow } });
  return reported(shown, 'warning', text);
}

/** A zone named by the user whose page is still to come. */
export function lookingWords(word: string): string {
  return `looking for zone '${word}'; Esc stops it`;
}

/** Esc while a zone is looked for behind another view; null where none is. In the picker Esc also ends the reading. */
export function lookingStopped(state: State): State | null {
  const { wanted } = state.zones;
  if (wanted === null || topOf(state, 'zones')) return null;
  return noticed(lookedUp(state, wanted), 'info', `zone '${wanted.word}' is not looked for any more`);
}

/** The search for a zone ends, with its notice. */
function lookedUp(state: State, { word }: WantedView): State {
  const notice = state.notice?.text === lookingWords(word) ? null : state.notice;
  return { ...state, notice, zones: { ...state.zones, wanted: null } };
}

/** Why words name no zones that can be opened together, and what was meant. */
function zonesUnfoundWords(found: FoundZones): string {
  if (found.kind === 'found') return `the Shield explorer is of one zone: ${CHOOSE_ONE_ZONE}`;
  const { word } = found;
  const zones = found.kind === 'ambiguous' ? found.candidates : found.nearest;
  const names = zones.slice(0, ZONES_NAMED).map((zone) => zone.name);
  if (found.kind === 'ambiguous') {
    return `'${word}' names ${zones.length} zones: ${names.join(', ')}. Choose one`;
  }
  const none = word.includes('*') ? 'no zone fits' : 'no zone is called';
  return `${none} '${word}'${names.length > 0 ? `; nearest: ${names.join(', ')}` : ''}`;
}

function loadMore(state: State): State {
  const { zones } = state;
  if (zones.nextPage === null || zones.loading.kind === 'loading') return state;
  return pageAsked(state, 'zones', zones.nextPage);
}

function withShield(items: readonly PullZone[], shieldOf: ReadonlyMap<string, string> | null): PullZone[] {
  return items.map((zone) => ({
    ...zone,
    shieldZoneId: shieldOf ? (shieldOf.get(zone.id) ?? null) : undefined,
  }));
}

/** The state with the picker's cursor inside its list, which may be shorter now. */
function settled(state: State): State {
  return { ...state, views: withEach(state.views, 'zones', (view) => settledZones(state, view)) };
}

/** The cursor kept inside a shorter list or a lower window. */
function settledZones(state: State, view: ZonesView): ZonesView {
  return { ...view, ...placed(view, view.cursor, state.zones.shown.length, detailedHeight(state)) };
}

/** Keys named behind what a fresh log says, in the place of the hints: as many as fit. */
const OTHER_KEYS = [', ? help, q back', ', ? help', ''];

/** Nobody can call zones well whose figures are unknown. */
function unreadWords(zones: Zones, unread: number): string {
  if (zones.length === 1) return 'no figures of this zone were read yet; ! finds what is wrong';
  return `no figures of ${unread} of these ${zones.length} zones were read yet; ! finds what is wrong`;
}

/**
 * A log opened from the picker, with the terms that made its zones stand out as a line that would keep only their
 * rows. A zone that was not read is said to be unread.
 */
function withOffer(opened: State, { health }: Pick<State, 'health'>, zones: Zones): State {
  const view = topOf(opened, 'log');
  const unread = zones.filter((zone) => canBeRead(zone) && !health.known.get(zone.id)?.figures);
  if (view && unread.length > 0 && opened.notice === null)
    return told(opened, [unreadWords(zones, unread.length)]);
  const parts = zones.map(({ id }) => health.known.get(id)?.score?.parts[0]);
  const [first] = parts;
  // Several zones are offered a term that all of them stand out by.
  const isOne = first?.query && parts.every((part) => part?.query === first.query);
  if (!view || !isOne || opened.notice !== null) return opened;
  // The log's own figures are of other rows.
  const own = `picker: ${first.words.replace(UNKNOWN_BEFORE, '')}`;
  const what = `${zones.length === 1 ? own : 'all of them stand out'}; ! why, :${first.query}`;
  return told(opened, [`${what} keeps these`, what]);
}

/** The longest form that fits on the last line beside the keys. */
function told(state: State, forms: readonly string[]): State {
  const whole = forms.flatMap((form) => OTHER_KEYS.map((keys) => form + keys));
  const fitting = whole.find((text) => text.length < state.size.columns);
  return noticed(state, 'info', fitting ?? forms.at(-1) ?? '');
}

/** The zones as `health` prints them once one was read; before that as `zones` does. */
function zonesSheet(state: State): Sheet | string {
  const { zones, health } = state;
  if (zones.shown.length === 0) return 'no zone is listed';
  const { missing, of } = partRead(zones);
  if (!hasFigures(state)) return zoneSheet(zones.shown, { missing, of });
  const unread = zones.shown.filter((zone) => canBeRead(zone) && !health.known.has(zone.id)).length;
  const reports = zones.shown.map((zone) => healthReport(zone, healthOf(state, zone)));
  const figures = unread === 0 ? [] : [`the figures of ${counted(unread, 'zone')} were not read yet`];
  return healthSheet(reports, { missing: [...missing, ...figures], of });
}

/** Whether something of a zone was read. */
function hasFigures({ health }: State): boolean {
  return health.known.size > 0;
}

/** The zone under the cursor as it is printed. */
function zoneUnder(state: State, view: ZonesView): Under | null {
  const zone = state.zones.shown[view.cursor];
  if (!zone) return null;
  if (!hasFigures(state)) return plainLine(lineOf(zone, zoneRow, zoneRow));
  return plainLine(lineOf(healthReport(zone, healthOf(state, zone)), healthRow, healthRow));
}

function partRead(zones: ZonesState): { missing: string[]; of: number | null } {
  const { missing, of } = listTold(zones, 'zones');
  return {
    missing: [...missing, ...(zones.shieldOf === null ? ['whether a zone has Shield was not read yet'] : [])],
    of,
  };
}

/** Space marks the zone under the cursor or unmarks it, and moves to the next. */
function zoneMarked(state: State, view: ZonesView): State {
  const { shown, marked } = state.zones;
  const zone = shown[view.cursor];
  if (!zone) return state;
  const others = [...marked].filter((id) => id !== zone.id);
  const next = withMarks(state, marked.has(zone.id) ? others : [...others, zone.id]);
  return withTop(next, {
    ...view,
    ...placed(view, view.cursor + 1, shown.length, detailedHeight(state)),
  });
}

function withMarks(state: State, ids: readonly string[]): State {
  return { ...state, zones: { ...state.zones, marked: new Set(ids) } };
}

/** Enter on a pattern of names also marks the listed zones that it matches. */
export function patternSubmitted(state: State, prompt: Prompt): State {
  const closed: State = { ...state, prompt: null };
  const { items, marked, nextPage } = state.zones;
  const words = prompt.field.text.split(',').filter((word) => word.trim() !== '');
  if (words.length === 0) return withMarks(closed, []);
  const called = new Set(words.flatMap((word) => zonesCalled(items, word)).filter(canBeRead));
  const of = nextPage === null ? '' : ` of the ${count(items.length)} read so far; G reads more`;
  if (called.size === 0) return noticed(closed, 'info', `no zone with a log is called so${of}`);
  const next = withMarks(closed, [...marked, ...[...called].map(({ id }) => id)]);
  return noticed(next, 'info', `${counted(called.size, 'zone')} marked${of}`);
}

/** The marked zones in the order of the list, else the one under the cursor; or why they cannot be one log. */
function zonesChosen({ zones }: State, under: PullZone): Zones | string {
  const { marked, items, shown } = zones;
  if (marked.size === 0) return [under];
  const listed = new Set([...shown, ...items]);
  const [first = under, ...others] = [...listed].filter(({ id }) => marked.has(id));
  if (others.length < ZONES_OF_A_LOG) return [first, ...others];
  return `${count(others.length + 1)} zones are marked; ${MOST_ZONES_WORDS}`;
}

/** The marked zones in words; null: none, or the picker is not on screen. */
export function marksTold(state: State): string | null {
  const { size } = state.zones.marked;
  if (size === 0 || !topOf(state, 'zones')) return null;
  return `${count(size)} marked: Enter ${size === 1 ? 'opens it' : 'opens one log'}`;
}
