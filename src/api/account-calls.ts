import type { z } from 'zod';
import type { ApiKey } from '../domain/api-key.ts';
import type { Result } from '../domain/failure.ts';
import { bounded, queryText } from '../domain/handover/wire-request.ts';
import type { StorageZone, StorageZonePatch } from '../domain/storage/storage.ts';
import type { Page, PullZone } from '../domain/zone.ts';
import type { Secret } from '../text/secret.ts';
import { type Answer, answerParts, failureOfStatus, jsonOf } from './answer.ts';
import type { Call } from './caller.ts';
import { hasListBeyond } from './json-in-turns.ts';
import { apiKey, exchanged } from './schemas/api-key.ts';
import { pageSchema } from './schemas/paged.ts';
import { storageZone } from './schemas/storage.ts';
import { pullZone } from './schemas/zone.ts';

/** `page` from 1; `perPage` 5…1000. */
export type PageRequest = { page: number; perPage?: number; search?: string };

const LAST_PAGE = 2_147_483_647;
const PAGE_SIZE = 1000;
/** No account has more; without a page the platform answers all of them. */
const MOST_ITEMS = 200_000;

export function apiKeysCall(r: PageRequest, lane: string): Call<Page<ApiKey>> {
  return {
    host: 'main',
    method: 'GET',
    path: `/apikey${pageQuery(r)}`,
    lane,
    list: { most: MOST_ITEMS + 1, keepsKeys: true },
    read: pageReader(apiKey, true),
  };
}

/** Without `page` the platform answers a bare array, so it is always sent. */
export function pullZonesCall(r: PageRequest, lane: string): Call<Page<PullZone>> {
  return {
    host: 'main',
    method: 'GET',
    path: `/pullzone${pageQuery(r)}`,
    lane,
    list: { most: MOST_ITEMS + 1 },
    read: pageReader(pullZone),
  };
}

export function storageZonesCall(r: PageRequest, lane: string): Call<Page<StorageZone>> {
  return {
    host: 'main',
    method: 'GET',
    path: `/storagezone${pageQuery(r)}`,
    lane,
    list: { most: MOST_ITEMS + 1 },
    read: pageReader(storageZone),
  };
}

export function storageZoneCall(id: string, lane: string): Call<StorageZone> {
  return { host: 'main', method: 'GET', path: `/storagezone/${id}`, lane, read: valueReader(storageZone) };
}

/** The only write. Success is any 2xx, whatever the body. */
export function updateStorageZoneCall(id: string, patch: StorageZonePatch, lane: string): Call<null> {
  const path = `/storagezone/${id}`;
  return { host: 'main', method: 'POST', path, lane, body: sparse(patch), read: acknowledged };
}

export function exchangeTokenCall(accessKey: Secret, lane: string): Call<Secret> {
  const path = '/apikey/exchange';
  return {
    host: 'main',
    method: 'POST',
    path,
    lane,
    body: { AccessKey: accessKey },
    read: valueReader(exchanged),
  };
}

/** Reads a single object of the given schema. */
export function valueReader<T>(schema: z.ZodType<T>): (answer: Answer) => Result<T> {
  return (answer) => {
    const json = jsonOf(answer);
    if (!json.ok) return json;
    const parsed = schema.safeParse(json.value);
    if (parsed.success) return { ok: true, value: parsed.data };
    return {
      ok: false,
      failure: answerParts(answer, isNoData(json.value) ? 'noData' : 'wrongShape', placeOf(parsed.error)),
    };
  };
}

function pageReader<T>(item: z.ZodType<T>, keepsKeys = false): (answer: Answer) => Result<Page<T>> {
  return (answer) => {
    const json = jsonOf(answer, { keepsKeys });
    if (!json.ok) return json;
    if (hasListBeyond(json.value, MOST_ITEMS)) {
      return { ok: false, failure: answerParts(answer, 'tooLarge', `a list of more than ${MOST_ITEMS}`) };
    }
    const page = pageSchema(json.value, item);
    if (page !== null) return { ok: true, value: page };
    const isNull =
      typeof json.value === 'object' &&
      json.value !== null &&
      'Items' in json.value &&
      json.value.Items === null;
    return {
      ok: false,
      failure: answerParts(answer, isNull ? 'noData' : 'wrongShape', 'Items (a list) was expected'),
    };
  };
}

function acknowledged(answer: Answer): Result<null> {
  const failure = failureOfStatus(answer);
  if (failure !== null) return { ok: false, failure };
  if (answer.bytes.byteLength === 0) return { ok: true, value: null };
  // An answer with a body may hide an error; one that is no JSON still is a success by its status.
  const json = jsonOf(answer);
  return !json.ok && json.failure.kind === 'errorInside' ? json : { ok: true, value: null };
}

function isNoData(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'data' in body && body.data === null;
}

/** The first place that was not as documented; never its value, which may be a secret. */
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
