import { isoSecond, SECOND } from '../../text/units.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { dayParts, idSegment, queryText } from './wire-request.ts';

/** Changes on one page, 1…10000. */
const CHANGES_A_PAGE = 1_000;

/** The path of the origin errors of a UTC day (`YYYY-MM-DD`) on their own host; null when a part is none. */
export function originErrorsPath(pullZoneId: string, day: string): string | null {
  const id = idSegment(pullZoneId);
  const parts = dayParts(day);
  return id === null || parts === null ? null : `/${id}/${parts.month}-${parts.date}-${parts.year}`;
}

/** The path of the changes of a UTC day (`YYYY-MM-DD`), or of the page behind a token; null when the day is none. */
export function changesPath(day: string, token: string | null): string | null {
  if (dayParts(day) === null || token?.isWellFormed() === false) return null;
  const query = { Order: 'Descending', Limit: CHANGES_A_PAGE, ContinuationToken: token ?? undefined };
  // The published parameter is a date-time, and servers made from the description refuse a bare date.
  return `/user/audit/${day}T00:00:00Z${queryText(query)}`;
}

/** The path of the requests and errors of a pull zone by the hour; null when the id is none. Times are Unix ms. */
export function statisticsPath({ pullZoneId, from, to }: TimeRange & { pullZoneId: string }): string | null {
  const id = idSegment(pullZoneId);
  if (id === null) return null;
  return `/statistics${queryText({
    pullZone: id,
    dateFrom: isoSecond(from),
    dateTo: isoSecond(Math.ceil(to / SECOND) * SECOND),
    hourly: true,
    loadErrors: true,
    loadRequestsServed: true,
  })}`;
}
