// The platform with zones of one steady rate, as a process of its own. Arguments: how many zones, and the rows per second
// of each. Rows are a function of their time alone and cost next to nothing, so that what is measured is who reads them.
// Prints one line of JSON when it listens, ends with its standard input.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [zones = 1, rate = 1] = process.argv.slice(2).map(Number);
const FIRST_ID = 1001;
const MOST = 10_000;
const STATUSES = ['HIT', 'HIT', 'HIT', 'MISS', 'BYPASS'];

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const id = /^\/v2\/pullzones\/(\d+)\/logs$/.exec(url.pathname)?.[1];
  response.setHeader('content-type', 'application/json');
  if (id !== undefined) response.end(logs(Number(id), url.searchParams));
  else if (url.pathname === '/pullzone') response.end(zoneList());
  else response.end('{"data":[]}');
});

function zoneList(): string {
  const items = Array.from({ length: zones }, (_, at) => ({
    Id: FIRST_ID + at,
    Name: `zone-${at + 1}`,
    Enabled: true,
    Suspended: false,
    EnableLogging: true,
    LoggingIPAnonymizationEnabled: false,
    Hostnames: [],
  }));
  return JSON.stringify({ Items: items, CurrentPage: 1, TotalItems: zones, HasMoreItems: false });
}

/** Row `n` of a zone is of the time `n / rate`; none is of the future. */
function logs(id: number, query: URLSearchParams): string {
  const [from, to] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? '')) as [number, number];
  const limit = Math.min(MOST, Number(query.get('limit') ?? 100));
  const first = Math.ceil((from * rate) / 1000);
  const end = Math.ceil((Math.min(to, Date.now()) * rate) / 1000);
  const all = Math.max(0, end - first);
  const count = Math.min(limit, all);
  const isAscending = query.get('order') === 'asc';
  const rows = Array.from({ length: count }, (_, at) => row(id, isAscending ? first + at : end - 1 - at));
  const pagination = { offset: 0, limit, returned: count, hasMore: all > count };
  return `{"data":[${rows.join(',')}],"pagination":${JSON.stringify(pagination)}}`;
}

function row(id: number, n: number): string {
  const time = new Date(Math.floor((n * 1000) / rate)).toISOString();
  const requestId = `${id.toString(16).padStart(8, '0')}${n.toString(16).padStart(24, '0')}`;
  const path = `/items/${n % 997}/view?page=${n % 13}`;
  return (
    `{"timestamp":"${time}","pullZoneId":${id},"requestId":"${requestId}","cacheStatus":"${STATUSES[n % 5]}",` +
    `"statusCode":${n % 50 === 0 ? 503 : 200},"bytesSent":${500 + (n % 9000)},"edgeLocation":"FRA","scheme":"https",` +
    `"host":"zone.example","path":"${path}","url":"https://zone.example${path}","remoteIp":"192.0.2.${n % 250}",` +
    `"countryCode":"DE","userAgent":"Mozilla/5.0 (X11; Linux x86_64) number ${n % 60}","referer":null,` +
    `"ja4Fingerprint":null,"asn":64500,"asnOrganization":"Example"}`
  );
}

server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  console.log(
    JSON.stringify({
      baseUrl: url,
      loggingUrl: url,
      accessKey: 'key-of-the-bench',
      zone: Array.from({ length: zones }, (_, at) => `zone-${at + 1}`).join(','),
      zoneId: String(FIRST_ID),
    }),
  );
});
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
