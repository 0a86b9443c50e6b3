import type { z } from 'zod';
import type { ApiKey } from '../domain/api-key.ts';
import type { Result } from '../domain/failure.ts';
import { bounded, queryText } from '../domain/handover/wire-request.ts';
import type { StorageZone, StorageZonePatch } from '../domain/storage/storage.ts';
import type { Page, PullZone } from '../domain/zone.ts';
import type { Call } from './caller.ts';
import { type Answer, failureOfStatus, jsonOf, listsOf, unusable } from './http/answer.ts';
import { isObject } from './http/json.ts';
import { apiKey } from './schemas/api-key.ts';
import { pageSchema } from './schemas/paged.ts';
import { storageZone } from './schemas/storage.ts';
import { pullZone } from './schemas/zone.ts';

/** `page` from 1; `perPage` 5…1000. */
export type PageRequest = { page: number; perPage?: number; search?: string };

const LAST_PAGE = 2_147_483_647;
const PAGE_SIZE = 1000;
/** No account has more; without `page` the platform answers with all of them. */
const MOST_ITEMS = 200_000;

export function apiKeysCall(r: PageRequest): Call<Page<ApiKey>> {
  return listCall('/apikey', r, apiKey, true);
}

export function pullZonesCall(r: PageRequest): Call<Page<PullZone>> {
  return listCall('/pullzone', r, pullZone);
}

export function storageZonesCall(r: PageRequest): Call<Page<StorageZone>> {
  return listCall('/storagezone', r, storageZone);
}

export function storageZoneCall(id: string): Call<StorageZone> {
  return getCall(`/storagezone/${id}`, { read: valueReader(storageZone) });
}

/** The only write. Success is any 2xx, whatever the body. */
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
type Reading<T> = Pick<Call<T>, 'read' | 'list'>;

/** A call that reads from the main host. */
export function getCall<T>(path: string, reading: Reading<T>): Call<T> {
  return { host: 'main', method: 'GET', path, ...reading };
}

/** JSON that `of` reads; null = it has not the shape of which `expected` tells. `most`: items of one of its lists, if it has any. */
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
export function valueReader<T>(schema: z.ZodType<T>): (answer: Answer) => Result<T> {
  return (answer) => {
    const json = jsonOf(answer);
    if (!json.ok) return json;
    const parsed = schema.safeParse(json.value);
    if (parsed.success) return { ok: true, value: parsed.data };
    return unusable(answer, isNullAt('data', json.value) ? 'noData' : 'wrongShape', placeOf(parsed.error));
  };
}

/** A page of a list. Without `page` the platform answers a bare array, so it is always sent. */
function listCall<T>(route: string, r: PageRequest, item: z.ZodType<T>, keepsKeys = false): Call<Page<T>> {
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

/** The first place that differs from the documentation; never its value, which may be a secret. */
function placeOf(error: z.ZodError): string {
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
