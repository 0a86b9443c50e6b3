import { type Exchange, fieldError, integer, json, type ServedAnswer } from './call.ts';

const MOST = 2_147_483_647;

/** Without `page`, or with page 0, a bare array of all items; with it a page of them. */
export function listed<T>(call: Exchange, items: readonly T[], show: (item: T) => unknown): ServedAnswer {
  const isBare = Number(call.url.searchParams.get('page') ?? 0) === 0;
  return isBare && !call.conditions.pagesAlways ? json(items.map(show)) : paged(call, items, show);
}

/** `page` 1…2147483647 and `perPage` 5…1000 over the main API's paged object. */
export function paged<T>(call: Exchange, items: readonly T[], show: (item: T) => unknown): ServedAnswer {
  const asked = call.url.searchParams.get('page');
  const page = integer(call.conditions.pagesAlways && asked === '0' ? null : asked, 1, 1, MOST);
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
