import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import type { Term } from '../../src/domain/query/query.ts';
import { LogModel } from './log-model.ts';
import { row } from './log-rows.ts';

const rows = [
  row({ timestamp: 0, cacheStatus: 'HIT', bytesSent: 100 }),
  row({ timestamp: 999, cacheStatus: 'MISS', bytesSent: 10, statusCode: 502 }),
  row({ timestamp: 1_000, cacheStatus: '-', bytesSent: 7 }),
  row({ timestamp: 1_500, cacheStatus: 'NOVEL', bytesSent: 5, statusCode: 600 }),
  row({ timestamp: 2_000, cacheStatus: 'UPDATING', bytesSent: 1 }),
].map((record) => ({ record, late: false }));

test('a bucket holds its beginning and not its end', () => {
  const book = new LogBook({ capacity: 9 });
  book.append(rows);
  const { buckets } = book.stats({ from: 0, to: 3_000 }, 3);
  assert.deepEqual(
    buckets.map(({ from, to, requests }) => ({ from, to, requests })),
    [
      { from: 0, to: 1_000, requests: 2 },
      { from: 1_000, to: 2_000, requests: 2 },
      { from: 2_000, to: 3_000, requests: 1 },
    ],
  );
});

test('a cache status that is no interaction, or unknown, counts on neither side of the hit ratio', () => {
  const book = new LogBook({ capacity: 9 });
  book.append(rows);
  assert.deepEqual(book.stats({ from: 0, to: 3_000 }, 1).total, {
    requests: 5,
    bytes: 123,
    edgeRequests: 2,
    edgeBytes: 101,
    originRequests: 1,
    originBytes: 10,
    errors: 1,
  });
});

test('sizes that no answer can have count as no bytes', () => {
  const book = new LogBook({ capacity: 9 });
  const sizes = [Number.POSITIVE_INFINITY, Number.NaN, -5, 2 ** 60, 8];
  book.append(sizes.map((bytesSent) => ({ record: row({ bytesSent }), late: false })));
  assert.equal(book.stats({ from: 0, to: 3_000 }, 1).total.bytes, 8);
  assert.equal(book.groupBy(['ip'], 1).groups[0]?.bytes, 8);
});

test('a code that changes hands from HIT to MISS changes sides', () => {
  const book = new LogBook({ capacity: 1 });
  book.append([{ record: row({ cacheStatus: 'HIT' }), late: false }]);
  assert.equal(book.stats({ from: 0, to: 3_000 }, 1).total.edgeRequests, 1);
  book.append([{ record: row({ cacheStatus: 'MISS', statusCode: 503 }), late: false }]);
  const { total } = book.stats({ from: 0, to: 3_000 }, 1);
  assert.deepEqual([total.edgeRequests, total.originRequests, total.errors], [0, 1, 1]);
});

test('rows that a filter decided of are summed as they are one by one, however wide codes and sizes are', () => {
  const large = [0, 17, 2 ** 32 - 1, 2 ** 40 + 1, 2 ** 43];
  for (const values of [60, 700]) {
    const [book, model] = [new LogBook({ capacity: 9_000 }), new LogModel(9_000)];
    const records = Array.from({ length: 4_000 }, (_, n) =>
      row({
        timestamp: n,
        cacheStatus: n % 3 === 0 ? 'HIT' : n % 7 === 0 ? 'MISS' : `S${n % values}`,
        statusCode: 300 + ((n * 31) % Math.min(values * 5, 400)),
        bytesSent: values < 100 ? n : (large[n % large.length] as number),
      }),
    );
    for (const it of [book, model]) it.append(records.map((record) => ({ record, late: false })));
    for (const terms of [[], [{ kind: 'field', field: 'cache', op: 'eq', values: ['HIT'], negated: true }]]) {
      for (const it of [book, model]) it.setFilter(terms as Term[]);
      for (const range of [
        { from: 0, to: 4_000 },
        { from: 37, to: 3_011 },
      ])
        assert.deepEqual(book.stats(range, 1).total, model.traffic(range));
    }
  }
});

test('a code that nobody had for a while stands for its new value', () => {
  const book = new LogBook({ capacity: 1_000 });
  let time = 0;
  const add = (count: number, more: Partial<LogRecord>) =>
    book.append(
      Array.from({ length: count }, () => ({ record: row({ timestamp: time++, ...more }), late: false })),
    );
  const total = () => {
    book.setFilter([]);
    const { edgeRequests, originRequests, errors } = book.stats({ from: 0, to: 1e9 }, 1).total;
    return [edgeRequests, originRequests, errors];
  };
  add(100, { statusCode: 404, cacheStatus: 'BYPASS' });
  add(900, {});
  assert.deepEqual(total(), [900, 100, 0]);
  add(200, {});
  assert.deepEqual(total(), [1_000, 0, 0]);
  add(300, { statusCode: 503, cacheStatus: 'MISS' });
  assert.deepEqual(total(), [700, 300, 300]);
});

test('what one book knows of its values is not what another does, nor what it knew before', () => {
  const whole = { from: 0, to: 1_000 };
  const books = ['HIT', 'MISS'].map((cacheStatus) => {
    const book = new LogBook({ capacity: 5_000 });
    const add = (more: Partial<LogRecord>) =>
      book.append(
        Array.from({ length: 900 }, (_, n) => ({
          record: row({ timestamp: n, cacheStatus, ...more }),
          late: false,
        })),
      );
    add({});
    return { book, add };
  });
  const sidesOf = ({ book }: (typeof books)[number]) => {
    book.setFilter([]);
    const { edgeRequests, originRequests, errors } = book.stats(whole, 1).total;
    return [edgeRequests, originRequests, errors];
  };
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(books.map(sidesOf), [
      [900, 0, 0],
      [0, 900, 0],
    ]);
  }
  const last = books[1] ?? assert.fail();
  last.add({ timestamp: 950, cacheStatus: 'STALE', statusCode: 503 });
  assert.deepEqual(sidesOf(last), [900, 900, 900]);
});
