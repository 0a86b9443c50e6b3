import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogColumns } from '../../src/domain/logs/columns/log-columns.ts';
import { row } from './log-rows.ts';

test('a url is kept only where scheme, host and path do not make it', () => {
  const columns = new LogColumns();
  columns.add(row(), false);
  assert.equal(columns.coded.url.dictionary.size, 0);
  columns.add(row({ url: 'https://www.example.com/elsewhere' }), false);
  assert.equal(columns.coded.url.dictionary.size, 1);
});

test('rows that are gone leave nothing behind in any dictionary, and their ids never come back', () => {
  const columns = new LogColumns();
  const ids = new Set<number>();
  for (let round = 0; round < 50; round++) {
    const slots = [1, 2, 3].map((n) =>
      columns.add(row({ path: `/${round}/${n}`, requestId: `odd ${round}` }), true),
    );
    for (const slot of slots) {
      const id = columns.idOf(slot);
      assert.ok(!ids.has(id) && Number.isSafeInteger(id));
      ids.add(id);
      assert.equal(columns.slotOf(id), slot);
      columns.remove(slot);
      assert.equal(columns.slotOf(id), -1);
    }
  }
  assert.equal(columns.limit, 3);
  for (const column of Object.values(columns.coded)) assert.equal(column.dictionary.size, 0);
  assert.equal(columns.requestId.odd.dictionary.size, 0);
});

test('a column of more than 65,536 different values keeps them apart', () => {
  const columns = new LogColumns();
  const slots = Array.from({ length: 70_000 }, (_, i) => columns.add(row({ path: `/${i}` }), false));
  for (const i of [0, 1, 254, 255, 256, 65_534, 65_535, 65_536, 69_999]) {
    assert.equal(columns.record(slots[i] as number).path, `/${i}`);
  }
});
