import type { Account } from '../account/account.ts';
import type { SimZone } from '../account/zones.ts';
import { hex, mix } from '../random.ts';
import { HOSTILE_AGENTS } from '../traffic/hostile.ts';
import type { Incident, Schedule } from '../traffic/incidents.ts';
import { isoTime } from '../traffic/rows.ts';

/** One entry of the audit log; `t` is Unix ms. What the platform leaves out where it has nothing is absent or null. */
export type Change = {
  t: number;
  product: string | null;
  resourceType: string;
  resourceId: string | null;
  action: string;
  actorId: string | null;
  actorType: string;
  diff?: string | null;
};

const MINUTE = 60_000;
const DAY = 86_400_000;
/** So long before what it brings about, and a jitter, ms. */
const LEAD = { least: 3 * MINUTE, jitter: 2 * MINUTE };
const LONGEST_INCIDENT = 60 * MINUTE;

/** The busiest zone fails whenever its origin was changed for another. */
export function followsChange({ kind, zone, extent }: Incident): boolean {
  return kind === 'originFailure' && extent === 1 && zone.index === 0 && zone.originUrl !== null;
}

/** What somebody sets as the origin of a zone before it fails. */
export function newOriginOf({ name }: SimZone): string {
  return `https://origin-v2.${name}.example`;
}

/** All changes of the account within `[from, to)`, whole days of UTC or parts of them, oldest first. */
export function changesOf(account: Account, schedule: Schedule, from: number, to: number): Change[] {
  const brought = schedule
    .between(from - LONGEST_INCIDENT, to + LONGEST_INCIDENT)
    .filter(followsChange)
    .flatMap(aroundIncident);
  const first = Math.floor(from / DAY);
  const days = Array.from({ length: Math.ceil(to / DAY) - first }, (_, i) => everyday(account, first + i));
  return [...brought, ...days.flat()].filter(({ t }) => t >= from && t < to).sort((a, b) => a.t - b.t);
}

/** The change before it, and at its end the change back. */
function aroundIncident(incident: Incident): Change[] {
  const { zone, salt, from, to } = incident;
  const before = { Old: zone.originUrl, New: newOriginOf(zone) };
  const lead = LEAD.least + (mix(salt, 0xc4) % LEAD.jitter);
  const change = {
    product: 'CDN',
    resourceType: 'PullZone',
    resourceId: String(zone.id),
    action: 'Update',
  };
  return [
    {
      ...change,
      t: from - lead,
      actorId: 'deploy@northwind.example',
      actorType: 'User',
      diff: diffOf({ OriginUrl: before }),
    },
    {
      ...change,
      t: to - 1_000,
      actorId: 'ops@northwind.example',
      actorType: 'User',
      diff: diffOf({ OriginUrl: { Old: before.New, New: before.Old } }),
    },
  ];
}

function diffOf(fields: object): string {
  return JSON.stringify(fields);
}

type Everyday = (
  zone: SimZone,
  account: Account,
  salt: number,
) => Omit<Change, 't' | 'actorId' | 'actorType'>;

/** What people do on any day, in the forms in which a diff may come: fields with both values, a list, plain text, none. */
const EVERYDAY: readonly Everyday[] = [
  (zone) =>
    ofPullZone(
      zone,
      diffOf({
        CacheControlMaxAgeOverride: { Old: -1, New: 3600 },
        EnableSmartCache: { Old: false, New: true },
      }),
    ),
  (zone, _account, salt) =>
    ofPullZone(
      zone,
      diffOf({ ZoneSecurityKey: { Old: secret('zonekey', salt), New: secret('zonekey', salt + 1) } }),
    ),
  (zone) =>
    ofPullZone(zone, JSON.stringify([{ Property: 'EdgeRules', OldValue: null, NewValue: 'Block /admin' }])),
  (_zone, account) => ({
    product: 'Storage',
    resourceType: 'StorageZone',
    resourceId: String(account.storage[0]?.read.Id ?? 0),
    action: 'Update',
    diff: 'Rewrite404To200: False -> True',
  }),
  (zone, _account, salt) =>
    ofPullZone(zone, `AWSSigningSecret: ${secret('awssecret', salt)} -> ${secret('awssecret', salt + 1)}`),
  (zone) => ({ ...ofPullZone(zone, null), action: 'PurgeCache' }),
  (zone, _account, salt) => ({
    ...ofPullZone(
      zone,
      diffOf({ Hostname: { Old: null, New: HOSTILE_AGENTS[salt % HOSTILE_AGENTS.length] } }),
    ),
    action: 'AddHostname',
  }),
  (zone) => ({
    product: 'Shield',
    resourceType: 'ShieldZone',
    resourceId: String(zone.shieldZoneId ?? zone.id),
    action: 'Update',
    diff: diffOf({ wafExecutionMode: { Old: 0, New: 1 } }),
  }),
  () => ({ product: null, resourceType: 'ApiKey', resourceId: null, action: 'Create' }),
];
const LEAST_A_DAY = 4;

function everyday(account: Account, day: number): Change[] {
  const salt = mix(mix(account.seed, 0xad17), day);
  return Array.from({ length: LEAST_A_DAY + (salt % LEAST_A_DAY) }, (_, i) => {
    const h = mix(salt, i + 1);
    const zone = account.zones[(h >>> 8) % account.zones.length] as SimZone;
    const make = EVERYDAY[(day * 5 + i) % EVERYDAY.length] as Everyday;
    const isKey = (h & 3) === 0;
    return {
      t: day * DAY + (mix(h, 3) % (DAY / 1000)) * 1000,
      actorId: isKey ? '4104' : 'ops@northwind.example',
      actorType: isKey ? 'ApiKey' : 'User',
      ...make(zone, account, h),
    };
  });
}

function ofPullZone(zone: SimZone, diff: string | null) {
  return { product: 'CDN', resourceType: 'PullZone', resourceId: String(zone.id), action: 'Update', diff };
}

function secret(name: string, salt: number): string {
  return `canary-${name}-${hex(salt, 24)}`;
}

/** As the audit log has it. */
export function changeEntry({ t, ...c }: Change, owner: string): object {
  return {
    Timestamp: isoTime(t),
    Product: c.product,
    ResourceType: c.resourceType,
    ResourceId: c.resourceId,
    ResourceOwner: owner,
    Action: c.action,
    ActorId: c.actorId,
    ActorType: c.actorType,
    ...(c.diff === undefined ? {} : { Diff: c.diff }),
  };
}
