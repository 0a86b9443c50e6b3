import { clockMinute, count, counted, dayMinute, dayOf } from '../../../text/units.ts';
import type { OriginError } from '../../evidence/origin-error.ts';
import type { OriginTally } from '../../evidence/origin-tally.ts';
import { causeRow } from '../../origin-cause.ts';
import { missingForStrays } from '../../strays.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { daysOf, EvidenceReading } from './evidence-reading.ts';

/** Where nobody was told the price of more, so many zones are asked about: each is a request a day. */
const MOST_ZONES = 6;
/** Without an error for so long a run is over, as far as is told: errors come late, ms. */
const OVER = 3 * 60_000;

/** An error, and the zone it is of. */
export type ZoneError = OriginError & { zoneId: string };

/** `most`: zones that are asked about, the first of them. */
export function originReading(
  zones: readonly PullZone[],
  range: TimeRange,
  most = MOST_ZONES,
): EvidenceReading<'originErrors'> {
  const known = zones.filter(({ id }) => id !== '');
  const asked = known.slice(0, most);
  const { days, leftOut } = daysOf(range);
  const others = known.length - asked.length;
  return new EvidenceReading(
    'originErrors',
    asked.flatMap(({ id: zoneId }) => days.map((day) => ({ kind: 'originErrors', zoneId, day }) as const)),
    [...leftOut, ...(others > 0 ? [`origin errors of ${counted(others, 'zone')} not asked for`] : [])],
  );
}

/** The errors told of a time, the newest first. */
export function errorsIn(reading: EvidenceReading<'originErrors'>, { from, to }: TimeRange): ZoneError[] {
  return reading.read
    .flatMap(([{ zoneId }, { errors }]) =>
      errors
        .filter(({ timestamp, raw }) => raw === null && timestamp >= from && timestamp < to)
        .map((error) => ({ ...error, zoneId })),
    )
    .sort((a, b) => b.timestamp - a.timestamp);
}

/** What of it is missing, in words. */
export function originMissing(reading: EvidenceReading<'originErrors'>): string[] {
  const unread = reading.read.reduce((sum, [, day]) => sum + day.unread, 0);
  return [
    ...reading.leftOut,
    ...reading.trouble('origin errors'),
    ...(unread > 0 ? [`${counted(unread, 'origin error')} without a time left out`] : []),
    ...missingForStrays(reading.read.map(([, day]) => day)).map((words) => `origin errors: ${words}`),
  ];
}

/**
 * `origin fails: dns_lookup 312 of 340 since 02:14`, of the newest run of the code that is told most, with its end where that is
 * well before the end of the range; null where no error is told.
 */
export function newestRunWords({ causes }: OriginTally, { to: end }: TimeRange): string | null {
  const [first] = causes;
  if (first === undefined) return null;
  const { from, to, count: own, of } = first.run;
  const isOver = to < end - OVER;
  const verb = isOver ? 'origin failed' : 'origin fails';
  const [begin, over] = [timeWord(from, end), timeWord(to, end)];
  const times = begin === over ? `at ${begin}` : `from ${begin} to ${over}`;
  const when = isOver ? times : `since ${begin}`;
  return `${verb}: ${codeWord(first.code)} ${count(own)} of ${count(of)} ${when}`;
}

export function codeWord(code: string): string {
  return code === '' ? 'no code' : code;
}

/** With its day where that is another than the last. */
function timeWord(time: number, end: number): string {
  return dayOf(time, 'utc') === dayOf(end - 1, 'utc') ? clockMinute(time) : dayMinute(time);
}

export function meaningOf(code: string): string {
  return causeRow(code)?.words ?? 'not a published code';
}
