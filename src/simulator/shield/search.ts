import type { ShieldDimension } from '../../domain/shield/shield.ts';
import { HOUR } from '../../text/units.ts';
import type { Account } from '../account/account.ts';
import type { SimZone } from '../account/account-zones.ts';
import {
  absent,
  bodyJson,
  type Exchange,
  json,
  NO_ERROR,
  problem,
  type ServedAnswer,
  type ShieldError,
} from '../http/answers.ts';
import { turns } from '../logs/scan.ts';
import type { SimRow } from '../traffic/rows.ts';
import type { TrafficModel } from '../traffic/traffic-source.ts';
import { DIMENSIONS, eventId, eventLog } from './events.ts';
import { readShieldQuery, type ShieldQuery } from './search-query.ts';

const ACCEPTED = /^(application\/json|text\/json|application\/[\w.-]+\+json)\s*(;|$)/i;

type Searched = { account: Account; traffic: TrafficModel; searches: SearchBook };

/** POST /shield/event-logs/{shieldZoneId}/search. */
export async function searchEvents(call: Exchange, world: Searched): Promise<ServedAnswer> {
  const zone = world.account.zoneByShield.get(call.params[0] as string);
  if (zone === undefined) return absent(nothing);
  if (!ACCEPTED.test(call.headers['content-type'] ?? ''))
    return problem(415, 'Unsupported Media Type', 'Send JSON.');
  const body = bodyJson(call);
  if (body === undefined) return problem(400, 'Bad Request', 'The request body is not valid JSON.');
  const read = readShieldQuery(body, call.now);
  if ('problems' in read) {
    const [first] = Object.values(read.problems);
    return problem(400, 'One or more validation errors occurred.', first?.[0] ?? '', {
      errors: read.problems,
    });
  }
  const { query } = read;
  const found = await find(call, world, zone, query);
  const part =
    found.groups === null ? flat(found.rows, zone, query) : grouped(found.groups, found.rows, zone, query);
  const answer = json({
    ...part,
    totalPages: Math.ceil(part.total / query.pageSize),
    page: query.page,
    errorResponse: NO_ERROR,
  });
  return { ...answer, type: negotiate(call.headers.accept) };
}

/** A search is made once for all its pages, as long as no other row shows. */
async function find(call: Exchange, world: Searched, zone: SimZone, query: ShieldQuery): Promise<Found> {
  const question = `${zone.id} ${query.text}`;
  const known = world.searches.find(question, call.now);
  if (known !== null) return known;
  const { rows, until } = await collect(call, world, zone, query);
  const groups = query.groupBy.length > 0 ? answeredGroups(rows, zone, query.groupBy) : null;
  const found = { rows, groups, at: call.now, until };
  world.searches.keep(question, found);
  return found;
}

function nothing(errorResponse: ShieldError): object {
  return { rows: null, groups: null, total: 0, totalPages: 0, page: 0, errorResponse };
}

/** Events of the window that reads show by now, newest first. Lets other work in between. */
async function collect(
  call: Exchange,
  world: Searched,
  zone: SimZone,
  { from, to, tests }: ShieldQuery,
): Promise<{ rows: SimRow[]; until: number }> {
  const rows: SimRow[] = [];
  const { events, work } = world.traffic;
  const last = Math.floor((Math.min(to, call.now + 1) - 1) / HOUR);
  let until = to > (last + 1) * HOUR ? (last + 1) * HOUR : Number.POSITIVE_INFINITY;
  const turn = turns();
  for (let hour = last; hour >= Math.floor(from / HOUR); hour--) {
    const found = events(zone, hour);
    work.looked += found.length;
    for (let i = found.length - 1; i >= 0; i--) {
      const row = found[i] as SimRow;
      if (row.t < from || row.t >= to) continue;
      const shows = row.t + row.late;
      if (shows > call.now) until = Math.min(until, shows);
      else if (tests.every((test) => test(row, zone))) rows.push(row);
    }
    await turn();
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

function grouped(groups: readonly Group[], rows: readonly SimRow[], zone: SimZone, query: ShieldQuery) {
  const { page, pageSize } = query;
  const listed = groups.slice(page * pageSize, (page + 1) * pageSize);
  const sparklines = query.buckets === 0 ? null : sparklinesOf(listed, rows, zone, query);
  const shown = listed.map(({ context, features, ruleIds, ...group }, at) => ({
    ...group,
    context: { ...context, features: [...features].join(','), ruleIds: [...ruleIds].join(',') },
    ...(sparklines === null ? {} : { sparkline: sparklines[at] }),
  }));
  return { rows: null, groups: shown, total: groups.length };
}

/** The events of each group by steps of the window, for the groups of a page alone. */
function sparklinesOf(
  groups: readonly Group[],
  rows: readonly SimRow[],
  zone: SimZone,
  { from, to, groupBy, buckets }: ShieldQuery,
): number[][] {
  const counts = groups.map(() => new Array<number>(buckets).fill(0));
  const places = new Map(groups.map(({ key }, at) => [idOf(Object.values(key)), at]));
  const width = (to - from) / buckets;
  for (const row of rows) {
    const at = places.get(idOf(groupBy.map((name) => DIMENSIONS[name](row, zone))));
    if (at === undefined) continue;
    const line = counts[at] as number[];
    const step = Math.floor((row.t - from) / width);
    line[step] = (line[step] as number) + 1;
  }
  return counts;
}

function idOf(values: readonly string[]): string {
  return values.join('\u0000');
}

/** JSON goes out as text/plain unless the client asks for JSON by name. */
function negotiate(accept: string | undefined): string {
  const type = ['application/json', 'text/json'].find((name) => accept?.includes(name)) ?? 'text/plain';
  return `${type}; charset=utf-8`;
}

/** The result of a search: its rows newest first, and its groups in order when it groups. */
type Found = {
  rows: readonly SimRow[];
  groups: readonly Group[] | null;
  /** The server's time of the search, and when the next row of its window shows. */
  at: number;
  until: number;
};

/** Searches whose next page may still be asked for. */
const KEPT_SEARCHES = 16;

/** Keeps the results of recent searches, so that a further page costs only its rows. */
export class SearchBook {
  private readonly kept = new Map<string, Found>();

  /** Null once the same search would find another row. */
  find(question: string, now: number): Found | null {
    const found = this.kept.get(question);
    return found !== undefined && now >= found.at && now < found.until ? found : null;
  }

  keep(question: string, found: Found): void {
    this.kept.delete(question);
    this.kept.set(question, found);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT_SEARCHES && oldest !== undefined) this.kept.delete(oldest);
  }
}

/** Groups by count, the one seen last first among equals. */
export function answeredGroups(
  found: readonly SimRow[],
  zone: SimZone,
  groupBy: readonly ShieldDimension[],
): Group[] {
  const groups = new Map<string, Group>();
  for (const row of found) {
    const values = groupBy.map((name) => DIMENSIONS[name](row, zone));
    const id = idOf(values);
    const group = groups.get(id) ?? newGroup(groupBy, values, row);
    groups.set(id, group);
    group.count += 1;
    group.firstSeen = Math.min(group.firstSeen, row.t);
    group.lastSeen = Math.max(group.lastSeen, row.t);
    if (row.action !== null) group.context[row.action] += 1;
    group.features.add(row.rule?.feature ?? '');
    group.ruleIds.add(row.rule?.ruleId ?? '');
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || b.lastSeen - a.lastSeen);
}

/** A group being summed up: country and ASN of its context are those of its newest event. */
type Group = ReturnType<typeof newGroup>;

function newGroup(groupBy: readonly ShieldDimension[], values: readonly string[], { t, client }: SimRow) {
  return {
    key: Object.fromEntries(groupBy.map((name, i) => [name, values[i] as string])),
    count: 0,
    firstSeen: t,
    lastSeen: t,
    context: { country: client.country, asn: String(client.asn), blocked: 0, challenged: 0, logged: 0 },
    features: new Set<string>(),
    ruleIds: new Set<string>(),
  };
}
