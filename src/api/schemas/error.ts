import * as z from 'zod';

/** What a server says about a failure, whichever of its shapes it uses. Foreign text, may even echo the key. */
export type ServerError = { code: string; message: string; field: string | null };

const text = z.lazy(() => z.string().catch(''));
const maybeText = z.lazy(() => z.string().nullable().catch(null));

/** Logging API: `{"error":{"code","message","details":[…]|null}}`. */
const logging = z.lazy(() =>
  z.object({
    error: z.object({ code: text, message: text, details: z.array(z.string()).nullable().catch(null) }),
  }),
);

/** Main API: `{"ErrorKey","Field","Message"}`. */
const main = z.lazy(() => z.object({ ErrorKey: z.string(), Field: maybeText, Message: text }));

/** Shield: `{"statusCode","success","message","errorKey"}`, alone or as `errorResponse`. */
const generic = z.lazy(() =>
  z.object({ success: z.boolean().nullable().catch(null), message: text, errorKey: text }),
);
const shield = z.lazy(() => z.object({ errorResponse: generic }));

/** RFC 9457: every part may be null. */
const problem = z.lazy(() =>
  z.object({ title: text, detail: text, status: z.number().nullable().catch(null) }),
);

/** Without one of these no shape above fits; `success` alone may be false. */
const ERROR_NAMES = ['error', 'ErrorKey', 'errorResponse', 'success'] as const;

/** The error in the body of an answer that failed. */
export function errorOf(body: unknown): ServerError | null {
  const found = errorInside(body);
  if (found !== null) return found;
  const described = problem.safeParse(body);
  if (described.success && (described.data.title !== '' || described.data.detail !== '')) {
    const { title, detail } = described.data;
    return { code: '', message: [title, detail].filter((part) => part !== '').join(': '), field: null };
  }
  const loose = generic.safeParse(body);
  return loose.success && (loose.data.message !== '' || loose.data.errorKey !== '')
    ? { code: loose.data.errorKey, message: loose.data.message, field: null }
    : null;
}

/** The error that an answer with a status of success carries; null when it carries none. */
export function errorInside(body: unknown): ServerError | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  // Nearly every answer ends here, before any schema is made or asked.
  if (!ERROR_NAMES.some((name) => name in body)) return null;
  const ofLogging = logging.safeParse(body);
  if (ofLogging.success) {
    const { code, message, details } = ofLogging.data.error;
    return {
      code,
      message: [message, ...(details ?? [])].filter((part) => part !== '').join('; '),
      field: null,
    };
  }
  const ofMain = main.safeParse(body);
  if (ofMain.success) {
    return { code: ofMain.data.ErrorKey, message: ofMain.data.Message, field: ofMain.data.Field || null };
  }
  const ofShield = shield.safeParse(body);
  if (ofShield.success) return unlessFine(ofShield.data.errorResponse);
  const alone = generic.safeParse(body);
  return alone.success && alone.data.success === false ? unlessFine(alone.data) : null;
}

/** `errorResponse` may stand in a good answer with `success: true`, or with nothing in it. */
function unlessFine(error: z.output<typeof generic>): ServerError | null {
  if (error.success === true) return null;
  if (error.success === null && error.message === '' && error.errorKey === '') return null;
  return { code: error.errorKey, message: error.message, field: null };
}
