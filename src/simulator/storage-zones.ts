import { both } from './account.ts';
import { type Exchange, fieldError, json, noContent, type ServedAnswer, type World } from './call.ts';
import { listed } from './paging.ts';
import { REGIONS, type StoragePatch, type StoredZone } from './storage-population.ts';

/** How long a new replica takes to fill, ms of server time. */
const REPLICATION_TIME = 30_000;

export function listStorageZones(call: Exchange, world: World): ServedAnswer {
  const wanted = call.url.searchParams.get('search')?.toLowerCase() ?? '';
  const withDeleted = call.url.searchParams.get('includeDeleted') === 'true';
  const found = world.account.storage.filter(
    (z) => (withDeleted || !z.read.Deleted) && z.read.Name.toLowerCase().includes(wanted),
  );
  return listed(call, found, (z) => readModel(z, call.now));
}

export function getStorageZone(call: Exchange, world: World): ServedAnswer {
  const zone = find(call, world);
  return zone === null ? notFound() : json(readModel(zone, call.now));
}

export function updateStorageZone(call: Exchange, world: World): ServedAnswer {
  const zone = find(call, world);
  if (zone === null) return notFound();
  let patch: unknown;
  try {
    patch = JSON.parse(call.body.toString('utf8'));
  } catch {
    return fieldError('validation_error', '', 'The request body is not valid JSON.');
  }
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) {
    return fieldError('validation_error', '', 'The request body must be an object.');
  }
  const refusal = refuse(zone, patch as Record<string, unknown>);
  if (refusal !== null) return refusal;
  applyStoragePatch(zone, patch as StoragePatch, call.now);
  if (call.conditions.alsoChanges !== null) applyStoragePatch(zone, call.conditions.alsoChanges, call.now);
  return noContent();
}

/** Replication regions are only ever added, and an empty 404 path changes nothing. */
export function applyStoragePatch(zone: StoredZone, patch: StoragePatch, now: number): void {
  const { read } = zone;
  const added = (patch.ReplicationZones ?? []).filter((code) => !read.ReplicationRegions.includes(code));
  if (added.length > 0) {
    read.ReplicationRegions = [...read.ReplicationRegions, ...added];
    zone.replicatingUntil = now + REPLICATION_TIME;
  }
  if (typeof patch.OriginUrl === 'string') zone.originUrl = patch.OriginUrl;
  if (patch.Custom404FilePath) read.Custom404FilePath = patch.Custom404FilePath;
  if (typeof patch.Rewrite404To200 === 'boolean') read.Rewrite404To200 = patch.Rewrite404To200;
  read.DateModified = new Date(now).toISOString().slice(0, 19);
}

function refuse(zone: StoredZone, patch: Record<string, unknown>): ServedAnswer | null {
  const {
    ReplicationZones: replicas,
    OriginUrl: origin,
    Custom404FilePath: path,
    Rewrite404To200: rewrite,
  } = patch;
  const codes = REGIONS[zone.read.ZoneTier] ?? [];
  if (replicas !== undefined && replicas !== null) {
    if (!Array.isArray(replicas) || replicas.some((code) => typeof code !== 'string')) {
      return fieldError(
        'validation_error',
        'ReplicationZones',
        'ReplicationZones must be a list of region codes.',
      );
    }
    const unknown = replicas.find((code) => !codes.includes(code));
    if (unknown !== undefined) {
      return fieldError(
        'storagezone.invalid_region',
        'ReplicationZones',
        `The region "${unknown}" is not available for this storage tier.`,
      );
    }
    if (replicas.includes(zone.read.Region)) {
      return fieldError(
        'storagezone.main_region',
        'ReplicationZones',
        `"${zone.read.Region}" is the main region and cannot be a replica.`,
      );
    }
  }
  if (
    origin !== undefined &&
    origin !== null &&
    !(typeof origin === 'string' && /^(https?:\/\/[^\s/]+.*)?$/.test(origin))
  ) {
    return fieldError(
      'validation_error',
      'OriginUrl',
      'The origin URL is not valid. It must begin with http:// or https://.',
    );
  }
  if (
    path !== undefined &&
    path !== null &&
    !(typeof path === 'string' && (path === '' || path.startsWith('/')))
  ) {
    return fieldError(
      'validation_error',
      'Custom404FilePath',
      'The path of the 404 file must begin with a slash.',
    );
  }
  if (rewrite !== undefined && rewrite !== null && typeof rewrite !== 'boolean') {
    return fieldError('validation_error', 'Rewrite404To200', 'Rewrite404To200 must be true or false.');
  }
  return null;
}

function readModel(zone: StoredZone, now: number): object {
  return { ...zone.read, ReplicationChangeInProgress: now < zone.replicatingUntil };
}

function find(call: Exchange, world: World): StoredZone | null {
  return world.account.storage.find((z) => both(z.read.Id).includes(call.params[0] as string)) ?? null;
}

function notFound(): ServedAnswer {
  return fieldError('storagezone.not_found', 'Id', 'The requested storage zone was not found.', 404);
}
