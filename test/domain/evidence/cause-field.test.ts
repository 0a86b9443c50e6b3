import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OriginError } from '../../../src/domain/evidence/origin-error.ts';
import { causesBy, originMatcher } from '../../../src/domain/evidence/told-causes.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import { LogBook } from '../../../src/domain/logs/log-book.ts';
import { recordFields } from '../../../src/domain/logs/record-fields.ts';
import type { CauseOf } from '../../../src/domain/origin-cause.ts';
import { matcher } from '../../../src/domain/query/match.ts';
import { splitForServer, whereRuns } from '../../../src/domain/query/push-down.ts';
import { parseQuery } from '../../../src/domain/query/query-text.ts';
import { draftRule } from '../../../src/domain/questions/rules/ask-blast-radius.ts';
import { unlistedZone } from '../../../src/domain/zone.ts';
import { fc } from '../../support/properties.ts';
import { originErrorWith } from '../../support/rows.ts';
import { NOON, recordOf } from '../../support/state.ts';

const DAY = '2026-11-20';
const zone = unlistedZone({ id: '1', name: 'shop' });

const errorOf = (parts: Partial<OriginError> = {}) =>
  originErrorWith({ timestamp: NOON + 400, url: '/p/0?x=1', ...parts });

function toldOf(...errors: OriginError[]): CauseOf {
  const days = new Map([[`1 ${DAY}`, { errors, unread: 0 }]]);
  return causesBy([zone], (id, day) => days.get(`${id} ${day}`) ?? null);
}

const causeIn = (told: CauseOf, row: LogRecord) => told(row.statusCode, () => row);

/** Row 0 was answered 503 for `/p/0` at noon. */
const FAILED = recordOf(0);

function asked(text: string) {
  const parsed = parseQuery(text, 'logs', NOON);
  assert.ok(parsed.ok, text);
  return parsed.query;
}

test('a row answered 5xx has the code of the origin error nearest to it; any other row has none', () => {
  const told = toldOf(errorOf(), errorOf({ timestamp: NOON - 3_000, code: 'http_timeout' }));
  assert.equal(causeIn(told, FAILED), 'dns_lookup');
  const anyStatus = toldOf(errorOf({ status: null }));
  assert.equal(causeIn(anyStatus, FAILED), 'dns_lookup');
  for (const statusCode of [200, 304, 404, 499, 600, 0])
    assert.equal(causeIn(anyStatus, { ...FAILED, statusCode }), null, String(statusCode));
  assert.equal(causeIn(told, { ...FAILED, path: '/q' }), null);
  assert.equal(causeIn(told, { ...FAILED, timestamp: NOON + 3_600_000 }), null);
  assert.equal(
    causeIn(told, { ...FAILED, timestamp: NOON + 86_400_000 }),
    null,
    'nothing is told of that day',
  );
  assert.equal(causeIn(told, { ...FAILED, timestamp: Number.NaN }), null);
  assert.equal(causeIn(toldOf(errorOf({ code: '' })), FAILED), 'no code');
});

test('of several zones the day of its own counts, and of a row of none of them nothing', () => {
  const other = unlistedZone({ id: '2', name: 'api' });
  const days = new Map([[`2 ${DAY}`, { errors: [errorOf()], unread: 0 }]]);
  const told = causesBy([zone, other], (id, day) => days.get(`${id} ${day}`) ?? null);
  assert.equal(causeIn(told, FAILED), null);
  assert.equal(causeIn(told, { ...FAILED, pullZoneId: '2' }), 'dns_lookup');
  assert.equal(causeIn(told, { ...FAILED, pullZoneId: '3' }), null);
});

test('the nearest is the nearest of all, however many there are of one path', () => {
  const error = fc.record({
    timestamp: fc.integer({ min: NOON - 90_000, max: NOON + 90_000 }),
    code: fc.constantFrom('dns_lookup', 'http_timeout'),
    status: fc.constantFrom(null, 503, 504),
    edge: fc.constantFrom('FRA', 'DE', null),
  });
  fc.assert(
    fc.property(fc.array(error, { maxLength: 40 }), (parts) => {
      const errors = parts.map(errorOf);
      const costOf = ({ timestamp, code, status, edge }: OriginError) => {
        const apart = Math.abs(timestamp - NOON);
        const isFar = apart > (code === 'http_timeout' ? 70_000 : 10_000);
        const isOther = status !== null && status !== 503;
        return isFar || isOther ? Number.POSITIVE_INFINITY : apart + (edge === 'FRA' ? 0 : 2_000);
      };
      const best = Math.min(...errors.map(costOf));
      const found = originMatcher(errors)(FAILED);
      assert.equal(found === null ? Number.POSITIVE_INFINITY : costOf(found.error), best);
    }),
  );
});

test('a term asks for the cause by what is told, and without that no row has one', () => {
  const told = toldOf(errorOf());
  const passes = (text: string, row: LogRecord, causeOf?: CauseOf) =>
    matcher(asked(text).terms, 'none', causeOf)(row);
  const fine = recordOf(1);
  for (const text of ['cause:dns_lookup', 'cause:DNS_lookup', 'cause:dns*', 'cause~lookup', 'cause:*'])
    assert.deepEqual([passes(text, FAILED, told), passes(text, fine, told)], [true, false], text);
  for (const text of ['-cause:dns_lookup', 'cause:""', '-cause:*'])
    assert.deepEqual([passes(text, FAILED, told), passes(text, fine, told)], [false, true], text);
  assert.equal(passes('cause:*', FAILED), false);
  assert.ok(!parseQuery('cause:dns_lookup by:cause', 'shield', NOON).ok, 'no field of Shield logs');
  assert.ok(recordFields(FAILED).some(({ name, field }) => name === 'statusCode' && field === 'status'));
});

test('the server is asked for the rows that can have a cause, and decides none', () => {
  const serverOf = (text: string) => splitForServer(asked(text), zone).server;
  assert.deepEqual(serverOf('cause:dns_lookup'), { status: ['5xx'] });
  assert.deepEqual(serverOf('cause:dns_lookup status:502'), { status: ['502'] });
  for (const text of ['-cause:dns_lookup', 'cause:""', 'cause:dns_lookup,""', 'by:cause'])
    assert.deepEqual(serverOf(text), {}, text);
  const [term] = asked('cause:dns_lookup').terms;
  assert.ok(term);
  assert.match(whereRuns(term, zone).why, /^origin errors tell it/);
  assert.match(draftRule([term]).left[0]?.why ?? '', /known only of the answer/);
});

test('a book filters and groups by what it is told when it is asked, and remembers nothing of it', () => {
  const book = new LogBook({ capacity: 1_000 });
  book.append(Array.from({ length: 100 }, (_, n) => ({ record: recordOf(n), late: false })));
  const told = toldOf(errorOf(), errorOf({ url: '/p/10', timestamp: NOON + 10_000, code: 'http_timeout' }));
  const counts = (causeOf?: CauseOf) =>
    book.groupBy(['cause'], 10, causeOf).groups.map(({ key, count }) => [key['cause'], count]);
  assert.deepEqual(counts(), [[null, 100]]);
  assert.deepEqual(counts(told), [
    [null, 98],
    ['http_timeout', 1],
    ['dns_lookup', 1],
  ]);
  assert.deepEqual(counts(), [[null, 100]]);
  const { terms } = asked('cause:dns_lookup');
  const rows = (causeOf?: CauseOf) => {
    book.setFilter(terms, 'none', null, 'newest', causeOf);
    return book.rowsInView;
  };
  assert.deepEqual([rows(), rows(told), rows()], [0, 1, 0]);
  book.setFilter([], 'none');
  const groups = book.groupBy(['cause'], 10, told).groups;
  const sample = book.sample(['cause'], groups, 5, told);
  while (!sample.step());
  assert.equal(sample.result?.[1]?.length, 1);
  assert.deepEqual(book.distinct('cause', 5), []);
});
