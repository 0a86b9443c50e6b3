import assert from 'node:assert/strict';
import test from 'node:test';
import { TerminalScreen } from '../../src/terminal/cell-screen.ts';
import { Composition } from '../../src/terminal/composition.ts';
import { ENTER, LEAVE } from '../../src/terminal/modes.ts';
import { runs } from '../support/properties.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { FakeStdout } from './fakes.ts';
import { feed, firstDifference, newEmulator, seeded } from './frames.ts';

const RUNS = runs(1);

function open(o: { columns?: number; rows?: number } = {}) {
  const clock = new VirtualClock();
  const stdout = new FakeStdout(o.columns ?? 40, o.rows ?? 10);
  const gone: Error[] = [];
  const screen = new TerminalScreen({
    stdout: stdout.asStdout(),
    clock,
    onGone: (error) => gone.push(error),
  });
  screen.start();
  clock.pass(1);
  return { clock, stdout, screen, gone };
}

const rect = (width: number, height: number) => ({ x: 0, y: 0, width, height });

test('a key is answered in the same turn, however recent the last data frame', () => {
  const { clock, stdout, screen } = open();
  clock.pass(1000);
  screen.setRegion('a', rect(40, 1), ['one']);
  screen.invalidate('data');
  clock.pass(0);
  assert.match(stdout.take(), /one/);
  screen.setRegion('a', rect(40, 1), ['two']);
  screen.invalidate('data');
  clock.pass(5);
  assert.equal(stdout.take(), '');
  screen.invalidate('key');
  clock.pass(0);
  assert.match(stdout.take(), /two/);
});

test('data is painted ten times a second at most, and what was not painted is counted', () => {
  const { clock, stdout, screen } = open();
  stdout.take();
  const before = screen.stats.frames;
  for (let turn = 0; turn < 200; turn += 1) {
    screen.setRegion('a', rect(40, 1), [`row ${turn}`]);
    screen.invalidate('data');
    clock.pass(10);
  }
  clock.pass(200);
  const frames = screen.stats.frames - before;
  assert.ok(frames >= 19 && frames <= 21, `${frames} frames in 2 s`);
  assert.equal(frames + screen.stats.skipped, 200);
  assert.equal(screen.stats.frames - before, stdout.writes.length);
});

test('big data frames stay within 16 kB a second', () => {
  const { clock, screen } = open({ columns: 120, rows: 40 });
  const random = seeded(7);
  const before = screen.stats.bytes;
  const line = (): string =>
    Array.from({ length: 120 }, () => String.fromCharCode(65 + random() * 26)).join('');
  for (let turn = 0; turn < 500; turn += 1) {
    screen.setRegion('a', rect(120, 40), Array.from({ length: 40 }, line));
    screen.invalidate('data');
    clock.pass(10);
  }
  const rate = (screen.stats.bytes - before) / 5;
  assert.ok(rate > 12_000 && rate < 17_500, `${rate} B/s`);
});

test('keys that are held are paced only once they flood the line', () => {
  const { clock, screen } = open({ columns: 120, rows: 40 });
  const random = seeded(8);
  const line = (): string =>
    Array.from({ length: 120 }, () => String.fromCharCode(65 + random() * 26)).join('');
  const frames = screen.stats.frames;
  for (let turn = 0; turn < 5; turn += 1) {
    screen.setRegion('a', rect(120, 40), Array.from({ length: 40 }, line));
    screen.invalidate('key');
    clock.pass(0);
  }
  assert.equal(screen.stats.frames - frames, 5);
  const before = screen.stats.bytes;
  for (let turn = 0; turn < 150; turn += 1) {
    screen.setRegion('a', rect(120, 40), Array.from({ length: 40 }, line));
    screen.invalidate('key');
    clock.pass(33);
  }
  assert.ok(screen.stats.bytes - before < 5 * 64_000 + 33_000, `${screen.stats.bytes - before} B in 5 s`);
});

test('a screen without changes writes nothing and keeps no timer', () => {
  const { clock, stdout, screen } = open();
  screen.inkStdout.write('hello');
  clock.pass(500);
  stdout.take();
  screen.inkStdout.write('hello');
  screen.invalidate('key');
  clock.pass(500);
  assert.equal(stdout.take(), '');
  assert.equal(clock.pending, 0);
});

test('nothing is queued behind a frame that the reader has not taken; then the newest one goes out', () => {
  const { clock, stdout, screen } = open();
  stdout.take();
  stdout.isStalled = true;
  for (let turn = 0; turn < 50; turn += 1) {
    screen.setRegion('a', rect(40, 1), [`turn ${turn};`]);
    screen.invalidate(turn % 2 === 0 ? 'key' : 'data');
    clock.pass(200);
  }
  assert.equal(stdout.writes.length, 1);
  assert.equal(clock.pending, 0);
  stdout.goOn();
  clock.pass(200);
  assert.equal(stdout.writes.length, 2);
  assert.match(stdout.take(), /49/);
});

test('what Ink commits soon after a key counts as its answer, later commits as data', () => {
  const { clock, stdout, screen } = open();
  clock.pass(1000);
  screen.inkStdout.write('first');
  clock.pass(0);
  stdout.take();
  screen.inkStdout.write('second');
  clock.pass(0);
  assert.equal(stdout.take(), '');
  screen.invalidate('key');
  clock.pass(0);
  stdout.take();
  clock.pass(20);
  screen.inkStdout.write('third');
  clock.pass(0);
  assert.match(stdout.take(), /third|thi/);
});

test('regions are set just before a frame, which says what it is for', () => {
  const { clock, screen } = open();
  clock.pass(1000);
  const causes: string[] = [];
  const off = screen.onBeforeFrame((cause) => {
    causes.push(cause);
    screen.invalidate('data');
  });
  screen.invalidate('data');
  clock.pass(1000);
  screen.invalidate('key');
  clock.pass(1000);
  assert.deepEqual(causes, ['data', 'key']);
  off();
  screen.invalidate('key');
  clock.pass(0);
  assert.equal(causes.length, 2);
});

test('chrome and body of a frame are of one state, also when the state moves on while the frame is made', () => {
  const { clock, stdout, screen } = open();
  let state = 'asking';
  screen.onBeforeFrame(() => {
    screen.setRegion('body', { x: 0, y: 1, width: 40, height: 1 }, [`body ${state}`]);
    if (state === 'asking') {
      // An answer arrives in the turn that React is given, and React commits it at once.
      clock.after(0, () => {
        state = 'whole';
        screen.inkStdout.write('chrome whole\n');
        screen.invalidate('key');
      });
    }
  });
  stdout.take();
  screen.invalidate('key');
  clock.pass(0);
  for (const frame of stdout.writes) {
    assert.equal(frame.includes('chrome whole'), frame.includes('body whole'), JSON.stringify(frame));
  }
  assert.match(stdout.take(), /chrome whole.*body whole/s);
});

test('a region covers Ink, is cut at its edges, and lets Ink through again when it is cleared', async () => {
  const { clock, stdout, screen } = open({ columns: 12, rows: 4 });
  const emulator = newEmulator(12, 4);
  screen.inkStdout.write(['┌──────────┐', '│一二三四五│', '│abcdefghij│', '└──────────┘'].join('\n'));
  screen.setRegion('r', { x: 2, y: 1, width: 4, height: 2 }, ['x世界界']);
  screen.invalidate('key');
  clock.pass(0);
  await feed(emulator, stdout.take());
  assert.deepEqual(emulator.lines(), ['┌──────────┐', '│ x世  四五│', '│a    fghij│', '└──────────┘']);
  screen.clearRegion('r');
  screen.invalidate('key');
  clock.pass(0);
  await feed(emulator, stdout.take());
  assert.deepEqual(emulator.lines(), ['┌──────────┐', '│一二三四五│', '│abcdefghij│', '└──────────┘']);
  emulator.dispose();
});

test('a window that changed and changed back is drawn again: the terminal has moved its lines', () => {
  const { clock, stdout, screen } = open();
  screen.setRegion('body', { x: 0, y: 0, width: 8, height: 1 }, ['the body']);
  screen.invalidate('key');
  clock.pass(1000);
  stdout.take();
  process.emit('SIGWINCH', 'SIGWINCH');
  clock.pass(1000);
  assert.match(stdout.take(), /the body/);
});

test('a storm of sizes ends in one layout a moment and a whole redraw', () => {
  const { clock, stdout, screen } = open();
  clock.pass(1000);
  stdout.take();
  const sizes: string[] = [];
  screen.inkStdout.on('resize', () => sizes.push(`${screen.inkStdout.columns}x${screen.inkStdout.rows}`));
  for (let turn = 0; turn < 300; turn += 1) {
    stdout.resize(41 + turn, 10 + (turn % 7));
    clock.pass(1);
  }
  clock.pass(100);
  assert.ok(sizes.length <= 9, `${sizes.length} layouts`);
  assert.equal(sizes.at(-1), '340x15');
  assert.match(stdout.take(), /\x1b\[2J/);
});

test('a terminal without a size counts as 80 by 24', () => {
  const { screen } = open({ columns: 0, rows: 0 });
  assert.deepEqual([screen.inkStdout.columns, screen.inkStdout.rows], [80, 24]);
});

test('start enters every mode, stop leaves every mode, and nothing is written after that', async () => {
  const { clock, stdout, screen } = open();
  assert.ok(stdout.take().startsWith(ENTER));
  await screen.stop();
  await screen.stop();
  assert.equal(stdout.take(), LEAVE);
  screen.inkStdout.write('late');
  screen.invalidate('key');
  stdout.resize(50, 20);
  clock.pass(1000);
  assert.equal(stdout.take(), '');
  assert.equal(clock.pending, 0);
});

test('a frame that waits for its time is dropped by the stop, and with it its timer', async () => {
  const { clock, stdout, screen } = open();
  for (const text of ['one', 'two']) {
    screen.setRegion('a', rect(40, 1), [text]);
    screen.invalidate('data');
    clock.pass(1);
  }
  stdout.take();
  assert.equal(clock.pending, 1);
  await screen.stop();
  assert.equal(clock.pending, 0);
  clock.pass(1000);
  assert.equal(stdout.take(), LEAVE);
});

test('stop restores the terminal also while a new size is waited for', async () => {
  const { clock, stdout, screen } = open();
  stdout.take();
  stdout.resize(50, 20);
  await screen.stop();
  clock.pass(1000);
  assert.equal(stdout.take(), LEAVE);
});

test('after start and stop an emulator is in its first state', async () => {
  const { clock, stdout, screen } = open();
  const emulator = newEmulator(40, 10);
  await feed(emulator, 'shell$ ');
  const before = { modes: emulator.modes(), cursor: emulator.cursor, lines: emulator.lines() };
  screen.inkStdout.write('\x1b[7mtext\x1b[27m');
  screen.setCursor({ x: 3, y: 3 });
  screen.invalidate('key');
  clock.pass(0);
  await screen.stop();
  await feed(emulator, stdout.take());
  assert.deepEqual({ modes: emulator.modes(), cursor: emulator.cursor, lines: emulator.lines() }, before);
  await feed(emulator, `${'\r\n'.repeat(20)}end`);
  assert.equal(emulator.lines().at(-1), 'end', 'all rows scroll again');
  emulator.dispose();
});

test('a terminal that takes no more writes is reported once and left alone', () => {
  const { clock, stdout, screen, gone } = open();
  stdout.isStalled = true;
  screen.inkStdout.write('x');
  clock.pass(200);
  stdout.goOn(Object.assign(new Error('write EIO'), { code: 'EIO' }));
  stdout.emit('error', new Error('again'));
  stdout.take();
  screen.invalidate('key');
  clock.pass(1000);
  assert.equal(gone.length, 1);
  assert.equal(stdout.take(), '');
});

test('a copy goes out between frames as OSC 52, and a text too long for terminals does not', () => {
  const { clock, stdout, screen } = open();
  stdout.take();
  assert.equal(screen.copy('GET /ü'), true);
  clock.pass(0);
  assert.equal(stdout.take(), `\x1b]52;c;${Buffer.from('GET /ü').toString('base64')}\x07`);
  assert.equal(screen.copy('x'.repeat(74_995)), false);
  clock.pass(0);
  assert.equal(stdout.take(), '');
});

test('a bell asked for several times before a frame is one BEL, and it takes no copy away', () => {
  const { clock, stdout, screen } = open();
  stdout.take();
  screen.copy('x');
  screen.notify('\x07');
  screen.notify('\x07');
  clock.pass(0);
  assert.equal(stdout.take(), '\x1b]52;c;eA==\x07\x07');
  screen.redraw();
  clock.pass(0);
  assert.ok(!stdout.take().includes('\x07'));
});

test('redraw writes everything again', () => {
  const { clock, stdout, screen } = open();
  screen.inkStdout.write('everything');
  clock.pass(200);
  stdout.take();
  screen.redraw();
  clock.pass(0);
  assert.match(stdout.take(), /\x1b\[2J.*everything/s);
});

test('only a frame that may arrive in pieces is wrapped as synchronised output', () => {
  const { clock, stdout, screen } = open({ columns: 120, rows: 40 });
  stdout.take();
  screen.inkStdout.write('small');
  screen.invalidate('key');
  clock.pass(0);
  assert.doesNotMatch(stdout.take(), /2026/);
  screen.setRegion(
    'all',
    rect(120, 40),
    Array.from({ length: 40 }, (_, y) => String(y % 10).repeat(120)),
  );
  screen.invalidate('key');
  clock.pass(0);
  assert.match(stdout.take(), /^\x1b\[\?2026h.*\x1b\[\?2026l$/s);
});

test('Ink sees a stdout that it accepts, and its own mode sequences go nowhere', async () => {
  const { clock, stdout, screen } = open();
  const ink = screen.inkStdout;
  assert.equal(ink.isTTY, true);
  await new Promise<void>((resolve) => ink.write('', () => resolve()));
  clock.pass(200);
  stdout.take();
  for (const sequence of ['\x1b[?2004h', '\x1b[?25h', '\x1b[2K\x1b[1A\x1b[2K\x1b[G', '']) ink.write(sequence);
  clock.pass(200);
  assert.equal(stdout.take(), '');
});

test('frames, regions, a cursor and new sizes in any order leave exactly the wanted screen', async () => {
  for (let seed = 1; seed <= 12 * RUNS; seed += 1) {
    const random = seeded(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const { clock, stdout, screen } = open({ columns: 30, rows: 8 });
    const emulator = newEmulator(30, 8);
    const reference = new Composition(30, 8);
    let top = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      const { columns, rows } = screen.inkStdout;
      const change = below(8);
      top += below(4);
      if (change === 0) {
        const size = [8 + below(40), 3 + below(12)] as const;
        emulator.resize(...size);
        stdout.resize(...size);
        reference.resize(...size);
        clock.pass(50);
      } else if (change < 3) {
        const line = (y: number) => `\x1b[7m│\x1b[27m${'日本x '.repeat(columns / 5)}${y + below(2)}`;
        const frame = Array.from({ length: rows }, (_, y) => line(y)).join('\n');
        screen.inkStdout.write(frame);
        reference.setFrame(frame);
      } else {
        const rect = {
          x: below(columns),
          y: below(rows),
          width: below(columns) + 1,
          height: below(rows) + 1,
        };
        const id = String(below(2));
        const lines = Array.from(
          { length: rect.height },
          (_, y) => `\x1b[${31 + below(6)}mrow ${top + y} 世界${'.'.repeat(9)}`,
        );
        const region = below(3) === 0 ? { x: 0, y: 1, width: columns, height: Math.max(1, rows - 2) } : rect;
        screen.setRegion(id, region, lines);
        reference.setRegion(id, region, lines);
        if (below(6) === 0) {
          screen.clearRegion(id);
          reference.clearRegion(id);
        }
      }
      const cursor = below(3) === 0 ? { x: below(columns), y: below(rows) } : null;
      screen.setCursor(cursor);
      screen.invalidate(below(2) === 0 ? 'key' : 'data');
      clock.pass(1000);
      await feed(emulator, stdout.take());
      const wrong = firstDifference(emulator, reference.compose());
      assert.equal(wrong, null, `${wrong} (seed ${seed}, turn ${turn})`);
      assert.equal(emulator.modes().cursorVisible, cursor !== null, `seed ${seed}, turn ${turn}`);
    }
    emulator.dispose();
  }
});
