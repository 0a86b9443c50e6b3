import { exchangeKey, listApiKeys } from '../account/account.ts';
import { getPullZone, listPullZones, listRegions } from '../account/pull-zones.ts';
import { getStorageZone, listStorageZones, updateStorageZone } from '../account/storage-zones.ts';
import { readAudit } from '../evidence/changes.ts';
import { readOriginErrors } from '../evidence/served-origin-errors.ts';
import { readStatistics } from '../evidence/statistics.ts';
import { ofLogZone } from '../logs/gate.ts';
import { readDayLog, readLogs } from '../logs/logs-v2.ts';
import { readDay } from '../shield/day.ts';
import { searchEvents } from '../shield/search.ts';
import {
  getByPullZone,
  getShieldZone,
  listMapping,
  listRules,
  listShieldZones,
} from '../shield/shield-zones.ts';
import { listFiles, readFile } from '../storage/files.ts';
import type { Handler, World } from '../world.ts';
import { denied, type Exchange, type HostKind, problem, type ServedAnswer } from './answers.ts';

type Route = {
  host: HostKind;
  method: 'GET' | 'POST';
  path: RegExp;
  /** Whether the account's key is required here; otherwise the handler checks credentials itself. */
  isGuarded: boolean;
  handle: Handler;
};

/** Every endpoint of the contract is one row here. */
export const ROUTES = {
  apiKeys: main('GET', /^\/apikey$/, listApiKeys),
  exchange: { ...main('POST', /^\/apikey\/exchange$/, exchangeKey), isGuarded: false },
  storageZones: main('GET', /^\/storagezone$/, listStorageZones),
  storageZone: main('GET', /^\/storagezone\/(\d+)$/, getStorageZone),
  updateStorageZone: main('POST', /^\/storagezone\/(\d+)$/, updateStorageZone),
  pullZones: main('GET', /^\/pullzone$/, listPullZones),
  pullZone: main('GET', /^\/pullzone\/(\d+)$/, getPullZone),
  shieldZones: main('GET', /^\/shield\/shield-zones$/, listShieldZones),
  shieldMapping: main('GET', /^\/shield\/shield-zones\/pullzone-mapping$/, listMapping),
  shieldByPullZone: main('GET', /^\/shield\/shield-zone\/get-by-pullzone\/(\d+)$/, getByPullZone),
  shieldZone: main('GET', /^\/shield\/shield-zone\/(\d+)$/, getShieldZone),
  regions: main('GET', /^\/region$/, listRegions),
  wafRules: main('GET', /^\/shield\/waf\/rules\/(\d+)$/, listRules),
  shieldSearch: main('POST', /^\/shield\/event-logs\/(\d+)\/search$/, searchEvents),
  shieldDay: main('GET', /^\/shield\/event-logs\/(\d+)\/(\d\d-\d\d-\d{4})(?:\/([^/]+))?\/?$/, readDay),
  originErrors: other('originErrors', /^\/(\d+)\/(\d\d-\d\d-\d{4})$/, readOriginErrors),
  audit: main('GET', /^\/user\/audit\/([^/]+)$/, readAudit),
  statistics: main('GET', /^\/statistics$/, readStatistics),
  logs: other('logging', /^\/v2\/pullzones\/(\d+)\/logs$/, ofLogZone(readLogs)),
  logsV1: other('logging', /^\/(\d\d)-(\d\d)-(\d\d)\/(\d+)\.log$/, ofLogZone(readDayLog)),
  storedFiles: other('storage', /^\/([^/]+)\/(?:(.*)\/)?$/, listFiles),
  storedFile: other('storage', /^\/([^/]+)\/(.*[^/])$/, readFile),
} as const satisfies Record<string, Route>;

export type EndpointId = keyof typeof ROUTES;

/** The endpoint that a request is for, with the variable parts of its path; null for no such path. */
export function routeOf(
  host: HostKind,
  method: string,
  path: string,
): { id: EndpointId; params: string[] } | null {
  for (const [id, route] of Object.entries<Route>(ROUTES)) {
    const match = route.host === host && route.method === method ? route.path.exec(path) : null;
    if (match === null) continue;
    const parts = match.slice(1).filter((part) => part !== undefined);
    return { id: id as EndpointId, params: parts.map(decode) };
  }
  return null;
}

export function routedAnswer(
  id: EndpointId,
  call: Exchange,
  world: World,
): ServedAnswer | Promise<ServedAnswer> {
  const { isGuarded, handle }: Route = ROUTES[id];
  if (!isGuarded || world.account.isKey(call.headers['accesskey'])) return handle(call, world);
  return call.url.pathname.startsWith('/shield/')
    ? problem(401, 'Unauthorized', 'The access key is missing or not valid.')
    : { ...denied(), type: 'application/json' };
}

function main(method: Route['method'], path: RegExp, handle: Handler): Route {
  return { host: 'main', method, path, isGuarded: true, handle };
}

function other(host: HostKind, path: RegExp, handle: Handler): Route {
  return { host, method: 'GET', path, isGuarded: false, handle };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
