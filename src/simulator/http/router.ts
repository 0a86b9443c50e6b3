import { exchangeKey, listApiKeys } from '../account/account.ts';
import { getPullZone, listPullZones } from '../account/pull-zones.ts';
import { getStorageZone, listStorageZones, updateStorageZone } from '../account/storage-zones.ts';
import { readAudit } from '../evidence/audit.ts';
import { readOriginErrors } from '../evidence/origin-errors.ts';
import { readStatistics } from '../evidence/statistics.ts';
import { type Limiter, loggingGate } from '../logs/gate.ts';
import { readDayLog } from '../logs/logs-v1.ts';
import { readLogs } from '../logs/logs-v2.ts';
import { readDay } from '../shield/day.ts';
import { searchEvents } from '../shield/search.ts';
import { getByPullZone, listMapping, listRules, listShieldZones } from '../shield/shield-zones.ts';
import { listFiles, readFile } from '../storage/files.ts';
import type { Handler, World } from '../world.ts';
import { type Exchange, type HostKind, problem, type ServedAnswer } from './answers.ts';

export type EndpointId =
  | 'apiKeys'
  | 'exchange'
  | 'storageZones'
  | 'storageZone'
  | 'updateStorageZone'
  | 'pullZones'
  | 'pullZone'
  | 'shieldZones'
  | 'shieldMapping'
  | 'shieldByPullZone'
  | 'wafRules'
  | 'shieldSearch'
  | 'shieldDay'
  | 'originErrors'
  | 'audit'
  | 'statistics'
  | 'logs'
  | 'logsV1'
  | 'storedFiles'
  | 'storedFile';

type Route = {
  host: HostKind;
  method: 'GET' | 'POST';
  path: RegExp;
  /** Who checks credentials: the main API's key, Shield's, or the handler itself. */
  guard: 'key' | 'shield' | 'own';
  handle: Handler;
};

export type Router = {
  ids: readonly EndpointId[];
  /** The endpoint that a request is for, with the variable parts of its path; null for no such path. */
  match(host: HostKind, method: string, path: string): { id: EndpointId; params: string[] } | null;
  answer(id: EndpointId, call: Exchange, world: World): ServedAnswer | Promise<ServedAnswer>;
};

/** Every endpoint of the contract is one row here. `at` is the time of the limiter's clock. */
export function createRouter(limiter: Limiter, at: () => number): Router {
  const routes = {
    apiKeys: main('GET', /^\/apikey$/, listApiKeys),
    exchange: { ...main('POST', /^\/apikey\/exchange$/, exchangeKey), guard: 'own' },
    storageZones: main('GET', /^\/storagezone$/, listStorageZones),
    storageZone: main('GET', /^\/storagezone\/(\d+)$/, getStorageZone),
    updateStorageZone: main('POST', /^\/storagezone\/(\d+)$/, updateStorageZone),
    pullZones: main('GET', /^\/pullzone$/, listPullZones),
    pullZone: main('GET', /^\/pullzone\/(\d+)$/, getPullZone),
    shieldZones: shield('GET', /^\/shield\/shield-zones$/, listShieldZones),
    shieldMapping: shield('GET', /^\/shield\/shield-zones\/pullzone-mapping$/, listMapping),
    shieldByPullZone: shield('GET', /^\/shield\/shield-zone\/get-by-pullzone\/(\d+)$/, getByPullZone),
    wafRules: shield('GET', /^\/shield\/waf\/rules\/(\d+)$/, listRules),
    shieldSearch: shield('POST', /^\/shield\/event-logs\/(\d+)\/search$/, searchEvents),
    shieldDay: shield('GET', /^\/shield\/event-logs\/(\d+)\/(\d\d-\d\d-\d{4})(?:\/([^/]+))?\/?$/, readDay),
    originErrors: {
      host: 'originErrors',
      method: 'GET',
      path: /^\/(\d+)\/(\d\d-\d\d-\d{4})$/,
      guard: 'own',
      handle: readOriginErrors,
    },
    audit: main('GET', /^\/user\/audit\/([^/]+)$/, readAudit),
    statistics: main('GET', /^\/statistics$/, readStatistics),
    logs: logging(/^\/v2\/pullzones\/(\d+)\/logs$/, loggingGate(limiter, at, 0, readLogs)),
    logsV1: logging(/^\/(\d\d)-(\d\d)-(\d\d)\/(\d+)\.log$/, loggingGate(limiter, at, 3, readDayLog)),
    storedFiles: storage(/^\/([^/]+)\/(?:(.*)\/)?$/, listFiles),
    storedFile: storage(/^\/([^/]+)\/(.*[^/])$/, readFile),
  } as const satisfies Record<EndpointId, Route>;
  return {
    ids: Object.keys(routes) as EndpointId[],
    match: (host, method, path) => {
      for (const [id, route] of Object.entries(routes) as [EndpointId, Route][]) {
        if (route.host !== host || route.method !== method) continue;
        const match = route.path.exec(path);
        if (match !== null)
          return {
            id,
            params: match
              .slice(1)
              .filter((part) => part !== undefined)
              .map(decode),
          };
      }
      return null;
    },
    answer: (id, call, world) => {
      const route: Route = routes[id];
      const key = call.headers['accesskey'];
      if (route.guard !== 'own' && !world.account.isKey(typeof key === 'string' ? key : undefined)) {
        return route.guard === 'shield'
          ? problem(401, 'Unauthorized', 'The access key is missing or not valid.')
          : {
              status: 401,
              type: 'application/json',
              body: '{"Message":"Authorization has been denied for this request."}',
            };
      }
      return route.handle(call, world);
    },
  };
}

function main(method: Route['method'], path: RegExp, handle: Handler): Route {
  return { host: 'main', method, path, guard: 'key', handle };
}

function shield(method: Route['method'], path: RegExp, handle: Handler): Route {
  return { host: 'main', method, path, guard: 'shield', handle };
}

function logging(path: RegExp, handle: Handler): Route {
  return { host: 'logging', method: 'GET', path, guard: 'own', handle };
}

function storage(path: RegExp, handle: Handler): Route {
  return { host: 'storage', method: 'GET', path, guard: 'own', handle };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
