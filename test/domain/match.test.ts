import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { NO_CAUSES } from '../../src/domain/origin-cause.ts';
import { isCauseTerm } from '../../src/domain/query/cause-terms.ts';
import { LOG_FIELDS } from '../../src/domain/query/fields.ts';
import { compileTerm, matcher, termMatcher } from '../../src/domain/query/match.ts';
import { isNarrower, type ServerLogFilter, splitForServer } from '../../src/domain/query/push-down.ts';
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
  test('an edge in capitals is exact, in small letters any case', () => {
    assert.ok(!matches('edge:DE', { edgeLocation: 'de' }));
    assert.ok(matches('edge:de', { edgeLocation: 'DE' }));
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
});
