import { createHmac, timingSafeEqual } from 'node:crypto';
import { hex, mix } from './random.ts';
import { type StoredZone, storagePopulation } from './storage-population.ts';
import { accountZones, type SimZone } from './zones.ts';

export type AccountKey = { Id: number; Key: string | null; Roles: string[] | null };

/** Everything the account owns. Only storage zones ever change. */
export type Account = {
  seed: number;
  zones: readonly SimZone[];
  zoneById: ReadonlyMap<string, SimZone>;
  zoneByShield: ReadonlyMap<string, SimZone>;
  storage: StoredZone[];
  keys: readonly AccountKey[];
  accessKey: string;
  token: string;
  isKey(value: string | undefined): boolean;
  isToken(value: string | undefined): boolean;
};

export type AccountOptions = {
  seed: number;
  rate: number;
  zones?: number;
  keys?: number;
  accessKey?: string;
};

/** Put before an id it makes one beyond 2^53; such an id means the same thing as the short one. */
export const WIDE_PREFIX = '90071992547';

const ROLES: readonly string[][] = [
  ['User', 'UserApi'],
  ['Subuser', 'SubuserPullZones'],
  ['Subuser', 'SubuserStorage'],
  ['Subuser', 'SubuserBilling'],
];

export function openAccount(o: AccountOptions): Account {
  const accessKey = o.accessKey ?? uuidPair(mix(o.seed, 0xacce));
  const signingKey = hex(mix(o.seed, 0x516), 32);
  const zones = accountZones(o.seed, o.rate, o.zones);
  const token = issueToken(signingKey, o.seed);
  return {
    seed: o.seed,
    zones,
    zoneById: new Map(zones.flatMap((z) => both(z.id).map((id) => [id, z]))),
    zoneByShield: new Map(
      zones.flatMap((z) =>
        z.shieldZoneId === null ? [] : both(z.shieldZoneId).map((id) => [id, z] as const),
      ),
    ),
    storage: storagePopulation(o.seed, zones),
    keys: keyList(o.seed, accessKey, o.keys ?? 7),
    accessKey,
    token,
    isKey: (value) => value !== undefined && isSame(value, accessKey),
    isToken: (value) => value !== undefined && isSigned(value, signingKey),
  };
}

/** The id as it is, and as the fault `int64` tells it. */
export function both(id: number): [string, string] {
  return [String(id), WIDE_PREFIX + id];
}

function keyList(seed: number, accessKey: string, count: number): AccountKey[] {
  return Array.from({ length: count }, (_, i) => ({
    Id: 4101 + i * 3,
    Key: i === 0 ? accessKey : i === 4 ? null : uuidPair(mix(seed, 0xbe90 + i)),
    Roles: i === 5 ? null : i === 0 ? ['User', 'UserApi'] : [...(ROLES[i % ROLES.length] as string[])],
  }));
}

/** The shape of the platform's keys: two UUIDs run together. */
function uuidPair(seed: number): string {
  const part = (n: number) => {
    const h = hex(mix(seed, n), 32);
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20, 32)}`;
  };
  return part(1) + part(2).slice(0, 36);
}

function issueToken(signingKey: string, seed: number): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: String(seed), roles: ['User'] })}`;
  return `${head}.${sign(head, signingKey)}`;
}

function isSigned(token: string, signingKey: string): boolean {
  const at = token.lastIndexOf('.');
  return at > 0 && isSame(token.slice(at + 1), sign(token.slice(0, at), signingKey));
}

function sign(text: string, signingKey: string): string {
  return createHmac('sha256', signingKey).update(text).digest('base64url');
}

function isSame(a: string, b: string): boolean {
  const x = Buffer.from(a);
  const y = Buffer.from(b);
  return x.length === y.length && timingSafeEqual(x, y);
}
