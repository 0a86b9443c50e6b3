// Each way of reading what is saved gives the event loop its turn, however much is unpacked of however little.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { closeInputs, openInputs, type SavedInput } from '../../src/effects/saved/saved-input.ts';
import { itemSpan, merged, openStreams } from '../../src/effects/saved/saved-items.ts';
import { readSavedLogs } from '../../src/effects/saved/saved-logs.ts';
import type { Clock } from '../../src/time/clock.ts';
import { clockWith, VirtualClock } from '../support/virtual-clock.ts';
import { lineV1, printedRow, savedFile } from './support/saved.ts';

const SIZE = 1 << 17;
const filled = (line: string) => line.repeat(Math.ceil(SIZE / line.length));

/** Of each so much that gzip makes next to nothing of it. */
const INPUTS: Readonly<Record<string, string>> = {
  'rows that are none': filled('{}\n'),
  'blank lines': filled('\n'),
  'lines of spaces': filled('  \r\n'),
  'a line without an end': filled('\0'),
  'long lines': filled(`{"a":"${'x'.repeat(200_000)}"}\n`),
  'a list that is no row': filled(`${'['.repeat(2_000)}\n`),
  'printed rows': filled(printedRow(1)),
  'lines of v1': filled(lineV1(1)),
  CSV: `"timestamp","status","url"\n${filled('"2026-08-01T00:00:00.000Z","200","https://a.example/"\n')}`,
  gaps: Array.from({ length: 2_500 }, (_, n) => {
    const at = (ms: number) => new Date(Date.UTC(2026, 10, 20) + ms).toISOString();
    return `{"_gap":{"from":"${at(n)}","to":"${at(n + 1)}","reason":"offline","rows":7}}\n`;
  }).join(''),
};

type Reader = (inputs: readonly SavedInput[], clock: Clock, signal: AbortSignal) => Promise<void>;

const READERS: Readonly<Record<string, Reader>> = {
  async printed(inputs, clock, signal) {
    for await (const _items of merged(openStreams(inputs, { clock, near: 0, signal })));
  },
  async 'read for its newest row'(inputs, clock, signal) {
    await itemSpan(inputs, { clock, near: 0, signal });
  },
  'on screen, and asked': (inputs, clock, signal) =>
    readSavedLogs({ inputs, follow: false, clock, signal, emit: () => {} }),
  followed(inputs, clock, signal) {
    const stopper = new AbortController();
    return readSavedLogs({
      inputs,
      follow: true,
      clock,
      signal: AbortSignal.any([signal, stopper.signal]),
      emit({ report }) {
        if (report.status !== 'reading') stopper.abort();
      },
    });
  },
};

/** A clock by which every step of the work takes a whole slice; `heard` at each turn of the loop. */
function slowClock(heard: () => void): Clock {
  let now = 0;
  return clockWith(new VirtualClock(), {
    monotonic: () => {
      now += 5;
      return now;
    },
    async sleep() {
      heard();
    },
  });
}

async function inputsOf(t: TestContext, content: string | Buffer): Promise<readonly SavedInput[]> {
  const opened = await openInputs([savedFile(t, content)], null);
  assert.ok(opened.ok);
  t.after(() => closeInputs(opened.inputs));
  return opened.inputs;
}

for (const [reader, read] of Object.entries(READERS))
  test(`of each input the loop has its turn again and again: ${reader}`, async (t) => {
    const packed = Object.entries(INPUTS).map(([name, text]) => [name, gzipSync(text), text.length] as const);
    const blank = filled('\n').repeat(2);
    // A plain file comes in chunks of many times as much.
    for (const [name, bytes, size] of [...packed, ['blank lines, plain', blank, blank.length] as const]) {
      let turns = 0;
      await read(
        await inputsOf(t, bytes),
        slowClock(() => turns++),
        new AbortController().signal,
      );
      // One for each 64 KB that was unpacked, at least.
      assert.ok(turns >= size / (1 << 16), `${name}: ${turns} turns`);
    }
  });

for (const [reader, read] of Object.entries(READERS))
  test(`a signal ends the reading of each input at the next turn: ${reader}`, async (t) => {
    for (const [name, text] of Object.entries(INPUTS)) {
      const stopper = new AbortController();
      let turns = 0;
      const clock = slowClock(() => {
        turns++;
        stopper.abort();
      });
      await read(await inputsOf(t, gzipSync(text)), clock, stopper.signal);
      assert.ok(turns <= 3, `${name}: ${turns} turns`);
    }
  });
