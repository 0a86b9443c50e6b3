import { isAscii } from 'node:buffer';
import * as z from 'zod/mini';
import { FAILURES, type Failure, type FailureKind, failureOf, type Result } from '../../domain/failure.ts';
import { maskSecrets } from '../../text/mask.ts';
import { sanitise } from '../../text/sanitise.ts';
import { joined } from '../../text/units.ts';
import { hasListBeyond, isObject, parseInTurns, parseJson } from './json.ts';

/** One complete answer, decoded but not parsed. Times are Unix ms of the local clock. */
export type Answer = {
  host: string;
  status: number;
  /** Lower-case name → first value. */
  headers: Readonly<Record<string, string>>;
  bytes: Buffer;
  sentAt: number;
  receivedAt: number;
  /** Masks the key in use if a server echoes it. */
  scrub: (text: string) => string;
  /** Its JSON, where that was too long to parse at once. */
  json?: Parsed;
};

type Parsed = { ok: true; value: unknown } | { ok: false; reason: string };

export const DETAIL_LENGTH = 300;
/** Bytes; parsing more at once would delay the answer to a key. */
const LONG = 2 * 1024 * 1024;
const JSON_TYPE = /^(?:(?:application|text)\/json|application\/[\w.-]+\+json|text\/plain)\s*(?:;|$)/i;
const SUSPENDED = /suspend|disabled|deactivat|inactive|blocked|not enabled/i;
const BAD_KEY =
  /credential|\bkey\b|access ?key|api ?key|token|authenti|authori[sz]|signature|expired|permission/i;
const WINDOW_CODE = 'invalid_datetime_window';
/** Shield says so under a status of success. */
const NOT_FOUND = 'not_found';

const KIND_OF_SIGN = new Map(
  Object.entries(FAILURES).flatMap(([kind, { signs = [] }]) =>
    signs.map((sign) => [sign, kind as FailureKind]),
  ),
);

/**
 * The JSON of an answer. Checked in this order: status, content type, size (while reading), UTF-8, JSON, an error
 * object inside; the caller checks the shape. The key in use is masked if a server echoes it, but not where keys were
 * asked for (`keepsKeys`).
 */
export function jsonOf(answer: Answer, o: { keepsKeys?: boolean } = {}): Result<unknown> {
  const failed = failureOfStatus(answer);
  if (failed !== null) return { ok: false, failure: failed };
  const type = answer.headers['content-type'];
  if (answer.bytes.byteLength === 0) return unusable(answer, 'emptyAnswer');
  if (type !== undefined && !JSON_TYPE.test(type)) return unusable(answer, 'wrongType', type);
  if (answer.json !== undefined) return contentOf(answer, answer.json);
  const text = textOfUtf8(answer.bytes);
  if (text === null) return unusable(answer, 'unreadable', 'not UTF-8 text');
  if (text.trim() === '') return unusable(answer, 'emptyAnswer');
  return contentOf(answer, parsed(o.keepsKeys === true ? text : answer.scrub(text)));
}

/** The JSON of an answer whose lists are bounded: a list of more than `most` items is refused. */
export function listsOf(answer: Answer, most: number, o: { keepsKeys?: boolean } = {}): Result<unknown> {
  const json = jsonOf(answer, o);
  return json.ok && hasListBeyond(json.value, most)
    ? unusable(answer, 'tooLarge', `a list of more than ${most}`)
    : json;
}

function contentOf(answer: Answer, body: Parsed): Result<unknown> {
  if (!body.ok) return unusable(answer, 'unreadable', body.reason);
  const inside = errorInside(body.value);
  if (inside !== null) return { ok: false, failure: failureOfError(answer, inside) };
  return body.value === null ? unusable(answer, 'noData') : { ok: true, value: body.value };
}

/** The answer with long JSON parsed in turns, and at most `most` items of its lists. */
export async function parsedAhead(
  answer: Answer,
  { most, keepsKeys = false }: { most: number; keepsKeys?: boolean },
  rest: () => Promise<void>,
): Promise<Answer> {
  if (answer.bytes.byteLength < LONG || failureOfStatus(answer) !== null) return answer;
  const text = textOfUtf8(answer.bytes);
  if (text === null) return answer;
  try {
    const value = await parseInTurns(keepsKeys ? text : answer.scrub(text), most, parseJson, rest);
    return { ...answer, json: { ok: true, value } };
  } catch (error) {
    return { ...answer, json: { ok: false, reason: reasonOf(error) } };
  }
}

/** Null for a status of success. The body of a failure is read for its message alone, whatever its type. */
export function failureOfStatus(answer: Answer): Failure | null {
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  if (status < 400) return answerParts(answer, 'redirected', `to ${answer.headers['location'] ?? 'nowhere'}`);
  return failureOfError(answer, serverErrorOf(answer));
}

/** When a 429 or 503 allows another try; Unix ms of the local clock. */
function retryAtOf(answer: Answer): number | null {
  const pause = retryAfterOf(answer.headers['retry-after'] ?? null, serverNowOf(answer), answer.receivedAt);
  return pause === null ? null : answer.receivedAt + pause;
}

/** The server's clock at the answer, Unix ms: a lower bound, since a `Date` header has whole seconds. */
export function serverNowOf(answer: Answer): number | null {
  return httpDateOf(answer.headers['date']?.trim() ?? '');
}

/** The failure that an answer means, its words made safe to show. */
export function answerParts(
  answer: Answer,
  kind: FailureKind,
  detail: string,
  field: string | null = null,
): Failure {
  const { retry } = FAILURES[kind].traits;
  return failureOf(kind, {
    host: answer.host,
    status: answer.status,
    detail: shown(answer, detail),
    field: field === null ? null : shown(answer, field),
    retryAt: retry === 'told' || retry === 'freeze' ? retryAtOf(answer) : null,
  });
}

/** The result of a call whose answer cannot be used. */
export function unusable(answer: Answer, kind: FailureKind, detail = ''): Result<never> {
  return { ok: false, failure: answerParts(answer, kind, detail) };
}

function failureOfError(answer: Answer, error: ServerError): Failure {
  const detail = error.message === '' ? error.code : error.message;
  const failure = answerParts(answer, kindOf(answer.status, error), detail, error.field);
  return error.code === '' ? failure : { ...failure, errorKey: shown(answer, error.code) };
}

function kindOf(status: number, error: ServerError): FailureKind {
  const code = error.code.toLowerCase();
  if (code.startsWith(WINDOW_CODE)) return 'windowRefused';
  const known = status === 403 ? 'forbidden' : KIND_OF_SIGN.get(code);
  if (known === 'forbidden') return forbiddenKind(error);
  if (known !== undefined) return known;
  if (status < 400) return code.startsWith(NOT_FOUND) ? 'notFound' : 'errorInside';
  return KIND_OF_SIGN.get(status) ?? (status < 500 ? 'invalidRequest' : 'serverError');
}

/** The specification has one 403 for a bad key and a suspended zone: only the message tells them apart. */
function forbiddenKind(error: ServerError): FailureKind {
  const suspended = SUSPENDED.test(error.message);
  const badKey = BAD_KEY.test(error.message);
  if (suspended === badKey) return 'forbidden';
  return suspended ? 'suspended' : 'refusedKey';
}

function serverErrorOf(answer: Answer): ServerError {
  const text = textOfUtf8(answer.bytes) ?? '';
  const body = parsed(text);
  const error = body.ok ? errorOf(body.value) : null;
  if (error !== null) return error;
  const isPage = /^\s*</.test(text) || /html/i.test(answer.headers['content-type'] ?? '');
  const words = isPage ? 'a web page instead of an answer of the API' : text.trim();
  return { code: '', message: body.ok && typeof body.value !== 'string' ? '' : words, field: null };
}

function parsed(text: string): Parsed {
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof RangeError ? 'nested too deeply' : 'not JSON, or cut short';
}

function shown(answer: Answer, text: string): string {
  return sanitise(maskSecrets(answer.scrub(text).slice(0, 4 * DETAIL_LENGTH)), 'strict', DETAIL_LENGTH);
}

/** The text of UTF-8 bytes, without a byte order mark; null when they are not UTF-8. */
export function textOfUtf8(bytes: Buffer): string | null {
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** What a server says about a failure, in whichever shape. Untrusted text that may even echo the key. */
type ServerError = { code: string; message: string; field: string | null };

const text = z.lazy(() => z.catch(z.string(), ''));
const maybeText = z.lazy(() => z.catch(z.nullable(z.string()), null));

/** Logging API: `{"error":{"code","message","details":[…]|null}}`. */
const logging = z.lazy(() =>
  z.object({
    error: z.object({
      code: text,
      message: text,
      details: z.catch(z.nullable(z.array(z.string())), null),
    }),
  }),
);

/** Main API: `{"ErrorKey","Field","Message"}`, each of them nullable. */
const main = z.lazy(() => z.object({ ErrorKey: text, Field: maybeText, Message: text }));

/** Shield: `{"statusCode","success","message","errorKey"}`, alone, as `errorResponse`, or as `error` beside `data`. */
const generic = z.lazy(() =>
  z.object({
    statusCode: z.catch(z.number(), 0),
    success: z.catch(z.nullable(z.boolean()), null),
    message: text,
    errorKey: text,
  }),
);

/** RFC 9457: every part may be null. */
const problem = z.lazy(() =>
  z.object({ title: text, detail: text, status: z.catch(z.nullable(z.number()), null) }),
);

/** Without one of these no shape above fits; `success` alone may be false. */
const ERROR_NAMES = ['error', 'ErrorKey', 'errorResponse', 'success'] as const;

/** The error in the body of an answer that failed. */
export function errorOf(body: unknown): ServerError | null {
  const found = errorInside(body) ?? mainErrorOf(body);
  if (found !== null) return found;
  const described = problem.safeParse(body);
  if (described.success && (described.data.title !== '' || described.data.detail !== '')) {
    const { title, detail } = described.data;
    return { code: '', message: joined([title, detail], ': '), field: null };
  }
  const loose = generic.safeParse(body);
  return loose.success && (loose.data.message !== '' || loose.data.errorKey !== '')
    ? { code: loose.data.errorKey, message: loose.data.message, field: null }
    : null;
}

/** The error that an answer with a status of success carries; null when it carries none. */
export function errorInside(body: unknown): ServerError | null {
  if (!isObject(body)) return null;
  // Nearly every answer ends here, before any schema is made or used.
  if (!ERROR_NAMES.some((name) => name in body)) return null;
  const ofShield = generic.safeParse(shieldErrorIn(body));
  if (ofShield.success) return unlessFine(ofShield.data);
  const ofLogging = logging.safeParse(body);
  if (ofLogging.success) {
    const { code, message, details } = ofLogging.data.error;
    return {
      code,
      message: joined([message, ...(details ?? [])]),
      field: null,
    };
  }
  const ofMain = 'ErrorKey' in body ? mainErrorOf(body) : null;
  if (ofMain !== null) return ofMain;
  const alone = generic.safeParse(body);
  return alone.success && alone.data.success === false ? unlessFine(alone.data) : null;
}

/** Null where it has no words. */
function mainErrorOf(body: unknown): ServerError | null {
  const { ErrorKey: code = '', Message: message = '', Field: field = null } = main.safeParse(body).data ?? {};
  return code === '' && message === '' ? null : { code, message, field: field || null };
}

/** Both names are used; `error` is also the logging API's, which gives it a code. */
function shieldErrorIn(body: { errorResponse?: unknown; error?: unknown }): unknown {
  const { errorResponse, error } = body;
  if (typeof errorResponse === 'object' && errorResponse !== null) return errorResponse;
  const isShield = typeof error === 'object' && error !== null && ('errorKey' in error || 'success' in error);
  return isShield ? error : null;
}

/**
 * It may stand in a good answer: with `success: true`, empty, or as the default `success: false` of a server that
 * sets nothing. Only words or a status of failure make it an error.
 */
function unlessFine({
  statusCode,
  success,
  message,
  errorKey,
}: z.output<typeof generic>): ServerError | null {
  if (success === true) return null;
  if (message !== '' || errorKey !== '') return { code: errorKey, message, field: null };
  return statusCode < 400 ? null : { code: '', message: `status ${statusCode}`, field: null };
}

/** Bounds of the wait that a server may ask for, ms: less would hammer it, more would look like a hang. */
const SHORTEST = 1_000;
const LONGEST = 120_000;
/** Bounds of our own wait where it asks for nothing usable, ms. */
const FIRST_PAUSE = 1_000;
const LAST_PAUSE = 30_000;
/** Even the luckiest draw leaves the server this long, ms. */
const SMALLEST_PAUSE = 100;

/**
 * ms to wait after a `Retry-After` of seconds or an HTTP date, clamped to 1–120 s; null when it is absent or garbage.
 * A date is measured against the server's own `Date`, so that a wrong clock here changes nothing.
 */
export function retryAfterOf(header: string | null, serverNow: number | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return clamp(Number(text) * 1000);
  const date = httpDateOf(text);
  return date === null ? null : clamp(date - (serverNow ?? now));
}

/** Full jitter: anything up to 1, 2, 4 … 30 s; `attempt` from zero, `random` in [0, 1). */
export function jitter(attempt: number, random: number): number {
  const longest = Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** Math.min(attempt, 10));
  return Math.max(SMALLEST_PAUSE, random * longest);
}

function clamp(ms: number): number {
  return Math.min(LONGEST, Math.max(SHORTEST, ms));
}

/** The two forms with a weekday and a comma; Date.parse alone takes almost anything. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, [\w -]{9,12} \d{2}:\d{2}:\d{2} GMT$/;

/** An HTTP date as Unix ms; null for anything else. */
function httpDateOf(text: string): number | null {
  const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}
