import type { Result } from '../domain/failure.ts';
import {
  dayParts,
  shieldDayPath,
  shieldSearchBody,
  shieldSearchPath,
} from '../domain/handover/wire-paths.ts';
import type { ShieldAnswer, ShieldDayPage, ShieldSearchRequest } from '../domain/shield/shield.ts';
import { type Answer, jsonOf, partsOf } from './answer.ts';
import type { Call } from './caller.ts';
import { hasListBeyond } from './json-in-turns.ts';
import { shieldAnswerOf, shieldDayOf } from './schemas/shield.ts';

/** Twenty times what a page is asked to hold. */
const MOST_ITEMS = 10_000;

function tooLong(answer: Answer): Result<never> {
  return { ok: false, failure: partsOf(answer, 'tooLarge', `a list of more than ${MOST_ITEMS}`) };
}

/** Null when the id is none. */
export function shieldSearchCall(
  zoneId: string,
  r: ShieldSearchRequest,
  lane: string,
): Call<ShieldAnswer> | null {
  const path = shieldSearchPath(zoneId);
  if (path === null) return null;
  return {
    host: 'main',
    method: 'POST',
    path,
    lane,
    body: shieldSearchBody(r),
    list: { most: MOST_ITEMS + 1 },
    read: (answer): Result<ShieldAnswer> => {
      const json = jsonOf(answer);
      if (!json.ok) return json;
      if (hasListBeyond(json.value, MOST_ITEMS)) return tooLong(answer);
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
  const path = shieldDayPath(zoneId, day, token);
  const start = dayParts(day)?.start;
  if (path === null || start === undefined) return null;
  return {
    host: 'main',
    method: 'GET',
    path,
    lane,
    list: { most: MOST_ITEMS + 1 },
    read: (answer): Result<ShieldDayPage> => {
      const json = jsonOf(answer);
      if (!json.ok) return json;
      if (hasListBeyond(json.value, MOST_ITEMS)) return tooLong(answer);
      const page = shieldDayOf(json.value, start);
      if (page === null)
        return { ok: false, failure: partsOf(answer, 'wrongShape', 'logs (a list) was expected') };
      return { ok: true, value: page };
    },
  };
}
