import { createHmac, timingSafeEqual } from 'node:crypto';
import { bodyJson, type Exchange, json, paged, type ServedAnswer } from '../http/answers.ts';
import { hex, mix, uuid } from '../random.ts';
import type { SimZone } from './account-zones.ts';
import { storagePopulation } from './storage-zones.ts';

type AccountKey = { Id: number; Key: string | null; Roles: string[] | null };

/** Everything the account owns. Only storage zones ever change. */
export type Account = ReturnType<typeof openAccount>;

export type AccountOptions = {
  seed: number;
  zones: readonly SimZone[];
  keys?: number;
  accessKey?: string;
};

const ROLES: readonly string[][] = [
  ['User', 'UserApi'],
  ['Subuser', 'SubuserPullZones'],
  ['Subuser', 'SubuserStorage'],
  ['Subuser', 'SubuserBilling'],
];

export function openAccount(o: AccountOptions) {
  const accessKey = o.accessKey ?? uuidPair(mix(o.seed, 0xacce));
  const signingKey = hex(mix(o.seed, 0x516), 32);
  const { zones } = o;
  const token = issueToken(signingKey, o.seed);
  return {
    seed: o.seed,
    zones,
    zoneById: new Map(zones.map((zone) => [String(zone.id), zone])),
    zoneByShield: new Map(
      zones.flatMap((zone) => (zone.shieldZoneId === null ? [] : [[String(zone.shieldZoneId), zone]])),
    ),
    storage: storagePopulation(o.seed, zones),
    keys: keyList(o.seed, accessKey, o.keys ?? 7),
    accessKey,
    token,
    /** The value of a header, or of a body. */
    isKey: (value: unknown) => typeof value === 'string' && isSame(value, accessKey),
    isToken: (value: string | undefined) => value !== undefined && isSigned(value, signingKey),
  };
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
  return [1, 2].map((n) => uuid(hex(mix(seed, n), 32))).join('');
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

export function listApiKeys(call: Exchange, { account }: { account: Account }): ServedAnswer {
  return paged(call, account.keys, (key) => key);
}

/** The key is in the body; the header is ignored. */
export function exchangeKey(call: Exchange, { account }: { account: Account }): ServedAnswer {
  const asked = bodyJson(call);
  if (asked === undefined) return { status: 400, type: null, body: null };
  if (!account.isKey((asked as { AccessKey?: unknown } | null)?.AccessKey))
    return { status: 401, type: null, body: null };
  return json({ Token: account.token });
}
