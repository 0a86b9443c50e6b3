import type { LogRecord } from '../../src/domain/log.ts';
import type { LogBook } from '../../src/domain/logs/log-book.ts';
import { fc, runs } from '../support/properties.ts';

import { recordWith as row } from '../support/rows.ts';

export { row };

/** The rows among the items of the view. */
export function* rowsIn(book: LogBook) {
  for (const item of book.items())
    if (item.kind === 'row') yield { id: item.id, record: book.record(item.id), late: book.isLate(item.id) };
}

/** Inputs of each property. */
export const RUNS = runs(40);

const ofFew = (...values: (string | null)[]) => fc.constantFrom(...values);

/** Records of few values, so that ties, twins and shared codes come up; odd ones among them. */
export const anyRecord: fc.Arbitrary<LogRecord> = fc
  .record({
    timestamp: fc.integer({ min: 0, max: 40 }).map((t) => t * 250),
    requestId: fc.oneof(
      fc.integer({ min: 0, max: 30 }).map((n) => n.toString(16).padStart(32, '0')),
      fc.constantFrom(null, 'ABCDEF0123456789ABCDEF0123456789', 'not-an-id'),
    ),
    cacheStatus: fc.constantFrom('HIT', 'MISS', 'STALE', '-', 'NOVEL'),
    statusCode: fc.constantFrom(200, 304, 404, 502, 599, 600),
    bytesSent: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(2 ** 32 - 1, 2 ** 40)),
    host: fc.constantFrom('a.example', 'b.example', 'Ü.example'),
    path: fc.oneof(
      fc.constantFrom('/', '/login', '/login?next=1', '/Image.PNG', '/\ud800', '/日本語'),
      fc.integer({ min: 0, max: 500 }).map((n) => `/item/${n}?token=[masked]`),
    ),
    remoteIp: fc.constantFrom(null, '192.0.2.7', '192.0.2.8', '2001:db8::1', '10.0.0.*'),
    userAgent: fc.constantFrom(null, '', 'curl/8.5.0', 'Mozilla/5.0 (X11; Linux x86_64)'),
    asn: ofFew(null, '13335', '64500'),
    bodyBytesSent: fc.constantFrom(null, 0, 17, 2 ** 33),
    url: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      'https://a.example/login',
      '',
      'ftp://elsewhere/LOGIN',
    ),
    raw: ofFew(null, null, '{"broken"'),
  })
  .map(({ url, ...rest }) => (url === undefined ? row(rest) : row({ ...rest, url })));
