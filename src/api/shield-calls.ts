import type { Result } from '../domain/failure.ts';
import type { ShieldAnswer, ShieldDayPage, ShieldSearchRequest } from '../domain/shield.ts';
import { jsonOf, partsOf } from './answer.ts';
import type { Call } from './caller.ts';
import { clamp, dayParts, idSegment } from './request-text.ts';
import { shieldAnswerOf, shieldDayOf } from './schemas/shield.ts';

const LARGEST_PAGE = 500;

/** Unknown properties are refused by the server, so only what is set is sent. Null when the id is none. */
export function shieldSearchCall(
  zoneId: string,
  r: ShieldSearchRequest,
  lane: string,
): Call<ShieldAnswer> | null {
  const id = idSegment(zoneId);
  if (id === null) return null;
  return {
    host: 'main',
    method: 'POST',
    path: `/shield/event-logs/${id}/search`,
    lane,
    body: {
      from: Math.floor(r.from),
      to: Math.ceil(r.to),
      ...(r.query === null || r.query === '' ? {} : { query: r.query }),
      ...(r.filters.length === 0 ? {} : { filters: r.filters }),
      ...(r.groupBy.length === 0 ? {} : { groupBy: r.groupBy }),
      page: Math.max(0, Math.trunc(r.page)),
      pageSize: clamp(r.pageSize, 1, LARGEST_PAGE),
    },
    read: (answer): Result<ShieldAnswer> => {
      const json = jsonOf(answer);
      if (!json.ok) return json;
      const found = shieldAnswerOf(json.value, r.to - 1);
      if (found === 'noData') return { ok: false, failure: partsOf(answer, 'noData', '') };
      if (found === null) {
        return { ok: false, failure: partsOf(answer, 'wrongShape', 'rows or groups were expected') };
      }
      return { ok: true, value: found };
    },
  };
}

/** One page of a UTC day (`YYYY-MM-DD`); the first without a token. Null when the id or the day is none. */
export function shieldDayCall(
  zoneId: string,
  day: string,
  token: string | null,
  lane: string,
): Call<ShieldDayPage> | null {
  const id = idSegment(zoneId);
  const parts = dayParts(day);
  // Dots alone would be taken for a step up in the path, however they are encoded.
  if (id === null || parts === null || token === '.' || token === '..') return null;
  const last = token === null || token === '' ? '' : `/${encodeURIComponent(token)}`;
  return {
    host: 'main',
    method: 'GET',
    path: `/shield/event-logs/${id}/${parts.month}-${parts.date}-${parts.year}${last}`,
    lane,
    read: (answer): Result<ShieldDayPage> => {
      const json = jsonOf(answer);
      if (!json.ok) return json;
      const page = shieldDayOf(json.value, parts.start);
      if (page === null)
        return { ok: false, failure: partsOf(answer, 'wrongShape', 'logs (a list) was expected') };
      return { ok: true, value: page };
    },
  };
}
