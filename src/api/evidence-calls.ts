import type { ChangePage } from '../domain/evidence/change.ts';
import type { OriginErrorDay } from '../domain/evidence/origin-error.ts';
import type { StatHour } from '../domain/evidence/statistics.ts';
import { changesPath, originErrorsPath, statisticsPath } from '../domain/handover/evidence-request.ts';
import { dayParts } from '../domain/handover/wire-request.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { getCall, jsonReading } from './account-calls.ts';
import type { Call } from './caller.ts';
import { changePageOf } from './schemas/audit.ts';
import { originErrorsOf } from './schemas/origin-errors.ts';
import { statisticsOf } from './schemas/statistics.ts';

/** The hours that statistics are asked about. */
export type StatisticsRequest = TimeRange & { pullZoneId: string };

/** There is no paging: more than any bad day has. */
const MOST_ERRORS = 200_000;
/** Twice what a page is asked to hold. */
const MOST_CHANGES = 2_000;

/** The origin errors of a UTC day (`YYYY-MM-DD`), all of them at once. Null when the id or the day is none. */
export function originErrorsCall(pullZoneId: string, day: string): Call<OriginErrorDay> | null {
  const path = originErrorsPath(pullZoneId, day);
  const start = dayParts(day)?.start;
  if (path === null || start === undefined) return null;
  return {
    host: 'originErrors',
    method: 'GET',
    path,
    ...jsonReading(
      'logs (a list or null) was expected',
      (json) => originErrorsOf(json, start, pullZoneId),
      MOST_ERRORS,
    ),
  };
}

/** A page of the changes of a UTC day (`YYYY-MM-DD`), newest first; `token` null = the first. Null when the day is none. */
export function changesCall(day: string, token: string | null): Call<ChangePage> | null {
  const path = changesPath(day, token);
  const start = dayParts(day)?.start;
  if (path === null || start === undefined) return null;
  const expected = 'Logs (a list or null) was expected';
  return getCall(
    path,
    jsonReading(expected, (json) => changePageOf(json, start), MOST_CHANGES),
  );
}

/** Null when the id is none. */
export function statisticsCall(r: StatisticsRequest): Call<readonly StatHour[]> | null {
  const path = statisticsPath(r);
  return path === null ? null : getCall(path, jsonReading('charts by time were expected', statisticsOf));
}
