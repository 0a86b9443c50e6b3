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

test('a column of more than 65,536 different values keeps them apart', () => {
  const columns = new LogColumns();
  const slots = Array.from({ length: 70_000 }, (_, i) => columns.add(row({ path: `/${i}` }), false));
  for (const i of [0, 1, 254, 255, 256, 65_534, 65_535, 65_536, 69_999]) {
    assert.equal(columns.record(slots[i] as number).path, `/${i}`);
  }
});
