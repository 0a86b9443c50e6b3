import {
  answerAudit,
  answerKeys,
  answerMapping,
  answerRules,
  answerShieldOf,
  answerShieldZones,
  answerStorageZones,
  answerZone,
  answerZones,
} from './account.ts';
import { type Answered, type Asked, json, known, logError, problem } from './http.ts';
import { answerLogs } from './logs.ts';
import { answerOriginErrors } from './origin-errors.ts';
import { type Plan, planOf } from './plan.ts';
import { answerSearch } from './shield.ts';
import { answerStatistics } from './statistics.ts';
import type { Scene } from './truth.ts';
import type { Zone } from './zone.ts';

export type { Answered, Asked } from './http.ts';
export { KINDS } from './plan.ts';
export type { Scene, TruthCause } from './truth.ts';

export const sceneOf = (kind: string, seed: number, now: number): Scene => planOf(kind, seed, now).scene;

const GONE = () => problem(404, 'Not Found', null);

type Route = readonly [
  method: string,
  path: RegExp,
  answer: (id: string, query: URLSearchParams) => Answered,
];

function mainRoutes(plan: Plan, asked: Asked, now: number): readonly Route[] {
  const byId = (id: string): Zone | undefined => plan.zones.find((z) => z.id === Number(id));
  const byShield = (id: string): Zone | undefined => plan.zones.find((z) => z.shieldZoneId === Number(id));
  const of = (zone: Zone | undefined, answer: (zone: Zone) => Answered) =>
    zone === undefined ? GONE() : answer(zone);
  return [
    ['GET', /^\/pullzone$/, (_, query) => answerZones(plan, query, now)],
    ['GET', /^\/pullzone\/(\d+)$/, (id) => answerZone(plan, Number(id), now)],
    ['GET', /^\/shield\/shield-zones$/, (_, query) => answerShieldZones(plan, query)],
    ['GET', /^\/shield\/shield-zones\/pullzone-mapping$/, () => answerMapping(plan)],
    ['GET', /^\/shield\/shield-zone\/get-by-pullzone\/(\d+)$/, (id) => answerShieldOf(byId(id))],
    ['GET', /^\/shield\/shield-zone\/(\d+)$/, (id) => answerShieldOf(byShield(id))],
    ['GET', /^\/shield\/waf\/rules\/(\d+)$/, (id) => of(byShield(id), answerRules)],
    [
      'POST',
      /^\/shield\/event-logs\/(\d+)\/search$/,
      (id) => of(byShield(id), (z) => answerSearch(plan.traffic(z), asked, now)),
    ],
    ['GET', /^\/user\/audit\/([^/]+)$/, (date, query) => answerAudit(plan, date, query, now)],
    ['GET', /^\/apikey$/, (_, query) => answerKeys(plan, query)],
    ['GET', /^\/storagezone$/, (_, query) => answerStorageZones(query)],
    [
      'GET',
      /^\/statistics$/,
      (_, query) => {
        const id = query.get('pullZone');
        const zones =
          id === null || id === '' || id === '-1'
            ? plan.zones
            : plan.zones.filter((z) => z.id === Number(id));
        return zones.length === 0 ? GONE() : answerStatistics(zones.map(plan.traffic), query, now);
      },
    ],
  ];
}

function answerMain(plan: Plan, asked: Asked, now: number): Answered {
  if (!known(asked)) return json(401, { Message: 'Authorization has been denied for this request.' });
  const { pathname, searchParams } = new URL(asked.path, 'http://x');
  for (const [method, path, answer] of mainRoutes(plan, asked, now)) {
    const match = asked.method === method ? path.exec(pathname) : null;
    if (match !== null) return answer(decodeURIComponent(match[1] ?? ''), searchParams);
  }
  return GONE();
}

function answerLogging(plan: Plan, asked: Asked, now: number): Answered {
  if (!known(asked)) return logError(401, 'unauthorized', 'Credentials are required.');
  const { pathname } = new URL(asked.path, 'http://x');
  const [, id] = /^\/v2\/pullzones\/(\d+)\/logs$/.exec(pathname) ?? [];
  if (asked.method !== 'GET' || id === undefined) return logError(404, 'not_found', 'There is nothing here.');
  const zone = plan.zones.find((z) => z.id === Number(id));
  if (zone === undefined) return logError(403, 'forbidden', 'You have no access to this pull zone.');
  if (!zone.logging) return logError(404, 'logging_disabled', 'Logging is not enabled for this pull zone.');
  return answerLogs(plan.traffic(zone), asked, now);
}

function answerOrigin(plan: Plan, asked: Asked, now: number): Answered {
  if (!known(asked)) return problem(401, 'Unauthorized', null);
  const { pathname } = new URL(asked.path, 'http://x');
  const [, id, day] = /^\/(\d+)\/([^/]+)$/.exec(pathname) ?? [];
  const zone = plan.zones.find((z) => z.id === Number(id));
  if (asked.method !== 'GET' || zone === undefined || day === undefined) return GONE();
  return answerOriginErrors(plan.traffic(zone), day, now);
}

/** Answers as the platform would. What it keeps between answers only saves time. */
export function answererOf(scene: Scene): (asked: Asked, now: number) => Answered {
  const plan = planOf(scene.kind, scene.seed, scene.now);
  const by = { main: answerMain, logging: answerLogging, originErrors: answerOrigin };
  return (asked, now) => {
    const answer = by[asked.host](plan, asked, now);
    return { ...answer, headers: { ...answer.headers, Date: new Date(now).toUTCString() } };
  };
}
