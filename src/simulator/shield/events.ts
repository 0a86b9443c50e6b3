import type { ShieldDimension } from '../../domain/shield/shield.ts';
import type { SimZone } from '../account/account-zones.ts';
import { anonymise } from '../traffic/clients.ts';
import { requestId, rowUrl, type SimRow } from '../traffic/rows.ts';
import { RULES, type ShieldRule } from './rules.ts';

/** An event's value for each dimension of a search. */
export const DIMENSIONS = {
  feature: (row) => row.rule?.feature ?? '',
  ruleId: (row) => row.rule?.ruleId ?? '',
  ip: (row, zone) => eventAddress(row, zone),
  ja4: (row) => row.client.ja4 ?? '',
  ua: (row) => row.client.ua ?? '',
  url: (row) => rowUrl(row),
  asn: (row) => String(row.client.asn),
  country: (row) => row.client.country,
  action: (row) => row.action ?? '',
} as const satisfies Record<ShieldDimension, (row: SimRow, zone: SimZone) => string>;

export function isDimension(name: unknown): name is ShieldDimension {
  return typeof name === 'string' && Object.hasOwn(DIMENSIONS, name);
}

/** A stable id for paging and for telling events apart. */
export function eventId(row: SimRow, zone: SimZone): string {
  return `${requestId(row, zone)}-${row.rule?.ruleId ?? ''}`;
}

/** The request as Shield keeps it: an object in search answers, JSON text in a day read. */
export function eventLog(row: SimRow, zone: SimZone): object {
  const { client, rule } = row;
  const headers = [
    ['Host', row.host],
    ['User-Agent', client.ua],
    ['Referer', row.referer],
    ['Accept', '*/*'],
    ['Authorization', row.authorization],
    ['CDN-RequestId', requestId(row, zone)],
    ['CDN-RequestCountryCode', client.country],
    ['CDN-JA4', client.ja4],
  ].filter(([, value]) => value !== null);
  return {
    ServerZoneId: zone.id,
    Message: rule?.name ?? null,
    Url: rowUrl(row),
    RemoteIp: eventAddress(row, zone),
    Method: row.method,
    UrlEncodedBody: row.method === 'POST' ? 'username%3Dalice%40example.com%26password%3D%2A%2A%2A' : null,
    Headers: headers.map(([Name, Value]) => ({ Name, Value })),
    TriggerMatch: rule === null ? null : { Key: rule.operator, Value: row.matched },
  };
}

/** `labels` of a day read; `status` is the action as a word. */
export function eventLabels(row: SimRow): Record<string, string> {
  const action = row.action ?? '';
  return {
    asn: String(row.client.asn),
    country: row.client.country,
    ruleId: row.rule?.ruleId ?? '',
    severity: row.rule?.severity ?? '',
    method: row.method,
    ruleGroup: row.rule?.group ?? '',
    status: action.charAt(0).toUpperCase() + action.slice(1),
    serverZone: row.client.edge,
  };
}

/** The text that a free-text search looks in. */
export function servedEvent(row: SimRow, zone: SimZone): string {
  return [eventAddress(row, zone), row.rule?.ruleId, rowUrl(row), row.client.ua, row.rule?.name]
    .join('\n')
    .toLowerCase();
}

/** Every rule, grouped as the rules endpoint sends them. */
export function ruleBook(): object[] {
  return [...Map.groupBy(Object.values<ShieldRule>(RULES), ({ ruleset }) => ruleset)].map(([name, set]) => ({
    name,
    ruleset: name.toLowerCase().replaceAll(' ', '-'),
    ruleGroups: [...Map.groupBy(set, ({ groupCode }) => groupCode)].map(([code, rules]) => ({
      name: rules[0]?.group,
      code,
      rules: rules.map((rule) => ({ ruleId: rule.ruleId, description: rule.name })),
    })),
  }));
}

/** Under last-octet anonymisation Shield writes `1.2.3.*`; IPv6 and dropped addresses look as in the CDN log. */
function eventAddress(row: SimRow, zone: SimZone): string {
  const logged = anonymise(row.client.ip, zone.anonymity);
  if (logged === null) return '';
  return zone.anonymity === 'lastOctet' && !logged.includes(':') ? `${logged.slice(0, -1)}*` : logged;
}
