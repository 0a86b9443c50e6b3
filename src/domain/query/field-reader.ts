import type { LogRecord } from '../log.ts';
import { NO_CAUSES } from '../origin-cause.ts';
import type { LogField } from './fields.ts';

/**
 * Reads a field of records. A derived value is derived once for each of the first `most` different texts: many
 * records share one. Null = no value; causes have none here.
 */
export function fieldReader(
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
