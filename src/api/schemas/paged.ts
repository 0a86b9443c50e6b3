import * as z from 'zod';
import type { Page } from '../../domain/zone.ts';
import { amount, readableOf } from './scalars.ts';

/** `{Items, CurrentPage, TotalItems, HasMoreItems}` of the main API, or the bare array of a call without a page. */
const paged = z.lazy(() =>
  z.object({
    Items: z.array(z.unknown()),
    CurrentPage: z.int().nullish().catch(null),
    TotalItems: amount.nullish().catch(null),
    HasMoreItems: z.boolean().nullish().catch(null),
  }),
);

/**
 * The page with each row through `item`; a row that is not of the documented shape is left out. null = no page: also where
 * there are rows and none of them has it, which must not pass for an empty account.
 */
export function pageSchema<T>(body: unknown, item: z.ZodType<T>): Page<T> | null {
  const list = Array.isArray(body) ? bare(body) : paged.safeParse(body).data;
  if (list === undefined) return null;
  const { CurrentPage, TotalItems, HasMoreItems } = list;
  // A list by that name alone is of something else.
  if (CurrentPage == null && TotalItems == null && HasMoreItems == null) return null;
  const items = readableOf(list.Items, item);
  if (items.length === 0 && list.Items.length > 0) return null;
  const unread = list.Items.length - items.length;
  return {
    items,
    page: CurrentPage ?? 1,
    total: TotalItems ?? items.length,
    hasMore: HasMoreItems ?? mayHaveMore(list),
    ...(unread > 0 ? { unread } : {}),
  };
}

/** Of a page that does not say whether there are more: the empty one behind the last ends the list. */
function mayHaveMore({ Items, CurrentPage, TotalItems }: z.output<typeof paged>): boolean {
  if (TotalItems == null || CurrentPage == null) return Items.length > 0;
  return Items.length > 0 && CurrentPage * Items.length < TotalItems;
}

function bare(rows: unknown[]): z.output<typeof paged> {
  return { Items: rows, CurrentPage: 1, TotalItems: rows.length, HasMoreItems: false };
}
