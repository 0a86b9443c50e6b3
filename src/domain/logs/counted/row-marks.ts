import { type LogRecord, pageOf } from '../../log.ts';
import { NO_CAUSES } from '../../origin-cause.ts';
import { type LogField, logField } from '../../query/fields.ts';

/** A path segment of a login. */
const LOGIN = /(?:^|[/_.-])(?:log-?in|sign-?in|session|auth|oauth|password)(?:$|[/_.?-])/i;
/** How crawlers name themselves in a user agent. */
const BOT = /(?:bot|crawler|spider|slurp)(?:$|[^a-z])/i;

/** Marks of a row, as an engine computes them: '1' or ''. Their patterns have no escapes, and letters in any case. */
export const ROW_MARKS = {
  loginPath: { column: 'page', pattern: LOGIN },
  botNamed: { column: 'userAgent', pattern: BOT },
} as const;

export type MarkId = keyof typeof ROW_MARKS;

/**
 * Reads what is counted, a field or a mark by its id, from records; '' = none. `most`: different values derived once.
 */
export function countedReader(id: string, most: number): (record: LogRecord) => string {
  if (id === 'loginPath') return ({ path }) => (LOGIN.test(pageOf(path)) ? '1' : '');
  if (id === 'botNamed') return ({ userAgent }) => (BOT.test(userAgent ?? '') ? '1' : '');
  const field = logField(id);
  if (field === null) throw new RangeError(`CDN logs have no field ${id}`);
  if (field.column === null) return (record) => String(field.get(record, NO_CAUSES) ?? '');
  const read = fieldReader(field, most);
  return (record) => String(read(record) ?? '');
}

/** Rows answered 5xx, or from a cache whose origin did not answer: one trouble under many names. */
export function isTrouble(statusCode: number, cacheStatus: string): boolean {
  return statusCode >= 500 || cacheStatus === 'STALE' || cacheStatus === 'UPDATING';
}

/**
 * Reads a field of records. A derived value is derived once for each of the first `most` different texts: many
 * records share one. Null = no value; causes have none here.
 */
function fieldReader(
  { column, derive, get }: LogField,
  most: number,
): (record: LogRecord) => string | number | null {
  if (!derive || column === null) return (record) => get(record, NO_CAUSES);
  const known = new Map<string, string | null>();
  return (record) => {
    const value = record[column];
    if (value === null) return null;
    const text = String(value);
    const before = known.get(text);
    if (before !== undefined) return before;
    const derived = derive(text);
    if (known.size < most) known.set(text, derived);
    return derived;
  };
}
