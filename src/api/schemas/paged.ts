import * as z from 'zod';
import type { Page } from '../../domain/zone.ts';

/** `{Items, CurrentPage, TotalItems, HasMoreItems}` of the main API, or the bare array of a call without a page. */
const paged = z.lazy(() =>
  z.object({
    Items: z.array(z.unknown()),
    CurrentPage: z.int().catch(1),
    TotalItems: z.int().nullish().catch(null),
    HasMoreItems: z.boolean(),
  }),
);

/**
 * The page with each row through `item`; a row that is not of the documented shape is left out. null = no page: also where
 * there are rows and none of them has it, which must not pass for an empty account.
 */
export function pageOf<T>(body: unknown, item: z.ZodType<T>): Page<T> | null {
  const list = Array.isArray(body) ? bare(body) : paged.safeParse(body).data;
  if (list === undefined) return null;
  const items = list.Items.flatMap((row) => {
    const parsed = item.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
  if (items.length === 0 && list.Items.length > 0) return null;
  const unread = list.Items.length - items.length;
  return {
    items,
    page: list.CurrentPage,
    total: list.TotalItems ?? items.length,
    hasMore: list.HasMoreItems,
    ...(unread > 0 ? { unread } : {}),
  };
}

function bare(rows: unknown[]): z.output<typeof paged> {
  return { Items: rows, CurrentPage: 1, TotalItems: rows.length, HasMoreItems: false };
}
