import { causesBy } from '../../domain/evidence/told-causes.ts';
import type { CauseOf } from '../../domain/origin-cause.ts';
import { originReading } from '../../domain/questions/evidence/evidence-reading.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import type { Zones } from '../../domain/zone.ts';
import { readInquiry } from '../../effects/read-inquiry.ts';
import { say } from '../../text/say.ts';
import { count, counted } from '../../text/units.ts';
import { endOf, type Printer } from '../printer.ts';
import { createProgressLine, whereSlow } from '../progress.ts';

/** Reads the origin errors of the days of a window, after saying their price; what is not told costs its own words alone. */
export async function causesOfWindow(o: Printer, zones: Zones, range: TimeRange): Promise<CauseOf> {
  const reading = originReading(zones, range, zones.length);
  const price = counted(reading.needs.length, 'request');
  say(o.stderr, `cause: is found by origin errors: ${price} before the rows, one a day of each zone`);
  const words = (elapsed: string) =>
    `origin errors: ${count(reading.read.length)} of ${price} answered, ${elapsed}`;
  const line = createProgressLine(o, whereSlow(words));
  const asking = { client: o.client, inquiry: reading, most: null, signal: endOf(o).signal };
  await readInquiry({ ...asking, said: () => line.show() }).finally(line.end);
  const told = `origin errors of ${count(reading.read.length)} of ${counted(reading.needs.length, 'day')} read`;
  const late = 'how late they come is not documented';
  say(o.stderr, [`by time and path: ${told}; ${late}`, ...reading.missing()].join('; '), NONE_NEAR);
  const days = new Map(reading.read.map(([{ zoneId, day }, each]) => [`${zoneId} ${day}`, each]));
  return causesBy(zones, (zoneId, day) => days.get(`${zoneId} ${day}`) ?? null);
}

const NONE_NEAR = 'a row has no cause where none is reported near it, or where its status is no 5xx';
