import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { termForValue } from '../../src/domain/query/terms.ts';
import { row } from './log-rows.ts';

function bookOf(...records: Partial<LogRecord>[]): LogBook {
  const book = new LogBook({ capacity: 200_000 });
  book.append(records.map((over, i) => ({ record: row({ timestamp: i, ...over }), late: false })));
  return book;
}

test('a group tells how much it was, from when to when, how often the edge served it and how often it failed', () => {
  const book = bookOf(
    { remoteIp: '192.0.2.1', bytesSent: 5, cacheStatus: 'MISS', statusCode: 500 },
    { remoteIp: null },
    { remoteIp: '192.0.2.1', bytesSent: 6, cacheStatus: 'HIT' },
  );
  assert.deepEqual(book.groupBy(['ip'], 9), {
    groups: [
      { key: { ip: '192.0.2.1' }, count: 2, bytes: 11, firstSeen: 0, lastSeen: 2, hits: 1, errors: 1 },
      { key: { ip: null }, count: 1, bytes: 1_200, firstSeen: 1, lastSeen: 1, hits: 1, errors: 0 },
    ],
    total: 2,
    rows: 3,
  });
});

test('groups of equal count stand by bytes, then by their first row', () => {
  const book = bookOf({ asn: '1', bytesSent: 1 }, { asn: '2', bytesSent: 2 }, { asn: '3', bytesSent: 1 });
  assert.deepEqual(
    book.groupBy(['asn'], 9).groups.map(({ key }) => key['asn']),
    ['2', '1', '3'],
  );
});

test('the same url is one group, kept in parts or whole', () => {
  const book = bookOf({}, { path: '/other', url: 'https://www.example.com/index.html' });
  assert.deepEqual(
    book.groupBy(['url'], 9).groups.map(({ key, count }) => ({ key, count })),
    [{ key: { url: 'https://www.example.com/index.html' }, count: 2 }],
  );
});

test('a page is one group whatever its query strings, and the term for it finds exactly its rows', () => {
  const paths = ['/sale?id=1', '/sale?id=2', '/Sale', '/sale/', '/sale', '/', '/?q', '?only', '/a?b?c', ''];
  const book = bookOf(...paths.map((path) => ({ path })));
  const { groups, total } = book.groupBy(['page'], 99);
  assert.equal(total, groups.length);
  const counts = Object.fromEntries(groups.map(({ key, count }) => [key['page'], count]));
  assert.deepEqual(counts, { '/sale': 3, '/Sale': 1, '/sale/': 1, '/': 2, '?only': 1, '/a': 1, '': 1 });
  const pairs = book.groupBy(['status', 'page', 'path'], 99).groups;
  assert.ok(pairs.every(({ key }) => key['path']?.startsWith(key['page'] ?? 'x')));
  for (const [page, count] of [
    ['/sale', 4],
    ['/', 2],
    ['?only', 1],
    ['', 1],
  ] as const) {
    const term = termForValue('logs', 'page', page, false);
    book.setFilter(term ? [term] : [], 'none');
    assert.equal(book.length, count, page);
  }
});

test('an absent value and an empty one are groups of their own', () => {
  assert.equal(bookOf({ userAgent: '' }, { userAgent: null }).groupBy(['ua'], 9).total, 2);
});

test('the largest groups come out of very many, whatever their order', () => {
  const many = Array.from({ length: 60_000 }, (_, i) => ({
    path: `/${i % 20_000}`,
    userAgent: `agent ${i % 7}`,
  }));
  const book = bookOf(
    ...many,
    ...Array.from({ length: 5 }, () => ({ path: '/19999', userAgent: 'agent 1' })),
  );
  const byPath = book.groupBy(['path'], 3);
  assert.equal(byPath.total, 20_000);
  assert.deepEqual(
    [byPath.groups.length, byPath.groups[0]?.key['path'], byPath.groups[0]?.count],
    [3, '/19999', 8],
  );
  const byBoth = book.groupBy(['path', 'ua'], 1);
  assert.deepEqual([byBoth.total, byBoth.groups[0]?.count], [60_000, 6]);
});

test('an answer is given again until something changes', () => {
  const book = bookOf({ asn: '1' });
  const first = book.groupBy(['asn'], 9);
  assert.equal(book.groupBy(['asn'], 9).groups, first.groups);
  book.append([{ record: row({ asn: '1' }), late: false }]);
  assert.equal(book.groupBy(['asn'], 9).groups[0]?.count, 2);
});

test('a field that CDN logs do not have is refused by name', () => {
  assert.throws(() => bookOf({}).groupBy(['action'], 9), /no field action/);
});
