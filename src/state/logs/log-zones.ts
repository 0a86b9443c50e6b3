import type { PullZone, Zones } from '../../domain/zone.ts';
import type { LogSession } from '../model.ts';

/** The zones that a log is of; none for saved logs. */
export function zonesOfLog(session: LogSession | null): readonly PullZone[] {
  return session?.source.kind === 'zones' ? session.source.zones : [];
}

/** The only zone of a log; null of several, and of saved logs. */
export function zoneOfLog(session: LogSession | null): PullZone | null {
  const [zone, ...others] = zonesOfLog(session);
  return others.length === 0 ? (zone ?? null) : null;
}

/** Whether rows come without end; a window that has one, and a file, are read to it whatever the reader does. */
export function isEndless({ source, to }: LogSession): boolean {
  return source.kind === 'zones' && to === null;
}

/** Said where a thing needs one zone and the log has several. */
export const CHOOSE_ONE_ZONE = 'choose one zone';

/** The zone's name; of several zones the first and how many more. */
export function zonesName([zone, ...others]: Zones): string {
  return others.length === 0 ? zone.name : `${zone.name} +${others.length}`;
}

/** The zone's name, or that of the file; of several zones the first and how many more, of several files how many they are. */
export function sourceName(session: LogSession | null): string | null {
  if (session === null) return null;
  if (session.source.kind === 'zones') {
    return zonesName(session.source.zones);
  }
  const { names } = session.source;
  const [only = ''] = names;
  return names.length === 1 ? only.slice(only.lastIndexOf('/') + 1) : `${names.length} files`;
}
