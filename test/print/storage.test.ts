import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommandLine } from '../../src/config/command-line.ts';
import { printStorage, type StoragePrinter } from '../../src/print/storage.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { cellsOf } from './support.ts';

test('an account without storage zones has the head of their table', async () => {
  const usage = readCommandLine(['storage'], import.meta, {
    name: 'edgescope',
    version: '0',
    description: '',
  });
  assert.ok(usage.ok);
  let out = '';
  const printer = {
    format: 'csv',
    client: {
      storageZones: async () => ({ ok: true, value: { items: [], page: 1, total: 0, hasMore: false } }),
    },
    journal: { openIntents: async () => [] },
    clock: new VirtualClock(),
    write: async (text: string) => {
      out += text;
    },
  } as unknown as StoragePrinter;
  assert.equal(await printStorage(printer, usage.value), 0);
  assert.deepEqual(cellsOf(out).slice(0, 3), ['Id', 'UserId', 'Name']);
});
