import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Query, QuerySubject, Term } from '../../src/domain/query/query.ts';
import { parseQuery, printQuery, type QueryError } from '../../src/domain/query/query-text.ts';
import { fc } from '../support/properties.ts';
import { NOW, oddText, queryArb, RUNS } from './query-cases.ts';

const minute = 60_000;

function parsed(text: string, subject: QuerySubject = 'logs'): Query {
  const result = parseQuery(text, subject, NOW);
  assert.ok(result.ok, `${text}: ${result.ok ? '' : result.error.message}`);
  return result.query;
}

function refusal(text: string, subject: QuerySubject = 'logs'): QueryError {
  const result = parseQuery(text, subject, NOW);
  assert.ok(!result.ok, `${text} was understood as ${result.ok ? printQuery(result.query) : ''}`);
  return result.error;
}

/** The part of the text that the error points at. */
function pointed(text: string, subject: QuerySubject = 'logs'): string {
  const { column, length } = refusal(text, subject);
  return text.slice(column, column + length);
}

function onlyTerm(text: string, subject: QuerySubject = 'logs'): Term {
  const { terms } = parsed(text, subject);
  assert.equal(terms.length, 1, text);
  return terms[0] as Term;
}

const field = (name: string, op: string, values: string[], negated = false) => ({
  kind: 'field',
  field: name,
  op,
  values,
  negated,
});
const text = (value: string, negated = false) => ({ kind: 'text', value, negated });

describe('the query language', () => {
  test('reads the line of the product description as its parts', () => {
    const line =
      'action:blocked country:CN,RU ip:10.0.0.0/8 ua~curl url:/login* -ip:192.0.2.7 "union select" last:15m by:ip,asn';
    assert.deepEqual(parsed(line, 'shield'), {
      terms: [
        field('action', 'eq', ['blocked']),
        field('country', 'eq', ['CN', 'RU']),
        field('ip', 'cidr', ['10.0.0.0/8']),
        field('ua', 'contains', ['curl']),
        field('url', 'wildcard', ['/login*']),
        field('ip', 'eq', ['192.0.2.7'], true),
        text('union select'),
      ],
      window: { kind: 'last', duration: 15 * minute },
      groupBy: ['ip', 'asn'],
    });
    assert.equal(printQuery(parsed(line, 'shield')), line);
  });

  for (const subject of ['logs', 'shield'] as const) {
    test(`a query of ${subject} printed and parsed is the same query`, () => {
      fc.assert(
        fc.property(queryArb(subject), (query) => {
          const line = printQuery(query);
          const result = parseQuery(line, subject, NOW);
          assert.ok(result.ok, `${line}: ${result.ok ? '' : result.error.message}`);
          assert.deepEqual(result.query, query, line);
        }),
        { numRuns: RUNS * 2 },
      );
    });

    test(`whatever is typed about ${subject} parses to a query that prints stably, or to an error inside the text`, () => {
      const typed = fc.array(
        fc.oneof(oddText, fc.constantFrom('status:', 'ua~', 'ip:', '-', 'last:5m', ' ', 'by:ip')),
        {
          maxLength: 6,
        },
      );
      fc.assert(
        fc.property(typed, (parts) => {
          const line = parts.join('');
          const result = parseQuery(line, subject, NOW);
          if (!result.ok) {
            const { column, length, message, hint } = result.error;
            assert.ok(
              column >= 0 && column <= line.length && length >= 1 && column + length <= line.length + 1,
            );
            assert.ok(message !== '' && hint !== '');
            return;
          }
          const printed = printQuery(result.query);
          assert.deepEqual(parseQuery(printed, subject, NOW), result, printed);
        }),
        { numRuns: RUNS * 2 },
      );
    });
  }

  test('values take the form in which the logs hold them', () => {
    assert.equal(
      printQuery(parsed('cache:miss country:de asn:AS13335 status:5XX')),
      'cache:MISS country:DE asn:13335 status:5xx',
    );
    assert.equal(printQuery(parsed('ip:2001:DB8:0::1')), 'ip:2001:db8::1');
    assert.equal(printQuery(parsed('ip:10.1.2.3/8')), 'ip:10.0.0.0/8');
    assert.equal(printQuery(parsed('bytes:>1.5M,1Ki..2k')), 'bytes:>1500000,1024..2000');
    assert.equal(
      printQuery(parsed('id:01234567-89AB-cdef-0123-456789abcdef')),
      'id:0123456789abcdef0123456789abcdef',
    );
  });

  test('a list with one network is a list of networks, plain addresses and octet stars among them', () => {
    assert.deepEqual(onlyTerm('ip:10.0.0.0/8,192.0.2.7'), field('ip', 'cidr', ['10.0.0.0/8', '192.0.2.7']));
    assert.deepEqual(
      onlyTerm('ip:10.0.0.0/8,192.168.*'),
      field('ip', 'cidr', ['10.0.0.0/8', '192.168.0.0/16']),
    );
    assert.deepEqual(onlyTerm('ip:192.0.2.7/32'), field('ip', 'eq', ['192.0.2.7']));
  });

  test('a list with one star is a list of patterns, and an escaped star is a star', () => {
    assert.deepEqual(onlyTerm('path:/a*,/b'), field('path', 'wildcard', ['/a*', '/b']));
    assert.deepEqual(onlyTerm('path:"/a\\*b"'), field('path', 'eq', ['/a*b']));
    assert.deepEqual(onlyTerm('path:"/a *"'), field('path', 'wildcard', ['/a *']));
    assert.deepEqual(onlyTerm('path~a*b'), field('path', 'contains', ['a*b']));
    assert.equal(pointed('path:/a*,"b\\*"'), '"b\\*"');
  });

  test('quotes hold spaces, commas, quotes and the escapes that the screen shows', () => {
    assert.deepEqual(onlyTerm('ua~"Mozilla 5.0, like"'), field('ua', 'contains', ['Mozilla 5.0, like']));
    assert.deepEqual(onlyTerm('ua:"say \\"hi\\" \\\\","b"'), field('ua', 'eq', ['say "hi" \\', 'b']));
    assert.deepEqual(onlyTerm('"\\x1b[31m\\u202e"'), text('\u001b[31m\u202e'));
    assert.deepEqual(onlyTerm('ua:""'), field('ua', 'eq', ['']));
    assert.deepEqual(onlyTerm('ua:*'), field('ua', 'wildcard', ['*']));
  });

  test('quotes and dashes that a chat program has prettied still work', () => {
    assert.deepEqual(parsed('–ip:192.0.2.7 “union select”').terms, [
      field('ip', 'eq', ['192.0.2.7'], true),
      text('union select'),
    ]);
  });

  test('pasted URLs, addresses and host:port are free text', () => {
    assert.deepEqual(onlyTerm('http://example.com/a?b=1'), text('http://example.com/a?b=1'));
    assert.deepEqual(onlyTerm('-https://a/'), text('https://a/', true));
    assert.deepEqual(onlyTerm('fe80::1'), text('fe80::1'));
    assert.deepEqual(onlyTerm('example.com:443'), text('example.com:443'));
    assert.deepEqual(onlyTerm('12:30'), text('12:30'));
    assert.deepEqual(onlyTerm('it"s'), text('it"s'));
  });
});

describe('an error of the query', () => {
  test('points at an unknown field and names the nearest one', () => {
    assert.deepEqual(refusal('cache:HIT statsu:404'), {
      column: 10,
      length: 6,
      message: "no field 'statsu' in CDN logs",
      hint: 'did you mean status?',
    });
    assert.equal(refusal('-contry:DE').hint, 'did you mean country?');
    assert.equal(refusal('lats:15m').hint, 'did you mean last?');
    assert.equal(refusal('by:ip,actoin', 'shield').hint, 'did you mean action?');
    assert.match(refusal('foo:bar').hint, /^quote it/);
  });

  test('points at the one bad value of a list and says what a good one is', () => {
    assert.equal(pointed('status:404,99,5xx'), '99');
    assert.equal(pointed('ip:192.0.2.7,10.0.0.0/33'), '10.0.0.0/33');
    assert.equal(pointed('country:Germany'), 'Germany');
    assert.equal(refusal('country:uk').hint, 'the United Kingdom is GB');
    assert.equal(refusal('id:1a2b').hint, 'for one that begins so: id:1a2b*');
    assert.equal(pointed('bytes:lots'), 'lots');
  });

  test('points at the place where a value is missing', () => {
    assert.equal(refusal('status:').column, 7);
    assert.equal(refusal('status: 404').column, 7);
    assert.equal(refusal('status:404,').column, 11);
    assert.equal(refusal('ua~""').column, 3);
    assert.equal(refusal('""').column, 0);
    assert.equal(refusal('ip:1.2.3.4 -').column, 11);
  });

  test('translates the operators of other languages', () => {
    assert.match(refusal('status=404').hint, /^write status:404,/);
    assert.match(refusal('status!=404').hint, /^write -status:404,/);
    assert.match(refusal('status>=500').hint, /^write status:5xx,/);
    assert.match(refusal('bytes>1M').hint, /^write bytes:>1M,/);
    assert.equal(pointed('a OR b'), 'OR');
    assert.equal(pointed('a && b'), '&&');
    assert.deepEqual(onlyTerm('"OR"'), text('OR'));
  });
});

describe('the time window', () => {
  const at = (iso: string) => Date.parse(iso);
  const windowOf = (line: string) => parsed(line).window;

  test('last counts in s, m, h, d and sums', () => {
    assert.deepEqual(windowOf('last:90s'), { kind: 'last', duration: 90_000 });
    assert.deepEqual(windowOf('LAST:1h30m'), { kind: 'last', duration: 90 * minute });
    assert.equal(printQuery(parsed('last:72h')), 'last:3d');
    assert.equal(printQuery(parsed('last:1h30m')), 'last:90m');
  });

  test('times are UTC unless they name a zone, with or without seconds', () => {
    const from = at('2026-08-01T00:10:00Z');
    for (const written of [
      '2026-08-01T00:10',
      '2026-08-01T00:10:00.000Z',
      '2026-08-01T02:10+02:00',
      String(from),
      String(from / 1000),
    ]) {
      assert.deepEqual(windowOf(`from:${written}`), { kind: 'absolute', from, to: null }, written);
    }
    assert.deepEqual(windowOf('from:"2026-08-01 00:10"'), { kind: 'absolute', from, to: null });
    assert.deepEqual(windowOf('from:2026-08-01'), {
      kind: 'absolute',
      from: at('2026-08-01T00:00Z'),
      to: null,
    });
  });

  test('a time of day is the last one that has been, and as an end the first one after the start', () => {
    assert.deepEqual(windowOf('from:02:10'), { kind: 'absolute', from: at('2026-08-01T02:10Z'), to: null });
    assert.deepEqual(windowOf('from:02:20'), { kind: 'absolute', from: at('2026-07-31T02:20Z'), to: null });
    assert.deepEqual(windowOf('from:23:50 to:00:20'), {
      kind: 'absolute',
      from: at('2026-07-31T23:50Z'),
      to: at('2026-08-01T00:20Z'),
    });
    assert.deepEqual(windowOf('from:02:00 to:02:30'), {
      kind: 'absolute',
      from: at('2026-08-01T02:00Z'),
      to: at('2026-08-01T02:30Z'),
    });
  });

  test('what is no window is refused at its place', () => {
    assert.equal(pointed('ip:1.2.3.4 last:soon'), 'soon');
    assert.equal(pointed('last:0m'), '0m');
    assert.equal(pointed('from:2026-02-31'), '2026-02-31');
    assert.equal(pointed('from:25:00'), '25:00');
    assert.equal(pointed('last:5m last:6m'), 'last:6m');
    assert.equal(pointed('a to:02:10'), 'to:02:10');
    assert.equal(pointed('from:-1h to:-2h'), 'to:-2h');
    assert.equal(pointed('from:-1h to:-2m last:3m'), 'last:3m');
    assert.equal(pointed('-last:5m'), '-last:5m');
  });
});
