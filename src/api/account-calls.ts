import * as z from 'zod/mini';
import type { ApiKey } from '../domain/api-key.ts';
import type { Result } from '../domain/failure.ts';
import { bounded, queryText } from '../domain/handover/wire-request.ts';
import type { StorageZone, StorageZonePatch } from '../domain/storage/storage.ts';
import type { Anonymisation, Page, PullZone } from '../domain/zone.ts';
import { ACCOUNT_LISTS, type ListItem, type ListName } from '../lists/account-lists.ts';
import { Secret } from '../text/secret.ts';
import type { Call } from './caller.ts';
import { isObject } from './http/json.ts';
import { type Answer, failureOfStatus, jsonOf, listsOf, unusable } from './http/response.ts';
import {
  amount,
  amountOrZero,
  flag,
  id,
  lenientText,
  mapped,
  maybeFlag,
  maybeTimestamp,
  openEnum,
  readable,
  readableOf,
  renamed,
} from './schemas/scalars.ts';

/** `page` from 1; `perPage` 5…1000. */
export type PageRequest = { page: number; perPage?: number; search?: string };

const LAST_PAGE = 2_147_483_647;
const PAGE_SIZE = 1000;
/** No account has more; without `page` the platform sends them all. */
const MOST_ITEMS = 200_000;

export function storageZoneCall(id: string): Call<StorageZone> {
  return getCall(`/storagezone/${id}`, { read: valueReader(storageZone) });
}

/** The only write. Any 2xx is a success, whatever the body. */
export function updateStorageZoneCall(id: string, patch: StorageZonePatch): Call<null> {
  return {
    host: 'main',
    method: 'POST',
    path: `/storagezone/${id}`,
    body: sparse(patch),
    read: acknowledged,
  };
}

/** How an answer is read. */
type Reading<T> = Pick<Call<T>, 'list'> & { read: (answer: Answer) => Result<T> };

/** A call that reads from the main host. */
export function getCall<T>(path: string, reading: Reading<T>): Call<T> {
  return { host: 'main', method: 'GET', path, ...reading };
}

/**
 * JSON read by `of`; null = another shape than the `expected` one. `most`: items of one of its lists, if it has any.
 */
export function jsonReading<T>(
  expected: string,
  of: (json: unknown) => T | 'noData' | null,
  most?: number,
): Reading<T> {
  return {
    ...(most === undefined ? {} : { list: { most: most + 1 } }),
    read(answer) {
      const json = most === undefined ? jsonOf(answer) : listsOf(answer, most);
      if (!json.ok) return json;
      const value = of(json.value);
      if (value === 'noData') return unusable(answer, 'noData');
      return value === null ? unusable(answer, 'wrongShape', expected) : { ok: true, value };
    },
  };
}

/** Reads a single object of the given schema. */
export function valueReader<T>(schema: z.ZodMiniType<T>): (answer: Answer) => Result<T> {
  return (answer) => {
    const json = jsonOf(answer);
    if (!json.ok) return json;
    const parsed = schema.safeParse(json.value);
    if (parsed.success) return { ok: true, value: parsed.data };
    return unusable(answer, isNullAt('data', json.value) ? 'noData' : 'wrongShape', placeOf(parsed.error));
  };
}

/** A page of a list. Without `page` the platform sends a bare array, so it is always given. */
export function listCall<N extends ListName>(name: N, r: PageRequest): Call<Page<ListItem<N>>> {
  const { route, item, keepsKeys = false } = LISTS[name];
  return getCall(`${route}${pageQuery(r)}`, {
    list: { most: MOST_ITEMS + 1, keepsKeys },
    read(answer) {
      const json = listsOf(answer, MOST_ITEMS, { keepsKeys });
      if (!json.ok) return json;
      const page = pageSchema(json.value, item);
      if (page !== null) return { ok: true, value: page };
      const kind = isNullAt('Items', json.value) ? 'noData' : 'wrongShape';
      return unusable(answer, kind, 'Items (a list) was expected');
    },
  });
}

function acknowledged(answer: Answer): Result<null> {
  const failure = failureOfStatus(answer);
  if (failure !== null) return { ok: false, failure };
  if (answer.bytes.byteLength === 0) return { ok: true, value: null };
  // A body may hide an error; one that is not JSON is still a success by its status.
  const json = jsonOf(answer);
  return !json.ok && json.failure.kind === 'errorInside' ? json : { ok: true, value: null };
}

function isNullAt(name: string, body: unknown): boolean {
  return isObject(body) && body[name] === null;
}

/** The first place that differs from the documentation, without its value, which may be a secret. */
function placeOf(error: z.core.$ZodError): string {
  const path = error.issues[0]?.path.map(String).join('.') ?? '';
  return path === '' ? '' : `unexpected: ${path}`;
}

function sparse(patch: StorageZonePatch): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(patch).filter(([, value]) => value !== undefined && value !== null),
  );
}

function pageQuery(r: PageRequest): string {
  const page = bounded(r.page, 1, LAST_PAGE);
  return queryText({
    page,
    perPage: bounded(r.perPage ?? PAGE_SIZE, 5, PAGE_SIZE),
    search: r.search || undefined,
  });
}

export const apiKey = z.lazy(() =>
  mapped(
    renamed({ id: ['Id', id], roles: ['Roles', readable(z.string())], key: ['Key', lenientText] }),
    ({ id, roles, key }): ApiKey => ({ id, roles, secret: key ? new Secret(key) : null }),
  ),
);

const hostname = z.lazy(() => z.object({ Value: z.string(), IsSystemHostname: flag(false) }));

/**
 * The used fields of a pull zone; the rest, with its secrets, is never kept. The description requires none of them: a
 * zone without a name goes by its id.
 */
export const pullZone = z.lazy(() =>
  mapped(
    z.object({
      Id: id,
      Name: lenientText,
      Enabled: flag(true),
      Suspended: flag(false),
      EnableLogging: flag(true),
      LoggingSaveToStorage: flag(false),
      LoggingIPAnonymizationEnabled: flag(false),
      LogAnonymizationType: openEnum,
      MonthlyBandwidthUsed: z.catch(z.nullish(amount), null),
      Hostnames: readable(hostname),
    }),
    (zone): PullZone => {
      const names = zone.Hostnames;
      return {
        id: zone.Id,
        name: zone.Name || zone.Id,
        hostnames: [false, true].flatMap((system) =>
          names.filter((name) => name.IsSystemHostname === system).map((name) => name.Value),
        ),
        enabled: zone.Enabled,
        suspended: zone.Suspended,
        logging: zone.EnableLogging,
        ...(zone.LoggingSaveToStorage ? { isStored: true } : {}),
        ...(zone.MonthlyBandwidthUsed == null ? {} : { bandwidth: zone.MonthlyBandwidthUsed }),
        anonymisation: anonymisationOf(zone.LoggingIPAnonymizationEnabled, zone.LogAnonymizationType),
        shieldZoneId: undefined,
      };
    },
  ),
);

/** 0 or a word with "octet" keeps the network; 1 or "drop" keeps nothing. */
function anonymisationOf(enabled: boolean, type: number | string | null): Anonymisation {
  if (!enabled) return 'none';
  return type === 1 || type === '1' || /drop/i.test(String(type)) ? 'drop' : 'lastOctet';
}

const linkedZone = z.lazy(() =>
  mapped(renamed({ id: ['Id', id], name: ['Name', lenientText] }), (zone) => ({
    id: zone.id,
    name: zone.name || zone.id,
  })),
);

/**
 * A storage zone. `Password` and `ReadOnlyPassword` are not in the schema, so they go no further. The description
 * requires none of its fields: a zone without a name goes by its id.
 */
export const storageZone = z.lazy(() =>
  mapped(
    renamed({
      id: ['Id', id],
      name: ['Name', lenientText],
      userId: ['UserId', lenientText],
      modifiedAt: ['DateModified', maybeTimestamp],
      deleted: ['Deleted', flag(false)],
      storageUsed: ['StorageUsed', amountOrZero],
      filesStored: ['FilesStored', amountOrZero],
      region: ['Region', lenientText],
      replicationRegions: ['ReplicationRegions', readable(z.string())],
      pullZones: ['PullZones', readable(linkedZone)],
      rewrite404To200: ['Rewrite404To200', maybeFlag],
      custom404FilePath: ['Custom404FilePath', lenientText],
      hostname: ['StorageHostname', lenientText],
      s3Hostname: ['S3Hostname', lenientText],
      tier: ['ZoneTier', openEnum],
      replicationChangeInProgress: ['ReplicationChangeInProgress', flag(false)],
      priceOverride: ['PriceOverride', amountOrZero],
      discount: ['Discount', amountOrZero],
      type: ['StorageZoneType', openEnum],
    }),
    (zone): StorageZone => ({
      ...zone,
      name: zone.name || zone.id,
      region: zone.region ?? '',
      custom404FilePath: zone.custom404FilePath || null,
      hostname: zone.hostname ?? '',
    }),
  ),
);

/** Where each list is, and how its items are read. */
const LISTS: { [N in ListName]: { route: string; item: z.ZodMiniType<ListItem<N>>; keepsKeys?: true } } = {
  zones: { route: '/pullzone', item: pullZone },
  storage: { route: ACCOUNT_LISTS.storage.route, item: storageZone },
  keys: { route: ACCOUNT_LISTS.keys.route, item: apiKey, keepsKeys: true },
};

/** `{Items, CurrentPage, TotalItems, HasMoreItems}` of the main API, or the bare array of a call without a page. */
const paged = z.lazy(() =>
  z.object({
    Items: z.array(z.unknown()),
    CurrentPage: z.catch(z.nullish(z.int()), null),
    TotalItems: z.catch(z.nullish(amount), null),
    HasMoreItems: z.catch(z.nullish(z.boolean()), null),
  }),
);

/**
 * The page with each row read by `item`; a row of another shape is left out. null = no page, also where no row at all
 * has the shape: that must not pass for an empty account.
 */
export function pageSchema<T>(body: unknown, item: z.ZodMiniType<T>): Page<T> | null {
  const list = Array.isArray(body) ? bare(body) : paged.safeParse(body).data;
  if (list === undefined) return null;
  const { CurrentPage, TotalItems, HasMoreItems } = list;
  // A list with that name alone is something else.
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

/** Where a page does not say whether there are more, the empty one behind the last ends the list. */
function mayHaveMore({ Items, CurrentPage, TotalItems }: z.output<typeof paged>): boolean {
  if (TotalItems == null || CurrentPage == null) return Items.length > 0;
  return Items.length > 0 && CurrentPage * Items.length < TotalItems;
}

function bare(rows: unknown[]): z.output<typeof paged> {
  return { Items: rows, CurrentPage: 1, TotalItems: rows.length, HasMoreItems: false };
}
