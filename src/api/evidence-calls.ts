import type { ChangePage } from '../domain/evidence/change.ts';
import type { OriginErrorDay } from '../domain/evidence/origin-error.ts';
import type { Statistics, StatStep } from '../domain/evidence/statistics.ts';
import { changesPath, originErrorsPath, statisticsPath } from '../domain/handover/evidence-request.ts';
import { dayParts } from '../domain/handover/wire-request.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { getCall } from './account-calls.ts';
import type { Call } from './caller.ts';
import { jsonOf, listsOf, unusable } from './http/answer.ts';
import { changePageOf } from './schemas/audit.ts';
import { originErrorsOf } from './schemas/origin-errors.ts';
import { statisticsOf } from './schemas/statistics.ts';

/** What the statistics are asked about; `pullZoneId` null = the whole account. */
export type StatisticsRequest = TimeRange & { pullZoneId: string | null; step: StatStep };

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
    list: { most: MOST_ERRORS + 1 },
    read(answer) {
      const json = listsOf(answer, MOST_ERRORS);
      if (!json.ok) return json;
      const read = originErrorsOf(json.value, start);
      return read === null
        ? unusable(answer, 'wrongShape', 'logs (a list or null) was expected')
        : { ok: true, value: read };
    },
  };
}

/** A page of the changes of a UTC day (`YYYY-MM-DD`), newest first; `token` null = the first. Null when the day is none. */
export function changesCall(day: string, token: string | null): Call<ChangePage> | null {
  const path = changesPath(day, token);
  if (path === null) return null;
  return {
    ...getCall<ChangePage>(path, (answer) => {
      const json = listsOf(answer, MOST_CHANGES);
      if (!json.ok) return json;
      const page = changePageOf(json.value);
      return page === null
        ? unusable(answer, 'wrongShape', 'Logs (a list or null) was expected')
        : { ok: true, value: page };
    }),
    list: { most: MOST_CHANGES + 1 },
  };
}

/** Null when the id is none. */
export function statisticsCall(r: StatisticsRequest): Call<Statistics> | null {
  const path = statisticsPath(r);
  if (path === null) return null;
  return getCall(path, (answer) => {
    const json = jsonOf(answer);
    if (!json.ok) return json;
    const read = statisticsOf(json.value);
    return read === null
      ? unusable(answer, 'wrongShape', 'charts by time were expected')
      : { ok: true, value: read };
  });
}
