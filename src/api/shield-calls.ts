import * as z from 'zod/mini';
import { FAILURES, type Failure } from '../domain/failure.ts';
import {
  bounded,
  dayParts,
  shieldDayPath,
  shieldSearchBody,
  shieldSearchPath,
} from '../domain/handover/wire-request.ts';
import {
  type Json,
  LARGEST_SHIELD_PAGE,
  type ShieldAnswer,
  type ShieldContext,
  type ShieldDayPage,
  type ShieldEvent,
  type ShieldGroup,
  type ShieldSearchRequest,
  type WafRule,
} from '../domain/shield/shield.ts';
import { searchSince } from '../domain/shield/shield-buckets.ts';
import { straysIn, sumOfStrays, withoutStrays } from '../domain/strays.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { maskSecrets } from '../text/mask.ts';
import { DAY, joined } from '../text/units.ts';
import { getCall, jsonReading, valueReader } from './account-calls.ts';
import type { Call } from './caller.ts';
import { isObject, jsonOrNull } from './http/json.ts';
import type { Answer } from './http/response.ts';
import { keptCall } from './kept-call.ts';
import { masked } from './masking.ts';
import { rawText, shortRaw } from './schemas/log-row.ts';
import {
  amount,
  id,
  lenientText,
  mapped,
  maybeTimestamp,
  readable,
  readableOf,
  timestamp,
} from './schemas/scalars.ts';
import { timestampOf } from './timestamp.ts';

/** The id of a Shield zone; the answer need not repeat the pull zone. */
const shieldZoneAnswer = z.lazy(() =>
  mapped(z.object({ data: z.object({ shieldZoneId: id }) }), ({ data }) => data.shieldZoneId),
);

const pair = z.lazy(() => z.object({ shieldZoneId: id, pullZoneId: id }));

/** An account without Shield zones has null instead of the list. */
export const shieldMapping = z.lazy(() =>
  mapped(z.object({ data: z.nullable(z.array(z.unknown())) }), ({ data }) => readableOf(data ?? [], pair)),
);

const rule = z.lazy(() =>
  z.object({ ruleId: z.union([z.string(), mapped(z.number(), String)]), description: lenientText }),
);
const ruleGroup = z.lazy(() => z.object({ name: lenientText, rules: readable(rule) }));
const ruleset = z.lazy(() =>
  z.object({ name: lenientText, ruleset: lenientText, ruleGroups: readable(ruleGroup) }),
);

/** Rule id → text. A bare list, or one inside `data`; unreadable entries are left out: the texts are optional. */
export const wafRules = z.lazy(() =>
  mapped(
    z.union([z.array(z.unknown()), mapped(z.object({ data: z.array(z.unknown()) }), ({ data }) => data)]),
    (sets): WafRule[] =>
      readableOf(sets, ruleset).flatMap((set) =>
        set.ruleGroups.flatMap((group) =>
          group.rules.map(({ ruleId, description }) => ({
            ruleId,
            description: description ?? '',
            group: group.name ?? '',
            ruleset: set.name ?? set.ruleset ?? '',
          })),
        ),
      ),
  ),
);

const readShieldZone = valueReader(shieldZoneAnswer);

/** The Shield zone's id of a valid pull zone id; null when Shield is off there. */
export function shieldZoneCall(pullZoneId: string): Call<string | null> {
  return getCall<string | null>(`/shield/shield-zone/get-by-pullzone/${pullZoneId}`, {
    read(answer) {
      const zone = readShieldZone(answer);
      return zone.ok || !isWithoutShield(answer, zone.failure) ? zone : { ok: true, value: null };
    },
  });
}

/**
 * "Accepted" may hold an error, nothing, or another object than a zone; older servers say "not found" by the status.
 */
function isWithoutShield(answer: Answer, { kind }: Failure): boolean {
  const { blames } = FAILURES[kind].traits;
  return kind === 'notFound' || (answer.status === 202 && blames === 'content');
}

/** Twenty times the size of a requested page. */
const MOST_ITEMS = 10_000;

/** Which pull zone each Shield zone belongs to. */
export function shieldMappingCall(): Call<z.output<typeof shieldMapping>> {
  return getCall('/shield/shield-zones/pullzone-mapping', { read: valueReader(shieldMapping) });
}

export function wafRulesCall(shieldZoneId: string): Call<WafRule[]> {
  return getCall(`/shield/waf/rules/${shieldZoneId}`, { read: valueReader(wafRules) });
}

/** Null for an invalid id. */
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

/** The same without events of other times; one that is not understood may lack a time. */
function withoutStrayEvents<T extends { events: ShieldEvent[] }>(answer: T, range: TimeRange): T {
  const time = ({ raw, timestamp }: ShieldEvent) => (raw === null ? timestamp : null);
  const { kept: events, ...strays } = withoutStrays(answer.events, range, { time });
  return { ...answer, events, ...strays };
}

/** The same without groups whose events are all of other times: how many of a group's events lie within is unknown. */
function withoutStrayGroups(answer: ShieldAnswer, range: TimeRange): ShieldAnswer {
  const { from } = range;
  /** The group's moment nearest to the range. */
  const time = ({ raw, firstSeen, lastSeen }: ShieldGroup) => {
    if (raw !== null) return null;
    if (lastSeen !== null && lastSeen < from) return lastSeen;
    return firstSeen === null ? null : Math.max(firstSeen, from);
  };
  const { kept: groups, strays = null } = withoutStrays(answer.groups, range, { time });
  const all = sumOfStrays(straysIn(answer), strays);
  return { ...answer, groups, ...(all === null ? {} : { strays: all }) };
}

/** One page of a UTC day (`YYYY-MM-DD`); the first without a token. Null for an invalid id or day. */
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

type JsonObject = { [key: string]: Json };

const object = z.lazy(() => z.record(z.string(), z.unknown()));
const answer = z.lazy(() =>
  z.object({
    rows: z.nullish(z.array(z.unknown())),
    groups: z.nullish(z.array(z.unknown())),
    total: z.catch(z.nullish(amount), null),
    totalPages: z.catch(z.nullish(amount), null),
    page: z.catch(z.nullish(amount), null),
  }),
);
/** Nearly always all of them are texts, and one look at each is enough. */
const texts = z.lazy(() =>
  z.union([z.custom<Record<string, string | null>>(areTexts), z.record(z.string(), lenientText)]),
);
const row = z.lazy(() => z.object({ logId: lenientText, timestamp, log: z.optional(z.unknown()) }));
const fields = z.lazy(() => z.nullish(texts));
const group = z.lazy(() =>
  z.object({
    key: texts,
    count: amount,
    firstSeen: maybeTimestamp,
    lastSeen: maybeTimestamp,
    context: z.catch(z.nullish(object), null),
    sparkline: z.optional(z.unknown()),
  }),
);
const day = z.lazy(() =>
  z.object({
    logs: z.nullish(z.array(z.unknown())),
    hasMoreData: z.catch(z.nullish(z.boolean()), null),
    continuationToken: z.catch(z.nullish(z.string()), null),
  }),
);

/** No meaningful name in a context is longer. */
const LONGEST_NAME = 64;
const ENDINGS = /(?:count|s|ed)$/;
/** A count as text. */
const DIGITS = /^\d{1,15}$/;

type Asked = { page: number; pageSize: number; buckets?: number | undefined };

/**
 * The answer to a search; null = another shape, 'noData' = neither rows nor groups where there are some. `asked`
 * replaces the counts that an answer lacks, and says how many steps a sparkline must have.
 */
export function shieldAnswerOf(
  body: unknown,
  otherwise: number,
  asked: Asked,
): ShieldAnswer | 'noData' | null {
  const parsed = answer.safeParse(body);
  if (!parsed.success) return null;
  const { rows, groups, total, totalPages, page } = parsed.data;
  if (rows == null && groups == null && total !== 0) return 'noData';
  const events = (rows ?? []).map((item) => eventOf(item, 'fields', otherwise));
  const parts = (groups ?? []).map((item) => groupOf(item, asked.buckets));
  const before = asked.page * asked.pageSize;
  return {
    kind: rows == null && groups != null ? 'groups' : 'rows',
    events,
    groups: parts,
    total: total ?? before + events.length + parts.length,
    totalPages: totalPages ?? pagesTold(total ?? null, events.length + parts.length, asked),
    page: page ?? asked.page,
    bad: [...events, ...parts].filter(({ raw }) => raw !== null).length,
  };
}

/** Pages by the total; without one, a full page has another behind it. */
function pagesTold(total: number | null, got: number, { page, pageSize }: Asked): number {
  if (total !== null) return Math.ceil(total / pageSize);
  return page + (got < pageSize ? 1 : 2);
}

/** One page of a whole day; one without events has null for them. Null = another shape. */
export function shieldDayOf(body: unknown, otherwise: number): ShieldDayPage | null {
  const parsed = day.safeParse(body);
  if (!parsed.success) return null;
  const { logs, hasMoreData, continuationToken } = parsed.data;
  // An object of anything else has none of these names.
  if (logs == null && hasMoreData == null && continuationToken == null) return null;
  const events = (logs ?? []).map((item) => eventOf(item, 'labels', otherwise));
  const next = hasMoreData === false ? null : continuationToken || null;
  return { events, next, bad: events.filter((event) => event.raw !== null).length };
}

function areTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string' || each === null);
}

/** `place`: the name of an event's fields there. */
function eventOf(item: unknown, place: 'fields' | 'labels', otherwise: number): ShieldEvent {
  const { data } = row.safeParse(item);
  const found = fields.safeParse(isObject(item) ? item[place] : null);
  if (data === undefined || !found.success) return salvaged(item, otherwise);
  const { logId, timestamp, log } = data;
  return { logId, timestamp, fields: withoutTokens(found.data ?? {}), log: contextOf(log), raw: null };
}

/** A search sends the request context as an object, a day as JSON text. */
function contextOf(log: unknown): JsonObject | null {
  const value = typeof log === 'string' ? jsonOrNull(log) : log;
  return isObject(value) ? (masked(value) as JsonObject) : null;
}

function salvaged(item: unknown, otherwise: number): ShieldEvent {
  const entry = object.safeParse(item).data ?? {};
  const fields = texts.safeParse(entry['fields'] ?? entry['labels']).data ?? {};
  return {
    logId: lenientText.parse(entry['logId']),
    timestamp: timestampOf(entry['timestamp']) ?? otherwise,
    fields: withoutTokens(fields),
    log: contextOf(entry['log']),
    raw: rawText(item),
  };
}

function groupOf(item: unknown, buckets: number | undefined): ShieldGroup {
  const parsed = group.safeParse(item).data;
  if (parsed === undefined) {
    // What came instead of a group stands as it came, and counts no event.
    const nothing = { key: {}, count: 0, firstSeen: null, lastSeen: null, context: readContext({}) };
    return { ...nothing, raw: groupText(item) };
  }
  const { firstSeen, lastSeen, count } = parsed;
  const sparkline = sparklineOf(parsed.sparkline, buckets);
  return {
    key: withoutTokens(parsed.key),
    count,
    firstSeen,
    lastSeen,
    context: readContext((masked(parsed.context ?? {}) ?? {}) as JsonObject),
    ...(sparkline === null ? {} : { sparkline }),
    raw: null,
  };
}

/** Null for anything but as many counts as were asked for: the group itself stays valid. */
function sparklineOf(value: unknown, buckets: number | undefined): number[] | null {
  if (!Array.isArray(value) || value.length !== buckets) return null;
  // Nearly always they are numbers, up to a quarter of a million.
  if (value.every(isCount)) return value;
  const counts = value.map((each) => (typeof each === 'string' && DIGITS.test(each) ? Number(each) : each));
  return counts.every(isCount) ? counts : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** `key` names a secret elsewhere; here it holds what the events were grouped by, which the reader needs. */
function groupText(item: unknown): string {
  const entry = object.safeParse(item).data;
  if (entry?.['key'] === undefined) return rawText(item);
  const { key, ...rest } = entry;
  const parts = [`"key":${JSON.stringify(masked(key))}`, JSON.stringify(masked(rest)).slice(1, -1)];
  return shortRaw(`{${joined(parts, ',')}}`);
}

/** Keys are compared without case, separators and the word "count": nobody documents their spelling. */
function readContext(context: JsonObject): ShieldContext {
  const values = new Map<string, Json>();
  for (const [name, value] of Object.entries(context)) {
    if (name.length <= LONGEST_NAME) values.set(stemOf(name), value);
  }
  const words = (name: string) => lenientText.parse(values.get(name));
  const number = (name: string) => amount.safeParse(values.get(name)).data ?? null;
  return {
    country: words('country'),
    asn: words('asn'),
    blocked: number('block'),
    challenged: number('challeng'),
    logged: number('logg') ?? number('log'),
    features: listOf(values.get('feature')),
    ruleIds: listOf(values.get('ruleid')),
  };
}

function stemOf(name: string): string {
  let stem = name.toLowerCase().replace(/[^a-z]/g, '');
  for (let end = ENDINGS.exec(stem); end !== null; end = ENDINGS.exec(stem)) stem = stem.slice(0, end.index);
  return stem;
}

/** Comma-joined, or a list after all. */
function listOf(value: Json | undefined): string[] {
  const parts = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function withoutTokens(fields: Record<string, string | null>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === null ? null : maskSecrets(value)]),
  );
}
