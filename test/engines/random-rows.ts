import type { LogRecord } from '../../src/domain/log.ts';
import type { Rng } from '../../src/simulator/random.ts';
import { MASK } from '../../src/text/mask.ts';

/** The time of all rows: two UTC days, so that the parts of a table meet in the middle. */
export const SPAN = { from: Date.UTC(2026, 9, 1, 22), to: Date.UTC(2026, 9, 2, 2) };

/** By id, how their logs cut client addresses. */
export const ZONES = { '11': 'none', '12': 'none', '21': 'lastOctet', '31': 'drop' } as const;

/** Texts that engines may read in a way of their own, among ordinary ones. */
export const ODD = [
  "it's",
  '100%',
  'a_b',
  'axb',
  'back\\slash',
  'line\nend',
  'unit\x1fapart',
  'nul\0nul',
  '\u212aelvin',
  '\u0130stanbul',
  'stra\u00dfe',
  '\u03a3\u03a3',
  '\u017fharp',
  '\u{1f600}',
  'half \ud800 pair',
  '{p0:String}',
  '$1',
  '\\N',
  'NULL',
  '*',
  'K',
  'ki',
];

const PATHS = [
  '/',
  '/login',
  '/Login?next=1',
  '/login?next=1&page=2',
  '/login?next=1&page=3',
  '/reports/8123/export',
  '/reports/77/export?token=1',
  '/img/800x600/a.jpg',
  '/a%20b',
  '/ki',
  '?q=1',
  '',
];
const AGENTS = ['curl/8.1', 'Mozilla/5.0 (X11; Linux)', 'mozilla/5.0 (KHTML, like Gecko)', 'Kiwi/1 (iPhone)'];
export const ADDRESSES = [
  '192.0.2.7',
  '192.0.2.200',
  '192.0.2.0',
  '192.0.2.*',
  '192.0.*.*',
  '192.0.*',
  '10.1.2.3',
  '010.1.2.3',
  '2001:db8::1',
  '2001:DB8:0::1',
  '2001:db8:1:2::',
  '::ffff:192.0.2.7',
  '::',
  '::1',
  '0.0.0.0',
  '2001:db8::1:0:0:1',
  '2001:0:1::',
  '2001:0:0:1:0:0:0:1',
  '2001:db8:0:1:1:1:1:1',
  '1::',
  '10.*',
  'unknown',
  '192.0.2.0/24',
];

/** Random rows: of a few values each, so that questions find some; among them odd ones, rows without an id, and copies. */
export function randomRows(rng: Rng, count: number): LogRecord[] {
  const rows = Array.from({ length: count }, () => randomRow(rng));
  for (let copies = Math.floor(count / 20); copies > 0; copies--) {
    const row = rng.pick(rows);
    // As a source that knows less would have it.
    rows.push(rng.chance(0.5) ? row : { ...row, asn: null, asnOrganization: null, ja4Fingerprint: null });
  }
  return rows;
}

function randomRow(rng: Rng): LogRecord {
  const grain = rng.pick([1, 1000, 1_200_000]);
  const path = text(rng, PATHS);
  const [scheme, host] = [
    rng.pick(['https', 'http', 'HTTPS']),
    text(rng, ['www.example.com', 'cdn.Example.com']),
  ];
  const own = rng.pick([`${host}${path}`, '', `${scheme}://${host}`, text(rng, PATHS)]);
  return {
    // Many at one instant, so that pages end in the middle of it.
    timestamp: SPAN.from + rng.below((SPAN.to - SPAN.from) / grain) * grain,
    pullZoneId: rng.pick(Object.keys(ZONES)),
    requestId: rng.chance(0.05) ? null : rng.chance(0.05) ? text(rng, ['odd-id', 'ODD-ID']) : hex(rng),
    cacheStatus: rng.pick([
      'HIT',
      'HIT',
      'MISS',
      'BYPASS',
      'STALE',
      'UPDATING',
      'EXPIRED',
      '-',
      'hit',
      'Odd',
      '',
    ]),
    statusCode: rng.pick([200, 200, 206, 304, 404, 499, 500, 503, 600, 99, 0]),
    bytesSent: rng.pick([0, 1, 1000, 123_456, 2 ** 43, 2 ** 43 + 1, 2 ** 52, 1.5]),
    edgeLocation: rng.pick(['DE', 'de', 'NY', '']),
    scheme,
    host,
    path,
    url: rng.chance(0.1) ? own : `${scheme}://${host}${path}`,
    remoteIp: rng.chance(0.1) ? null : text(rng, ADDRESSES),
    countryCode: maybe(rng, ['DE', 'US', 'T1']),
    userAgent: maybe(rng, AGENTS),
    referer: maybe(rng, ['https://www.example.com/login', 'android-app://x']),
    ja4Fingerprint: maybe(rng, ['t13d1516h2_8daaf6152771', 't13d_K']),
    asn: maybe(rng, ['13335', 'AS13335', 'as64512', '0']),
    asnOrganization: maybe(rng, ['Hosting Ltd', 'hosting ltd', 'K\u00f6ln AG']),
    bodyBytesSent: rng.pick([null, 0, 17]),
    contentRange: maybe(rng, ['bytes 0-99/100']),
    authorizationHeader: rng.pick([null, null, MASK]),
    raw: rng.chance(0.03) ? text(rng, ['{"a":1}', 'not a row']) : null,
  };
}

function maybe(rng: Rng, values: readonly string[]): string | null {
  if (rng.chance(0.2)) return rng.pick([null, '']);
  return text(rng, values);
}

function text(rng: Rng, values: readonly string[]): string {
  const value = rng.pick(values);
  if (rng.chance(0.7)) return value;
  return rng.pick([rng.pick(ODD), `${value}${rng.pick(ODD)}`, `${rng.pick(ODD)}${value}`]);
}

function hex(rng: Rng): string {
  const digits = Array.from({ length: 4 }, () => rng.next().toString(16).padStart(8, '0')).join('');
  return rng.chance(0.05) ? digits.toUpperCase() : digits;
}
