import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogBook } from '../../src/domain/logs/log-book.ts';
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
