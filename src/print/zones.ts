import { explain } from '../domain/failure.ts';
import { ZONE_ROW_NAMES, zoneRow } from '../domain/handover/shapes.ts';
import { ITEMS_PER_PAGE } from '../domain/zone.ts';
import { say } from '../text/say.ts';
import { everyPage } from './lists.ts';
import { failed, type Printer } from './printer.ts';
import { printRows } from './rows.ts';

/** The join to Shield is a decoration: without it the zones are printed, and what is not known of them is left out. */
export async function printZones(o: Printer): Promise<number> {
  const zones = await everyPage(o, (page) => o.client.pullZones({ page, perPage: ITEMS_PER_PAGE }));
  if (!zones.ok) return failed(o, zones.failure);
  const mapping = await o.client.shieldMapping();
  if (!mapping.ok) {
    if (mapping.failure.kind === 'cancelled') return failed(o, mapping.failure);
    const { what } = explain(mapping.failure);
    say(o.stderr, `which zones have Shield is not known, shieldZoneId is left out: ${what}`);
    const rows = zones.value.map(zoneRow);
    const objects = rows.map(({ shieldZoneId: _unknown, ...known }) => known);
    return printRows(o, rows, objects, ZONE_ROW_NAMES);
  }
  const shieldOf = new Map(mapping.value.map((pair) => [pair.pullZoneId, pair.shieldZoneId]));
  const rows = zones.value.map((zone) => zoneRow({ ...zone, shieldZoneId: shieldOf.get(zone.id) ?? null }));
  return printRows(o, rows, rows, ZONE_ROW_NAMES);
}
