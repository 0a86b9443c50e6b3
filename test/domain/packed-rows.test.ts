import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { TEXT_NAMES } from '../../src/domain/log.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import type { Term } from '../../src/domain/query/query.ts';
import { createCoder } from '../support/coded.ts';
import { fc } from '../support/properties.ts';
import { anyRecord, RUNS, row, rowsIn } from './log-rows.ts';

const codedOf = createCoder();

const isPackable = (record: LogRecord) =>
  record.raw === null && TEXT_NAMES.every((column) => /^[ -~]*$/.test(record[column] ?? ''));
const anyRows = fc
  .array(anyRecord, { maxLength: 60 })
  .map((records) => records.map((record) => ({ ...record, raw: null })).filter(isPackable));
const term: Term = { kind: 'field', field: 'path', op: 'contains', values: ['login'], negated: false };

function contentOf(book: LogBook) {
  const rows = [...rowsIn(book)];
  const late = rows.map(({ id }) => book.isLate(id));
  return { rows: rows.map(({ record }) => record), late, evicted: book.evicted, hidden: book.hidden };
}

test('rows taken from their bytes are those taken as records, filtered, searched, grouped and evicted alike', () => {
  fc.assert(
    fc.property(
      anyRows,
      anyRows,
      fc.integer({ min: 1, max: 80 }),
      fc.boolean(),
      (first, second, capacity, isRead) => {
        const room = { capacity, frozenCapacity: 2 * capacity };
        const [packed, plain] = [new LogBook(room), new LogBook(room)];
        for (const [records, isFiltered] of [
          [first, false],
          [second, true],
          [first, false],
        ] as const) {
          for (const book of [packed, plain]) if (isFiltered) book.setFilter([term]);
          for (const book of [packed, plain]) if (isRead) isFiltered ? book.freeze() : book.thaw();
          packed.append([
            { coded: codedOf(records), late: Uint8Array.from(records, (_, at) => Number(at % 3 === 0)) },
          ]);
          plain.append(records.map((record, at) => ({ record, late: at % 3 === 0 })));
          assert.deepEqual(contentOf(packed), contentOf(plain));
          assert.deepEqual(packed.groupBy(['url', 'ip'], 50), plain.groupBy(['url', 'ip'], 50));
          assert.deepEqual(packed.countMatches('item', 1e9), plain.countMatches('item', 1e9));
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('many rows at once stand where one by one would put them, in order or not, and add up alike', () => {
  const terms: Term[] = [
    { kind: 'field', field: 'url', op: 'wildcard', values: ['/item/1*'], negated: false },
    { kind: 'field', field: 'cache', op: 'eq', values: ['HIT'], negated: true },
  ];
  for (const [isSorted, capacity] of [
    [true, 50_000],
    [false, 50_000],
    [true, 17_500],
    [false, 17_500],
  ] as const) {
    const [packed, plain] = [new LogBook({ capacity }), new LogBook({ capacity })];
    for (let from = 0; from < 40_000; from += 1_700) {
      const records = Array.from({ length: 1_700 }, (_, i) => {
        const n = from + i;
        const path = `/item/${(n * 7919) % 1000}`;
        return row({
          timestamp: isSorted ? n : n - ((n * 31) % 97) * (n % 13 === 0 ? 40 : 0),
          cacheStatus: n % 3 === 0 ? 'HIT' : 'MISS',
          statusCode: n % 11 === 0 ? 503 : 200,
          ...{ scheme: 'https', host: 'a.example', path, url: `https://a.example${path}` },
        });
      });
      packed.append([{ coded: codedOf(records), late: null }]);
      plain.append(records.map((record) => ({ record, late: false })));
    }
    for (const filter of [[], terms, terms.slice(0, 1), terms.slice(1)]) {
      for (const book of [packed, plain]) book.setFilter(filter);
      assert.deepEqual(contentOf(packed), contentOf(plain));
      const range = { from: 100, to: 19_000 };
      assert.deepEqual(packed.stats(range, 7), plain.stats(range, 7));
    }
  }
});

test('pages of history stand where one by one would put them, between rows, before all and at times that others share', () => {
  const page = (n: number) =>
    Array.from({ length: 700 }, (_, i) => {
      const at = 700 * n + i;
      // Three rows of a time, also where one page ends and the next begins.
      return row({
        timestamp: Math.floor(at / 3) - (at % 350 === 17 ? 100 : 0),
        path: `/item/${at % 20 === 0 ? 'login' : at}`,
      });
    });
  for (const isFiltered of [false, true]) {
    const [packed, plain] = [new LogBook({ capacity: 9_000 }), new LogBook({ capacity: 9_000 })];
    for (const n of [9, 3, 2, 6, 0, 5, 4, 1, 8, 7]) {
      packed.append([{ coded: codedOf(page(n)), late: null }]);
      plain.append(page(n).map((record) => ({ record, late: false })));
      if (isFiltered) for (const book of [packed, plain]) book.setFilter([term]);
      assert.deepEqual(packed.stats({ from: 0, to: 2_400 }, 9), plain.stats({ from: 0, to: 2_400 }, 9));
    }
    assert.deepEqual(contentOf(packed), contentOf(plain));
  }
});

test('a filter may keep a range of time, its end excluded', () => {
  const book = new LogBook({ capacity: 100 });
  book.append([10, 20, 30, 40].map((timestamp) => ({ record: row({ timestamp }), late: false })));
  const times = () => contentOf(book).rows.map((record) => record.timestamp);
  book.setFilter([], 'none', { from: 20, to: 40 });
  assert.deepEqual(times(), [20, 30]);
  book.append([15, 25].map((timestamp) => ({ record: row({ timestamp }), late: false })));
  assert.deepEqual([times(), book.hidden], [[20, 25, 30], 3]);
  book.setFilter([]);
  assert.equal(times().length, 6);
});

test('rows of a file take the place of as many older ones at once, and each has a number of its own', () => {
  const [packed, plain] = [new LogBook({ capacity: 300 }), new LogBook({ capacity: 300 })];
  const pathOf = new Map<number, string>();
  for (let from = 0; from < 1_500; from += 100) {
    const isLate = from === 900;
    const records = Array.from({ length: 100 }, (_, i) =>
      row({ timestamp: (isLate ? 0 : from) + i, path: `/item/${from + i}`, url: `/item/${from + i}` }),
    );
    packed.append([{ coded: codedOf(records), late: null }]);
    plain.append(records.map((record) => ({ record, late: false })));
    assert.deepEqual(contentOf(packed), contentOf(plain));
    for (const { id, record } of rowsIn(packed)) {
      assert.equal(pathOf.get(id) ?? record.path, record.path, 'a number is that of one row for ever');
      pathOf.set(id, record.path);
    }
  }
});
