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

/** One list, because what was painted is kept by the list of zones that it was painted with. */
const NONE: readonly PullZone[] = [];

/** The zones that a log is of; none for saved logs. */
export function zonesOfLog(session: LogSession | null): readonly PullZone[] {
  return session?.source.kind === 'zones' ? session.source.zones : NONE;
}

/** The zones of the log that is open, or else that of the explorer. */
export function zonesOnShow({ session, shield }: State): readonly PullZone[] {
  const zones = zonesOfLog(session);
  return zones.length === 0 && shield ? [shield.zone] : zones;
}

export function areSameZones(some: readonly PullZone[], others: readonly PullZone[]): boolean {
  return some.length === others.length && some.every(({ id }, at) => id === others[at]?.id);
}

/** Whether rows come without end; a window that has one, and a file, are read to it whatever the reader does. */
export function isEndless({ source, to }: LogSession): boolean {
  return source.kind === 'zones' && to === null;
}

/** Each zone of a log is followed by itself: more of them than this would take more than their requests are worth. */
export const ZONES_OF_A_LOG = 40;
export const MOST_ZONES_WORDS = `one log follows at most ${ZONES_OF_A_LOG}`;

/** Said where a thing needs one zone and the log has several. */
export const CHOOSE_ONE_ZONE = 'choose one zone';

/** The only one of zones, or what to say where there are several. */
export function onlyZone([zone, ...others]: Zones): PullZone | string {
  return others.length === 0 ? zone : CHOOSE_ONE_ZONE;
}

/** The zone's name; of several zones the first and how many more. */
export function zonesName([zone, ...others]: Zones): string {
  return others.length === 0 ? zone.name : `${zone.name} +${others.length}`;
}

/** What the log is called that a row is of: its zone, or the saved files. */
export function logNameOf(session: LogSession | null, { pullZoneId }: LogRecord): string {
  const zones = zonesOfLog(session);
  return zones.length > 1 ? zoneNameOf(zones, pullZoneId) : (sourceName(session) ?? '');
}

/** The zone's name, or that of the file; of several zones the first and how many more, of several files how many they are. */
export function sourceName(session: LogSession | null): string | null {
  if (session === null) return null;
  if (session.source.kind === 'zones') return zonesName(session.source.zones);
  const { names } = session.source;
  const [only = ''] = names;
  return names.length === 1 ? only.slice(only.lastIndexOf('/') + 1) : `${names.length} files`;
}

/**
 * The Shield zone of a pull zone as far as anything on the way here told it; null = it has none, undefined = nobody has
 * told yet. A log that was opened by name is there before the list that joins both kinds of zones.
 */
export function shieldZoneOf(
  { shield, zones }: Pick<State, 'shield' | 'zones'>,
  zone: PullZone,
): string | null | undefined {
  if (zone.shieldZoneId !== undefined) return zone.shieldZoneId;
  if (shield?.zone.id === zone.id && shield.shieldZoneId !== null) return shield.shieldZoneId;
  return zones.shieldOf ? (zones.shieldOf.get(zone.id) ?? null) : undefined;
}

/** Cells that the longest name is looked at for; no column is wider. */
const LONGEST = 24;

const longestName = memoised((zones: Zones) =>
  Math.max(4, ...zones.map(({ name }) => width(sanitise(name, 'strict', LONGEST)))),
);

/** A value of a field as it is shown: rows know the id of their zone alone, and people its name, which is untrusted text. */
export function shownValue({ session }: State, field: string | null, value: string | null): string | null {
  return field === 'zone' && value !== null ? zoneNameOf(zonesOfLog(session), value) : value;
}

/** A value of a field as a query asks for it: a zone by the word that names it on the command line. */
export function askedValue(state: State, field: string, value: string | null): string | null {
  const zone = field === 'zone' ? zonesOfLog(state.session).find(({ id }) => id === value) : undefined;
  return zone ? zoneWord(state, [zone]) : value;
}

/** The cells that the names of the zones of a log need in a list, as far as it has room for them; 0 = the log has one zone. */
export function zoneCells({ session, size }: State): number {
  if (session?.source.kind !== 'zones' || session.source.zones.length < 2) return 0;
  const room = size.columns < 60 ? 6 : size.columns < 100 ? 13 : 20;
  return Math.min(longestName(session.source.zones), room);
}

/** The log that the view on top asks. */
export function promptSubject(state: State): QuerySubject {
  return isShieldView(topView(state)) ? 'shield' : 'logs';
}

/** The terms that are switched off in the query of the view on top. */
export function offIn(state: State): readonly Term[] {
  return state.termsOff?.of === ownerOf(state) ? state.termsOff.terms : [];
}

/** Whose query it is: of one of the two logs of some zones. */
export function ownerOf(state: State): string {
  return [promptSubject(state), ...zonesOnShow(state).map(({ id }) => id)].join(' ');
}
