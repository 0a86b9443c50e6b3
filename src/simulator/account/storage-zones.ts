import { REGION_CODES } from '../../domain/storage/storage.ts';
import { bodyJson, type Exchange, fieldError, json, listAnswer, type ServedAnswer } from '../http/answers.ts';
import { hex, mix } from '../random.ts';
import { FIRST_STORAGE_ZONE, type SimZone } from './account-zones.ts';

type Stored = { account: { storage: readonly StoredZone[] } };

/** How long a new replica takes to fill, ms of server time. */
const REPLICATION_TIME = 30_000;

export function listStorageZones(call: Exchange, world: Stored): ServedAnswer {
  const wanted = call.url.searchParams.get('search')?.toLowerCase() ?? '';
  const withDeleted = call.url.searchParams.get('includeDeleted') === 'true';
  const found = world.account.storage.filter(
    (z) => (withDeleted || !z.read.Deleted) && z.read.Name.toLowerCase().includes(wanted),
  );
  return listAnswer(call, found, (z) => readModel(z, call.now));
}

export function getStorageZone(call: Exchange, world: Stored): ServedAnswer {
  const zone = find(call, world);
  return zone === null ? notFound() : json(readModel(zone, call.now));
}

export function updateStorageZone(call: Exchange, world: Stored): ServedAnswer {
  const zone = find(call, world);
  if (zone === null) return notFound();
  const patch = bodyJson(call);
  if (patch === undefined) return fieldError('validation_error', '', 'The request body is not valid JSON.');
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) {
    return fieldError('validation_error', '', 'The request body must be an object.');
  }
  const refusal = refuse(zone, patch as Record<string, unknown>);
  if (refusal !== null) return refusal;
  applyStoragePatch(zone, patch as StoragePatch, call.now);
  return { status: 204, type: null, body: null };
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
  const invalid = (field: string, message: string) => fieldError('validation_error', field, message);
  const replicas = patch['ReplicationZones'] ?? [];
  const origin = patch['OriginUrl'] ?? '';
  const path = patch['Custom404FilePath'] ?? '';
  if (!Array.isArray(replicas) || replicas.some((code) => typeof code !== 'string'))
    return invalid('ReplicationZones', 'ReplicationZones must be a list of region codes.');
  const unknown = replicas.find((code) => !REGIONS[zone.read.ZoneTier]?.includes(code));
  if (unknown !== undefined) {
    const message = `The region "${unknown}" is not available for this storage tier.`;
    return fieldError('storagezone.invalid_region', 'ReplicationZones', message);
  }
  if (replicas.includes(zone.read.Region)) {
    const message = `"${zone.read.Region}" is the main region and cannot be a replica.`;
    return fieldError('storagezone.main_region', 'ReplicationZones', message);
  }
  if (typeof origin !== 'string' || !/^(https?:\/\/[^\s/]+.*)?$/.test(origin))
    return invalid('OriginUrl', 'The origin URL is not valid. It must begin with http:// or https://.');
  if (typeof path !== 'string' || !/^(\/|$)/.test(path))
    return invalid('Custom404FilePath', 'The path of the 404 file must begin with a slash.');
  if (typeof (patch['Rewrite404To200'] ?? true) !== 'boolean')
    return invalid('Rewrite404To200', 'Rewrite404To200 must be true or false.');
  return null;
}

function readModel(zone: StoredZone, now: number): object {
  return { ...zone.read, ReplicationChangeInProgress: now < zone.replicatingUntil };
}

function find(call: Exchange, world: Stored): StoredZone | null {
  return world.account.storage.find((z) => String(z.read.Id) === call.params[0]) ?? null;
}

function notFound(): ServedAnswer {
  return fieldError('storagezone.not_found', 'Id', 'The requested storage zone was not found.', 404);
}

/** The four fields that an update may have; null = leave as it is. */
export type StoragePatch = {
  ReplicationZones?: string[] | null;
  OriginUrl?: string | null;
  Custom404FilePath?: string | null;
  Rewrite404To200?: boolean | null;
};

/** Region codes by tier: 0 Standard, 1 Edge. */
const REGIONS: readonly (readonly string[])[] = [REGION_CODES.standard, REGION_CODES.edge];

const PLANS = [
  { name: 'video-masters', region: 'DE', replicas: ['NY', 'SG'], tier: 0, path404: null },
  { name: 'release-artifacts', region: 'UK', replicas: ['LA'], tier: 1, path404: '/errors/404.html' },
  { name: 'press-images', region: 'DE', replicas: [], tier: 0, path404: '/404.html' },
  { name: 'game-patches', region: 'NY', replicas: ['UK', 'SYD', 'BR'], tier: 1, path404: null },
  { name: 'backups-cold', region: 'SE', replicas: [], tier: 0, path404: null },
  { name: 'old-campaign', region: 'LA', replicas: [], tier: 0, path404: null, deleted: true },
];

/** A storage zone as stored: the read model, and what can be written but never read. */
export type StoredZone = ReturnType<typeof storagePopulation>[number];

export function storagePopulation(seed: number, zones: readonly SimZone[]) {
  return PLANS.map((plan, i) => {
    const id = FIRST_STORAGE_ZONE + i * 13;
    const salt = mix(mix(seed, 0x5709), i);
    const users = zones.filter((z) => z.storageZoneId === id);
    return {
      read: {
        Id: id,
        UserId: hex(mix(seed, 0x05e9), 32),
        Name: plan.name,
        Password: `canary-storage-${hex(salt, 32)}`,
        ReadOnlyPassword: `canary-readonly-${hex(salt + 1, 32)}`,
        DateModified: '2026-05-11T08:30:00',
        Deleted: plan.deleted ?? false,
        StorageUsed: salt * 40,
        FilesStored: salt % 900_000,
        Region: plan.region,
        ReplicationRegions: [...plan.replicas],
        PullZones: users.map((z) => ({ Id: z.id, Name: z.name })),
        Rewrite404To200: false,
        Custom404FilePath: plan.path404,
        StorageHostname:
          plan.tier === 1 ? 'storage-edge.example' : `${plan.region.toLowerCase()}.storage.example`,
        S3Hostname: plan.tier === 0 ? `${plan.region.toLowerCase()}-s3.storage.example` : null,
        ZoneTier: plan.tier,
        ReplicationChangeInProgress: false,
        PriceOverride: 0,
        Discount: 0,
        StorageZoneType: 0,
      },
      originUrl: null as string | null,
      /** Server time until which replication changes, Unix ms. */
      replicatingUntil: 0,
    };
  });
}
