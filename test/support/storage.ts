import type { StorageZone } from '../../src/domain/storage/storage.ts';

export function storageZoneOf(more: Partial<StorageZone> = {}): StorageZone {
  return {
    id: '605220',
    name: 'video-masters',
    userId: 'u1',
    modifiedAt: Date.UTC(2026, 4, 11, 8, 30),
    deleted: false,
    storageUsed: 1_234_567,
    filesStored: 89,
    region: 'DE',
    replicationRegions: [],
    pullZones: [{ id: '1', name: 'media-video' }],
    rewrite404To200: false,
    custom404FilePath: null,
    hostname: 'de.storage.example',
    s3Hostname: 'de-s3.storage.example',
    tier: 0,
    replicationChangeInProgress: false,
    priceOverride: 0,
    discount: 0,
    type: 0,
    ...more,
  };
}
