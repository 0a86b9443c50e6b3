import hostile from '../data/hostile-strings.json' with { type: 'json' };
import { fc, unicodeText } from '../support/properties.ts';

const HOSTILE = (hostile as { input?: string }[]).flatMap(({ input }) =>
  input !== undefined && input.length < 200 ? [input] : [],
);

const plain = fc.constantFrom('HIT', 'DE', 'curl/8.5.0', 'Mozilla/5.0 (X11; Linux x86_64)', '', '-');
const usualPath = fc.constantFrom('/', '/a/b?v=1', '/login?next=%2Fa', '/p', '/x@y');

/** What clients send that is not plain, and what attackers do. */
const odd = fc.oneof(
  fc.string({ maxLength: 20 }),
  unicodeText({ maxLength: 12 }),
  fc.constantFrom(...HOSTILE, '\\"', 'a|b', '/x?token=abc', '/bcdn_token=1/a', 'https://u:pw@h/'),
);

/** The first is packed, the others look like it. */
const IDS = [
  '0123456789abcdef0123456789abcdef',
  '0123456789ABCDEF0123456789abcdef',
  '0123456789abcdef0123456789abcdeg',
  '0123456789abcdef0123456789abcde',
  '0123456789abcdef/123456789abcdef',
  '0123456789abcdef:123456789abcdef',
  '0123456789abcdef`123456789abcdef',
];

const time = fc.integer({ min: 1_500_000_000_000, max: 1_900_000_000_000 });
const iso = time.map((ms) => new Date(ms).toISOString());
const oddTime = fc.oneof(
  iso.map((text) => text.replace('Z', '+00:00')),
  iso.map((text) => text.slice(0, 19)),
  iso.map((text) => text.replace(/\d\.\d+Z/, '9.5Z')),
  iso.map((text) => text.replace(/:\d\d\./, ':77.')),
  fc.constantFrom<unknown>(0, 1_785_578_400, '1785578400', 'soon', null),
);
const oddAmount = fc.constantFrom<unknown>(0, -1, 1.5, 1e21, 2 ** 53, 1000, '17', '007', '', 'x', null, true);
const anything = fc.oneof<fc.Arbitrary<unknown>[]>(odd, oddAmount, fc.constantFrom({}, [1], undefined));

const usual = fc.record({
  timestamp: fc.oneof<fc.Arbitrary<unknown>[]>(iso, time),
  pullZoneId: fc.oneof<fc.Arbitrary<unknown>[]>(fc.nat(), fc.constant('90071992547409931')),
  requestId: fc.constantFrom(null, ...IDS),
  cacheStatus: plain,
  statusCode: fc.constantFrom<unknown>(200, 404, 503, '200'),
  bytesSent: fc.nat(),
  edgeLocation: plain,
  scheme: fc.constantFrom('https', 'http'),
  host: fc.constantFrom('a.example', 'b.example'),
  path: usualPath,
  remoteIp: fc.option(plain),
  countryCode: fc.option(plain),
  userAgent: fc.option(plain),
  referer: fc.option(usualPath),
  ja4Fingerprint: fc.option(plain),
  asn: fc.option(fc.oneof<fc.Arbitrary<unknown>[]>(fc.nat(), fc.constant('64500'))),
  asnOrganization: fc.option(plain),
  bodyBytesSent: fc.option(fc.nat()),
  contentRange: fc.option(plain),
  authorizationHeader: fc.option(plain),
});

const change = fc.oneof(
  fc.tuple(fc.constantFrom('timestamp'), oddTime),
  fc.tuple(
    fc.constantFrom('url', 'path', 'referer', 'refererUrl', 'host', 'scheme'),
    fc.oneof(usualPath, odd),
  ),
  fc.tuple(fc.constantFrom('statusCode', 'bytesSent', 'bodyBytesSent', 'pullZoneId', 'asn'), oddAmount),
  fc.tuple(
    fc.constantFrom(
      'cacheStatus',
      'edgeLocation',
      'userAgent',
      'remoteIp',
      'requestId',
      'authorizationHeader',
    ),
    fc.oneof(odd, anything),
  ),
  fc.tuple(
    fc.constantFrom('somethingNew', 'userAgent', 'countryCode', 'contentRange', 'asn', 'host'),
    anything,
  ),
);

/** Entries near the documented shape: some as they should be, some with a few odd, missing or hostile fields. */
export const anyEntry: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(usual, fc.array(change, { maxLength: 3 }), fc.boolean())
  .map(([entry, changes, hasParts]) => {
    const url = `${entry.scheme}://${entry.host}${entry.path}`;
    const { scheme, host, path, ...rest } = entry;
    return { ...(hasParts ? entry : rest), url, ...Object.fromEntries(changes) };
  });

const usualLine = fc.tuple(
  fc.constantFrom('HIT', 'MISS', '-', ''),
  fc.constantFrom('200', '404', '7'),
  fc.oneof(time.map(String), fc.constant('1785578400')),
  fc.nat().map(String),
  fc.constantFrom('4711', '90071992547409931'),
  plain,
  fc.oneof(usualPath, fc.constant('-')),
  fc.oneof(
    usualPath.map((path) => `https://a.example${path}`),
    fc.constantFrom('c.example/#f', '://x', 'http://b.example?x', '-', '', 'a://b://c/d'),
  ),
  plain,
  fc.oneof(
    plain,
    fc.nat({ max: 70 }).map((length) => 'Mozilla/5.0 (Macintosh) '.repeat(3).slice(0, length)),
  ),
  fc.oneof(plain, fc.constantFrom(...IDS)),
  plain,
);

const oddPart = fc.oneof(
  odd,
  fc.constantFrom('', '-', '2000', 'x', '12', '1785578400.5', '12345678901234567890', '-5', '007', '512'),
);

/** Lines of v1 near the documented shape, some with three more parts. */
export const anyLineV1: fc.Arbitrary<string> = fc
  .tuple(
    usualLine,
    fc.oneof(fc.constant([]), fc.array(fc.constantFrom('-', '512', 'x'), { minLength: 3, maxLength: 3 })),
    fc.array(fc.tuple(fc.nat(15), oddPart), { maxLength: 2 }),
  )
  .map(([parts, more, changes]) => {
    const line = [...parts, ...more];
    for (const [at, part] of changes) line[at] = part;
    return line.join('|').replaceAll('\n', ' ');
  });
