import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { createOutput } from '../../../src/print/output.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { SCENES } from '../../support/scenes.ts';
import { Stage } from '../../support/stage.tsx';
import { FakeStdout } from '../../terminal/fakes.ts';
import type { NthFigures } from './figures.ts';

/** What the terminal answers to the n-th write: an error, or nothing at all for a while. */
const ANSWERS = ['EPIPE', 'EIO', 'EAGAIN', 'ENOSPC', 'stall'] as const;
type Answer = (typeof ANSWERS)[number];

const SIZE = { columns: 80, rows: 24 };
const KEYS = [
  'j',
  '<PgDn>',
  'g',
  '?',
  '<Esc>',
  '<Enter>',
  'q',
  '/',
  'b',
  'o',
  '<Esc>',
  'y',
  'q',
  'b',
  'q',
  'G',
  'k',
];
const told = (n: number) => `value-${n}`;

class NthStdout extends FakeStdout {
  written = 0;
  afterwards = 0;
  hasFailed = false;
  #stuck: (() => void) | null = null;
  readonly #n: number;
  readonly #answer: Answer;

  constructor(n: number, answer: Answer) {
    super(SIZE.columns, SIZE.rows);
    this.#n = n;
    this.#answer = answer;
  }

  override write(data: Uint8Array, done: (error?: Error | null) => void): boolean {
    this.written += 1;
    if (this.hasFailed) this.afterwards += 1;
    if (this.written !== this.#n) return super.write(data, done);
    if (this.#answer === 'stall') {
      this.#stuck = () => super.write(data, done);
      return false;
    }
    this.hasFailed = true;
    queueMicrotask(() => done(Object.assign(new Error(this.#answer), { code: this.#answer })));
    return true;
  }

  get isStuck(): boolean {
    return this.#stuck !== null;
  }

  release(): void {
    this.#stuck?.();
    this.#stuck = null;
  }
}

/** A session of keys during which the n-th write to the terminal goes wrong, for each n. */
export async function failNthTerminalWrites(every = 1): Promise<NthFigures> {
  const figures: NthFigures = { places: 0, failures: [] };
  const sound = await session(new NthStdout(0, 'stall'));
  for (const answer of ANSWERS) {
    for (let n = 1; ; n += every) {
      const stdout = new NthStdout(n, answer);
      const { lines, gone, lateWrites } = await session(stdout);
      if (stdout.written < n) break;
      figures.places += 1;
      const wrong = (what: string) => figures.failures.push(`terminal, write ${n}, ${answer}: ${what}`);
      if (answer === 'stall') {
        if (gone !== 0) wrong('a terminal that only stalled was given up');
        if (lateWrites > 0) wrong(`${lateWrites} writes behind the one that was not taken`);
        if (lines.join('\n') !== sound.lines.join('\n'))
          wrong(`in the end the screen is\n${lines.join('\n')}`);
      } else {
        if (gone !== 1) wrong(`the end of the terminal was told ${gone} times`);
        if (stdout.afterwards > 0) wrong(`${stdout.afterwards} writes after it`);
      }
    }
  }
  return figures;
}

async function session(stdout: NthStdout) {
  let gone = 0;
  let lateWrites = 0;
  const stage = new Stage(SCENES['log paused'](told, SIZE), {
    stdout,
    onGone: () => {
      gone += 1;
    },
  });
  await stage.show(stage.state);
  for (const [n, key] of KEYS.entries()) {
    const before = stdout.written;
    const wasStuck = stdout.isStuck;
    await stage.press(key);
    if (wasStuck) lateWrites += stdout.written - before;
    // A few keys later the link is back.
    if (n % 4 === 3) stdout.release();
  }
  stdout.release();
  await stage.settle();
  const lines = stage.emulator.lines();
  await stage.close();
  return { lines, gone, lateWrites };
}

/** The printing side: the n-th write to a pipe or file fails, which is told once, and nothing is written afterwards. */
export async function failNthPrints(): Promise<NthFigures> {
  const figures: NthFigures = { places: 0, failures: [] };
  for (const code of ['EPIPE', 'ECONNRESET', 'ENOSPC', 'EIO', 'EAGAIN']) {
    for (let n = 1; n <= 6; n += 1) {
      figures.places += 1;
      try {
        await printUntil(n, code);
      } catch (error) {
        figures.failures.push(`print, write ${n}, ${code}: ${String(error)}`);
      }
    }
  }
  return figures;
}

async function printUntil(n: number, code: string): Promise<void> {
  const taken: string[] = [];
  let writes = 0;
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      writes += 1;
      if (writes === n) return done(Object.assign(new Error(code), { code }));
      taken.push(String(chunk));
      done();
    },
  });
  const ends: (string | null)[] = [];
  const output = createOutput(stdout, systemClock, (fault) => ends.push(fault));
  let isResolved = 0;
  for (let line = 1; line <= 8; line += 1) {
    void output.write(`${line}\n`).then(() => {
      isResolved += 1;
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(ends, [code === 'EPIPE' || code === 'ECONNRESET' ? null : code]);
  assert.deepEqual(
    taken,
    Array.from({ length: n - 1 }, (_, i) => `${i + 1}\n`),
  );
  assert.equal(isResolved, n - 1, 'no write counts as done that was not');
  assert.equal(await output.flushed(5), false);
}
