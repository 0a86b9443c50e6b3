import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { ndjsonLine } from '../../src/domain/handover/line-formats.ts';
import { logRow } from '../../src/domain/handover/shapes.ts';
import { openInputs, type SavedInput } from '../../src/effects/saved/saved-input.ts';
import { keepImported } from '../../src/print/keep/keep-import.ts';
import { notedGaps } from '../../src/store/noted-coverage.ts';
import { systemClock } from '../../src/time/clock.ts';
import { ownFolder } from '../support/own-folder.ts';
import { NOON, recordOf } from '../support/state.ts';
import { textTaker } from '../support/text-taker.ts';
import { MemoryStore } from './memory-store.ts';

const MINUTE = 60_000;
const stamp = (time: number) => new Date(time).toISOString();

type Imported = { code: number; store: MemoryStore; err: string };

async function imported(text: string): Promise<Imported> {
  const opened = await openInputs(['-'], Readable.from([Buffer.from(text)]) as never);
  assert.ok(opened.ok);
  return importedOf(opened.inputs);
}

async function importedFiles(t: TestContext, texts: readonly string[]): Promise<Imported> {
  const folder = ownFolder(t);
  const names = texts.map((text, at) => {
    const name = join(folder, `${at}.ndjson`);
    writeFileSync(name, text);
    return name;
  });
  const opened = await openInputs(names, null);
  assert.ok(opened.ok);
  return importedOf(opened.inputs);
}

async function importedOf(inputs: readonly SavedInput[]): Promise<Imported> {
  const store = new MemoryStore();
  let err = '';
  const stderr = textTaker((text) => {
    err += text;
  });
  const printer = {
    stderr,
    format: 'ndjson',
    clock: systemClock,
    write: async () => {},
    onEnd() {},
  } as const;
  return { code: await keepImported(printer, inputs, store.open), store, err };
}

test('an import ends with the rows that the store has, and not with those that were sent', async () => {
  const row = ndjsonLine(logRow(recordOf(1)));
  const { err } = await imported([row, ndjsonLine(logRow(recordOf(2))), row].join('\n'));
  assert.match(err, /3 rows were loaded; the store main has 2 of their zones and time, each once/);
  assert.match((await imported('')).err, /no row was loaded into the store main/);
});

test('equal rows without an id are each a request in one file, and one in two files that overlap', async (t) => {
  const row = (n: number) => ndjsonLine(logRow(recordOf(n, { requestId: null })));
  const once = await importedFiles(t, [[row(1), row(2), row(1)].join('\n')]);
  assert.equal(once.store.rows.size, 3);
  const overlapping = [[row(1), row(2), row(1)].join('\n'), [row(1), row(1), row(1), row(3)].join('\n')];
  assert.equal((await importedFiles(t, overlapping)).store.rows.size, 5);
});

test('an import notes the time of its rows, zone by zone, and what the file itself lacks of it', async () => {
  const row = (n: number, at: number, pullZoneId: string) =>
    ndjsonLine(logRow(recordOf(n, { timestamp: NOON + at * MINUTE, pullZoneId })));
  const gap = (from: number, to: number) => ({
    from: stamp(NOON + from * MINUTE),
    to: stamp(NOON + to * MINUTE),
    reason: 'overload',
    rows: 7,
  });
  const { code, store } = await imported(
    [
      row(1, 0, '7'),
      row(2, 5, '8'),
      JSON.stringify({ _gap: { ...gap(6, 7), zone: '7' } }),
      row(3, 10, '7'),
      row(4, 9, '8'),
    ].join('\n'),
  );
  assert.equal(store.rows.size, 4);
  const told = (zone: string) =>
    notedGaps(store.notes, [zone], { from: NOON - MINUTE, to: NOON + 20 * MINUTE }).map(
      ({ from, to, reason }) => [reason, (from - NOON) / MINUTE, Math.floor((to - NOON) / MINUTE)] as const,
    );
  assert.deepEqual(told('7'), [
    ['notRead', -1, 0],
    ['imported', 0, 6],
    ['overload', 6, 7],
    ['imported', 7, 10],
    ['notRead', 10 + 1 / MINUTE, 20],
  ]);
  assert.deepEqual(told('8'), [
    ['notRead', -1, 5],
    ['imported', 5, 9],
    ['notRead', 9 + 1 / MINUTE, 20],
  ]);
  assert.equal(code, 0);
});
