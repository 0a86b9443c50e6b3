import type { z } from 'zod';
import { FAILURES, type Failure } from '../domain/failure.ts';
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
  type ShieldEvent,
  type ShieldGroup,
  type ShieldSearchRequest,
  type WafRule,
} from '../domain/shield/shield.ts';
import { searchSince } from '../domain/shield/shield-buckets.ts';
import { straysIn, sumOfStrays, withoutStrays } from '../domain/strays.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { DAY } from '../text/units.ts';
import { getCall, jsonReading, valueReader } from './account-calls.ts';
import type { Call } from './caller.ts';
import type { Answer } from './http/answer.ts';
import { keptCall } from './kept-call.ts';
import { shieldAnswerOf, shieldDayOf } from './schemas/shield.ts';
import { shieldMapping, shieldZoneAnswer, wafRules } from './schemas/shield-zone.ts';

const readShieldZone = valueReader(shieldZoneAnswer);

/** The id of the Shield zone of a pull zone whose id is known to be one; null when Shield is off there. */
export function shieldZoneCall(pullZoneId: string): Call<string | null> {
  return getCall<string | null>(`/shield/shield-zone/get-by-pullzone/${pullZoneId}`, {
    read(answer) {
      const zone = readShieldZone(answer);
      return zone.ok || !isWithoutShield(answer, zone.failure) ? zone : { ok: true, value: null };
    },
  });
}

/** "Accepted" may hold an error, nothing, or another object than a zone; older servers say "not found" by the status. */
function isWithoutShield(answer: Answer, { kind }: Failure): boolean {
  const { blames } = FAILURES[kind].traits;
  return kind === 'notFound' || (answer.status === 202 && blames === 'content');
}

/** Twenty times what a page is asked to hold. */
const MOST_ITEMS = 10_000;

/** Which pull zone each Shield zone belongs to. */
export function shieldMappingCall(): Call<z.output<typeof shieldMapping>> {
  return getCall('/shield/shield-zones/pullzone-mapping', { read: valueReader(shieldMapping) });
}

export function wafRulesCall(shieldZoneId: string): Call<WafRule[]> {
  return getCall(`/shield/waf/rules/${shieldZoneId}`, { read: valueReader(wafRules) });
}

/** Null when the id is none. */
export function shieldSearchCall(zoneId: string, request: ShieldSearchRequest): Call<ShieldAnswer> | null {
  return keptCall(request, 'shield', ({ from }) => searchCall(zoneId, searchSince(request, from)));
}

function searchCall(zoneId: string, r: ShieldSearchRequest): Call<ShieldAnswer> | null {
  const path = shieldSearchPath(zoneId);
  if (path === null) return null;
  const asked = {
    page: Math.max(0, r.page),
    pageSize: bounded(r.pageSize, 1, LARGEST_SHIELD_PAGE),
    buckets: r.buckets ?? r.sparks,
  };
  return {
    host: 'main',
    method: 'POST',
    path,
    body: shieldSearchBody(r),
    ...jsonReading(
      'rows or groups were expected',
      (json) => {
        const found = shieldAnswerOf(json, r.to - 1, asked);
        return found === null || found === 'noData'
          ? found
          : withoutStrayGroups(withoutStrayEvents(found, r), r);
      },
      MOST_ITEMS,
    ),
  };
}

/** The same without the events of other times; one that is not understood may have no time of its own. */
function withoutStrayEvents<T extends { events: ShieldEvent[] }>(answer: T, range: TimeRange): T {
  const time = ({ raw, timestamp }: ShieldEvent) => (raw === null ? timestamp : null);
  const { kept: events, ...strays } = withoutStrays(answer.events, range, { time });
  return { ...answer, events, ...strays };
}

/** The same without the groups all of whose events are of other times: how many of a group's lie within it is not told. */
function withoutStrayGroups(answer: ShieldAnswer, range: TimeRange): ShieldAnswer {
  const { from } = range;
  /** The moment of it that is nearest to the range. */
  const time = ({ raw, firstSeen, lastSeen }: ShieldGroup) => {
    if (raw !== null) return null;
    if (lastSeen !== null && lastSeen < from) return lastSeen;
    return firstSeen === null ? null : Math.max(firstSeen, from);
  };
  const { kept: groups, strays = null } = withoutStrays(answer.groups, range, { time });
  const all = sumOfStrays(straysIn(answer), strays);
  return { ...answer, groups, ...(all === null ? {} : { strays: all }) };
}

/** One page of a UTC day (`YYYY-MM-DD`); the first without a token. Null when the id or the day is none. */
export function shieldDayCall(zoneId: string, day: string, token: string | null): Call<ShieldDayPage> | null {
  const path = shieldDayPath(zoneId, day, token);
  const start = dayParts(day)?.start;
  if (path === null || start === undefined) return null;
  const expected = 'logs (a list or null) was expected';
  return getCall(
    path,
    jsonReading(
      expected,
      (json) => {
        const found = shieldDayOf(json, start);
        return found && withoutStrayEvents(found, { from: start, to: start + DAY });
      },
      MOST_ITEMS,
    ),
  );
}
