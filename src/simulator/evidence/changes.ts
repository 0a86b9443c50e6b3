import { DAY, MINUTE } from '../../text/units.ts';
import type { Account } from '../account/account.ts';
import type { SimZone } from '../account/account-zones.ts';
import { type Exchange, fieldError, integer, json, type ServedAnswer } from '../http/answers.ts';
import { hex, mix } from '../random.ts';
import { HOSTILE_AGENTS } from '../traffic/hostile.ts';
import type { Incident, Schedule } from '../traffic/incidents.ts';
import { isoTime } from '../traffic/rows.ts';
import type { World } from '../world.ts';

/** One entry of the audit log; `t` is Unix ms. What the platform leaves out is absent or null. */
type AuditEntry = {
  t: number;
  Product: string | null;
  ResourceType: string;
  ResourceId: string | null;
  Action: string;
  ActorId: string | null;
  ActorType: string;
  Diff?: string | null;
};

/** How long before its effect, and a jitter, ms. */
const LEAD = { least: 3 * MINUTE, jitter: 2 * MINUTE };
const LONGEST_INCIDENT = 60 * MINUTE;

/** The busiest zone always fails because of a changed origin. */
export function followsChange({ kind, zone, extent }: Incident): boolean {
  return kind === 'originFailure' && extent === 1 && zone.index === 0 && zone.originUrl !== null;
}

/** The origin that somebody sets before a zone fails. */
export function newOriginOf({ name }: SimZone): string {
  return `https://origin-v2.${name}.example`;
}

/** All changes of the account within `[from, to)`, whole days of UTC or parts of them, oldest first. */
function auditEntries(account: Account, schedule: Schedule, from: number, to: number): AuditEntry[] {
  const brought = schedule
    .between(from - LONGEST_INCIDENT, to + LONGEST_INCIDENT)
    .filter(followsChange)
    .flatMap(aroundIncident);
  const first = Math.floor(from / DAY);
  const days = Array.from({ length: Math.ceil(to / DAY) - first }, (_, i) => everyday(account, first + i));
  return [...brought, ...days.flat()].filter(({ t }) => t >= from && t < to).sort((a, b) => a.t - b.t);
}

/** The change before an incident, and the change back at its end. */
function aroundIncident({ zone, salt, from, to }: Incident): AuditEntry[] {
  const [old, other] = [zone.originUrl, newOriginOf(zone)];
  const lead = LEAD.least + (mix(salt, 0xc4) % LEAD.jitter);
  const change = (t: number, person: string, Old: string | null, New: string | null): AuditEntry => {
    const who = { ActorId: `${person}@northwind.example`, ActorType: 'User' };
    return { t, ...ofPullZone(zone), ...who, Diff: JSON.stringify({ OriginUrl: { Old, New } }) };
  };
  return [change(from - lead, 'deploy', old, other), change(to - 1_000, 'ops', other, old)];
}

type Everyday = Partial<Omit<AuditEntry, 'Diff'>> & { diff?: object | string | null };

/** Everyday changes, in the forms of a diff: fields with both values, a list, plain text, none. */
const EVERYDAY: readonly ((zone: SimZone, salt: number, account: Account) => Everyday)[] = [
  () => ({
    diff: {
      CacheControlMaxAgeOverride: { Old: -1, New: 3600 },
      EnableSmartCache: { Old: false, New: true },
    },
  }),
  (_zone, salt) => ({
    diff: { ZoneSecurityKey: { Old: secret('zonekey', salt), New: secret('zonekey', salt + 1) } },
  }),
  () => ({ diff: [{ Property: 'EdgeRules', OldValue: null, NewValue: 'Block /admin' }] }),
  (_zone, _salt, { storage }) => ({
    Product: 'Storage',
    ResourceType: 'StorageZone',
    ResourceId: String(storage[0]?.read.Id ?? 0),
    diff: 'Rewrite404To200: False -> True',
  }),
  (_zone, salt) => ({
    diff: `AWSSigningSecret: ${secret('awssecret', salt)} -> ${secret('awssecret', salt + 1)}`,
  }),
  () => ({ Action: 'PurgeCache', diff: null }),
  (_zone, salt) => ({
    Action: 'AddHostname',
    diff: { Hostname: { Old: null, New: HOSTILE_AGENTS[salt % HOSTILE_AGENTS.length] } },
  }),
  (zone) => ({
    Product: 'Shield',
    ResourceType: 'ShieldZone',
    ResourceId: String(zone.shieldZoneId ?? zone.id),
    diff: { wafExecutionMode: { Old: 0, New: 1 } },
  }),
  () => ({ Product: null, ResourceType: 'ApiKey', ResourceId: null, Action: 'Create' }),
];
const LEAST_A_DAY = 4;

function everyday(account: Account, day: number): AuditEntry[] {
  const salt = mix(mix(account.seed, 0xad17), day);
  return Array.from({ length: LEAST_A_DAY + (salt % LEAST_A_DAY) }, (_, i) => {
    const h = mix(salt, i + 1);
    const zone = account.zones[(h >>> 8) % account.zones.length] as SimZone;
    const make = EVERYDAY[(day * 5 + i) % EVERYDAY.length] as (typeof EVERYDAY)[number];
    const { diff, ...change } = make(zone, h, account);
    const isKey = (h & 3) === 0;
    return {
      t: day * DAY + (mix(h, 3) % (DAY / 1000)) * 1000,
      ...ofPullZone(zone),
      ActorId: isKey ? '4104' : 'ops@northwind.example',
      ActorType: isKey ? 'ApiKey' : 'User',
      ...change,
      Diff: diff instanceof Object ? JSON.stringify(diff) : diff,
    };
  });
}

function ofPullZone(zone: SimZone) {
  return { Product: 'CDN', ResourceType: 'PullZone', ResourceId: String(zone.id), Action: 'Update' };
}

function secret(name: string, salt: number): string {
  return `canary-${name}-${hex(salt, 24)}`;
}

/** As the audit log sends it. */
function auditEntryBody({ t, ...change }: AuditEntry, owner: string): object {
  const { Product, ResourceType, ResourceId, ...done } = change;
  return { Timestamp: isoTime(t), Product, ResourceType, ResourceId, ResourceOwner: owner, ...done };
}

/** How long changes are kept. */
const KEPT = 90 * DAY;
const USUAL_LIMIT = 100;
const LARGEST_LIMIT = 10_000;

const FILTERS = ['Product', 'ResourceType', 'ResourceId', 'ActorId'] as const;

/** GET /user/audit/{date}: the changes of a UTC day, newest first by default. */
export function readAudit(call: Exchange, { account, schedule }: World): ServedAnswer {
  const q = call.url.searchParams;
  const invalid = (field: string, message: string) => fieldError('validation_error', field, message);
  const from = dayOf(call.params[0] as string);
  if (from === null) return invalid('date', 'The date is not valid.');
  const limit = integer(q.get('Limit'), USUAL_LIMIT, 1, LARGEST_LIMIT);
  if (limit === null) return invalid('Limit', `The limit must be between 1 and ${LARGEST_LIMIT}.`);
  const order = q.get('Order') ?? 'Descending';
  if (order !== 'Ascending' && order !== 'Descending')
    return invalid('Order', 'The order must be Ascending or Descending.');
  const start = startOf(q.get('ContinuationToken'));
  if (start === null) return invalid('ContinuationToken', 'The continuation token is not valid.');
  const to = Math.min(from + DAY, call.now);
  const all = from < call.now - KEPT ? [] : auditEntries(account, schedule, from, Math.max(from, to));
  const wanted = all.filter((change) =>
    FILTERS.every((name) => {
      const values = q.getAll(name);
      return values.length === 0 || values.includes(change[name] ?? '');
    }),
  );
  if (order === 'Descending') wanted.reverse();
  const end = start + limit;
  return json({
    Logs: wanted.slice(start, end).map((change) => auditEntryBody(change, hex(account.seed, 32))),
    HasMoreData: end < wanted.length,
    ContinuationToken: end < wanted.length ? tokenOf(end) : null,
    StartToken: tokenOf(start),
  });
}

/** A time of that day, in the published form: a bare date is none. */
function dayOf(text: string): number | null {
  const [, day] = /^(\d{4}-\d\d-\d\d)T[\d:.]+Z?$/.exec(text) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? null : at;
}

function tokenOf(place: number): string {
  return Buffer.from(`at ${place}`).toString('base64');
}

function startOf(token: string | null): number | null {
  if (token === null || token === '') return 0;
  const [, place] = /^at (\d{1,9})$/.exec(Buffer.from(token, 'base64').toString('latin1')) ?? [];
  return place === undefined ? null : Number(place);
}
