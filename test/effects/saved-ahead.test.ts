import assert from 'node:assert/strict';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { recordsOf } from '../../src/domain/logs/log-rows.ts';
import { type Ahead, SavedPool, startAhead } from '../../src/effects/saved/saved-ahead.ts';
import { closeInputs, openInputs, type SavedInput } from '../../src/effects/saved/saved-input.ts';
import { openStreams } from '../../src/effects/saved/saved-items.ts';
import { LONGEST_LINE, RangeReader } from '../../src/effects/saved/saved-lines.ts';
import { systemClock } from '../../src/time/clock.ts';
import { fc } from '../support/properties.ts';
import {
  forwarded,
  lineV1,
  printedRow,
  printedRows,
  type Reading,
  reading,
  savedFile,
} from './support/saved.ts';

/** Threads for files of any size. */
const withThreads = (inputs: readonly SavedInput[]) => startAhead(inputs, systemClock, 1);

const GAP =
  '{"_gap":{"from":"2026-08-01T00:00:00.000Z","to":"2026-08-01T00:01:00.000Z","reason":"offline","rows":7}}\n';

/** More than two ranges of rows, and between them all that takes another way. */
function mixedLog(): string {
  const parts = ['\ufeff'];
  for (let n = 0; n < 4200; n++) {
    parts.push(n % 3 === 0 ? lineV1(n) : printedRow(n, n % 50 === 0 ? { userAgent: 'Ünïcode' } : {}));
    if (n % 401 === 0) parts.push('this is no row\r\n', '\n');
    if (n % 57 === 0) parts.push(forwarded(lineV1(n)));
    if (n % 911 === 0) parts.push(GAP.replace('rows":7', `rows":${n}`));
    if (n === 1700) parts.push(`${'long '.repeat(LONGEST_LINE / 4)}\n`);
    if (n === 2500) parts.push(`${'longer '.repeat(400_000)}\n`);
  }
  return `${parts.join('')}a line without an end`;
}

async function whole(t: TestContext, file: string, begun: (inputs: readonly SavedInput[]) => Ahead | null) {
  const result = await reading(t, [file], false, begun);
  await result.ended;
  return result;
}

test('threads give the rows, gaps and counts that reading without them gives, in the order of the file', async (t) => {
  const file = savedFile(t, mixedLog());
  const [with_, without] = [await whole(t, file, withThreads), await whole(t, file, () => null)];
  const said = ({ report }: Reading) => ({ ...report, bytesRead: 0 });
  assert.ok(with_.records.length > 4200);
  assert.deepEqual(with_.records, without.records);
  assert.deepEqual(said(with_), said(without));
  assert.equal(with_.report.bytesRead, with_.report.bytesTotal);
});

/** What an import is given of a file. */
async function imported(file: string, begun: (inputs: readonly SavedInput[]) => Ahead | null) {
  const opened = await openInputs([file], null);
  assert.ok(opened.ok);
  const ahead = begun(opened.inputs);
  const { signal } = new AbortController();
  const [stream] = openStreams(opened.inputs, { clock: systemClock, near: 0, signal, ahead });
  assert.ok(stream);
  const items: unknown[] = [];
  for await (const part of stream.parts)
    items.push(...(part.kind === 'gap' ? [part.gap] : Array.from(recordsOf(part.rows))));
  await ahead?.close();
  await closeInputs(opened.inputs);
  const { rows, bad, cut, notText, span } = stream.parser;
  return { items, progress: stream.progress, told: { rows, bad, cut, notText, span } };
}

test('an import has by threads what it has without them, to a last line without an end', async (t) => {
  const file = savedFile(t, mixedLog());
  const [with_, without] = [await imported(file, withThreads), await imported(file, () => null)];
  assert.ok(with_.told.rows > 4200);
  assert.deepEqual(with_, without);
});

test('an import whose thread ends says so, and reads no row twice', async (t) => {
  const file = savedFile(t, printedRows(0, 6000));
  const { items, progress } = await imported(file, (inputs) => {
    const ahead = withThreads(inputs);
    void ahead?.close();
    return ahead;
  });
  assert.match(progress.trouble ?? '', /^cannot be read any further/);
  assert.ok(items.length > 0 && items.length < 6000);
});

test('compressed and small files are read without threads', async (t) => {
  const gzip = savedFile(t, gzipSync(printedRows(0, 40)), 'day.log.gz');
  assert.equal((await whole(t, gzip, withThreads)).records.length, 40);
  const opened = await reading(t, [savedFile(t, printedRows(0, 4))], false, (inputs) => {
    assert.equal(startAhead(inputs, systemClock), null);
    return null;
  });
  await opened.ended;
  assert.equal(opened.records.length, 4);
});

test('a thread that ends ends the reading, in words, with what came before', async (t) => {
  const file = savedFile(t, printedRows(0, 6000));
  let threads: Ahead | null = null;
  const result = await reading(t, [file], false, (inputs) => {
    threads = withThreads(inputs);
    return threads;
  });
  await (threads as Ahead | null)?.close();
  await result.ended;
  const [said] = result.report.troubles;
  assert.match(said?.what ?? '', /^cannot be read any further/);
  assert.equal(said?.isLoss, true);
  assert.ok(result.records.length > 0 && result.records.length < 6000);
});

test('a reading that is stopped ends its threads, and says nothing more', async (t) => {
  const result = await reading(t, [savedFile(t, printedRows(0, 6000))], false, withThreads);
  await result.until(({ records }) => records.length > 0);
  result.stop();
  const { length } = result.records;
  await result.ended;
  assert.equal(result.records.length, length);
});

test('of a file that is followed the last line is waited for, and what is added is read once', async (t) => {
  const file = savedFile(t, `${printedRows(0, 2000)}${printedRow(2000).slice(0, 40)}`);
  const result = await reading(t, [file], true, withThreads);
  await result.until(({ report }) => report.status === 'following');
  assert.equal(result.records.length, 2000);
  appendFileSync(file, `${printedRow(2000).slice(40)}${printedRows(2001, 2010)}`);
  await result.until(({ records }) => records.length >= 2010);
  assert.equal(new Set(result.records.map(({ requestId }) => requestId)).size, 2010);
  result.stop();
  await result.ended;
});

test('after a key no more than one piece is out for a moment, and then as many as before', async () => {
  const pool = new SavedPool(systemClock, 2);
  const all = pool.room;
  pool.giveWay();
  assert.equal(pool.room, 1);
  while (pool.room === 1) await setTimeout(5);
  assert.ok(all > 2);
  assert.equal(pool.room, all);
  await pool.close();
});

test('a file is read whole while keys are pressed all the time', async (t) => {
  const threads: Ahead[] = [];
  const file = savedFile(t, printedRows(0, 6000));
  const opened = await reading(t, [file], false, (inputs) => {
    const ahead = withThreads(inputs);
    if (ahead !== null) threads.push(ahead);
    return ahead;
  });
  const keys = setInterval(() => threads[0]?.giveWay(), 1);
  await opened.ended;
  clearInterval(keys);
  assert.equal(threads.length, 1);
  assert.equal(opened.records.length, 6000);
});

test('however a file is cut into ranges, each whole line is read once', (t) => {
  const long = LONGEST_LINE + 70_000;
  const anyLine = fc.oneof(
    { weight: 9, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '\r'), maxLength: 12 }) },
    { weight: 1, arbitrary: fc.integer({ min: long, max: long + 9 }) },
  );
  /** What is too long may be cut or not; whoever takes the line cuts it. */
  const told = (line: string) => `${line.slice(0, 20)} ${Math.min(line.length, LONGEST_LINE)}`;
  fc.assert(
    fc.property(
      fc.array(anyLine, { maxLength: 9 }),
      fc.constantFrom('', 'ab'),
      fc.integer({ min: 1, max: 40 }),
      (given, rest, range) => {
        const lines = given.map((line) => (typeof line === 'string' ? line : 'x'.repeat(line)));
        const text = lines.map((line) => `${line}\n`).join('') + rest;
        // Ranges of a byte each of a long line would take all day.
        const step = text.length > 10_000 ? range * 9000 : range;
        const fd = openSync(savedFile(t, text), 'r');
        const reader = new RangeReader();
        const read: string[] = [];
        let next = 0;
        for (let from = 0; from < text.length; from += step) {
          const found = reader.read(fd, from, Math.min(text.length, from + step));
          const { window } = found;
          if (window !== null)
            read.push(...window.bytes.toString('latin1', window.start, window.end).split('\n'));
          if (found.long !== null) read.push(found.long.toString('latin1'));
          next = found.next ?? next;
        }
        closeSync(fd);
        assert.deepEqual(read.map(told), lines.map(told));
        assert.equal(next, text.length - rest.length);
      },
    ),
    { numRuns: 80 },
  );
});
