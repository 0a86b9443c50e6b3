import type { LogRecord } from '../domain/log.ts';
import type { QuerySubject, Term } from '../domain/query/query.ts';
import { zoneNameOf } from '../domain/query/zone-terms.ts';
import type { PullZone, Zones } from '../domain/zone.ts';
import { width } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';
import { zoneWord } from './about.ts';
import { memoised } from './memoised.ts';
import type { LogSession, State } from './model.ts';
import { isShieldView } from './shield-model.ts';
import { topView } from './view-stack.ts';

/** One list for all, because painted lines are kept by the list of zones they were painted with. */
const NONE: readonly PullZone[] = [];

/** The zones of a log; none for saved logs. */
export function zonesOfLog(session: LogSession | null): readonly PullZone[] {
  return session?.source.kind === 'zones' ? session.source.zones : NONE;
}

/** The zones of the open log, or else that of the explorer. */
export function zonesOnShow({ session, shield }: State): readonly PullZone[] {
  const zones = zonesOfLog(session);
  return zones.length === 0 && shield ? [shield.zone] : zones;
}

export function areSameZones(some: readonly PullZone[], others: readonly PullZone[]): boolean {
  return some.length === others.length && some.every(({ id }, at) => id === others[at]?.id);
}

/** Whether rows keep coming; a closed window and a file are read to their end whatever the reader does. */
export function isEndless({ source, to }: LogSession): boolean {
  return source.kind === 'zones' && to === null;
}

/** The most zones in one log: each has a tail, and more would cost more requests than they are worth. */
export const ZONES_OF_A_LOG = 40;
export const MOST_ZONES_WORDS = `one log follows at most ${ZONES_OF_A_LOG}`;

/** The message where a command needs one zone and the log has several. */
export const CHOOSE_ONE_ZONE = 'choose one zone';

/** The only zone, or what to say where there are several. */
export function onlyZone([zone, ...others]: Zones): PullZone | string {
  return others.length === 0 ? zone : CHOOSE_ONE_ZONE;
}

/** The zone's name; of several zones the first and how many more. */
export function zonesName([zone, ...others]: Zones): string {
  return others.length === 0 ? zone.name : `${zone.name} +${others.length}`;
}

/** The name of the log that a row belongs to: its zone, or the saved files. */
export function logNameOf(session: LogSession | null, { pullZoneId }: LogRecord): string {
  const zones = zonesOfLog(session);
  return zones.length > 1 ? zoneNameOf(zones, pullZoneId) : (sourceName(session) ?? '');
}

/** The name of the zone or file; several zones are the first and how many more, several files their number. */
export function sourceName(session: LogSession | null): string | null {
  if (session === null) return null;
  if (session.source.kind === 'zones') return zonesName(session.source.zones);
  const { names } = session.source;
  const [only = ''] = names;
  return names.length === 1 ? only.slice(only.lastIndexOf('/') + 1) : `${names.length} files`;
}

/**
 * The Shield zone of a pull zone, as far as anything on the way here has shown it; null = it has none, undefined =
 * unknown yet. A log opened by name comes before the list that joins both kinds of zones.
 */
export function shieldZoneOf(
  { shield, zones }: Pick<State, 'shield' | 'zones'>,
  zone: PullZone,
): string | null | undefined {
  if (zone.shieldZoneId !== undefined) return zone.shieldZoneId;
  if (shield?.zone.id === zone.id && shield.shieldZoneId !== null) return shield.shieldZoneId;
  return zones.shieldOf ? (zones.shieldOf.get(zone.id) ?? null) : undefined;
}

/** Cells measured of the longest name; no column is wider. */
const LONGEST = 24;

const longestName = memoised((zones: Zones) =>
  Math.max(4, ...zones.map(({ name }) => width(sanitise(name, 'strict', LONGEST)))),
);

/** A field's value as shown: rows hold a zone's id, people know its name, and a name is untrusted text. */
export function shownValue({ session }: State, field: string | null, value: string | null): string | null {
  return field === 'zone' && value !== null ? zoneNameOf(zonesOfLog(session), value) : value;
}

/** A field's value as a query asks for it: a zone by its word on the command line. */
export function askedValue(state: State, field: string, value: string | null): string | null {
  const zone = field === 'zone' ? zonesOfLog(state.session).find(({ id }) => id === value) : undefined;
  return zone ? zoneWord(state, [zone]) : value;
}

/** The cells that zone names need in a list, as far as it has room; 0 = the log has one zone. */
export function zoneCells({ session, size }: State): number {
  if (session?.source.kind !== 'zones' || session.source.zones.length < 2) return 0;
  const room = size.columns < 60 ? 6 : size.columns < 100 ? 13 : 20;
  return Math.min(longestName(session.source.zones), room);
}

/** The log that the query of the top view asks. */
export function promptSubject(state: State): QuerySubject {
  return isShieldView(topView(state)) ? 'shield' : 'logs';
}

/** The terms switched off in the query of the top view. */
export function offIn(state: State): readonly Term[] {
  return state.termsOff?.of === ownerOf(state) ? state.termsOff.terms : [];
}

/** Identifies whose query it is: one of the two logs, of some zones. */
export function ownerOf(state: State): string {
  return [promptSubject(state), ...zonesOnShow(state).map(({ id }) => id)].join(' ');
}
