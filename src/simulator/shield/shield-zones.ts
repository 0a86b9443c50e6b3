import type { SimZone } from '../account/account-zones.ts';
import {
  absent,
  type Exchange,
  integer,
  json,
  type ServedAnswer,
  type ShieldError,
} from '../http/answers.ts';
import type { World } from '../world.ts';
import { ruleBook } from './events.ts';

/** GET /shield/shield-zones: `{data, page}`. */
export function listShieldZones(call: Exchange, world: World): ServedAnswer {
  const zones = shielded(world);
  const page = integer(call.url.searchParams.get('page'), 1, 1, 2_147_483_647) ?? 1;
  const size = integer(call.url.searchParams.get('perPage'), 100, 1, 1000) ?? 100;
  const totalPages = Math.ceil(zones.length / size);
  return json({
    data: zones.slice((page - 1) * size, page * size).map(shieldZone),
    page: {
      totalCount: zones.length,
      totalPages,
      currentPage: page,
      nextPage: page < totalPages ? page + 1 : null,
      pageSize: size,
    },
  });
}

/** GET /shield/shield-zones/pullzone-mapping. */
export function listMapping(_call: Exchange, world: World): ServedAnswer {
  const pairs = shielded(world).map((z) => ({ shieldZoneId: z.shieldZoneId, pullZoneId: z.id }));
  return json({ data: pairs.length === 0 ? null : pairs });
}

/** GET /shield/shield-zone/get-by-pullzone/{id}. */
export function getByPullZone(call: Exchange, world: World): ServedAnswer {
  const zone = world.account.zoneById.get(call.params[0] as string);
  if (zone === undefined || zone.shieldZoneId === null) return absent(withoutData);
  return json({ data: shieldZone(zone) });
}

/** GET /shield/shield-zone/{shieldZoneId}. */
export function getShieldZone(call: Exchange, world: World): ServedAnswer {
  const zone = world.account.zoneByShield.get(call.params[0] as string);
  return zone === undefined ? absent(withoutData) : json({ data: shieldZone(zone) });
}

/** GET /shield/waf/rules/{shieldZoneId}. */
export function listRules(call: Exchange, world: World): ServedAnswer {
  return world.account.zoneByShield.has(call.params[0] as string) ? json(ruleBook()) : absent(withoutData);
}

function shielded(world: World): SimZone[] {
  return world.account.zones.filter((zone) => zone.shieldZoneId !== null);
}

function shieldZone(zone: SimZone): object {
  return {
    shieldZoneId: zone.shieldZoneId,
    pullZoneId: zone.id,
    planType: zone.index % 3,
    learningMode: zone.name.startsWith('staging'),
    learningModeUntil: null,
    wafEnabled: true,
    wafExecutionMode: zone.wafBlocks ? 1 : 0,
    wafDisabledRules: [],
    wafLogOnlyRules: [],
    wafRealtimeThreatIntelligenceEnabled: false,
    wafRequestHeaderLoggingEnabled: true,
    wafRequestIgnoredHeaders: [],
    wafRequestBodyLimitAction: 1,
    wafResponseBodyLimitAction: 2,
    wafEngineConfig: [],
    dDoSExecutionMode: 1,
    dDoSShieldSensitivity: 2,
    dDoSChallengeWindow: 300,
    whitelabelResponsePages: false,
    createdDateTime: '2025-02-03T10:11:12',
  };
}

function withoutData(error: ShieldError): object {
  return { data: null, error };
}
