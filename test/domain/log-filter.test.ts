import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import type { ReadingPlace } from '../../src/domain/logs/order/log-gaps.ts';
import type { Term } from '../../src/domain/query/query.ts';
import { fc } from '../support/properties.ts';
import { LogModel } from './log-model.ts';
import { RUNS } from './log-rows.ts';
import { codedOf, fill, someRows } from './many-rows.ts';

const anyTerms: fc.Arbitrary<Term[]> = fc.constantFrom<Term[]>(
  [],
  [{ kind: 'field', field: 'cache', op: 'eq', values: ['MISS'], negated: false }],
  [{ kind: 'field', field: 'cache', op: 'eq', values: ['NONE'], negated: false }],
  [{ kind: 'text', value: 'item/7', negated: true }],
  [
    { kind: 'field', field: 'path', op: 'wildcard', values: ['/item/1*'], negated: false },
    { kind: 'field', field: 'status', op: 'eq', values: ['5xx'], negated: true },
  ],
);

const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('work' as const) }) },
  fc.record({ do: fc.constant('filter' as const), terms: anyTerms, place: fc.nat(2_600) }),
  fc.record({ do: fc.constant('coded' as const), count: fc.integer({ min: 1, max: 700 }) }),
  fc.record({ do: fc.constant('append' as const), count: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ do: fc.constantFrom('freeze' as const, 'thaw' as const) }),
  fc.record({ do: fc.constantFrom('settle' as const, 'search' as const, 'gap' as const) }),
);

const idsOf = (book: LogBook) =>
  Array.from({ length: book.length }, (_, i) => {
    const item = book.at(i);
    return item?.kind === 'row' ? book.record(item.id).requestId : 'gap';
  });
const modelIds = (model: LogModel) =>
  model.items.map((item) => (item.kind === 'row' ? item.row.record.requestId : 'gap'));

const SPAN = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** A filter half asked shows nothing that it would not show in the end, in its order, and sums of that alone. */
function assertTrue(book: LogBook, model: LogModel): void {
  const [shown, all] = [idsOf(book), modelIds(model)];
  if (book.filtering === null) {
    assert.deepEqual(shown, all);
    assert.equal(book.hidden, model.rows.length - model.matching.length);
    assert.equal(book.backlog, model.matching.length - model.view.length);
    assert.deepEqual(book.stats(SPAN, 1).total, model.traffic(SPAN));
    return;
  }
  assert.ok(book.filtering >= 0 && book.filtering < 1, `${book.filtering}`);
  const wanted = new Set(shown);
  assert.deepEqual(
    shown,
    all.filter((id) => wanted.has(id)),
  );
  for (let i = 0; i < book.length; i += 37) assert.equal(book.indexOf(book.at(i) ?? assert.fail()), i);
  assert.equal(book.stats(SPAN, 1).total.requests, book.rowsInView + book.backlog);
}

test('a filter asked block by block shows no row that is not its own, and in the end all of them', () => {
  fc.assert(
    fc.property(
      fc.array(anyStep, { maxLength: 14 }),
      fc.integer({ min: 1, max: 1_600 }),
      fc.constantFrom(0, 10, 90),
      (steps, rowsAtOnce, spread) => {
        const [book, model] = [new LogBook({ capacity: 3_500, rowsAtOnce }), new LogModel(3_500)];
        let next = 0;
        const take = (count: number) => {
          const records = someRows(next, count, spread);
          next += count;
          model.append(records.map((record) => ({ record, late: false })));
          return records;
        };
        book.append([{ coded: codedOf(take(2_600)), late: null }]);
        for (const step of steps) {
          if (step.do === 'work') book.work();
          if (step.do === 'settle') book.settle();
          if (step.do === 'search') book.countMatches('item/3', 9);
          if (step.do === 'coded') book.append([{ coded: codedOf(take(step.count)), late: null }]);
          if (step.do === 'append') book.append(take(step.count).map((record) => ({ record, late: false })));
          if (step.do === 'freeze') for (const it of [book, model]) it.freeze();
          if (step.do === 'thaw') for (const it of [book, model]) it.thaw();
          if (step.do === 'gap') {
            const gaps = [{ id: 'g', from: 9_000, to: 9_100, reason: 'offline' as const, rows: null }];
            for (const it of [book, model]) it.setGaps(gaps);
          }
          if (step.do === 'filter') {
            book.setFilter(step.terms, 'none', null, book.at(step.place) ?? 'newest');
            model.setFilter(step.terms);
          }
          assertTrue(book, model);
        }
        while (book.filtering !== null) book.work();
        assertTrue(book, model);
      },
    ),
    { numRuns: Math.ceil(RUNS / 2) },
  );
});

test('the rows around the reader are there first, and each is as it stands in the end', () => {
  const places: [ReadingPlace | number, number][] = [
    [0, 0],
    ['newest', 19_999],
    [7_000, 7_000],
    [19_990, 19_990],
  ];
  for (const [place, at] of places) {
    const book = new LogBook({ capacity: 30_000, rowsAtOnce: 1_500 });
    fill(book, 20_000, 0);
    const where = typeof place === 'number' ? (book.at(place) ?? assert.fail()) : place;
    book.setFilter(
      [{ kind: 'field', field: 'cache', op: 'eq', values: ['MISS'], negated: false }],
      ...(['none', null, where] as const),
    );
    assert.ok(book.filtering !== null && book.filtering < 0.2, `${book.filtering}`);
    const around = (ids: readonly (string | null)[]) => {
      const numbers = ids.map((id) => Number.parseInt(id ?? '', 16));
      return numbers.filter((n) => Math.abs(n - at) <= 400);
    };
    const first = around(idsOf(book));
    assert.ok(first.length > 100, `${first.length} rows around ${at}`);
    book.settle();
    assert.equal(book.filtering, null);
    assert.deepEqual(first, around(idsOf(book)));
  }
});

test('what matched the filter before is nothing while this one is asked, whatever happens meanwhile', () => {
  const nothing = {
    kind: 'field' as const,
    field: 'path',
    op: 'eq' as const,
    values: ['/none'],
    negated: false,
  };
  const book = new LogBook({ capacity: 30_000, rowsAtOnce: 600 });
  fill(book, 6_000, 10);
  const first = book.at(0) ?? assert.fail();
  book.setFilter([nothing], 'none', null, first);
  let next = 6_000;
  const changes = {
    comes: () => book.append([{ coded: codedOf(someRows(next, 300, 10)), late: null }]),
    frozen: () => book.freeze(),
    thawed: () => book.thaw(),
    asked: () => book.work(),
  };
  for (const change of ['comes', 'frozen', 'comes', 'thawed', 'asked', 'comes', 'thawed'] as const) {
    changes[change]();
    if (change === 'comes') next += 300;
    assert.notEqual(book.filtering, null);
    assert.deepEqual([book.length, book.rowsInView, book.backlog], [0, 0, 0], change);
    for (const range of [SPAN, { from: 10_000, to: 59_000 }])
      assert.equal(book.stats(range, 3).total.requests, 0, change);
  }
  book.settle();
  assert.deepEqual([book.length, book.hidden], [0, book.size]);
});

test('rows between those that were not asked yet split their blocks, and both halves are asked', () => {
  const [book, model] = [new LogBook({ capacity: 30_000, rowsAtOnce: 600 }), new LogModel(30_000)];
  const rows = someRows(0, 3_000, 0);
  const late = someRows(3_000, 200, 0).map((record, i) => ({ ...record, timestamp: 1_000 + 40 * i }));
  const terms: Term[] = [{ kind: 'field', field: 'cache', op: 'eq', values: ['MISS'], negated: false }];
  for (let n = 0; n < 3_000; n += 1_000)
    book.append([{ coded: codedOf(rows.slice(n, n + 1_000)), late: null }]);
  book.setFilter(terms);
  book.append([{ coded: codedOf(late), late: null }]);
  assert.notEqual(book.filtering, null);
  model.append([...rows, ...late].map((record) => ({ record, late: false })));
  model.setFilter(terms);
  assertTrue(book, model);
  while (book.filtering !== null) book.work();
  assertTrue(book, model);
});

test('a value that came after the filter is asked as well, beside rows that were not yet', () => {
  const none: Term = { kind: 'field', field: 'cache', op: 'eq', values: ['NONE'], negated: false };
  for (const negated of [false, true]) {
    const book = new LogBook({ capacity: 100_000, rowsAtOnce: 600 });
    fill(book, 20_000, 0);
    book.setFilter([{ ...none, negated }], 'none', null, book.at(0) ?? assert.fail());
    const odd = someRows(20_000, 500, 0).map((record) => ({ ...record, cacheStatus: 'NONE' }));
    book.append([{ coded: codedOf(odd), late: null }]);
    assert.notEqual(book.filtering, null);
    book.settle();
    assert.equal(book.rowsInView, negated ? 20_000 : 500);
  }
});

test('whoever asks for the whole view gets the whole view', () => {
  const whole: Record<string, (book: LogBook) => unknown> = {
    items: (book) => [...book.items()].length,
    groupBy: (book) => book.groupBy(['cache', 'path'], 500),
    sample: (book) => {
      const key = { cache: 'MISS' };
      const group = { key, count: 9, bytes: 0, firstSeen: 0, lastSeen: 0, hits: 0, misses: 0, errors: 0 };
      const sample = book.sample(['cache'], [group], 9);
      while (!sample.step(1));
      return sample.result?.map((ids) => ids.map((id) => book.record(id).requestId));
    },
    search: (book) => book.search('item/5', 0, 1),
    count: (book) => book.countMatches('item/5', 900),
  };
  for (const [name, ask] of Object.entries(whole)) {
    const [sliced, atOnce] = [1_000, 1_000_000].map((rowsAtOnce) => {
      const book = new LogBook({ capacity: 30_000, rowsAtOnce });
      fill(book, 9_000, 10);
      book.setFilter([{ kind: 'text', value: 'item/5', negated: false }]);
      return book;
    }) as [LogBook, LogBook];
    assert.ok(sliced.filtering !== null && atOnce.filtering === null, name);
    assert.deepEqual(ask(sliced), ask(atOnce), name);
  }
});
