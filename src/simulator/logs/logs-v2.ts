import { keptNetwork, networksOverlap, parseAddress } from '../../domain/query/address.ts';
import { DAY } from '../../text/units.ts';
import type { SimZone } from '../account/account-zones.ts';
import {
  dayOfPath,
  type Exchange,
  instantOf,
  integer,
  loggingError,
  type ServedAnswer,
} from '../http/answers.ts';
import { isoTime, requestId, rowJson, rowUrl, type SimRow, secondOfRequestId } from '../traffic/rows.ts';
import type { World } from '../world.ts';
import { scan } from './scan.ts';

export const RETENTION = 3 * DAY;

/** GET /v2/pullzones/{id}/logs. */
export async function readLogs(call: Exchange, world: World, zone: SimZone): Promise<ServedAnswer> {
  const q = call.url.searchParams;
  const filter = readLogFilter(q, zone);
  const { problems } = filter;
  const to = instant(q.get('to'), 'to', call.now, problems);
  const from = instant(q.get('from'), 'from', Math.min(to, call.now) - DAY, problems);
  if (from >= to) problems.push('from: must be before to.');
  if (to - from > RETENTION) problems.push('to: must be within 3 days of from.');
  if (from < call.now - RETENTION || to < call.now - RETENTION)
    problems.push('from: must be within the last 3 days.');
  const limit = integer(q.get('limit'), 100, 1, 10_000);
  if (limit === null) problems.push('limit: must be between 1 and 10000.');
  const offset = integer(q.get('offset'), 0, 0, 2_147_483_647);
  if (offset === null) problems.push('offset: must be 0 or more.');
  const order = q.get('order')?.toLowerCase() ?? 'desc';
  if (order !== 'asc' && order !== 'desc') problems.push("order: must be 'asc' or 'desc'.");
  if (problems.length > 0 || limit === null || offset === null || (order !== 'asc' && order !== 'desc')) {
    return loggingError(400, 'invalid_request', 'The request is not valid.', problems);
  }

  const window = narrow({ from, to }, filter.requestId, zone);
  const page: SimRow[] = [];
  let skipped = 0;
  let hasMore = false;
  await scan(world.traffic, zone, { ...window, order }, call.now, (row) => {
    if (!filter.before.every((test) => test(row))) return true;
    if (skipped < offset) {
      skipped += 1;
      return true;
    }
    if (page.length === limit) {
      hasMore = true;
      return false;
    }
    page.push(row);
    return true;
  });
  const shown =
    filter.after.length === 0 ? page : page.filter((row) => filter.after.every((test) => test(row)));
  const pagination = JSON.stringify({ offset, limit, returned: shown.length, hasMore });
  const query = JSON.stringify({ pullZoneId: zone.id, from: isoTime(from), to: isoTime(to), order });
  const data = shown.map((row) => rowJson(row, zone)).join(',');
  return {
    status: 200,
    type: 'application/json; charset=utf-8',
    body: `{"data":[${data}],"pagination":${pagination},"query":${query}}`,
  };
}

/** A request id has its second in it; nobody's id has an empty window. */
function narrow(
  range: { from: number; to: number },
  id: string | null,
  zone: SimZone,
): { from: number; to: number } {
  if (id === null) return range;
  const second = secondOfRequestId(id, zone);
  if (second === null) return { from: 0, to: 0 };
  return { from: Math.max(range.from, second * 1000), to: Math.min(range.to, second * 1000 + 1000) };
}

function instant(text: string | null, name: string, fallback: number, problems: string[]): number {
  if (text === null || text === '') return fallback;
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);
  const time = isIso ? instantOf(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  problems.push(`${name}: '${text}' is not an ISO 8601 time.`);
  return fallback;
}

const MINUTES_A_DAY = 24 * 60;
/** Lines gathered for one write to the socket. */
const BATCH = 512;

/** GET /{MM}-{dd}-{yy}/{id}.log: one UTC day as pipe-delimited lines. */
export function readDayLog(call: Exchange, world: World, zone: SimZone): ServedAnswer {
  const [month, day, year] = call.params as [string, string, string];
  const from = dayOfPath(`${month}-${day}-20${year}`);
  if (from === null)
    return loggingError(400, 'invalid_request', 'The date is not valid.', ['date: no such day.']);
  if (from > call.now || from + DAY <= call.now - RETENTION)
    return loggingError(404, 'not_found', 'There is no log for this day.');
  const q = call.url.searchParams;
  const order = orderOf(q.get('sort')) ?? 'desc';
  const classes = new Set((q.get('status') || '2,3,4,5').split(',').map((digit) => Number(digit.trim()[0])));
  const tokens = (q.get('search') ?? '').toLowerCase().split(' ').filter(Boolean);
  const first = Number(q.get('start') ?? 0) || 0;
  const end = Number(q.get('end') ?? 0) || Number.POSITIVE_INFINITY;
  const isWanted = (row: SimRow) =>
    !row.isOriginShield &&
    classes.has(Math.floor(row.status / 100)) &&
    (tokens.length === 0 || tokens.some((token) => searchable(row, zone).toLowerCase().includes(token)));
  const headers: Record<string, string> =
    q.get('download')?.toLowerCase() === 'true'
      ? { 'content-disposition': `attachment; filename="${month}-${day}-${year}-${zone.id}.log"` }
      : {};
  return { status: 200, type: 'text/plain; charset=utf-8', headers, body: lines(from) };

  async function* lines(midnight: number): AsyncIterable<string> {
    let number = 0;
    for (let n = 0; n < MINUTES_A_DAY && number < end; n++) {
      const minute = midnight + (order === 'asc' ? n : MINUTES_A_DAY - 1 - n) * 60_000;
      if (minute > call.now || minute + 60_000 <= call.now - RETENTION) continue;
      let batch: string[] = [];
      const ready: string[] = [];
      await scan(
        world.traffic,
        zone,
        { from: Math.max(minute, call.now - RETENTION), to: minute + 60_000, order },
        call.now,
        (row) => {
          if (!isWanted(row)) return true;
          number += 1;
          if (number > first) batch.push(dayLine(row, zone));
          if (batch.length === BATCH) {
            ready.push(batch.join(''));
            batch = [];
          }
          return number < end;
        },
      );
      yield* ready;
      if (batch.length > 0) yield batch.join('');
    }
  }
}

function orderOf(text: string | null): 'asc' | 'desc' | null {
  const word = text?.toLowerCase();
  return word === 'asc' || word === 'desc' ? word : null;
}

/** Nothing escapes: a bar or a line break in a client's field is dropped. */
export function dayLine(row: SimRow, zone: SimZone): string {
  const fields: (string | number | null)[] = [
    row.cache,
    row.status,
    row.t,
    row.bytes,
    zone.id,
    row.client.loggedIp,
    bare(row.referer),
    bare(rowUrl(row)),
    row.client.edge,
    bare(row.client.ua),
    requestId(row, zone),
    row.client.country || null,
  ];
  if (zone.extendedLines) fields.push(row.bodyBytes, row.range, row.authorization);
  return `${fields.map((field) => field ?? '-').join('|')}\n`;
}

function bare(text: string | null): string | null {
  return text?.replace(/[|\r\n]/g, '') ?? null;
}

type WireTest = (row: SimRow) => boolean;

/** What logs v2 filters by; `after` acts on the fetched page only and shortens it. */
type WireFilter = {
  before: WireTest[];
  after: WireTest[];
  requestId: string | null;
  problems: string[];
};

const MOST_TOKENS = 16;
const LONGEST_TOKEN = 128;

function readLogFilter(q: URLSearchParams, zone: SimZone): WireFilter {
  const filter: WireFilter = { before: [], after: [], requestId: null, problems: [] };
  const { before, after, problems } = filter;
  const text = (name: string): string | null => q.get(name) || null;

  const status = text('status');
  if (status !== null) {
    const tokens = list(status);
    const bad = tokens.find((token) => !/^([1-5]xx|[1-5]\d\d)$/i.test(token));
    if (bad !== undefined)
      problems.push(`status: '${bad}' is neither a status code nor a class such as 5xx.`);
    const codes = new Set(tokens.map(Number));
    const classes = new Set(tokens.filter((token) => /xx$/i.test(token)).map((token) => Number(token[0])));
    before.push((row) => codes.has(row.status) || classes.has(Math.floor(row.status / 100)));
  }
  const cache = text('cacheStatus');
  if (cache !== null) {
    const words = new Set(list(cache));
    before.push((row) => words.has(row.cache));
  }
  const edge = text('edgeLocation');
  if (edge !== null) before.push((row) => row.client.edge === edge);
  const ip = text('remoteIp');
  if (ip !== null && zone.anonymity !== 'drop') {
    const address = parseAddress(ip);
    if (address === null) problems.push(`remoteIp: '${ip}' is not an IP address.`);
    else if (zone.anonymity === 'lastOctet') {
      const network = keptNetwork(address);
      before.push((row) => {
        const client = parseAddress(row.client.ip);
        return client !== null && networksOverlap(client, network);
      });
    } else before.push((row) => row.client.ip === ip);
  }
  for (const [name, column] of CONTAINS) {
    const needle = text(name)?.toLowerCase();
    if (needle !== undefined) before.push((row) => column(row)?.toLowerCase().includes(needle) ?? false);
  }
  const id = text('requestId');
  if (id !== null) {
    const digits = id.replaceAll('-', '').toLowerCase();
    if (!/^[0-9a-f]{32}$/.test(digits)) problems.push('requestId: must be 32 hexadecimal digits.');
    else {
      filter.requestId = digits;
      before.push((row) => requestId(row, zone) === digits);
    }
  }
  if (q.get('includeOriginShield')?.toLowerCase() !== 'true') before.push((row) => !row.isOriginShield);
  const country = text('country');
  if (country !== null) {
    const codes = new Set(list(country).map((code) => code.toUpperCase()));
    after.push((row) => codes.has(row.client.country));
  }
  const search = text('search');
  if (search !== null) {
    const tokens = search.toLowerCase().split(' ').filter(Boolean);
    if (tokens.length > MOST_TOKENS) problems.push(`search: at most ${MOST_TOKENS} tokens are allowed.`);
    if (tokens.some((token) => token.length > LONGEST_TOKEN))
      problems.push(`search: a token may have at most ${LONGEST_TOKEN} characters.`);
    after.push((row) => {
      const columns = searchable(row, zone).toLowerCase();
      return tokens.some((token) => columns.includes(token));
    });
  }
  return filter;
}

const CONTAINS: readonly (readonly [string, (row: SimRow) => string | null])[] = [
  ['urlContains', (row) => row.host + row.path],
  ['userAgentContains', (row) => row.client.ua],
  ['refererContains', (row) => row.referer],
];

/** Every text column but the address and the country. */
function searchable(row: SimRow, zone: SimZone): string {
  const { ua, ja4, organization, edge } = row.client;
  return [
    rowUrl(row),
    ua,
    row.referer,
    ja4,
    organization,
    edge,
    row.cache,
    row.status,
    requestId(row, zone),
  ].join('\n');
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
