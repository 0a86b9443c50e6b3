import { diceOf, hash } from './random.ts';
import { DAY } from './setting.ts';
import type { Change } from './truth.ts';
import type { Zone } from './zone.ts';

const EVERYDAY: readonly [string, string, string][] = [
  ['EnableWebPVary', 'false', 'true'],
  ['LoggingIPAnonymizationEnabled', 'true', 'false'],
  ['MonthlyBandwidthLimit', '1000000000000', '2000000000000'],
  ['LogForwardingEnabled', 'false', 'true'],
  ['EnableAutoSSL', 'false', 'true'],
  ['BurstSize', '0', '120'],
  ['EnableCountryCodeVary', 'false', 'true'],
  ['OptimizerMinifyCSS', 'false', 'true'],
  ['ConnectionLimitPerIPCount', '0', '80'],
  ['Name', 'old-name', 'new-name'],
];

/** What people of the account change on an ordinary day, each day by itself. */
function ofDay(account: number, zones: readonly Zone[], day: number): Change[] {
  const dice = diceOf(hash(account ^ 0x4d4d, day));
  return Array.from({ length: dice.pick([0, 1, 1, 2, 2, 3, 4, 6]) }, () => {
    const zone = dice.pick(zones);
    const [field, before, after] = dice.pick(EVERYDAY);
    const at = day * DAY + dice.int(0, DAY - 1);
    const u = dice.next();
    if (u < 0.08)
      return {
        at,
        zoneId: zone.id + 700_000,
        field: 'Custom404FilePath',
        before: '',
        after: '/404.html',
        product: 'Storage',
        resource: 'StorageZone',
      };
    if (u < 0.14)
      return {
        at,
        zoneId: zone.id + 800_000,
        field: 'Record.Value',
        before: '192.0.2.7',
        after: '192.0.2.9',
        product: 'DNS',
        resource: 'DnsZone',
      };
    return { at, zoneId: zone.id, field, before, after };
  });
}

export function backgroundChanges(
  account: number,
  zones: readonly Zone[],
  from: number,
  to: number,
): Change[] {
  const changes: Change[] = [];
  for (let day = Math.floor(from / DAY); day * DAY < to; day += 1)
    changes.push(...ofDay(account, zones, day));
  return changes.filter((c) => c.at >= from && c.at < to);
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Nobody says what a difference looks like, so each account has a form of its own. */
export function diffOf(account: number, change: Change): string | null {
  if (change.silent === true) return null;
  const { field, before, after } = change;
  const form = hash(account, 91) % 4;
  if (form === 0) return JSON.stringify({ [field]: { Old: parsed(before), New: parsed(after) } });
  if (form === 1) return JSON.stringify([{ Field: field, OldValue: before, NewValue: after }]);
  if (form === 2) return `${field}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`;
  return JSON.stringify({ before: { [field]: parsed(before) }, after: { [field]: parsed(after) } });
}

/** An entry as the audit log shows it. */
export function entryOf(account: number, change: Change): Record<string, unknown> {
  const key = hash(account, Math.floor(change.at / 1000));
  const iso = new Date(change.at).toISOString();
  const digits = hash(account, 92) % 3;
  const entry: Record<string, unknown> = {
    Timestamp: digits === 0 ? iso : digits === 1 ? iso.replace('Z', '1234Z') : iso.replace('Z', '+00:00'),
    Product: change.product ?? (hash(account, 93) % 2 === 0 ? 'CDN' : 'Cdn'),
    ResourceType: change.resource ?? (hash(account, 94) % 3 === 0 ? 'pullzone' : 'PullZone'),
    ResourceId: String(change.zoneId),
    Action: change.action ?? (hash(account, 95) % 2 === 0 ? 'Update' : 'Updated'),
    ActorId: `user-${1 + (key % 4)}`,
    ActorType: key % 5 === 0 ? 'ApiKey' : 'User',
    Diff: diffOf(account, change),
  };
  if (hash(account, 96) % 3 === 0) delete entry['ActorType'];
  if (hash(account, 97) % 2 === 0) entry['ResourceOwner'] = `owner-${account % 997}`;
  return entry;
}
