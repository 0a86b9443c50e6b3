import { DAY, HOUR } from '../../../text/units.ts';
import type { PullZone } from '../../zone.ts';
import { EvidenceReading } from './evidence-reading.ts';

/** The platform keeps its counts by the hour for so long, ms. */
const KEPT = 30 * DAY;

/** All hours of a zone that are kept up to `now` (Unix ms), in one request. */
export function statisticsReading({ id: zoneId }: PullZone, now: number): EvidenceReading<'statistics'> {
  const from = Math.floor((now - KEPT) / HOUR) * HOUR + HOUR;
  return new EvidenceReading('statistics', [{ kind: 'statistics', zoneId, range: { from, to: now } }]);
}
