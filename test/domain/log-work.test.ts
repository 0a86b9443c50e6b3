import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BookWork } from '../../src/domain/logs/groups/book-work.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import type { Term } from '../../src/domain/query/query.ts';
import { row } from './log-rows.ts';
import { fill } from './many-rows.ts';

const MISS: Term = { kind: 'field', field: 'cache', op: 'eq', values: ['MISS'], negated: false };
const FIELDS = [
  ['cache'],
  ['cache', 'status'],
  ['path', 'id'],
  ['page'],
  ['shape'],
  ['bytes'],
  ['url'],
  ['id'],
];

/** Rows of some chunks of the columns. */
function largeBook(capacity = 100_000): LogBook {
  const book = new LogBook({ capacity });
  fill(book, 40_000, 10);
  return book;
}

/** To the end, in the smallest steps there are; how many. */
function steps<T>(work: BookWork<T>, between: (step: number) => void = () => {}): number {
  for (let step = 1; ; step++) {
    const before = work.share;
    if (work.step(1)) return step;
    assert.ok(work.share >= before && work.share <= 1, `${before} then ${work.share}`);
    between(step);
  }
}

test('groups counted in steps are those counted at once', () => {
  const book = largeBook();
  for (const fields of FIELDS) {
    const work = book.countGroups(fields, 50);
    assert.ok(steps(work) >= 3, fields.join());
    assert.deepEqual(work.result, book.groupBy(fields, 50));
    assert.ok(work.step());
  }
});

test('rows that come between two steps are not counted, and disturb nothing', () => {
  for (const fields of FIELDS) {
    const book = largeBook();
    const wanted = book.groupBy(fields, 50);
    const work = book.countGroups(fields, 50);
    steps(work, (step) => {
      fill(book, 1_000, 10, 40_000 + step * 1_000);
      // Values that no row had before, among them one that makes codes wider.
      const odd = Array.from({ length: 300 }, (_, n) => ({
        host: `h${step}-${n}.example`,
        cacheStatus: `NEW${n}`,
      }));
      book.append(odd.map((more) => ({ record: row({ ...more, timestamp: 1e6 }), late: false })));
    });
    assert.deepEqual(work.result, wanted, fields.join());
  }
});

test('a filter, a thaw and rows that go between two steps begin it again; the second time it ends at once', () => {
  const changes: Record<string, (book: LogBook, step: number) => void> = {
    filter: (book, step) => book.setFilter(step === 1 ? [MISS] : []),
    thaw: (book) => book.thaw(),
    eviction: (book) => book.append([{ record: row({ timestamp: 1e9 }), late: false }]),
  };
  for (const [name, change] of Object.entries(changes)) {
    const book = largeBook(name === 'eviction' ? 40_000 : 100_000);
    book.freeze();
    fill(book, 5_000, 0, 50_000);
    const work = book.countGroups(['cache', 'path'], 200);
    const taken = steps(work, (step) => {
      if (step <= 2) change(book, step);
    });
    assert.equal(taken, 3, name);
    assert.deepEqual(work.result, book.groupBy(['cache', 'path'], 200), name);
  }
});

test('one change costs no step that is longer than others', () => {
  const book = largeBook();
  const work = book.countGroups(['cache'], 9);
  work.step(1);
  work.step(1);
  book.setFilter([MISS]);
  assert.equal(work.step(1), false);
  assert.ok(steps(work) > 1);
  assert.deepEqual(work.result, book.groupBy(['cache'], 9));
});

test('what a step may cost decides how much is done in it', () => {
  const done: number[] = [];
  const work = new BookWork(function* () {
    for (let part = 1; part <= 10; part++) {
      done.push(part);
      yield { cost: 10, share: part / 10 };
    }
    return 'all';
  });
  assert.equal(work.step(25), false);
  assert.deepEqual([done.length, work.share, work.result], [3, 0.3, null]);
  assert.equal(work.step(70), false);
  assert.equal(work.step(1), true);
  assert.equal(work.result, 'all');
});

test('a field that logs do not have is an error at the first step', () => {
  assert.throws(() => largeBook().countGroups(['action'], 9).step(), /no field action/);
});

test('a sample taken in steps is of rows that there are, each of its group', () => {
  const book = largeBook();
  const { groups } = book.groupBy(['cache', 'status'], 10);
  const work = book.sample(['cache', 'status'], groups, 60);
  steps(work, (step) => fill(book, 1_000, 0, 60_000 + step * 1_000));
  groups.forEach(({ key, count }, i) => {
    const ids = work.result?.[i] ?? [];
    assert.ok(ids.length >= Math.min(count, 31) && ids.length <= 60, `${ids.length} of ${count}`);
    for (const id of ids) {
      const { cacheStatus, statusCode } = book.record(id);
      assert.deepEqual([cacheStatus, String(statusCode)], [key['cache'], key['status']]);
    }
  });
});
