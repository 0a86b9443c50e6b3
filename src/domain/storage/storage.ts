/** A storage zone as it can be read; passwords are dropped where the answer is parsed. Ids are decimal digits. */
export type StorageZone = {
  id: string;
  name: string;
  userId: string | null;
  /** Unix ms UTC. */
  modifiedAt: number | null;
  deleted: boolean;
  /** Bytes. */
  storageUsed: number;
  filesStored: number;
  /** Main region code. */
  region: string;
  /** Read under this name, written as `ReplicationZones`. */
  replicationRegions: readonly string[];
  pullZones: readonly { id: string; name: string }[];
  rewrite404To200: boolean;
  custom404FilePath: string | null;
  hostname: string;
  /** 0 = Standard, 1 = Edge; an open set. */
  tier: number | string | null;
  replicationChangeInProgress: boolean;
  priceOverride: number;
  discount: number;
  type: number | string | null;
};

/** The four fields that can be written, by the API's own names. A field left out stays as it is; null is never sent. */
export type StorageZonePatch = {
  ReplicationZones?: readonly string[];
  OriginUrl?: string;
  Custom404FilePath?: string;
  Rewrite404To200?: boolean;
};

export const STORAGE_FIELDS = {
  ReplicationZones: {
    title: 'Replication regions',
    readAs: 'replicationRegions',
    note: 'A region can be added, never removed.',
    irreversible: true,
  },
  OriginUrl: {
    title: 'Origin URL',
    readAs: null,
    note: 'Cannot be read back: the API tells nobody its present value.',
    irreversible: false,
  },
  Custom404FilePath: {
    title: 'Custom 404 file',
    readAs: 'custom404FilePath',
    note: 'Can be changed, but not unset through the API.',
    irreversible: true,
  },
  Rewrite404To200: {
    title: 'Rewrite 404 to 200',
    readAs: 'rewrite404To200',
    note: 'Affects only URLs without an extension.',
    irreversible: false,
  },
} as const satisfies Record<
  keyof StorageZonePatch,
  { title: string; readAs: keyof StorageZone | null; note: string; irreversible: boolean }
>;

/** Suggestions only: the platform adds regions without notice. */
export const REGION_CODES = {
  standard: ['BR', 'DE', 'JH', 'LA', 'NY', 'SE', 'SG', 'SYD', 'UK'],
  edge: ['BR', 'CZ', 'ES', 'HK', 'JH', 'JP', 'LA', 'MI', 'NY', 'SE', 'SG', 'SYD', 'UK', 'WA'],
} as const;
