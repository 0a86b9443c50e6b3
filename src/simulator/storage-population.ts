import { hex, mix } from './random.ts';
import { FIRST_STORAGE_ZONE, type SimZone } from './zones.ts';

/** A storage zone as stored: the read model, and what can be written but never read. */
export type StoredZone = {
  read: {
    Id: number;
    UserId: string;
    Name: string;
    Password: string;
    ReadOnlyPassword: string;
    DateModified: string;
    Deleted: boolean;
    StorageUsed: number;
    FilesStored: number;
    Region: string;
    ReplicationRegions: string[];
    PullZones: object[] | null;
    Rewrite404To200: boolean;
    Custom404FilePath: string | null;
    StorageHostname: string;
    S3Hostname: string | null;
    ZoneTier: number;
    ReplicationChangeInProgress: boolean;
    PriceOverride: number;
    Discount: number;
    StorageZoneType: number;
  };
  originUrl: string | null;
  /** Server time until which replication is being changed, Unix ms. */
  replicatingUntil: number;
};

/** The four fields that an update may carry; null = leave as it is. */
export type StoragePatch = {
  ReplicationZones?: string[] | null;
  OriginUrl?: string | null;
  Custom404FilePath?: string | null;
  Rewrite404To200?: boolean | null;
};

/** Region codes by tier: 0 Standard, 1 Edge. */
export const REGIONS: readonly (readonly string[])[] = [
  ['BR', 'DE', 'JH', 'LA', 'NY', 'SE', 'SG', 'SYD', 'UK'],
  ['BR', 'CZ', 'ES', 'HK', 'JH', 'JP', 'LA', 'MI', 'NY', 'SE', 'SG', 'SYD', 'UK', 'WA'],
];

const PLANS: readonly {
  name: string;
  region: string;
  replicas: readonly string[];
  tier: number;
  path404: string | null;
  deleted?: boolean;
}[] = [
  { name: 'video-masters', region: 'DE', replicas: ['NY', 'SG'], tier: 0, path404: null },
  { name: 'release-artifacts', region: 'UK', replicas: ['LA'], tier: 1, path404: '/errors/404.html' },
  { name: 'press-images', region: 'DE', replicas: [], tier: 0, path404: '/404.html' },
  { name: 'game-patches', region: 'NY', replicas: ['UK', 'SYD', 'BR'], tier: 1, path404: null },
  { name: 'backups-cold', region: 'SE', replicas: [], tier: 0, path404: null },
  { name: 'old-campaign', region: 'LA', replicas: [], tier: 0, path404: null, deleted: true },
];

export function storagePopulation(seed: number, zones: readonly SimZone[]): StoredZone[] {
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
      originUrl: null,
      replicatingUntil: 0,
    };
  });
}
