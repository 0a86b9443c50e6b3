import * as z from 'zod/mini';
import { timestampOf } from '../timestamp.ts';

// Schemas are lazy here and beside: making one costs more than using it, and a start uses few.

const DIGITS = /^\d{1,20}$/;

/** A type whose values are made into others. */
export const mapped = <A extends z.ZodMiniType, T>(
  type: A,
  to: (value: z.output<A>, context: z.core.ParsePayload) => T,
) => z.pipe(type, z.transform(to));

/** Null stands for what is absent, too. */
const orNull = <A extends z.ZodMiniType>(type: A) => mapped(z.nullish(type), (value) => value ?? null);

/** A whole number or its digits → digits: an id may exceed 2^53, and the JSON reader keeps those as digits. */
export const id = z.lazy(() =>
  z.union([mapped(z.int().check(z.nonnegative()), String), z.string().check(z.regex(DIGITS))]),
);

/** A count or a size, as a number or as digits; beyond 2^53 the nearest double. */
export const amount = z.lazy(() =>
  z.union([z.number().check(z.nonnegative()), mapped(z.string().check(z.regex(DIGITS)), Number)]),
);

export const amountOrZero = z.lazy(() =>
  z.catch(
    mapped(z.nullish(amount), (value) => value ?? 0),
    0,
  ),
);

/** ISO, s or ms → Unix ms. */
export const timestamp = z.lazy(() =>
  mapped(z.union([z.string(), z.number()]), (input, { issues }) => {
    const ms = timestampOf(input);
    if (ms !== null) return ms;
    issues.push({ code: 'custom', message: 'not a time', input });
    return z.NEVER;
  }),
);

export const maybeTimestamp = z.lazy(() => z.catch(orNull(timestamp), null));

/** Text, null or absent → text or null. A number becomes its digits. */
export const maybeText = z.lazy(() => orNull(z.union([z.string(), mapped(z.number(), String)])));

/** An optional text: null where it is anything else, and never a reason to refuse the row. */
export const lenientText = z.lazy(() => z.catch(maybeText, null));

/** An enum of the API, which may arrive as a number or as a word. */
export const openEnum = z.lazy(() => z.catch(orNull(z.union([z.number(), z.string()])), null));

/** A switch, with what to assume where it is missing or invalid. */
export const flag = (otherwise: boolean) => z.catch(z.boolean(), otherwise);

/** A switch of which nothing may be assumed: null where it is missing or invalid. */
export const maybeFlag = z.lazy(() => z.catch(orNull(z.boolean()), null));

/** An object of the API under our names: for each its name there, and its schema. */
export function renamed<const F extends Record<string, readonly [name: string, type: z.ZodMiniType]>>(
  fields: F,
) {
  return mapped(z.object(Object.fromEntries(Object.values(fields))), (row) => {
    const values = Object.entries(fields).map(([own, [name]]) => [own, row[name]]);
    return Object.fromEntries(values) as { -readonly [N in keyof F]: z.output<F[N][1]> };
  });
}

/** The readable items of a list; an unreadable one costs no other, and anything but a list has none. */
export const readable = <T>(item: z.ZodMiniType<T>) =>
  mapped(z.catch(z.array(z.unknown()), []), (rows): T[] => readableOf(rows, item));

export function readableOf<T>(rows: readonly unknown[], item: z.ZodMiniType<T>): T[] {
  return rows.flatMap((row) => {
    const parsed = item.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
}
