import { FAILURES } from '../../../domain/failure.ts';
import { zonesInTrouble } from '../../../domain/tail/merged-report.ts';
import type { TailReport } from '../../../domain/tail/tail-report.ts';
import type { PullZone } from '../../../domain/zone.ts';
import { cut, wholeSeconds } from '../../../paint/row.ts';
import type { Look, Words } from '../../../paint/theme.ts';
import { zonesOfLog } from '../../../state/log-zones.ts';
import type { LogSession } from '../../../state/model.ts';
import { reportOf } from '../../../state/sessions/zone-tails.ts';
import { width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';

/** Cells of a name in the status line. */
const LONGEST_NAME = 20;

/** Below this width only numbers have room. */
const NARROW = 60;

/** The zones that are not read as they should be, each with why, those that may recover first. */
function troubles(session: LogSession): { zone: PullZone; why: string }[] {
  const zones = zonesOfLog(session);
  if (zones.length < 2) return [];
  const told = zonesInTrouble(session.tails.map(reportOf)).map(({ of: { tail }, behind }) => ({
    zone: tail.zone,
    why: behind === null ? failingWords(tail.report) : ` ${wholeSeconds(behind)} behind`,
  }));
  const off = zones.filter(({ logging }) => !logging);
  return [...told, ...off.map((zone) => ({ zone, why: ': logging off' }))];
}

/** `api-gateway 41s behind, 1 more`: the zone worst off, and how many others are; empty = all is well. */
export function zoneTroubleWords(session: LogSession, room: number, look: Look): string {
  const [first, ...others] = troubles(session);
  if (!first) return '';
  const rest = `${first.why}${others.length > 0 ? `, ${others.length} more` : ''}`;
  const name = sanitise(first.zone.name, 'strict');
  const cells = Math.max(4, Math.min(width(name), LONGEST_NAME, room - rest.length));
  return cut(name, cells, look) + rest;
}

/** The state of the log, and how many of its zones are in trouble. */
export function badgeOfZones(badge: Words, session: LogSession, columns: number): Words {
  const { length } = troubles(session);
  if (length === 0) return badge;
  const of = `${length} of ${zonesOfLog(session).length}`;
  const text = `${badge.text}, ${of}${columns < NARROW ? '' : ' in trouble'}`;
  return { text, slot: badge.slot === 'down' ? 'down' : 'warning' };
}

function failingWords(report: TailReport | null): string {
  if (report?.status === 'rateLimited') return ': rate limited';
  if (report?.status === 'offline') return ': offline';
  const kind = report?.failure?.kind;
  if (kind === 'loggingDisabled') return ': logging off';
  const isDenied = kind !== undefined && FAILURES[kind].traits.tail === 'denied';
  return isDenied ? ': refused' : ': failing';
}
