import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import type { BookItem } from '../../src/domain/logs/order/log-gaps.ts';
import type { Term } from '../../src/domain/query/query.ts';
import type { Gap } from '../../src/domain/tail/coverage.ts';
import { row } from './log-rows.ts';

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

const LOGIN: Term = { kind: 'text', value: 'login', negated: false };
const OF_ORIGIN: Term = { kind: 'field', field: 'cause', op: 'eq', values: ['origin'], negated: false };

test('the filter in force, asked again, tests no row again; one that asks for causes does, since more may be known', () => {
  const book = new LogBook({ capacity: 5_000, rowsAtOnce: 1 });
  book.append(arrived(at(10, '/login'), ...Array.from({ length: 2_000 }, (_, i) => at(20 + i))));
  for (const [terms, isAgain] of [
    [[], false],
    [[LOGIN], false],
    [[OF_ORIGIN], true],
    [[], false],
  ] as const) {
    book.setFilter(terms);
    book.settle();
    book.setFilter(terms);
    assert.equal(book.filtering !== null, isAgain);
  }
  assert.equal(book.rowsInView, 2_001);
});

test('every change is seen in the version, and looking changes nothing', () => {
  const book = new LogBook({ capacity: 9 });
  const versions = [book.version];
  for (const change of [
    () => book.append(arrived(at(1))),
    () => book.setGaps([gap(1)]),
    () => book.setFilter([LOGIN]),
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
