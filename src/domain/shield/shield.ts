import type { Cut } from '../log-retention.ts';
import { SHIELD_FIELDS } from '../query/fields.ts';
import type { Strays } from '../strays.ts';

const ROWS = Object.values(SHIELD_FIELDS).flatMap((row) => ('column' in row ? [row] : []));

export type ShieldDimension = (typeof ROWS)[number]['dimension'];

/** What Shield events can be filtered and grouped by: the API's names, in its own order. */
export const SHIELD_DIMENSIONS: readonly ShieldDimension[] = ROWS.map(({ dimension }) => dimension);

/** The same as columns of single events, in the order of reading. */
export const EVENT_COLUMNS = ROWS.map(({ dimension, column }) => ({ dimension, ...column })).toSorted(
  (a, b) => a.place - b.place,
);

type ShieldOp = 'eq' | 'in' | 'contains' | 'cidr' | 'wildcard';

/** Filters are AND-ed, the values of one OR-ed. There is no negation. */
export type ShieldFilter = { field: ShieldDimension; op: ShieldOp; value: readonly string[] };

/** Rows or groups of one search: the server's most. */
export const LARGEST_SHIELD_PAGE = 500;

/**
 * `from`, `to`: Unix ms UTC, `to` after `from` and within the last 72 h. `page` from zero; `pageSize` 1 up to
 * LARGEST_SHIELD_PAGE.
 */
export type ShieldSearchRequest = {
  from: number;
  to: number;
  query: string | null;
  filters: readonly ShieldFilter[];
  /** Ordered; empty = flat rows. */
  groupBy: readonly ShieldDimension[];
  page: number;
  pageSize: number;
  /** Steps of equal length to count each group over, 1 up to MOST_BUCKETS, with `groupBy` only. Older servers refuse it. */
  buckets?: number;
  /** The same for a group's bar: left out where the window has to begin later than asked. */
  sparks?: number;
};

/** Any JSON value; integers beyond 2^53 stand as decimal digits. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One Shield event. Strings are untrusted; secrets in URLs and headers are masked. */
export type ShieldEvent = {
  logId: string | null;
  /** Event time, Unix ms UTC. */
  timestamp: number;
  /** Dimension → value of a search row, or the labels of a day read by their own names. */
  fields: Readonly<Record<string, string | null>>;
  /** The full request context; null when absent or not JSON. */
  log: { [key: string]: Json } | null;
  /** The row as it came, when it did not have the documented shape. */
  raw: string | null;
};

export type ShieldGroup = {
  /** Dimension → value, in the order of the grouping. */
  key: Readonly<Record<string, string | null>>;
  count: number;
  /** Unix ms UTC. */
  firstSeen: number | null;
  lastSeen: number | null;
  context: ShieldContext;
  /** Events by the steps asked for, the oldest first; absent where the server sends no such list. */
  sparkline?: readonly number[];
  /** The group as it came, when it did not have the documented shape; its count is then no figure. */
  raw: string | null;
};

/** Spellings of the context's keys are not documented: any case is accepted, an absent one is null. */
export type ShieldContext = {
  country: string | null;
  asn: string | null;
  blocked: number | null;
  challenged: number | null;
  logged: number | null;
  features: readonly string[];
  ruleIds: readonly string[];
};

/** `total` counts rows or distinct groups. `bad` rows and groups are among the others, with `raw` set. */
export type ShieldAnswer = Cut & {
  kind: 'rows' | 'groups';
  events: ShieldEvent[];
  groups: ShieldGroup[];
  total: number;
  totalPages: number;
  page: number;
  bad: number;
  strays?: Strays;
};

/** `next` is null at the end; the caller must notice a repeated token. */
export type ShieldDayPage = { events: ShieldEvent[]; next: string | null; bad: number; strays?: Strays };

export type WafRule = { ruleId: string; description: string; group: string; ruleset: string };

/** What the request context says, as far as its shape is published; any part may be missing. */
type ShieldDetail = {
  message: string | null;
  url: string | null;
  remoteIp: string | null;
  body: string | null;
  headers: readonly { name: string; value: string }[];
  trigger: { key: string | null; value: string | null } | null;
  /** `CDN-RequestId`: equals the CDN log's request id, without hyphens and in lower case here. */
  requestId: string | null;
};

export function shieldDetail(log: ShieldEvent['log']): ShieldDetail {
  const entry = log ?? {};
  const items = Array.isArray(entry['Headers']) ? entry['Headers'] : [];
  const headers = items.flatMap((item) => {
    const header = objectOf(item);
    const name = textOf(header?.['Name']);
    return name === null ? [] : [{ name, value: textOf(header?.['Value']) ?? '' }];
  });
  const trigger = objectOf(entry['TriggerMatch']);
  const id = headers.find((header) => header.name.toLowerCase() === 'cdn-requestid')?.value ?? null;
  return {
    message: textOf(entry['Message']),
    url: textOf(entry['Url']),
    remoteIp: textOf(entry['RemoteIp']),
    body: textOf(entry['UrlEncodedBody']),
    headers,
    trigger: trigger === null ? null : { key: textOf(trigger['Key']), value: textOf(trigger['Value']) },
    requestId: id === null ? null : id.replaceAll('-', '').toLowerCase(),
  };
}

function textOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function objectOf(value: Json | undefined): { [key: string]: Json } | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}
