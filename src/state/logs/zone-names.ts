import { zoneNameOf } from '../../domain/query/zone-terms.ts';
import type { Zones } from '../../domain/zone.ts';
import { width } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { zoneWord } from '../about.ts';
import { kept } from '../kept.ts';
import type { State } from '../model.ts';
import { zonesOfLog } from './log-zones.ts';

/** Cells that the longest name is looked at for; no column is wider. */
const LONGEST = 24;

const longestName = kept((zones: Zones) =>
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
