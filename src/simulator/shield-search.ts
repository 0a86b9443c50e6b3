import { setImmediate as breathe } from 'node:timers/promises';
import {
  absent,
  type Exchange,
  json,
  NO_ERROR,
  problem,
  type ServedAnswer,
  type ShieldError,
  type World,
} from './call.ts';
import type { SimRow } from './rows.ts';
import type { Found } from './search-book.ts';
import { DIMENSIONS, eventId, eventLog } from './shield-events.ts';
import { type Group, groupsOf } from './shield-groups.ts';
import { readShieldQuery, type ShieldQuery } from './shield-query.ts';
import type { SimZone } from './zones.ts';

const HOUR = 3_600_000;
const SLICE = 6;
const ACCEPTED = /^(application\/json|text\/json|application\/[\w.-]+\+json)\s*(;|$)/i;

/** POST /shield/event-logs/{shieldZoneId}/search. */
export async function searchEvents(call: Exchange, world: World): Promise<ServedAnswer> {
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
  const found = await find(call, world, zone, query);
  const part = found.groups === null ? flat(found.rows, zone, query) : grouped(found.groups, query);
  const answer = json({
    ...part,
    totalPages: Math.ceil(part.total / query.pageSize),
    page: query.page,
    errorResponse: NO_ERROR,
  });
  return { ...answer, type: negotiate(call.headers.accept) };
}

/** The same search page after page is made once, as long as no other row shows. */
async function find(call: Exchange, world: World, zone: SimZone, query: ShieldQuery): Promise<Found> {
  const question = `${zone.id} ${query.text}`;
  const isWhole = call.conditions.hides.length === 0;
  const known = isWhole ? world.searches.find(question, call.now) : null;
  if (known !== null) return known;
  const { rows, until } = await collect(call, world, zone, query);
  const groups = query.groupBy.length > 0 ? groupsOf(rows, zone, query.groupBy) : null;
  const found = { rows, groups, at: call.now, until };
  if (isWhole) world.searches.keep(question, found);
  return found;
}

function nothing(errorResponse: ShieldError): object {
  return { rows: null, groups: null, total: 0, totalPages: 0, page: 0, errorResponse };
}

/** Events of the window that reads show by now, newest first. Lets other work in between. */
async function collect(
  call: Exchange,
  world: World,
  zone: SimZone,
  { from, to, tests }: ShieldQuery,
): Promise<{ rows: SimRow[]; until: number }> {
  const rows: SimRow[] = [];
  const { events, work } = world.traffic;
  const last = Math.floor((Math.min(to, call.now + 1) - 1) / HOUR);
  let until = to > (last + 1) * HOUR ? (last + 1) * HOUR : Number.POSITIVE_INFINITY;
  let resumed = performance.now();
  for (let hour = last; hour >= Math.floor(from / HOUR); hour--) {
    const found = events(zone, hour);
    work.looked += found.length;
    for (let i = found.length - 1; i >= 0; i--) {
      const row = found[i] as SimRow;
      if (row.t < from || row.t >= to) continue;
      const shows = row.t + row.late;
      if (shows > call.now) until = Math.min(until, shows);
      else if (!call.conditions.hides.some((hides) => hides(row)) && tests.every((test) => test(row, zone)))
        rows.push(row);
    }
    if (performance.now() - resumed > SLICE) {
      await breathe();
      resumed = performance.now();
    }
  }
  return { rows, until };
}

function flat(found: readonly SimRow[], zone: SimZone, { page, pageSize }: ShieldQuery) {
  const rows = found.slice(page * pageSize, (page + 1) * pageSize).map((row) => ({
    logId: eventId(row, zone),
    timestamp: row.t,
    log: eventLog(row, zone),
    fields: Object.fromEntries(Object.entries(DIMENSIONS).map(([name, read]) => [name, read(row, zone)])),
  }));
  return { rows, groups: null, total: found.length };
}

function grouped(groups: readonly Group[], { page, pageSize }: ShieldQuery) {
  const shown = groups.slice(page * pageSize, (page + 1) * pageSize).map((group) => ({
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
  return { rows: null, groups: shown, total: groups.length };
}

/** JSON goes out as text/plain unless the client asks for JSON by name. */
function negotiate(accept: string | undefined): string {
  const type = ['application/json', 'text/json'].find((name) => accept?.includes(name)) ?? 'text/plain';
  return `${type}; charset=utf-8`;
}
