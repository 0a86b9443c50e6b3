import type { IncomingHttpHeaders } from 'node:http';

export const HOSTS = ['main', 'logging', 'originErrors', 'storage'] as const;
export type HostKind = (typeof HOSTS)[number];

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
};

/** The JSON of a body; undefined where it is none. */
export function bodyJson({ body }: Exchange): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

type Body = string | Buffer | AsyncIterable<string> | null;

export type ServedAnswer = {
  status: number;
  type: string | null;
  body: Body;
  headers?: Record<string, string>;
};

export function json(value: unknown, status = 200): ServedAnswer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** The error body of the main API where the key is missing or wrong. */
export function denied(): ServedAnswer {
  return json({ Message: 'Authorization has been denied for this request.' }, 401);
}

/** `{ErrorKey, Field, Message}`, the error body of the main API. */
export function fieldError(errorKey: string, field: string, message: string, status = 400): ServedAnswer {
  return json({ ErrorKey: errorKey, Field: field, Message: message }, status);
}

/** `{statusCode, success, message, errorKey}`, which Shield puts beside its answers. */
export type ShieldError = {
  statusCode: number;
  success: boolean;
  message: string | null;
  errorKey: string | null;
};

/** The error of an answer that succeeded. */
export const NO_ERROR: ShieldError = { statusCode: 200, success: true, message: null, errorKey: null };

/** No such Shield zone: accepted, with the error in the body, in the endpoint's own form. */
export function absent(form: (error: ShieldError) => object): ServedAnswer {
  const message = 'Shield Zone not found or Unauthorized access.';
  const errorKey = 'not_found_or_unauthorised_access.shieldzone';
  return json(form({ statusCode: 202, success: false, message, errorKey }), 202);
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

/** Unix ms of an ISO 8601 time, UTC without a zone; NaN for any other text. */
export function instantOf(text: string): number {
  const isWhole = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) || text.length === 10;
  return Date.parse(isWhole ? text : `${text}Z`);
}

/** Where the UTC day that a path calls `MM-dd-yyyy` begins, Unix ms; null for no such day. */
export function dayOfPath(date: string): number | null {
  const [month = 0, day = 0, year = 0] = date.split('-').map(Number);
  const from = Date.UTC(year, month - 1, day);
  return new Date(from).getUTCDate() === day ? from : null;
}

const MOST = 2_147_483_647;

/** Without `page`, or with page 0, a bare array of all items; with it a page of them. */
export function listAnswer<T>(call: Exchange, items: readonly T[], show: (item: T) => unknown): ServedAnswer {
  const isBare = Number(call.url.searchParams.get('page') ?? 0) === 0;
  return isBare ? json(items.map(show)) : paged(call, items, show);
}

/** `page` 1…2147483647 and `perPage` 5…1000 over the main API's paged object. */
export function paged<T>(call: Exchange, items: readonly T[], show: (item: T) => unknown): ServedAnswer {
  const page = integer(call.url.searchParams.get('page'), 1, 1, MOST);
  if (page === null) return fieldError('validation_error', 'page', `The page must be between 1 and ${MOST}.`);
  const perPage = integer(call.url.searchParams.get('perPage'), 1000, 5, 1000);
  if (perPage === null)
    return fieldError('validation_error', 'perPage', 'The page size must be between 5 and 1000.');
  const start = (page - 1) * perPage;
  return json({
    Items: items.slice(start, start + perPage).map(show),
    CurrentPage: page,
    TotalItems: items.length,
    HasMoreItems: start + perPage < items.length,
  });
}
