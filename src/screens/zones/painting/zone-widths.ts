import type { PullZone } from '../../../domain/zone.ts';
import type { ZoneSort } from '../../../state/health-model.ts';
import { memoised } from '../../../state/memoised.ts';
import { width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { ZONE_COLUMNS, type ZoneColumn } from './zone-columns.ts';

/** What stands in a line of the picker: figures, and cells of the name and of host names. */
export type PlacedZones = {
  columns: readonly ZoneColumn[];
  name: number;
  hosts: number;
};

/** Where there is room for host names, names have at least what says that the worst comes first. */
const NAME_LEAST = 25;
const NAME_MOST = 48;
/** Below this width a longer name is cut, so that no figure is lost by which a zone may stand out. */
const NARROW = 60;
const HOSTS_FROM = 110;
const HOSTS_LEAST = 12;

/**
 * Who gives way to names that would be cut, in this order. The lines under the list tell the id of the zone under
 * the cursor; what was sorted by stays.
 */
const GIVE_WAY = ['ID', 'HOUR', '5XX OF ROWS', 'AGE', 'BLOCKED', 'HIT'] as const;

/**
 * The columns of a picker whose names need so many cells. Names come first, in at most half of the window: requests, 4xx and
 * 5xx stay.
 */
export function placedZones(columns: number, needed: number, sort: ZoneSort | null): PlacedZones {
  const wanted = Math.min(needed, Math.floor(columns * (columns < NARROW ? 3 / 8 : 1 / 2)));
  let shown = ZONE_COLUMNS.flatMap((each) => (columns >= each.from ? [each] : shortOf(each)));
  const left = () => {
    const figures = shown.reduce((sum, { cells }) => sum + cells + 1, 0);
    return columns - 1 - figures;
  };
  for (const title of GIVE_WAY) {
    if (left() >= wanted) break;
    shown = shown.flatMap((each) => {
      if (each.title !== title) return [each];
      const short = shortOf(each);
      return short.length === 0 && sort !== null && each.sort === sort ? [each] : short;
    });
  }
  const name = Math.max(NAME_LEAST, Math.min(wanted, NAME_MOST));
  const hosts = left() - name - 1;
  if (columns < HOSTS_FROM || hosts < HOSTS_LEAST) return { columns: shown, name: left(), hosts: 0 };
  return { columns: shown, name, hosts };
}

function shortOf({ short }: ZoneColumn): ZoneColumn[] {
  return short === undefined ? [] : [short];
}

/** Cells of the longest name of all zones listed, in view or not: no column moves while they are scrolled or narrowed. */
export const nameCells = memoised((zones: readonly PullZone[]): number =>
  zones.reduce((most, { name }) => Math.max(most, width(sanitise(name.slice(0, NAME_MOST), 'text'))), 0),
);
