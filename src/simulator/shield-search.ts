import { setImmediate as breathe } from 'node:timers/promises';
import {
  type Answer,
  absent,
  type Call,
  json,
  NO_ERROR,
  problem,
  type ShieldError,
  type World,
} from './call.ts';
import type { Row } from './rows.ts';
import { DIMENSIONS, type DimensionId, eventId, eventLog } from './shield-events.ts';
import { type EventTest, readShieldQuery, type ShieldQuery } from './shield-query.ts';
import type { SimZone } from './zones.ts';

type Group = {
  key: Record<string, string>;
  count: number;
  firstSeen: number;
  lastSeen: number;
  country: string;
  asn: string;
  blocked: number;
  challenged: number;
  logged: number;
  features: Set<string>;
  ruleIds: Set<string>;
};

const SLICE = 6;
const ACCEPTED = /^(application\/json|text\/json|application\/[\w.-]+\+json)\s*(;|$)/i;

/** POST /shield/event-logs/{shieldZoneId}/search. */
export async function searchEvents(call: Call, world: World): Promise<Answer> {
  const zone = world.account.zoneByShield.get(call.params[0] as string);
  if (zone === undefined) return absent(call, nothing);
  if (!ACCEPTED.test(call.headers['content-type'] ?? ''))
    return problem(415, 'Unsupported Media Type', 'Send JSON.');
  let body: unknown;
  try {
    body = JSON.parse(call.body.toString('utf8'));
  } catch {
    return problem(400, 'Bad Request', 'The request body is not valid JSON.');
  }
  const read = readShieldQuery(body, call.now);
  if ('problems' in read) {
    const [first] = Object.values(read.problems);
    return problem(400, 'One or more validation errors occurred.', first?.[0] ?? '', {
      errors: read.problems,
    });
  }
  const { query } = read;
  const found = await collect(call, world, zone, query, query.tests);
  const part = query.groupBy.length > 0 ? grouped(found, zone, query) : flat(found, zone, query);
  const answer = json({
    ...part,
    totalPages: Math.ceil(part.total / query.pageSize),
    page: query.page,
    errorResponse: NO_ERROR,
  });
  return { ...answer, type: negotiate(call.headers.accept) };
}

function nothing(errorResponse: ShieldError): object {
  return { rows: null, groups: null, total: 0, totalPages: 0, page: 0, errorResponse };
}

/** Events of the window that reads show by now, newest first. Lets other work in between. */
export async function collect(
  call: Call,
  world: World,
  zone: SimZone,
  { from, to }: { from: number; to: number },
  tests: readonly EventTest[],
): Promise<Row[]> {
  const found: Row[] = [];
  const last = Math.floor((Math.min(to, call.now + 1) - 1) / 60_000);
  let resumed = performance.now();
  for (let minute = last; minute >= Math.floor(from / 60_000); minute--) {
    const rows = world.traffic.shieldMinute(zone, minute);
    for (let i = rows.length - 1; i >= 0; i--) {
      const row = rows[i] as Row;
      const isShown =
        row.t >= from &&
        row.t < to &&
        row.t + row.late <= call.now &&
        !call.scene.hides.some((hides) => hides(row));
      if (isShown && tests.every((test) => test(row, zone))) found.push(row);
    }
    if (performance.now() - resumed > SLICE) {
      await breathe();
      resumed = performance.now();
    }
  }
  return found;
}

function flat(found: readonly Row[], zone: SimZone, { page, pageSize }: ShieldQuery) {
  const rows = found.slice(page * pageSize, (page + 1) * pageSize).map((row) => ({
    logId: eventId(row, zone),
    timestamp: row.t,
    log: eventLog(row, zone),
    fields: Object.fromEntries(Object.entries(DIMENSIONS).map(([name, read]) => [name, read(row, zone)])),
  }));
  return { rows, groups: null, total: found.length };
}

function grouped(found: readonly Row[], zone: SimZone, { groupBy, page, pageSize }: ShieldQuery) {
  const groups = new Map<string, Group>();
  for (const row of found) {
    const values = groupBy.map((name) => DIMENSIONS[name](row, zone));
    const id = values.join('\u0000');
    const group = groups.get(id) ?? newGroup(groupBy, values, row);
    groups.set(id, group);
    group.count += 1;
    group.firstSeen = Math.min(group.firstSeen, row.t);
    group.lastSeen = Math.max(group.lastSeen, row.t);
    if (row.action !== null) group[row.action] += 1;
    group.features.add(row.rule?.feature ?? '');
    group.ruleIds.add(row.rule?.ruleId ?? '');
  }
  const sorted = [...groups.values()].sort((a, b) => b.count - a.count || b.lastSeen - a.lastSeen);
  const shown = sorted.slice(page * pageSize, (page + 1) * pageSize).map((group) => ({
    key: group.key,
    count: group.count,
    firstSeen: group.firstSeen,
    lastSeen: group.lastSeen,
    context: {
      country: group.country,
      asn: group.asn,
      blocked: group.blocked,
      challenged: group.challenged,
      logged: group.logged,
      features: [...group.features].join(','),
      ruleIds: [...group.ruleIds].join(','),
    },
  }));
  return { rows: null, groups: shown, total: sorted.length };
}

/** Country and ASN of the context are those of the group's newest event. */
function newGroup(groupBy: readonly DimensionId[], values: readonly string[], row: Row): Group {
  return {
    key: Object.fromEntries(groupBy.map((name, i) => [name, values[i] as string])),
    count: 0,
    firstSeen: row.t,
    lastSeen: row.t,
    country: row.client.country,
    asn: String(row.client.asn),
    blocked: 0,
    challenged: 0,
    logged: 0,
    features: new Set(),
    ruleIds: new Set(),
  };
}

/** JSON goes out as text/plain unless the client asks for JSON by name. */
function negotiate(accept: string | undefined): string {
  const type = ['application/json', 'text/json'].find((name) => accept?.includes(name)) ?? 'text/plain';
  return `${type}; charset=utf-8`;
}
