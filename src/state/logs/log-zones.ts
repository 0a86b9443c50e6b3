import type { LogRecord } from '../../domain/log.ts';
import { zoneNameOf } from '../../domain/query/zone-terms.ts';
import type { PullZone, Zones } from '../../domain/zone.ts';
import type { LogSession, State } from '../model.ts';

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
