import * as z from 'zod';
import { joined } from '../../text/joined.ts';
import { isObject } from '../http/json.ts';

/** What a server says about a failure, whichever of its shapes it uses. Untrusted text, may even echo the key. */
export type ServerError = { code: string; message: string; field: string | null };

const text = z.lazy(() => z.string().catch(''));
const maybeText = z.lazy(() => z.string().nullable().catch(null));

/** Logging API: `{"error":{"code","message","details":[…]|null}}`. */
const logging = z.lazy(() =>
  z.object({
    error: z.object({ code: text, message: text, details: z.array(z.string()).nullable().catch(null) }),
  }),
);

/** Main API: `{"ErrorKey","Field","Message"}`, each of them nullable. */
const main = z.lazy(() => z.object({ ErrorKey: text, Field: maybeText, Message: text }));

/** Shield: `{"statusCode","success","message","errorKey"}`, alone, as `errorResponse`, or as `error` beside `data`. */
const generic = z.lazy(() =>
  z.object({
    statusCode: z.number().catch(0),
    success: z.boolean().nullable().catch(null),
    message: text,
    errorKey: text,
  }),
);

/** RFC 9457: every part may be null. */
const problem = z.lazy(() =>
  z.object({ title: text, detail: text, status: z.number().nullable().catch(null) }),
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
  // Nearly every answer ends here, before any schema is made or asked.
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

/** Null where it says nothing. */
function mainErrorOf(body: unknown): ServerError | null {
  const { ErrorKey: code = '', Message: message = '', Field: field = null } = main.safeParse(body).data ?? {};
  return code === '' && message === '' ? null : { code, message, field: field || null };
}

/** Both names are used; `error` is that of the logging API too, which gives it a code. */
function shieldErrorIn(body: { errorResponse?: unknown; error?: unknown }): unknown {
  const { errorResponse, error } = body;
  if (typeof errorResponse === 'object' && errorResponse !== null) return errorResponse;
  const isShield = typeof error === 'object' && error !== null && ('errorKey' in error || 'success' in error);
  return isShield ? error : null;
}

/**
 * It may stand in a good answer: with `success: true`, with nothing in it, or as the default of a server that sets none of it,
 * which says `success: false`. Only words or a status of failure make it an error.
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
