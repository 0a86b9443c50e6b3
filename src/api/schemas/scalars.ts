import * as z from 'zod';
import { timestampOf } from '../timestamp.ts';

// Schemas are lazy here and beside: making one costs more than using it, and a start uses few.

const DIGITS = /^\d{1,20}$/;

/** A whole number or its digits → digits: an id may exceed 2^53, and the JSON reader keeps those as digits. */
export const id = z.lazy(() => z.union([z.int().nonnegative().transform(String), z.string().regex(DIGITS)]));

/** A count or a size, as a number or as digits; beyond 2^53 the nearest double. */
export const amount = z.lazy(() =>
  z.union([z.number().nonnegative(), z.string().regex(DIGITS).transform(Number)]),
);

export const amountOrZero = z.lazy(() =>
  amount
    .nullish()
    .transform((value) => value ?? 0)
    .catch(0),
);

/** ISO, s or ms → Unix ms. */
export const timestamp = z.lazy(() =>
  z.union([z.string(), z.number()]).transform((value, context) => {
    const ms = timestampOf(value);
    if (ms !== null) return ms;
    context.addIssue({ code: 'custom', message: 'not a time' });
    return z.NEVER;
  }),
);

export const maybeTimestamp = z.lazy(() =>
  timestamp
    .nullish()
    .transform((value) => value ?? null)
    .catch(null),
);

/** Text, null or absent → text or null. A number becomes its digits. */
export const maybeText = z.lazy(() =>
  z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .transform((value) => value ?? null),
);

/** An optional text: null where it is anything else, and never a reason to refuse the row. */
export const lenientText = z.lazy(() => maybeText.catch(null));

/** An enum of the API, which may arrive as a number or as a word. */
export const openEnum = z.lazy(() =>
  z
    .union([z.number(), z.string()])
    .nullish()
    .transform((value) => value ?? null)
    .catch(null),
);

/** A switch, with what to assume where it is missing or invalid. */
export const flag = (otherwise: boolean) => z.boolean().catch(otherwise);

/** A switch of which nothing may be assumed: null where it is missing or invalid. */
export const maybeFlag = z.lazy(() =>
  z
    .boolean()
    .nullish()
    .transform((value) => value ?? null)
    .catch(null),
);

/** An object of the API under our names: for each its name there, and its schema. */
export function renamed<const F extends Record<string, readonly [name: string, type: z.ZodType]>>(fields: F) {
  return z.object(Object.fromEntries(Object.values(fields))).transform((row) => {
    const values = Object.entries(fields).map(([own, [name]]) => [own, row[name]]);
    return Object.fromEntries(values) as { -readonly [N in keyof F]: z.output<F[N][1]> };
  });
}

/** The readable items of a list; an unreadable one costs no other, and anything but a list has none. */
export const readable = <T>(item: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((rows): T[] => readableOf(rows, item));

export function readableOf<T>(rows: readonly unknown[], item: z.ZodType<T>): T[] {
  return rows.flatMap((row) => {
    const parsed = item.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
}
