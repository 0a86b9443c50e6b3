import * as z from 'zod';
import type {
  Json,
  ShieldAnswer,
  ShieldContext,
  ShieldDayPage,
  ShieldEvent,
  ShieldGroup,
} from '../../domain/shield/shield.ts';
import { joined } from '../../text/joined.ts';
import { maskSecrets } from '../../text/mask.ts';
import { isObject, jsonOrNull } from '../http/json.ts';
import { masked } from '../masking.ts';
import { timestampOf } from '../timestamp.ts';
import { rawText, shortRaw } from './log.ts';
import { amount, lenientText, maybeTimestamp, timestamp } from './scalars.ts';

type JsonObject = { [key: string]: Json };

const object = z.lazy(() => z.record(z.string(), z.unknown()));
const answer = z.lazy(() =>
  z.object({
    rows: z.array(z.unknown()).nullish(),
    groups: z.array(z.unknown()).nullish(),
    total: amount.nullish().catch(null),
    totalPages: amount.nullish().catch(null),
    page: amount.nullish().catch(null),
  }),
);
/** Nearly always all of them are texts, and one look at each is enough. */
const texts = z.lazy(() =>
  z.union([z.custom<Record<string, string | null>>(areTexts), z.record(z.string(), lenientText)]),
);
const row = z.lazy(() => z.object({ logId: lenientText, timestamp, log: z.unknown().optional() }));
const fields = z.lazy(() => texts.nullish());
const group = z.lazy(() =>
  z.object({
    key: texts,
    count: amount,
    firstSeen: maybeTimestamp,
    lastSeen: maybeTimestamp,
    context: object.nullish().catch(null),
    sparkline: z.unknown().optional(),
  }),
);
const day = z.lazy(() =>
  z.object({
    logs: z.array(z.unknown()).nullish(),
    hasMoreData: z.boolean().nullish().catch(null),
    continuationToken: z.string().nullish().catch(null),
  }),
);

/** No name in a context that means something here is longer. */
const LONGEST_NAME = 64;
const ENDINGS = /(?:count|s|ed)$/;
/** A count as text. */
const DIGITS = /^\d{1,15}$/;

type Asked = { page: number; pageSize: number; buckets?: number | undefined };

/**
 * The answer of a search; null = not the documented shape, 'noData' = neither rows nor groups where there are some. `asked` is
 * what stands in for the counts that an answer leaves out, and how many steps a sparkline has to have.
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

/** Pages by the total; where that is not told either, a full page has one behind it. */
function pagesTold(total: number | null, got: number, { page, pageSize }: Asked): number {
  if (total !== null) return Math.ceil(total / pageSize);
  return page + (got < pageSize ? 1 : 2);
}

/** One page of a whole day, of which one without events has null for them; null = not the documented shape. */
export function shieldDayOf(body: unknown, otherwise: number): ShieldDayPage | null {
  const parsed = day.safeParse(body);
  if (!parsed.success) return null;
  const { logs, hasMoreData, continuationToken } = parsed.data;
  // An object of anything else has none of its names.
  if (logs == null && hasMoreData == null && continuationToken == null) return null;
  const events = (logs ?? []).map((item) => eventOf(item, 'labels', otherwise));
  const next = hasMoreData === false ? null : continuationToken || null;
  return { events, next, bad: events.filter((event) => event.raw !== null).length };
}

function areTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string' || each === null);
}

/** `place`: the name that the fields of an event go by there. */
function eventOf(item: unknown, place: 'fields' | 'labels', otherwise: number): ShieldEvent {
  const { data } = row.safeParse(item);
  const found = fields.safeParse(isObject(item) ? item[place] : null);
  if (data === undefined || !found.success) return salvaged(item, otherwise);
  const { logId, timestamp, log } = data;
  return { logId, timestamp, fields: withoutTokens(found.data ?? {}), log: contextOf(log), raw: null };
}

/** The request context comes as an object from a search and as JSON text from a day. */
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
    // What came in place of a group stands as it came, and counts no event.
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

/** Null for anything but as many counts as were asked for: the group itself is none the worse for it. */
function sparklineOf(value: unknown, buckets: number | undefined): number[] | null {
  if (!Array.isArray(value) || value.length !== buckets) return null;
  // Nearly always they are numbers, and up to a quarter of a million.
  if (value.every(isCount)) return value;
  const counts = value.map((each) => (typeof each === 'string' && DIGITS.test(each) ? Number(each) : each));
  return counts.every(isCount) ? counts : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** `key` names a secret elsewhere; here it holds what the events were grouped by, and is what the reader needs. */
function groupText(item: unknown): string {
  const entry = object.safeParse(item).data;
  if (entry?.['key'] === undefined) return rawText(item);
  const { key, ...rest } = entry;
  const parts = [`"key":${JSON.stringify(masked(key))}`, JSON.stringify(masked(rest)).slice(1, -1)];
  return shortRaw(`{${joined(parts, ',')}}`);
}

/** Keys are compared without case, separators and the word "count": nobody documents how they are spelled. */
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
