import { FAILURES, type Failure, type Result } from '../domain/failure.ts';
import {
  bounded,
  dayParts,
  shieldDayPath,
  shieldSearchBody,
  shieldSearchPath,
} from '../domain/handover/wire-request.ts';
import {
  LARGEST_SHIELD_PAGE,
  type ShieldAnswer,
  type ShieldDayPage,
  type ShieldSearchRequest,
} from '../domain/shield/shield.ts';
import type { ShieldZone } from '../domain/zone.ts';
import { valueReader } from './account-calls.ts';
import { type Answer, answerParts, jsonOf } from './answer.ts';
import type { Call } from './caller.ts';
import { hasListBeyond } from './json-in-turns.ts';
import { keptCall } from './kept-call.ts';
import { shieldAnswerOf, shieldDayOf } from './schemas/shield.ts';
import { shieldZoneAnswer } from './schemas/shield-zone.ts';

const readShieldZone = valueReader(shieldZoneAnswer);

/** The Shield zone of a pull zone whose id is known to be one; null when Shield is off there. */
export function shieldZoneCall(pullZoneId: string, lane: string): Call<ShieldZone | null> {
  return {
    host: 'main',
    method: 'GET',
    path: `/shield/shield-zone/get-by-pullzone/${pullZoneId}`,
    lane,
    read: (answer): Result<ShieldZone | null> => {
      const zone = readShieldZone(answer);
      return zone.ok || !isWithoutShield(answer, zone.failure) ? zone : { ok: true, value: null };
    },
  };
}

/** "Accepted" may hold an error, nothing, or another object than a zone; older servers say "not found" by the status. */
function isWithoutShield(answer: Answer, { kind }: Failure): boolean {
  const { blames } = FAILURES[kind].call;
  return kind === 'notFound' || (answer.status === 202 && blames === 'content');
}

/** Twenty times what a page is asked to hold. */
const MOST_ITEMS = 10_000;

function tooLong(answer: Answer): Result<never> {
  return { ok: false, failure: answerParts(answer, 'tooLarge', `a list of more than ${MOST_ITEMS}`) };
}

/** Null when the id is none. */
export function shieldSearchCall(
  zoneId: string,
  request: ShieldSearchRequest,
  lane: string,
): Call<ShieldAnswer> | null {
  return keptCall(request, 'shield', (r) => searchCall(zoneId, r, lane));
}

function searchCall(zoneId: string, r: ShieldSearchRequest, lane: string): Call<ShieldAnswer> | null {
  const path = shieldSearchPath(zoneId);
  if (path === null) return null;
  const asked = { page: Math.max(0, r.page), pageSize: bounded(r.pageSize, 1, LARGEST_SHIELD_PAGE) };
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
      const found = shieldAnswerOf(json.value, r.to - 1, asked);
      if (found === 'noData') return { ok: false, failure: answerParts(answer, 'noData', '') };
      if (found === null) {
        return { ok: false, failure: answerParts(answer, 'wrongShape', 'rows or groups were expected') };
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
        return {
          ok: false,
          failure: answerParts(answer, 'wrongShape', 'logs (a list or null) was expected'),
        };
      return { ok: true, value: page };
    },
  };
}
