import type { ReadingClient } from '../api/client.ts';
import { failureOf, type Result } from '../domain/failure.ts';
import { ZONE_ROW_NAMES, zoneRow } from '../domain/handover/shapes.ts';
import { sheetOf, zoneSheet } from '../domain/handover/sheet.ts';
import { type FoundZones, findZones, zonesOfIds } from '../domain/query/zone-search.ts';
import {
  ENDLESS_WORDS,
  ITEMS_PER_PAGE,
  type PullZone,
  pageAfter,
  unreadWords,
  type Zones,
} from '../domain/zone.ts';
import type { ListItem, ListName } from '../lists/account-lists.ts';
import { sanitise } from '../text/sanitise.ts';
import { count } from '../text/units.ts';
import {
  type Coverage,
  failed,
  type Printer,
  printSheet,
  remark,
  remarkFailure,
  wrongUsageWith,
} from './printer.ts';
import { createProgressLine, whereSlow } from './progress.ts';

/** Zones named in a line; further ones are a number. */
const MOST_TITLES = 5;

/** The most zones read as one log: each takes requests and memory of its own. */
const MOST_ZONES = 100;

/** The one zone of a word, or the exit code after saying why there is none. */
export async function zoneNamed(o: Printer, word: string): Promise<PullZone | number> {
  const zones = await logZonesNamed(o, word);
  if (typeof zones === 'number') return zones;
  if (zones.length === 1) return zones[0];
  const many = `one zone is wanted, and '${shown(word)}' names ${zones.length}`;
  return wrongUsageWith(o, `: ${zoneTitles(zones)}`, many);
}

/** The zones read together, or the exit code after saying why there are none. */
export async function logZonesNamed(o: Printer, words: string, most = MOST_ZONES): Promise<Zones | number> {
  const zones = await zonesNamed(o, words);
  if (typeof zones === 'number') return zones;
  const [first, ...others] = zones;
  if (first !== undefined && zones.length <= most) return [first, ...others];
  const many = `'${shown(words)}' names ${count(zones.length)} zones, and at most ${most} are read as one log`;
  return wrongUsageWith(o, `: ${zoneTitles(zones)}`, many);
}

function shown(words: string): string {
  return sanitise(words, 'text', 200);
}

/** The zones of words with commas between them, null = all; or the exit code after saying which word names none. */
export async function zonesNamed(o: Printer, words: string | null): Promise<readonly PullZone[] | number> {
  const zones = await everyPage(o, 'zones');
  const byId = !zones.ok && zones.failure.kind === 'noKey' ? zonesOfIds(words ?? '') : null;
  if (byId !== null) return byId;
  if (!zones.ok) return failed(o, zones.failure);
  if (words === null) return zones.value;
  const found = findZones(zones.value, words);
  return found.kind === 'found' ? found.zones : sayLost(o, found);
}

function sayLost(o: Printer, lost: Exclude<FoundZones, { kind: 'found' }>): number {
  const candidates = lost.kind === 'ambiguous' ? lost.candidates : lost.nearest;
  const names = candidates.map(zoneTitle).join(', ');
  const asked = shown(lost.word);
  if (lost.kind === 'ambiguous') {
    const many = `'${asked}' names ${candidates.length} zones, give the id of one`;
    return wrongUsageWith(o, `: ${names}`, many);
  }
  const quoted = names === '' ? '' : `; nearest: ${names}`;
  return wrongUsageWith(o, quoted, `no zone is called '${asked}'`);
}

/** `checkout (1284438)`. */
export function zoneTitle({ name, id }: PullZone): string {
  return `${sanitise(name, 'text', 100)} (${id})`;
}

/** `checkout (1284438), mobile-api (1284475) and 3 more`. */
export function zoneTitles(zones: readonly PullZone[]): string {
  const told = zones.slice(0, MOST_TITLES).map(zoneTitle).join(', ');
  const more = zones.length - MOST_TITLES;
  return more > 0 ? `${told} and ${count(more)} more` : told;
}

/** The items of all pages, or the first failure; the number of unreadable ones is said and returned. */
export async function everyPage<N extends ListName>(
  o: Pick<Printer, 'stderr' | 'isWatched' | 'onEnd' | 'clock'> & { client: Pick<ReadingClient, 'list'> },
  list: N,
): Promise<Result<ListItem<N>[]> & { unread?: number }> {
  const items: ListItem<N>[] = [];
  let unread = 0;
  const line = createProgressLine(
    o,
    whereSlow((elapsed) => {
      const read = items.length > 0 ? `, ${count(items.length)} read` : '';
      return `reading the list, ${elapsed}${read}`;
    }),
  );
  try {
    for (let page = 1; ; ) {
      const answer = await o.client.list(list, { page, perPage: ITEMS_PER_PAGE });
      if (!answer.ok) return answer;
      const next = pageAfter(items, page, answer.value);
      for (const item of answer.value.items) items.push(item);
      unread += answer.value.unread ?? 0;
      if (typeof next === 'number') {
        page = next;
        continue;
      }
      line.erase();
      if (next === 'endless')
        return { ok: false, failure: failureOf('wrongShape', { detail: ENDLESS_WORDS }) };
      if (unread > 0) remark(o, unreadWords(unread));
      return { ok: true, value: items, unread };
    }
  } finally {
    line.end();
  }
}

/** The Shield join is optional: without it the zones are printed, and what is unknown is left out. */
export async function printZones(o: Printer): Promise<number> {
  const zones = await everyPage(o, 'zones');
  if (!zones.ok) return failed(o, zones.failure);
  const joined = await withShieldZones(o, zones.value, 'shieldZoneId is left out');
  if (typeof joined === 'number') return joined;
  const isWhole = joined !== null && !zones.unread;
  o.covered?.({ ...coverageOf(zones.value, zones.unread), isWhole });
  if (joined === null) {
    const shape = (zone: PullZone) => {
      const { shieldZoneId: _unknown, ...known } = zoneRow(zone);
      return known;
    };
    const columns = ZONE_ROW_NAMES;
    return printSheet(o, sheetOf(zones.value, { what: 'zones', columns, shape, row: zoneRow }));
  }
  return printSheet(o, zoneSheet(joined));
}

/** The coverage of a list read to its end, less what was not understood. */
export function coverageOf(list: readonly unknown[], unread = 0): Coverage {
  const { length } = list;
  const total = length + unread;
  return { of: 'zones', range: null, read: length, total, given: length, gaps: 0, isWhole: unread === 0 };
}

/** The zones with their Shield zones; null after saying that those are unknown and what follows, or the exit code. */
export async function withShieldZones(
  o: Printer,
  zones: readonly PullZone[],
  follows: string,
): Promise<readonly PullZone[] | number | null> {
  const mapping = await o.client.shieldMapping();
  if (mapping.ok) {
    const shieldOf = new Map(mapping.value.map((pair) => [pair.pullZoneId, pair.shieldZoneId]));
    return zones.map((zone) => ({ ...zone, shieldZoneId: shieldOf.get(zone.id) ?? null }));
  }
  if (mapping.failure.kind === 'cancelled') return failed(o, mapping.failure);
  remarkFailure(o, `which zones have Shield is not known, ${follows}: `, mapping.failure);
  return null;
}
