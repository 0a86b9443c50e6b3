import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { NO_CAUSES } from '../../src/domain/origin-cause.ts';
import { isCauseTerm } from '../../src/domain/query/cause-terms.ts';
import { LOG_FIELDS } from '../../src/domain/query/fields.ts';
import { compileTerm, matcher, shieldMatcher, termMatcher } from '../../src/domain/query/match.ts';
import {
  isNarrower,
  placeTerms,
  type ServerLogFilter,
  splitForServer,
} from '../../src/domain/query/push-down.ts';
import { EMPTY_QUERY, type Query, type QuerySubject, type Term } from '../../src/domain/query/query.ts';
import { parseQuery, printQuery } from '../../src/domain/query/query-text.ts';
import type { Anonymisation } from '../../src/domain/zone.ts';
import { fc } from '../support/properties.ts';
import { recordWith } from '../support/rows.ts';
import { zoneOf } from '../support/state.ts';
import { NOW, queryArb, RUNS, recordArb } from './query-cases.ts';

function parsed(text: string, subject: QuerySubject = 'logs'): Query {
  const result = parseQuery(text, subject, NOW);
  assert.ok(result.ok, `${text}: ${result.ok ? '' : result.error.message}`);
  return result.query;
}

function matches(text: string, part: Partial<LogRecord>, anonymisation?: Anonymisation): boolean {
  return matcher(parsed(text).terms, anonymisation)(recordWith(part));
}

/** The documented rules of CDN logs v2 in the plainest words, apart from the code under test. */
function serverSelects(filter: ServerLogFilter, r: LogRecord): boolean {
  const has = (text: string | null, part: string) =>
    text?.toUpperCase().includes(part.toUpperCase()) ?? false;
  const status = String(r.statusCode).padStart(3, '0');
  if (
    filter.status &&
    !filter.status
      .join(',')
      .split(',')
      .some((s) => (s.endsWith('xx') ? status[0] === s[0] : status === s))
  )
    return false;
  if (filter.cacheStatus && !filter.cacheStatus.join(',').split(',').includes(r.cacheStatus)) return false;
  if (filter.edgeLocation !== undefined && r.edgeLocation !== filter.edgeLocation) return false;
  if (filter.remoteIp !== undefined && r.remoteIp !== filter.remoteIp) return false;
  if (filter.urlContains !== undefined && !has(r.host + r.path, filter.urlContains)) return false;
  if (filter.userAgentContains !== undefined && !has(r.userAgent, filter.userAgentContains)) return false;
  if (filter.refererContains !== undefined && !has(r.referer, filter.refererContains)) return false;
  return filter.requestId === undefined || r.requestId === filter.requestId.replaceAll('-', '').toLowerCase();
}

/** A zone that does not anonymise logs IPv4 clients as whole dotted addresses. */
function isPlausible(record: LogRecord, kind: Anonymisation): boolean {
  return kind !== 'none' || !/\*|::ffff:/.test(record.remoteIp ?? '');
}

describe('what a query matches', () => {
  test('an excluded term matches what the term does not, rows without the value too', () => {
    fc.assert(
      fc.property(queryArb('logs'), recordArb, (query, record) => {
        for (const term of query.terms) {
          assert.notEqual(
            termMatcher(term)(record),
            termMatcher({ ...term, negated: !term.negated })(record),
          );
        }
      }),
      { numRuns: RUNS },
    );
    assert.ok(matches('-ip:192.0.2.7', { remoteIp: null }));
  });

  test('an edge in capitals is exact, in small letters any case', () => {
    assert.ok(!matches('edge:DE', { edgeLocation: 'de' }));
    assert.ok(matches('edge:de', { edgeLocation: 'DE' }));
  });

  test('a star is any run, also several and at both ends', () => {
    assert.ok(matches('path:*b*d', { path: '/abcd' }));
    assert.ok(!matches('path:*b*d', { path: '/abcde' }));
    assert.ok(!matches('path:/ab*bc', { path: '/abc' }), 'the two ends must not share a letter');
    assert.ok(matches('path:/a**', { path: '/a' }));
    const stars = `path:${'*a'.repeat(40)}*`;
    assert.ok(!matches(stars, { path: `/${'a'.repeat(39)}${'b'.repeat(100_000)}` }));
  });

  test('the empty value finds what is absent, a lone star what is present', () => {
    for (const [userAgent, absent] of [
      [null, true],
      ['', true],
      ['curl', false],
    ] as const) {
      assert.equal(matches('ua:""', { userAgent }), absent);
      assert.equal(matches('ua:*', { userAgent }), !absent);
      assert.equal(matches('ua:"",curl', { userAgent }), true);
    }
    assert.ok(matches('country:"",US', { countryCode: null }));
  });

  test('a URL is held against the part that its form names', () => {
    const part = { host: 'www.example.com', path: '/login?to=https://evil.example/' };
    for (const text of [
      'url:/login*',
      'url:www.example.com/login*',
      'url:https://www*',
      'url:*evil*',
      'url~example.com/log',
    ]) {
      assert.ok(matches(text, part), text);
    }
    assert.ok(!matches('url~https://www', part), 'the scheme is no part of what url~ looks into');
    assert.ok(!matches('url:/evil*', part));
  });

  test('amounts are compared as numbers', () => {
    assert.ok(matches('bytes:>1k', { bytesSent: 1001 }));
    assert.ok(!matches('bytes:>1k', { bytesSent: 1000 }));
    assert.ok(matches('bytes:1k..2k', { bytesSent: 2000 }));
    assert.ok(matches('bytes:0,<=5', { bytesSent: 5 }));
  });

  test('an AS number matches with and without its letters', () => {
    assert.ok(matches('asn:13335', { asn: 'AS13335' }));
    assert.ok(matches('asn:AS13335', { asn: '13335' }));
  });

  test('free text looks into every text column, address and country included, and keeps its spaces', () => {
    const part = {
      remoteIp: '192.0.2.7',
      userAgent: 'a union  select b',
      asnOrganization: 'Example Hosting',
    };
    for (const text of ['192.0.2', '"UNION  select"', 'hosting', 'www.example'])
      assert.ok(matches(text, part), text);
    assert.ok(!matches('"union select"', part));
    assert.ok(!matches('-hosting', part));
    assert.ok(matches('broken', { raw: '{"broken":1}' }));
  });

  test('an address matches by its value, not by its spelling', () => {
    assert.ok(matches('ip:2001:db8::1', { remoteIp: '2001:0DB8:0:0::0001' }));
    assert.ok(matches('ip:10.0.0.0/8', { remoteIp: '::ffff:10.1.2.3' }));
    assert.ok(matches('ip:2001:db8::/32,192.0.2.7', { remoteIp: '192.0.2.7' }));
    assert.ok(!matches('ip:10.0.0.0/8', { remoteIp: '11.0.0.1' }));
    assert.ok(!matches('ip:0.0.0.0/0', { remoteIp: '2001:db8::1' }));
    assert.ok(matches('ip:192.0.2.*', { remoteIp: '192.0.2.9' }));
    assert.ok(!matches('ip:10.0.0.0/8', { remoteIp: 'unknown' }));
  });

  test('an address that lost its last octet matches when it may be the one asked for', () => {
    assert.ok(matches('ip:1.2.3.4', { remoteIp: '1.2.3.*' }), 'the form says it');
    assert.ok(
      !matches('ip:1.2.3.4', { remoteIp: '1.2.3.0' }),
      'nothing says that this is not the whole address',
    );
    assert.ok(matches('ip:1.2.3.4', { remoteIp: '1.2.3.0' }, 'lastOctet'));
    assert.ok(!matches('ip:1.2.4.4', { remoteIp: '1.2.3.0' }, 'lastOctet'));
    assert.ok(matches('ip:1.2.3.64/26', { remoteIp: '1.2.3.0' }, 'lastOctet'));
    assert.ok(matches('ip:2001:db8:1:2::9', { remoteIp: '2001:db8:1:2::' }, 'lastOctet'));
    assert.ok(!matches('-ip:1.2.3.4', { remoteIp: '1.2.3.0' }, 'lastOctet'), 'exclusion is the complement');
  });

  test('a value taken from a row finds that row, whatever it is', () => {
    fc.assert(
      fc.property(recordArb, fc.constantFrom(...Object.keys(LOG_FIELDS)), (record, id) => {
        // The documented cache words come in capitals; `hit` in a query means the documented word.
        fc.pre(record.cacheStatus !== 'hit');
        const field = LOG_FIELDS[id as keyof typeof LOG_FIELDS];
        const value = field.get(record, NO_CAUSES);
        const term = {
          kind: 'field',
          field: id,
          op: 'eq',
          values: [String(value ?? '')],
          negated: false,
        } as const;
        assert.ok(termMatcher(term)(record));
        const line = printQuery({ ...EMPTY_QUERY, terms: [term] });
        assert.ok(matcher(parsed(line).terms)(record), line);
      }),
      { numRuns: RUNS },
    );
  });

  test('a compiled term asked once per value says the same as the record matcher', () => {
    fc.assert(
      fc.property(queryArb('logs'), recordArb, (query, record) => {
        const whole = query.terms.every((term) => {
          const { fields, isTold, test: holds, negated } = compileTerm(term);
          // Nothing is told here besides the row.
          return (isTold ? holds(null) : fields.some((field) => holds(record[field]))) !== negated;
        });
        assert.equal(matcher(query.terms)(record), whole);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the part that the server does', () => {
  test('server and local terms together select exactly what the query selects', () => {
    const anonymisations = fc.constantFrom<Anonymisation>('none', 'lastOctet', 'drop');
    fc.assert(
      fc.property(
        queryArb('logs'),
        fc.array(recordArb, { maxLength: 12 }),
        anonymisations,
        (query, records, kind) => {
          const { server, local } = splitForServer(query, zoneOf('4711', 'shop', { anonymisation: kind }));
          const rest = matcher(local, kind);
          const whole = matcher(query.terms, kind);
          for (const record of records) {
            if (!isPlausible(record, kind)) continue;
            assert.equal(serverSelects(server, record) && rest(record), whole(record), printQuery(query));
          }
        },
      ),
      { numRuns: RUNS * 3 },
    );
  });

  test('takes status, cache, one edge, one address, one substring each and the request id', () => {
    const id = '0123456789abcdef0123456789abcdef';
    const line = `status:404,5xx cache:MISS,HIT edge:DE ip:192.0.2.7 url~/login ua~curl referer~example id:${id}`;
    assert.deepEqual(splitForServer(parsed(line), zoneOf('4711', 'shop')), {
      server: {
        status: ['404', '5xx'],
        cacheStatus: ['MISS', 'HIT'],
        edgeLocation: 'DE',
        remoteIp: '192.0.2.7',
        urlContains: '/login',
        userAgentContains: 'curl',
        refererContains: 'example',
        requestId: id,
      },
      local: [],
    });
  });

  test('leaves everything here that it would not decide as we do', () => {
    const lines = [
      '-status:404',
      'country:DE',
      'curl',
      'ip:10.0.0.0/8',
      'ip:192.0.2.*',
      'ip:192.0.2.7,192.0.2.8',
      'ip:2001:db8::1',
      'edge:DE,NY',
      'edge:de',
      'ua~curl,wget',
      'ua~é',
      'ua:""',
      'path~a',
      'ja4:t13',
      'asn:1',
      'bytes:>1',
      'cache:"a,b"',
    ];
    for (const line of lines) {
      const { server, local } = splitForServer(parsed(line), zoneOf('4711', 'shop'));
      assert.deepEqual([server, local.length], [{}, 1], line);
    }
    for (const kind of ['lastOctet', 'drop'] as const) {
      assert.deepEqual(
        splitForServer(parsed('ip:192.0.2.7'), zoneOf('4711', 'shop', { anonymisation: kind })).server,
        {},
        kind,
      );
    }
  });

  test('gives a parameter to the first term that wants it and says so of the second', () => {
    const placed = placeTerms(parsed('ua~curl ua~8.4').terms, zoneOf('4711', 'shop'));
    assert.deepEqual(
      placed.map(({ runs }) => runs),
      ['server', 'local'],
    );
    assert.match(placed[1]?.why ?? '', /another term/);
  });
});

describe('a narrower server filter', () => {
  test('selects only rows that the wider one selects', () => {
    fc.assert(
      fc.property(
        queryArb('logs'),
        queryArb('logs'),
        fc.array(recordArb, { maxLength: 8 }),
        (a, b, records) => {
          const before = splitForServer(a, zoneOf('4711', 'shop')).server;
          const both = splitForServer(
            { ...a, terms: [...a.terms, ...b.terms] },
            zoneOf('4711', 'shop'),
          ).server;
          // A cause alone asks for every 5xx; a status beside it is asked for as it is written. A host gives way to a page.
          const givesWay = (term: Term) =>
            isCauseTerm(term) || (term.kind === 'field' && term.field === 'host');
          assert.ok(a.terms.some(givesWay) || isNarrower(both, before), 'more terms are narrower');
          const next = splitForServer(b, zoneOf('4711', 'shop')).server;
          if (!isNarrower(next, before)) return;
          for (const record of records)
            assert.ok(!serverSelects(next, record) || serverSelects(before, record));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('knows classes, substrings and the open filter', () => {
    assert.ok(isNarrower({ status: ['404'] }, { status: ['4xx'] }));
    assert.ok(!isNarrower({ status: ['4xx'] }, { status: ['404'] }));
    assert.ok(isNarrower({ urlContains: '/Login' }, { urlContains: 'log' }));
    assert.ok(isNarrower({ edgeLocation: 'DE' }, {}));
    assert.ok(!isNarrower({}, { edgeLocation: 'DE' }));
    assert.ok(isNarrower({}, {}));
  });
});

describe('Shield rows', () => {
  const row = {
    ip: '192.0.2.7',
    ruleId: 'AGD-U455',
    action: 'Blocked',
    asn: 'AS13335',
    country: 'de',
    ua: null,
  };

  test('are matched here by the same rules', () => {
    const selects = (line: string) => shieldMatcher(parsed(line, 'shield').terms)(row);
    for (const line of [
      'ip:192.0.2.0/24',
      'rule:agd-u455',
      'action:blocked',
      'asn:13335',
      'country:DE',
      'ua:""',
      'u455',
    ]) {
      assert.ok(selects(line), line);
      assert.ok(!selects(`-${line}`), `-${line}`);
    }
  });
});
