import { shownIp } from './gangs.ts';
import { type Answered, type Asked, logError, text, wholeOf } from './http.ts';
import { asnOf, countryOf, entryText, ja4Of, refererOf, requestIdOf, uaOf } from './log-entry.ts';
import { ipOf } from './place.ts';
import { unmix } from './random.ts';
import { classOf, hostOf, LONGEST_DELAY, pathOf, type Row, secondMask } from './rows.ts';
import { DAY } from './setting.ts';
import { ALL, arrived, countOfSecond, rowsOfSecond, type Traffic } from './traffic.ts';

type Test = (row: Row) => boolean;
type Filter = { readonly tests: readonly Test[]; readonly after: readonly Test[]; readonly classes: number };

const words = (value: string | null): string[] =>
  (value ?? '')
    .split(',')
    .map((w) => w.trim())
    .filter((w) => w !== '');

function statusTest(list: readonly string[]): { test: Test; classes: number } | null {
  if (!list.every((w) => /^([1-5]\d\d|[1-5]xx)$/i.test(w))) return null;
  const codes = new Set(list.map((w) => w.toLowerCase()));
  const classes = list.reduce((bits, w) => bits | classOf(Number(w[0]) * 100), 0);
  return {
    classes,
    test: (row) => codes.has(String(row.status)) || codes.has(`${Math.floor(row.status / 100)}xx`),
  };
}

const prefixOf = (ip: string): string =>
  ip.includes(':') ? (ip.split('::')[0] as string) : ip.slice(0, ip.lastIndexOf('.'));

function filterOf(traffic: Traffic, query: URLSearchParams): Filter | string {
  const { zone, depth } = traffic;
  const tests: Test[] = [];
  const after: Test[] = [];
  let classes = ALL;
  const status = words(query.get('status'));
  if (status.length > 0) {
    const made = statusTest(status);
    if (made === null) return 'status must be codes or classes';
    classes = made.classes;
    tests.push(made.test);
  }
  const caches = new Set(words(query.get('cacheStatus')));
  if (caches.size > 0) tests.push((row) => caches.has(row.cache));
  const edge = query.get('edgeLocation');
  if (edge !== null && edge !== '') tests.push((row) => depth.place.edges[row.edge] === edge);
  const ip = query.get('remoteIp');
  if (ip !== null && ip !== '' && zone.traits.anonymous !== 1) {
    const wanted = zone.traits.anonymous === 0 ? prefixOf(ip) : ip;
    tests.push((row) => {
      const own = shownIp(zone, ipOf(row.crowd, row.client));
      return (zone.traits.anonymous === 0 ? prefixOf(own) : own) === wanted;
    });
  }
  const contains = (name: string, of: (row: Row) => string | null) => {
    const part = query.get(name)?.toLowerCase();
    if (part !== undefined && part !== '') tests.push((row) => (of(row) ?? '').toLowerCase().includes(part));
  };
  contains('urlContains', (row) => hostOf(zone, depth, row) + pathOf(depth, row));
  contains('userAgentContains', (row) => uaOf(row.crowd, row.client));
  contains('refererContains', (row) => refererOf(zone, row));
  const id = query.get('requestId')?.replaceAll('-', '').toLowerCase();
  if (id !== undefined && id !== '') {
    if (!/^[0-9a-f]{32}$/.test(id)) return 'requestId must be 32 hex digits';
    const second = (unmix(Number.parseInt(id.slice(0, 8), 16)) ^ secondMask) >>> 0;
    tests.push((row) => row.second === second && requestIdOf(zone, row) === id);
  }
  const countries = new Set(words(query.get('country')).map((w) => w.toUpperCase()));
  if (countries.size > 0) after.push((row) => countries.has(countryOf(row.crowd, row.client) ?? ''));
  const tokens = (query.get('search') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== '');
  if (tokens.length > 16 || tokens.some((w) => w.length > 128))
    return 'search takes 16 tokens of 128 characters';
  if (tokens.length > 0) {
    after.push((row) => {
      const { crowd, client } = row;
      const columns = [
        row.cache,
        row.status,
        hostOf(zone, depth, row) + pathOf(depth, row),
        uaOf(crowd, client),
      ];
      const all = [
        ...columns,
        refererOf(zone, row),
        ja4Of(crowd, client),
        asnOf(crowd, client),
        depth.place.edges[row.edge],
      ];
      const line = all.join('\n').toLowerCase();
      return tokens.some((w) => line.includes(w));
    });
  }
  return { tests, after, classes };
}

type Window = {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly offset: number;
  readonly asc: boolean;
};

/** From the asked end on, second by second, until there are enough: the rest of the window is never made. */
function pageOf(
  traffic: Traffic,
  filter: Filter,
  window: Window,
  now: number,
): { rows: Row[]; more: boolean } {
  const { from, to, limit, offset, asc } = window;
  const first = Math.floor(from / 1000);
  const last = Math.floor((Math.min(to, now) - 1) / 1000);
  const step = asc ? 1 : -1;
  const rows: Row[] = [];
  let skip = offset;
  for (let second = asc ? first : last; second >= first && second <= last; second += step) {
    const start = second * 1000;
    const whole = start >= from && start + 1000 <= to && now - start > LONGEST_DELAY + 1000;
    if (skip > 0 && whole && filter.tests.length === 0) {
      const count = countOfSecond(traffic, second);
      if (count <= skip) {
        skip -= count;
        continue;
      }
    }
    const list = rowsOfSecond(traffic, second, filter.classes);
    for (let i = asc ? 0 : list.length - 1; i >= 0 && i < list.length; i += step) {
      const row = list[i] as Row;
      if (!whole && (row.t < from || row.t >= to || !arrived(row, now))) continue;
      if (!filter.tests.every((test) => test(row))) continue;
      if (skip > 0) skip -= 1;
      else if (rows.length === limit) return { rows, more: true };
      else rows.push(row);
    }
  }
  return { rows, more: false };
}

function timeOf(value: string | null, usual: number): number | null {
  if (value === null || value === '') return usual;
  if (!/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/.test(value)) return null;
  const t = Date.parse(/T[\d:.]+$/.test(value) ? `${value}Z` : value);
  return Number.isNaN(t) ? null : t;
}

const invalid = (detail: string): Answered =>
  logError(400, 'invalid_request', 'The request is invalid.', [detail]);

export function answerLogs(traffic: Traffic, asked: Asked, now: number): Answered {
  const url = new URL(asked.path, 'http://x');
  const query = url.searchParams;
  const from = timeOf(query.get('from'), now - DAY);
  const to = timeOf(query.get('to'), now);
  if (from === null || to === null) return invalid('from and to must be ISO 8601 times');
  if (to <= from) return invalid('to must be after from');
  if (to - from > 3 * DAY) return invalid('the window must not be wider than 3 days');
  if (from < now - 3 * DAY) return invalid('from must be within the last 3 days');
  const limit = wholeOf(query.get('limit'), 1, 10_000, 100);
  const offset = wholeOf(query.get('offset'), 0, 2 ** 31, 0);
  if (limit === null || offset === null) return invalid('limit must be 1 to 10000 and offset 0 or more');
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') return invalid('order must be asc or desc');
  const filter = filterOf(traffic, query);
  if (typeof filter === 'string') return invalid(filter);
  const narrow = idWindow(query.get('requestId'), from, to);
  const { rows, more } = pageOf(traffic, filter, { ...narrow, limit, offset, asc: order === 'asc' }, now);
  const shown =
    filter.after.length === 0 ? rows : rows.filter((row) => filter.after.every((test) => test(row)));
  const data = shown.map((row) => entryText(traffic, row)).join(',');
  const said = {
    pullZoneId: traffic.zone.id,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    order,
  };
  const pagination = { offset, limit, returned: shown.length, hasMore: more };
  return text(
    200,
    `{"data":[${data}],"pagination":${JSON.stringify(pagination)},"query":${JSON.stringify(said)}}`,
  );
}

/** The second stands in the id, so no other needs to be looked at. */
function idWindow(id: string | null, from: number, to: number): { from: number; to: number } {
  if (id === null || id === '') return { from, to };
  const second = (unmix(Number.parseInt(id.slice(0, 8), 16)) ^ secondMask) >>> 0;
  return { from: Math.max(from, second * 1000), to: Math.min(to, second * 1000 + 1000) };
}
