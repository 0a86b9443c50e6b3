import { BlockList, isIP } from 'node:net';
import { type Answered, type Asked, json, problem } from './http.ts';
import { asnOf, countryOf, ja4Of, requestIdOf, uaOf } from './log-entry.ts';
import { ipOf } from './place.ts';
import { hash, uuidOf } from './random.ts';
import { hostOf, pathOf, type Row } from './rows.ts';
import { DAY } from './setting.ts';
import { ALL, arrived, rowsOfSecond, type Traffic } from './traffic.ts';

const DIMENSIONS = ['feature', 'ruleId', 'ip', 'ja4', 'ua', 'url', 'asn', 'country', 'action'] as const;
type Dimension = (typeof DIMENSIONS)[number];
type Clause = { field: Dimension; op: string; value: string[] };
type Body = {
  from: number;
  to: number;
  query?: string | null;
  filters?: Clause[] | null;
  groupBy?: Dimension[] | null;
  page?: number | null;
  pageSize?: number | null;
  buckets?: number | null;
};

const PROPERTIES = ['from', 'to', 'query', 'filters', 'groupBy', 'page', 'pageSize', 'buckets'];

function dimensionOf(traffic: Traffic, row: Row, field: Dimension): string | null {
  const { crowd, client } = row;
  if (field === 'feature') return row.rule?.feature ?? null;
  if (field === 'ruleId') return row.rule?.id ?? null;
  if (field === 'ip') return ipOf(crowd, client);
  if (field === 'ja4') return ja4Of(crowd, client);
  if (field === 'ua') return uaOf(crowd, client);
  if (field === 'url')
    return `https://${hostOf(traffic.zone, traffic.depth, row)}${pathOf(traffic.depth, row)}`;
  if (field === 'country') return countryOf(crowd, client);
  if (field === 'action') return row.action;
  const asn = asnOf(crowd, client);
  return asn === null ? null : String(asn);
}

function inNetwork(list: readonly string[]): (ip: string) => boolean {
  const block = new BlockList();
  for (const text of list) {
    const [net = '', bits] = text.split('/');
    const family = isIP(net);
    if (family !== 0)
      block.addSubnet(net, Number(bits ?? (family === 4 ? 32 : 128)), family === 4 ? 'ipv4' : 'ipv6');
  }
  return (ip) => block.check(ip, isIP(ip) === 4 ? 'ipv4' : 'ipv6');
}

function clauseTest(clause: Clause): (value: string) => boolean {
  const { op, value } = clause;
  const lower = value.map((v) => v.toLowerCase());
  if (op === 'contains') return (v) => lower.some((w) => v.toLowerCase().includes(w));
  if (op === 'cidr') return inNetwork(value);
  if (op === 'wildcard') {
    const patterns = value.map(
      (v) =>
        new RegExp(
          `^${v
            .split('*')
            .map((p) => RegExp.escape(p))
            .join('.*')}$`,
          'is',
        ),
    );
    return (v) => patterns.some((p) => p.test(v));
  }
  return (v) => value.includes(v);
}

/** What is wrong with a request, or nothing. */
function wrongIn(body: Record<string, unknown>, now: number): string | null {
  const extra = Object.keys(body).find((name) => !PROPERTIES.includes(name));
  if (extra !== undefined) return `The property ${extra} is not known.`;
  const { from, to, groupBy, filters, buckets } = body as Partial<Body>;
  if (!Number.isInteger(from) || !Number.isInteger(to)) return 'from and to are required.';
  if ((to as number) <= (from as number)) return 'to must be after from.';
  if ((from as number) < now - 3 * DAY) return 'The window must lie within the last 72 hours.';
  const dimension = (f: unknown) => DIMENSIONS.includes(f as Dimension);
  if (groupBy != null && (!Array.isArray(groupBy) || !groupBy.every(dimension)))
    return 'groupBy has an unknown dimension.';
  if (buckets != null && (!Number.isInteger(buckets) || buckets < 1 || buckets > 500))
    return 'buckets must be 1 to 500.';
  if (filters != null && !Array.isArray(filters)) return 'filters must be a list.';
  for (const f of filters ?? []) {
    if (!dimension(f?.field)) return 'A filter has an unknown field.';
    if (!['eq', 'in', 'contains', 'cidr', 'wildcard'].includes(f.op)) return 'A filter has an unknown op.';
    if (f.op === 'cidr' && f.field !== 'ip') return 'cidr is for ip only.';
    if (!Array.isArray(f.value) || !f.value.every((v) => typeof v === 'string'))
      return 'A value must be a list of texts.';
  }
  return null;
}

function eventsOf(traffic: Traffic, body: Body, now: number): Row[] {
  const clauses = (body.filters ?? []).map((c) => ({ field: c.field, test: clauseTest(c) }));
  const words = body.query?.toLowerCase() ?? '';
  const found: Row[] = [];
  const last = Math.floor((Math.min(body.to, now) - 1) / 1000);
  for (let second = Math.floor(body.from / 1000); second <= last; second += 1) {
    for (const row of rowsOfSecond(traffic, second, ALL, true)) {
      if (row.rule === null || row.t < body.from || row.t >= body.to || !arrived(row, now)) continue;
      const met = clauses.every(({ field, test }) => {
        const value = dimensionOf(traffic, row, field);
        return value !== null && test(value);
      });
      if (!met) continue;
      if (words !== '') {
        const line = [
          ...(['ip', 'ruleId', 'url', 'ua'] as const).map((f) => dimensionOf(traffic, row, f)),
          row.rule.name,
        ];
        if (!line.join('\n').toLowerCase().includes(words)) continue;
      }
      found.push(row);
    }
  }
  return found;
}

function rowText(traffic: Traffic, row: Row): Record<string, unknown> {
  const fields = Object.fromEntries(DIMENSIONS.map((d) => [d, dimensionOf(traffic, row, d)]));
  const log = {
    ServerZoneId: traffic.depth.place.edges[row.edge],
    Message: row.rule?.name,
    Url: fields['url'],
    RemoteIp: fields['ip'],
    UrlEncodedBody: '',
    Headers: [
      { Name: 'User-Agent', Value: fields['ua'] ?? '' },
      { Name: 'CDN-RequestId', Value: requestIdOf(traffic.zone, row) },
    ],
    TriggerMatch: { Key: '@rx', Value: 'REQUEST_URI' },
  };
  return {
    logId: uuidOf(row.key ^ row.second),
    timestamp: row.t,
    log: row.key % 11 === 0 ? null : log,
    fields,
  };
}

type Group = { key: Record<string, string>; rows: Row[] };

function groupText(group: Group, body: Body, traffic: Traffic): Record<string, unknown> {
  const { key, rows } = group;
  const [first] = rows as [Row];
  const many = (of: (row: Row) => string) => [...new Set(rows.map(of))].sort().join(',');
  const acted = (action: string) => rows.filter((row) => row.action === action).length;
  const out: Record<string, unknown> = {
    key,
    count: rows.length,
    firstSeen: first.t,
    lastSeen: rows.at(-1)?.t,
    context: {
      country: countryOf(first.crowd, first.client),
      asn: dimensionOf(traffic, first, 'asn'),
      blocked: acted('blocked'),
      challenged: acted('challenged'),
      logged: acted('logged'),
      features: many((row) => row.rule?.feature ?? ''),
      ruleIds: many((row) => row.rule?.id ?? ''),
    },
  };
  if (body.buckets != null) {
    const counts = new Array<number>(body.buckets).fill(0);
    const width = (body.to - body.from) / body.buckets;
    for (const row of rows) {
      const i = Math.min(counts.length - 1, Math.floor((row.t - body.from) / width));
      counts[i] = (counts[i] as number) + 1;
    }
    out['sparkline'] = counts;
  }
  return out;
}

function groupsOf(traffic: Traffic, rows: readonly Row[], dimensions: readonly Dimension[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const values = dimensions.map((d) => dimensionOf(traffic, row, d) ?? '');
    const name = values.join('\0');
    const known = groups.get(name);
    if (known !== undefined) known.rows.push(row);
    else
      groups.set(name, {
        key: Object.fromEntries(dimensions.map((d, i) => [d, values[i] as string])),
        rows: [row],
      });
  }
  return [...groups.values()].sort((a, b) => b.rows.length - a.rows.length);
}

export function answerSearch(traffic: Traffic, asked: Asked, now: number): Answered {
  let body: Body;
  try {
    body = JSON.parse(asked.body ?? '') as Body;
  } catch {
    return problem(400, 'Bad Request', 'The body is not JSON.');
  }
  const wrong = typeof body !== 'object' || body === null ? 'The body is not an object.' : wrongIn(body, now);
  if (wrong !== null) return problem(400, 'Bad Request', wrong);
  const size = Math.min(500, Math.max(1, body.pageSize || 50));
  const page = Math.max(0, body.page ?? 0);
  const events = eventsOf(traffic, body, now);
  const success = { statusCode: 0, success: false, message: null, errorKey: null };
  const errorResponse = hash(traffic.zone.seed, 41) % 2 === 0 ? null : success;
  const start = page * size;
  if (body.groupBy == null || body.groupBy.length === 0) {
    events.reverse();
    const rows = events.slice(start, start + size).map((row) => rowText(traffic, row));
    const totalPages = Math.ceil(events.length / size);
    return json(200, { rows, groups: null, total: events.length, totalPages, page, errorResponse });
  }
  const all = groupsOf(traffic, events, body.groupBy);
  const groups = all.slice(start, start + size).map((group) => groupText(group, body, traffic));
  return json(200, {
    rows: null,
    groups,
    total: all.length,
    totalPages: Math.ceil(all.length / size),
    page,
    errorResponse,
  });
}
