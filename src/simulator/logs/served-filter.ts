import { keptNetwork, networksOverlap, parseAddress } from '../../domain/query/address.ts';
import type { SimZone } from '../account/account-zones.ts';
import { requestId, rowUrl, type SimRow } from '../traffic/rows.ts';

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

export function readLogFilter(q: URLSearchParams, zone: SimZone): WireFilter {
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
export function searchable(row: SimRow, zone: SimZone): string {
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
