import type { IncomingHttpHeaders } from 'node:http';
import type { Account } from './account.ts';
import type { SimRow } from './rows.ts';
import type { SearchBook } from './search-book.ts';
import type { StoragePatch } from './storage-population.ts';
import type { TrafficModel } from './traffic.ts';

export const HOSTS = ['main', 'logging'] as const;
export type HostKind = (typeof HOSTS)[number];

/** How the world looks to one request: what servers do differently at times. */
export type Conditions = {
  /** Rows that this answer pretends not to know. */
  hides: ((row: SimRow) => boolean)[];
  /** Event times are rounded down to this many ms. */
  coarse: number;
  /** The most rows an answer of logs v2 gives, whatever was asked. */
  limitCap: number;
  /** What an update of a storage zone changes besides what it was asked for. */
  alsoChanges: StoragePatch | null;
  /** A list that was asked for without a page comes as a page, and not as a bare array. */
  pagesAlways: boolean;
  /** The order of a v1 day when none was asked for. */
  dayOrder: 'asc' | 'desc';
  /** What a Shield zone that is not there is answered with. */
  absentStatus: 202 | 404;
};

export const ORDINARY_CONDITIONS: Conditions = {
  hides: [],
  coarse: 1,
  limitCap: Number.POSITIVE_INFINITY,
  alsoChanges: null,
  pagesAlways: false,
  dayOrder: 'desc',
  absentStatus: 202,
};

export type Exchange = {
  host: HostKind;
  method: string;
  url: URL;
  /** Variable parts of the path, decoded. */
  params: readonly string[];
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The server's time, Unix ms. */
  now: number;
  conditions: Conditions;
};

export type Body = string | Buffer | AsyncIterable<string> | null;

export type ServedAnswer = {
  status: number;
  type: string | null;
  body: Body;
  headers?: Record<string, string>;
};

/** What endpoints answer from. */
export type World = { account: Account; traffic: TrafficModel; searches: SearchBook };

export type Handler = (call: Exchange, world: World) => ServedAnswer | Promise<ServedAnswer>;

export function json(value: unknown, status = 200): ServedAnswer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

export function noContent(): ServedAnswer {
  return { status: 204, type: null, body: null };
}

/** `{ErrorKey, Field, Message}`, the error body of the main API. */
export function fieldError(errorKey: string, field: string, message: string, status = 400): ServedAnswer {
  return json({ ErrorKey: errorKey, Field: field, Message: message }, status);
}

/** `{statusCode, success, message, errorKey}`, which Shield puts beside what it answers. */
export type ShieldError = {
  statusCode: number;
  success: boolean;
  message: string | null;
  errorKey: string | null;
};

/** What stands in an answer that succeeded. */
export const NO_ERROR: ShieldError = { statusCode: 200, success: true, message: null, errorKey: null };

/** No such Shield zone: accepted, with the error in the body, in the form that the endpoint has for one. */
export function absent(call: Exchange, form: (error: ShieldError) => object): ServedAnswer {
  const status = call.conditions.absentStatus;
  const message = 'Shield Zone not found or Unauthorized access.';
  const errorKey = 'not_found_or_unauthorised_access.shieldzone';
  return json(form({ statusCode: status, success: false, message, errorKey }), status);
}

/** Problem details, the error body of Shield search. */
export function problem(status: number, title: string, detail: string, extra: object = {}): ServedAnswer {
  const body = {
    type: 'https://tools.ietf.org/html/rfc9110#section-15.5',
    title,
    status,
    detail,
    instance: null,
    ...extra,
  };
  return { ...json(body, status), type: 'application/problem+json; charset=utf-8' };
}

/** `{error: {code, message, details}}`, the error body of the logging API. */
export function loggingError(
  status: number,
  code: string,
  message: string,
  details: readonly string[] | null = null,
  headers: Record<string, string> = {},
): ServedAnswer {
  return { ...json({ error: { code, message, details } }, status), headers };
}

/** An integer parameter: `fallback` when absent, null when it is not an integer within the bounds. */
export function integer(text: string | null, fallback: number, least: number, most: number): number | null {
  if (text === null) return fallback;
  const n = Number(text);
  return /^-?\d+$/.test(text) && n >= least && n <= most ? n : null;
}
