import { healthReport, healthRow } from '../../domain/handover/health-shapes.ts';
import { zoneRow } from '../../domain/handover/shapes.ts';
import { healthSheet, lineOf, type Sheet, zoneSheet } from '../../domain/handover/sheet.ts';
import { canBeRead } from '../../domain/zone.ts';
import { plainLine } from '../../state/list/list-screen.ts';
import { listTold } from '../../state/list/paged.ts';
import type { State, ZonesState, ZonesView } from '../../state/model.ts';
import type { Under } from '../../state/screen.ts';
import { counted } from '../../text/units.ts';
import { healthOf } from './health-reading.ts';

/** The zones as `health` prints them once one was read; before that as `zones` does. */
export function zonesSheet(state: State): Sheet | string {
  const { zones, health } = state;
  if (zones.shown.length === 0) return 'no zone is listed';
  const { missing, of } = told(zones);
  if (!hasFigures(state)) return zoneSheet(zones.shown, { missing, of });
  const unread = zones.shown.filter((zone) => canBeRead(zone) && !health.known.has(zone.id)).length;
  const reports = zones.shown.map((zone) => healthReport(zone, healthOf(state, zone)));
  const figures = unread === 0 ? [] : [`the figures of ${counted(unread, 'zone')} were not read yet`];
  return healthSheet(reports, { missing: [...missing, ...figures], of });
}

/** Whether something of a zone was read. */
export function hasFigures({ health }: State): boolean {
  return health.known.size > 0;
}

/** The zone under the cursor as it is printed. */
export function zoneUnder(state: State, view: ZonesView): Under | null {
  const zone = state.zones.shown[view.cursor];
  if (!zone) return null;
  if (!hasFigures(state)) return plainLine(lineOf(zone, zoneRow, zoneRow));
  return plainLine(lineOf(healthReport(zone, healthOf(state, zone)), healthRow, healthRow));
}

function told(zones: ZonesState): { missing: string[]; of: number | null } {
  const { missing, of } = listTold(zones, 'zones');
  return {
    missing: [...missing, ...(zones.shieldOf === null ? ['whether a zone has Shield was not read yet'] : [])],
    of,
  };
}
