import { explain, failureOf, type Result } from '../domain/failure.ts';
import { ZONE_ROW_NAMES, zoneRow } from '../domain/handover/shapes.ts';
import { sheetOf, zoneSheet } from '../domain/handover/sheet.ts';
import { findZone } from '../domain/query/zone-search.ts';
import {
  ENDLESS_WORDS,
  ITEMS_PER_PAGE,
  type Page,
  type PullZone,
  pageAfter,
  unlistedZone,
  unreadWords,
} from '../domain/zone.ts';
import { sanitise } from '../text/sanitise.ts';
import { say } from '../text/say.ts';
import { failed, type Printer, printSheet, WRONG_USAGE } from './printer.ts';
import { createProgressLine, listProgressText } from './progress.ts';

/** The zone that a word names, or the exit code after saying why there is none. */
export async function zoneNamed(o: Printer, word: string): Promise<PullZone | number> {
  const zones = await everyPage(o, (page) => o.client.pullZones({ page, perPage: ITEMS_PER_PAGE }));
  // A token alone opens the logs of a zone whose id is known, but not the list of zones.
  if (!zones.ok && zones.failure.kind === 'noKey' && /^\d+$/.test(word))
    return unlistedZone({ id: word, name: word });
  if (!zones.ok) return failed(o, zones.failure);
  const found = findZone(zones.value, word);
  if (found.kind === 'found') return found.zone;
  const candidates = found.kind === 'ambiguous' ? found.candidates : found.nearest;
  const names = candidates.map((zone) => `${sanitise(zone.name, 'text', 100)} (${zone.id})`).join(', ');
  const asked = sanitise(word, 'text', 200);
  const what =
    found.kind === 'ambiguous'
      ? `'${asked}' names ${candidates.length} zones: ${names}. Give the id of one`
      : `no zone is called '${asked}'${names === '' ? '' : `; nearest: ${names}`}`;
  say(o.stderr, what);
  return WRONG_USAGE;
}

/** The items of all pages, or the first failure; how many could not be read is told. */
export async function everyPage<T extends { id: string }>(
  o: Pick<Printer, 'stderr' | 'isWatched' | 'onEnd' | 'clock'>,
  ask: (page: number) => Promise<Result<Page<T>>>,
): Promise<Result<T[]>> {
  const items: T[] = [];
  let unread = 0;
  const line = createProgressLine(o, listProgressText);
  const startedAt = o.clock.now();
  const show = () => line.show({ read: items.length, startedAt, now: o.clock.now() });
  const stopTicking = o.clock.every(1_000, show);
  try {
    for (let page = 1; ; ) {
      const answer = await ask(page);
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
      if (unread > 0) say(o.stderr, unreadWords(unread));
      return { ok: true, value: items };
    }
  } finally {
    stopTicking();
    line.erase();
  }
}

/** The join to Shield is a decoration: without it the zones are printed, and what is not known of them is left out. */
export async function printZones(o: Printer): Promise<number> {
  const zones = await everyPage(o, (page) => o.client.pullZones({ page, perPage: ITEMS_PER_PAGE }));
  if (!zones.ok) return failed(o, zones.failure);
  const mapping = await o.client.shieldMapping();
  if (!mapping.ok) {
    if (mapping.failure.kind === 'cancelled') return failed(o, mapping.failure);
    const { what } = explain(mapping.failure);
    say(o.stderr, `which zones have Shield is not known, shieldZoneId is left out: ${what}`);
    const shape = (zone: PullZone) => {
      const { shieldZoneId: _unknown, ...known } = zoneRow(zone);
      return known;
    };
    const columns = ZONE_ROW_NAMES;
    return printSheet(o, sheetOf(zones.value, { what: 'zones', columns, shape, row: zoneRow }));
  }
  const shieldOf = new Map(mapping.value.map((pair) => [pair.pullZoneId, pair.shieldZoneId]));
  const joined = zones.value.map((zone) => ({ ...zone, shieldZoneId: shieldOf.get(zone.id) ?? null }));
  return printSheet(o, zoneSheet(joined));
}
