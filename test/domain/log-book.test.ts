import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { LogColumns } from '../../src/domain/logs/columns/log-columns.ts';
import { distinctValues } from '../../src/domain/logs/groups/distinct-values.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import type { BookItem } from '../../src/domain/logs/order/log-gaps.ts';
import { TrafficMeter } from '../../src/domain/logs/sums/traffic-meter.ts';
import type { Gap } from '../../src/domain/tail/coverage.ts';
import { row, rowsIn } from './log-rows.ts';

const arrived = (...records: LogRecord[]) => records.map((record) => ({ record, late: false }));
const at = (timestamp: number, path = `/${timestamp}`) => row({ timestamp, path });
const gap = (from: number): Gap => ({
  id: `gap ${from}`,
  from,
  to: from + 10,
  reason: 'offline',
  rows: null,
});

test('an id names the same row for as long as it is kept, wherever it moves', () => {
  const book = new LogBook({ capacity: 3 });
  book.append(arrived(at(10), at(20)));
  const item = book.at(1) as BookItem & { kind: 'row' };
  book.append(arrived(at(5), at(15)));
  assert.equal(book.record(item.id).path, '/20');
  assert.equal(book.indexOf(item), 2);
  book.append(arrived(at(30), at(40), at(50)));
  assert.equal(book.has(item.id), false);
  assert.throws(() => book.record(item.id), RangeError);
});

test('the place of an evicted row is the first row, not a gap before it', () => {
  const book = new LogBook({ capacity: 2 });
  book.append(arrived(at(10), at(20)));
  const item = book.at(0) as BookItem;
  book.setGaps([gap(1)]);
  book.append(arrived(at(30)));
  assert.equal(book.indexOf(item), 1);
});

test('the place of a hidden row is that of the next row in the view, or of the last', () => {
  const book = new LogBook({ capacity: 9 });
  book.append(
    arrived(at(10), row({ timestamp: 20, statusCode: 500 }), at(30), row({ timestamp: 40, statusCode: 500 })),
  );
  const items = [0, 1, 2, 3].map((i) => book.at(i) as BookItem);
  book.setFilter([{ kind: 'field', field: 'status', op: 'eq', values: ['5xx'], negated: true }]);
  assert.deepEqual(
    items.map((item) => book.indexOf(item)),
    [0, 1, 1, 1],
  );
  assert.equal(book.hidden, 2);
});

test('the header counts what a frozen view holds back', () => {
  const book = new LogBook({ capacity: 4 });
  book.freeze();
  book.append(arrived(at(10)));
  assert.equal(book.stats({ from: 0, to: 100 }, 1).total.requests, 1);
  assert.equal(book.length, 0);
});

test('a walk through the rows leaves out those evicted on the way', () => {
  const book = new LogBook({ capacity: 3 });
  book.append(arrived(at(10), at(20), at(30)));
  const seen: string[] = [];
  for (const { record } of rowsIn(book)) {
    seen.push(record.path);
    if (record.timestamp === 10) book.append(arrived(at(40), at(50)));
  }
  assert.deepEqual(seen, ['/10', '/30']);
});

test('values that a dictionary counts are offered without a look at the rows, whatever their number', () => {
  const columns = new LogColumns();
  for (const cacheStatus of ['HIT', 'MISS', 'HIT']) columns.add(row({ cacheStatus }), false);
  const meter = new TrafficMeter(columns);
  Object.defineProperty(columns, 'states', {
    get: () => assert.fail('rows were looked at'),
  });
  assert.deepEqual(distinctValues(columns, meter, 'cache', 9), [
    { value: 'HIT', count: 2 },
    { value: 'MISS', count: 1 },
  ]);
});

test('every change is seen in the version, and looking changes nothing', () => {
  const book = new LogBook({ capacity: 9 });
  const versions = [book.version];
  for (const change of [
    () => book.append(arrived(at(1))),
    () => book.setGaps([gap(1)]),
    () => book.setFilter([]),
    () => book.freeze(),
    () => book.thaw(),
  ]) {
    change();
    versions.push(book.version);
    book.search('x', 0, 1);
    book.groupBy(['ip'], 1);
    assert.equal(book.version, versions.at(-1));
  }
  assert.equal(new Set(versions).size, versions.length);
});

test('while frozen the rows in view outlive the capacity, and after thaw the surplus goes little by little', () => {
  const book = new LogBook({ capacity: 10, frozenCapacity: 40 });
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => ({ record: at(from + i), late: false }));
  book.append(rows(0, 10));
  book.freeze();
  book.append(rows(10, 35));
  assert.deepEqual([book.length, book.backlog, book.evicted], [10, 25, 0]);
  book.thaw();
  book.append(rows(35, 36));
  assert.equal(book.size, 33);
  book.append(rows(36, 60));
  assert.equal(book.size, 10);
  assert.equal(book.evicted, 50);
});
