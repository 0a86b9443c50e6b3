import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ColumnNeeds, NO_NEEDS } from '../../src/domain/logs/columns/column-needs.ts';
import { TextLengths } from '../../src/domain/logs/dictionary/dictionary.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { type ColumnId, placeColumns } from '../../src/domain/logs/pane-columns.ts';
import { createCoder } from '../support/coded.ts';
import { row } from './log-rows.ts';

const pathOf = (letters: number, n = 0) => `/${String(n).padEnd(letters - 1, 'x')}`;
const arrived = (...paths: string[]) => paths.map((path) => ({ record: row({ path }), late: false }));
const needs = (more: Partial<ColumnNeeds> = {}): ColumnNeeds => ({ ...NO_NEEDS, ...more });

function bookOf(...paths: string[]): LogBook {
  const book = new LogBook({ capacity: 100 });
  book.append(arrived(...paths));
  return book;
}

function widths(columns: number, known?: ColumnNeeds, chosen: ColumnId[] | null = null) {
  const placed = placeColumns(chosen, columns, known ? { needs: known } : {});
  return Object.fromEntries(placed.map(({ id, width }) => [id, width]));
}

test('lengths are told in steps, by the share of texts that fits', () => {
  const lengths = new TextLengths();
  assert.equal(lengths.within(1), 0);
  for (let n = 0; n < 9; n++) lengths.add(12);
  lengths.add(60_000);
  assert.equal(lengths.within(0.9), 16);
  assert.equal(lengths.within(0.91), 128);
  assert.equal(lengths.within(1), 128);
});

test('a text counts as often as it comes in anew, and not with each row', () => {
  const book = bookOf(...Array.from({ length: 40 }, () => pathOf(60)), ...[1, 2, 3].map((n) => pathOf(8, n)));
  assert.deepEqual(book.needs.path, { usual: 64, longest: 64 });
});

test('addresses that nobody keeps leave their room to the path', () => {
  const kept = widths(80);
  const dropped = Object.fromEntries(
    placeColumns(null, 80, { hasAddresses: false }).map(({ id, width }) => [id, width]),
  );
  assert.deepEqual([kept['ip'], dropped['ip']], [15, undefined]);
  assert.equal(dropped['path'], (kept['path'] ?? 0) + 16);
});

test('needs only grow, whatever is evicted, and are the same object until they do', () => {
  const book = new LogBook({ capacity: 2 });
  book.append(arrived(pathOf(40)));
  const first = book.needs;
  for (let n = 0; n < 50; n++) book.append(arrived(pathOf(20, n)));
  assert.equal(book.needs, first);
  assert.deepEqual(book.needs.path, { usual: 48, longest: 48 });
  book.append(arrived(pathOf(49)));
  assert.deepEqual(book.needs.path, { usual: 48, longest: 64 });
});

test('one client alone widens no column for all', () => {
  const book = bookOf(...Array.from({ length: 20 }, (_, n) => pathOf(16, n)));
  book.append(arrived(pathOf(500)));
  assert.equal(book.needs.path.usual, 16);
});

test('rows that come coded are measured like others', () => {
  const records = [row({ path: pathOf(50) }), row({ path: pathOf(10), host: 'b.example' })];
  const [plain, coded] = [new LogBook({ capacity: 9 }), new LogBook({ capacity: 9 })];
  plain.append(records.map((record) => ({ record, late: false })));
  coded.append([{ coded: createCoder()(records), late: null }]);
  assert.deepEqual(coded.needs, plain.needs);
  assert.equal(coded.needs.hasHosts, true);
});

test('several hosts stay several when the rows of all but one are gone', () => {
  const book = new LogBook({ capacity: 2 });
  book.append([{ record: row({ host: 'a.example' }), late: false }]);
  assert.equal(book.needs.hasHosts, false);
  book.append([{ record: row({ host: 'b.example', timestamp: 2_000 }), late: false }]);
  for (const timestamp of [3_000, 4_000])
    book.append([{ record: row({ host: 'b.example', timestamp }), late: false }]);
  assert.equal(book.distinct('host', 9).length, 1);
  assert.equal(book.needs.hasHosts, true);
});

test('a host that all rows have is not there unasked, and is where it is chosen', () => {
  assert.equal(widths(120)['host'], undefined);
  assert.equal(widths(120, needs({ hasHosts: true }))['host'], 14);
  assert.ok((widths(120, needs(), ['time', 'host', 'path'])['host'] ?? 0) >= 14);
});

const LONG = { usual: 128, longest: 128 };
const HOSTS = needs({ hasHosts: true, host: { usual: 24, longest: 24 } });

test('the path comes first when room is shared, then the client, then the host', () => {
  const table: [
    columns: number,
    ColumnNeeds,
    path: number,
    ua: number | undefined,
    host: number | undefined,
  ][] = [
    [80, needs(), 27, undefined, undefined],
    [80, needs({ path: LONG }), 27, undefined, undefined],
    [120, needs(), 32, 34, undefined],
    [120, needs({ path: LONG }), 52, 14, undefined],
    [120, needs({ path: { usual: 48, longest: 64 } }), 48, 18, undefined],
    [120, { ...HOSTS, path: LONG }, 37, 14, 14],
    [120, HOSTS, 32, 19, 14],
    [200, { ...HOSTS, path: { usual: 48, longest: 96 } }, 90, 22, 24],
    [200, HOSTS, 32, 80, 24],
  ];
  for (const [columns, known, path, ua, host] of table) {
    const placed = widths(columns, known);
    assert.deepEqual([placed['path'], placed['ua'], placed['host']], [path, ua, host], `at ${columns}`);
  }
});

test('columns fill the screen and none is narrower than its least', () => {
  for (let columns = 60; columns <= 260; columns++) {
    for (const known of [needs(), HOSTS, { ...HOSTS, path: LONG, address: LONG }]) {
      const placed = placeColumns(null, columns, { needs: known });
      assert.equal(
        placed.reduce((sum, { width }) => sum + width + 1, 0),
        columns,
      );
    }
  }
});

test('addresses get the room of IPv6 where rows have it', () => {
  const cellsOf = (longest: number, columns = 200) =>
    widths(columns, needs({ address: { usual: 16, longest } }))['ip'];
  assert.deepEqual([cellsOf(0), cellsOf(24), cellsOf(48), cellsOf(48, 120)], [15, 24, 39, 15]);
});
