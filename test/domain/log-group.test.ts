import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { LogColumns } from '../../src/domain/logs/columns/log-columns.ts';
import { CHUNK_ROWS } from '../../src/domain/logs/columns/value-columns.ts';
import { dimensionsOf } from '../../src/domain/logs/groups/log-dimensions.ts';
import type { LogGroup } from '../../src/domain/logs/groups/log-group.ts';
import { joinedGroups } from '../../src/domain/logs/groups/log-group.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { NO_CAUSES } from '../../src/domain/origin-cause.ts';
import { LOG_FIELDS } from '../../src/domain/query/fields.ts';
import { parseQuery, printQuery } from '../../src/domain/query/query-text.ts';
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
      {
        key: { ip: '192.0.2.1' },
        count: 2,
        bytes: 11,
        firstSeen: 0,
        lastSeen: 2,
        hits: 1,
        misses: 1,
        errors: 1,
      },
      { key: { ip: null }, count: 1, bytes: 1_200, firstSeen: 1, lastSeen: 1, hits: 1, misses: 0, errors: 0 },
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

test('a shape is one group whatever its ids, and the term for it finds, or leaves out, exactly its rows', () => {
  const paths = [
    '/r/1?a',
    '/r/2/',
    '/r/2',
    '/R/3',
    '/r/<n>',
    '/r/x',
    '/o/a1b2',
    '/o/<id>?<n>',
    '?1',
    '',
    '/o/*1',
  ];
  const book = bookOf(...paths.map((path) => ({ path })));
  const { groups, total } = book.groupBy(['shape'], 99);
  assert.equal(total, groups.length);
  const counts = Object.fromEntries(groups.map(({ key, count }) => [key['shape'], count]));
  const wanted = {
    '/r/<n>': 3,
    '/r/<n>/': 1,
    '/R/<n>': 1,
    '/r/x': 1,
    '/o/<id>': 2,
    '?': 1,
    '': 1,
    '/o/*<n>': 1,
  };
  assert.deepEqual(counts, wanted);
  for (const [shape, rows] of Object.entries({ ...wanted, '/r/<n>': 4 })) {
    if (shape === '/R/<n>') continue; // Case does not count.
    for (const negated of [false, true]) {
      const term = termForValue('logs', 'shape', shape, negated);
      const line = printQuery({ terms: term ? [term] : [], window: null, groupBy: [] });
      const read = parseQuery(line, 'logs', 0);
      book.setFilter(read.ok ? read.query.terms : [], 'none');
      assert.equal(book.length, negated ? paths.length - rows : rows, line);
    }
  }
  book.setFilter([]);
  assert.deepEqual(book.distinct('shape', 2), [
    { value: '/r/<n>', count: 3 },
    { value: '/o/<id>', count: 2 },
  ]);
});

test('a value is folded once, however many rows have it, and a step is as long as what was folded in it', () => {
  const columns = new LogColumns();
  const rows = 2 * CHUNK_ROWS;
  for (let n = 0; n < rows; n++) columns.add(row({ path: `/${n % 300}` }), false);
  const seen: string[] = [];
  const derive = (value: string) => {
    seen.push(value);
    return value.slice(0, 2);
  };
  const [dimension] = dimensionsOf(columns, { ...LOG_FIELDS.shape, derive }, NO_CAUSES);
  assert.ok(dimension);
  const costs = [0, 1, 0].map((chunk) => {
    dimension.codes(chunk);
    return dimension.cost;
  });
  assert.deepEqual([seen.length, new Set(seen).size], [300, 300]);
  assert.ok((costs[0] ?? 0) > (costs[1] ?? 0) && costs[1] === costs[2], costs.join());
});

test('a text is looked for in the page alone, not in the query string that the path has behind it', () => {
  const book = bookOf({ path: '/sale?id=1' }, { path: '/id?sale' }, { path: '/x?id' });
  book.setFilter([{ kind: 'field', field: 'page', op: 'contains', values: ['id'], negated: false }], 'none');
  assert.equal(book.length, 1);
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

test('sums are exact however wide codes and sizes are, and however often groups are asked for', () => {
  const sizes = [0, 17.9, -4, 2 ** 32 - 1, 2 ** 40 + 1, 2 ** 43 + 1, Number.NaN];
  // Codes of one byte and small sizes, then of two bytes and large ones, then of four: each kind of column in turn.
  for (const [rows, values] of [
    [20_000, 90],
    [20_000, 900],
    [70_000, 69_999],
  ] as const) {
    const records = Array.from({ length: rows }, (_, n) =>
      row({
        timestamp: (n * 7919) % rows,
        cacheStatus: n % 30 === 0 ? 'HIT' : n % 70 === 0 ? 'MISS' : `S${n % values}`,
        statusCode: 500 + ((n * 31) % Math.min(values, 500)),
        bytesSent: values < 100 ? n : (sizes[n % sizes.length] as number),
        remoteIp: `192.0.${(n * 17) % 251}.${n % 251}`,
      }),
    );
    const book = new LogBook({ capacity: 200_000 });
    book.append(records.map((record) => ({ record, late: false })));
    for (const [field, of] of [
      ['ip', (record: LogRecord) => record.remoteIp],
      ['cache', (record: LogRecord) => record.cacheStatus],
    ] as const) {
      const { groups, total } = book.groupBy([field], 1e9);
      const wanted = summed(records, of);
      assert.equal(total, wanted.size);
      for (const { key, ...sums } of groups)
        assert.deepEqual(sums, wanted.get(key[field] ?? null), `${key[field]}`);
    }
  }
});

test('groups count what came since they were counted last', () => {
  const book = bookOf({ asn: '1' });
  assert.equal(book.groupBy(['asn'], 9).groups[0]?.count, 1);
  book.append([{ record: row({ asn: '1' }), late: false }]);
  assert.equal(book.groupBy(['asn'], 9).groups[0]?.count, 2);
});

test('a field that CDN logs do not have is refused by name', () => {
  assert.throws(() => bookOf({}).groupBy(['action'], 9), /no field action/);
});

/** What the groups should be, row by row. */
function summed(records: readonly LogRecord[], of: (record: LogRecord) => string | null) {
  const groups = new Map<string | null, Omit<LogGroup, 'key'>>();
  for (const record of records) {
    const { timestamp: time, bytesSent: size } = record;
    const before = groups.get(of(record)) ?? {
      count: 0,
      bytes: 0,
      firstSeen: time,
      lastSeen: time,
      hits: 0,
      misses: 0,
      errors: 0,
    };
    groups.set(of(record), {
      count: before.count + 1,
      bytes: before.bytes + (size > 0 && size <= 2 ** 43 ? Math.trunc(size) : 0),
      firstSeen: Math.min(before.firstSeen, time),
      lastSeen: Math.max(before.lastSeen, time),
      hits: before.hits + (record.cacheStatus === 'HIT' ? 1 : 0),
      misses: before.misses + (record.cacheStatus === 'MISS' ? 1 : 0),
      errors: before.errors + (record.statusCode >= 500 && record.statusCode <= 599 ? 1 : 0),
    });
  }
  return groups;
}

test('groups of an earlier time and of the rows since are those of all rows, whatever order the rows came in', () => {
  const ips = ['192.0.2.1', '192.0.2.2', null];
  const rows = Array.from({ length: 3 * CHUNK_ROWS }, (_, n) => ({
    timestamp: (n * 7_919) % (3 * CHUNK_ROWS),
    remoteIp: n === 5 ? '192.0.2.9' : (ips[n % 3] ?? null),
    bytesSent: n % 100,
    statusCode: n % 4 === 0 ? 503 : 200,
    cacheStatus: n % 2 === 0 ? 'HIT' : 'MISS',
  }));
  const since = 2 * CHUNK_ROWS + 77;
  const book = bookOf(...rows);
  const before = bookOf(...rows.filter(({ timestamp }) => timestamp < since));
  for (const _ of [1, 2]) {
    const work = book.countGroups(['ip'], 99, NO_CAUSES, since);
    while (!work.step());
    assert.ok(work.result);
    assert.equal(work.result.rows, rows.length - since);
    assert.deepEqual(
      joinedGroups(before.groupBy(['ip'], 99), work.result, ['ip'], 99),
      book.groupBy(['ip'], 99),
    );
  }
  const stored = before.groupBy(['ip'], 99);
  const few = joinedGroups(stored, bookOf({ remoteIp: '' }).groupBy(['ip'], 9), ['ip'], 1);
  assert.deepEqual([few.groups.length, few.total, few.rows], [1, stored.total, since + 1]);
});
