import { entryOf } from './changes.ts';
import { type Answered, json, problem, wholeOf } from './http.ts';
import type { Plan } from './plan.ts';
import { hash } from './random.ts';
import { DAY } from './setting.ts';
import type { Zone } from './zone.ts';

function zoneText(plan: Plan, zone: Zone, now: number): Record<string, unknown> {
  const own = plan
    .changes(now - 30 * DAY, now)
    .filter((c) => c.zoneId === zone.id && c.field === 'OriginUrl');
  const { anonymous } = zone.traits;
  return {
    Id: zone.id,
    Name: zone.name,
    OriginUrl: own.at(-1)?.after ?? zone.origin,
    Enabled: true,
    Suspended: false,
    Hostnames: zone.hosts.map((Value, i) => ({
      Id: zone.id * 10 + i,
      Value,
      IsSystemHostname: Value.endsWith('.b-cdn.net'),
    })),
    StorageZoneId: 0,
    Type: 0,
    OriginType: 0,
    EnableLogging: zone.logging,
    LoggingIPAnonymizationEnabled: anonymous !== null,
    LogAnonymizationType: anonymous ?? 0,
    LogFormat: 0,
    LoggingSaveToStorage: false,
    LoggingStorageZoneId: 0,
    MonthlyBandwidthUsed: Math.round(zone.traits.rate * 20 * 86_400 * 42_000),
    MonthlyBandwidthLimit: 0,
    CacheControlMaxAgeOverride: -1,
    ZoneSecurityKey: `not-a-secret-${zone.id}`,
  };
}

/** A page of things, or all of them bare where no page was asked for. */
function paged(items: readonly unknown[], query: URLSearchParams, bare: boolean): Answered {
  const page = wholeOf(query.get('page'), 0, 2 ** 31 - 1, 0);
  const size = wholeOf(query.get('perPage'), 5, 1000, 1000);
  if (page === null || size === null)
    return problem(400, 'Bad Request', 'page and perPage are out of range.');
  if (page === 0 && bare) return json(200, items);
  const at = Math.max(1, page);
  const Items = items.slice((at - 1) * size, at * size);
  return json(200, {
    Items,
    CurrentPage: at,
    TotalItems: items.length,
    HasMoreItems: at * size < items.length,
  });
}

export function answerZones(plan: Plan, query: URLSearchParams, now: number): Answered {
  const search = query.get('search')?.toLowerCase() ?? '';
  const zones = plan.zones.filter((z) => z.name.includes(search) || z.hosts.some((h) => h.includes(search)));
  const items = zones.map((zone) => zoneText(plan, zone, now));
  return paged(items, query, search === '');
}

export function answerZone(plan: Plan, id: number, now: number): Answered {
  const zone = plan.zones.find((z) => z.id === id);
  if (zone === undefined)
    return json(404, {
      ErrorKey: 'pullzone.not_found',
      Field: 'Id',
      Message: 'The pull zone was not found.',
    });
  return json(200, zoneText(plan, zone, now));
}

export const answerKeys = (plan: Plan, query: URLSearchParams): Answered =>
  paged(
    [{ Id: hash(plan.account, 71) % 100_000, Key: 'not-a-secret-either', Roles: ['User', 'UserApi'] }],
    query,
    false,
  );

export const answerStorageZones = (query: URLSearchParams): Answered => paged([], query, true);

const shieldText = (zone: Zone): Record<string, unknown> => ({
  shieldZoneId: zone.shieldZoneId,
  pullZoneId: zone.id,
  planType: 1,
  learningMode: false,
  wafEnabled: true,
  wafExecutionMode: 1,
});

export function answerShieldZones(plan: Plan, query: URLSearchParams): Answered {
  const zones = plan.zones.filter((z) => z.shieldZoneId !== null).map(shieldText);
  const currentPage = Math.max(1, wholeOf(query.get('page'), 0, 1e6, 1) ?? 1);
  const pageSize = Math.max(1, wholeOf(query.get('perPage'), 1, 1000, 100) ?? 100);
  const totalPages = Math.ceil(zones.length / pageSize);
  const data = zones.slice((currentPage - 1) * pageSize, currentPage * pageSize);
  const nextPage = currentPage < totalPages ? currentPage + 1 : 0;
  return json(200, { data, page: { totalCount: zones.length, totalPages, currentPage, nextPage, pageSize } });
}

export const answerMapping = (plan: Plan): Answered =>
  json(200, {
    data: plan.zones.flatMap((z) =>
      z.shieldZoneId === null ? [] : [{ shieldZoneId: z.shieldZoneId, pullZoneId: z.id }],
    ),
  });

export function answerShieldOf(zone: Zone | undefined): Answered {
  if (zone !== undefined && zone.shieldZoneId !== null) return json(200, { data: shieldText(zone) });
  const error = {
    success: false,
    message: null,
    errorKey: 'not_found_or_unauthorised_access.shieldzone',
    statusCode: 404,
  };
  return json(202, { data: null, error });
}

export function answerRules(zone: Zone): Answered {
  const rules = zone.rules.map((r) => ({ ruleId: r.id, description: r.name }));
  return json(200, [
    { name: 'Core rules', ruleset: 'core', ruleGroups: [{ name: 'All', code: 'ALL', rules }] },
  ]);
}

/** The changes of a day, in pages whose token is the place in it. */
export function answerAudit(plan: Plan, date: string, query: URLSearchParams, now: number): Answered {
  const t = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(date)
    ? Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(date) ? date : `${date}Z`)
    : Number.NaN;
  if (Number.isNaN(t)) return problem(400, 'Bad Request', 'The value is not a date-time.');
  const limit = wholeOf(query.get('Limit'), 1, 10_000, 100);
  if (limit === null) return problem(400, 'Bad Request', 'Limit must be 1 to 10000.');
  const day = Math.floor(t / DAY) * DAY;
  let entries = plan.changes(day, Math.min(day + DAY, now)).map((c) => entryOf(plan.account, c));
  for (const name of ['Product', 'ResourceType', 'ResourceId', 'ActorId']) {
    const wanted = query.getAll(name);
    if (wanted.length > 0) entries = entries.filter((e) => wanted.includes(String(e[name])));
  }
  if (!/^asc/i.test(query.get('Order') ?? '')) entries.reverse();
  const start = Number(query.get('ContinuationToken') ?? 0) || 0;
  const more = start + limit < entries.length;
  return json(200, {
    Logs: entries.slice(start, start + limit),
    HasMoreData: more,
    ContinuationToken: more ? String(start + limit) : null,
    StartToken: String(start),
  });
}
