import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { ENTER, LEAVE, MOUSE, noteEntered, restoreSync } from '../../src/terminal/modes.ts';
import { ownFolder } from '../support/own-folder.ts';
import { feed, newEmulator } from './frames.ts';

test('leaving undoes all that entering has done', async () => {
  const emulator = newEmulator(20, 5);
  await feed(emulator, 'before');
  const before = { modes: emulator.modes(), cursor: emulator.cursor, lines: emulator.lines() };
  await feed(emulator, `${ENTER}${MOUSE.on}\x1b[2;4r\x1b[7;31mtext\x1b[?25h`);
  assert.equal(emulator.modes().alternateScreen, true);
  assert.equal(emulator.modes().wraparound, false);
  await feed(emulator, LEAVE);
  assert.deepEqual({ modes: emulator.modes(), cursor: emulator.cursor, lines: emulator.lines() }, before);
  await feed(emulator, '!');
  assert.deepEqual(
    [emulator.cell(6, 0).char, emulator.cell(6, 0).fg, emulator.cell(6, 0).inverse],
    ['!', null, false],
  );
  emulator.dispose();
});

test('where there is no alternate screen, the shell goes on in the last line, below the frame', async () => {
  const without = (output: string) => output.replace(/\x1b\[\?1049[hl]/g, '');
  const emulator = newEmulator(20, 5);
  await feed(emulator, without(`${ENTER}\x1b[Hframe\x1b[5Hhints\x1b[2;2H${LEAVE}$ `));
  assert.deepEqual(emulator.lines(), ['frame', '', '', '', '$']);
  emulator.dispose();
});

test('the wheel sends arrow keys until the program leaves, and then what it sent before', () => {
  for (const before of [true, false]) {
    const wheel = { sendsKeys: before, saved: false };
    for (const visit of ['the first', 'after a suspension']) {
      readByXterm(wheel, ENTER);
      assert.equal(wheel.sendsKeys, true, visit);
      readByXterm(wheel, LEAVE);
      assert.equal(wheel.sendsKeys, before, visit);
    }
  }
});

test('leaving ends a sequence that was cut in the middle', async () => {
  for (const cut of ['\x1b', '\x1b[3', '\x1b[38;5;', '\x1b]52;c;QUJD', '\x1b[?2026h\x1b[2;3']) {
    const emulator = newEmulator(20, 5);
    await feed(emulator, `${ENTER}${cut}${LEAVE}ok`);
    assert.equal(emulator.lines()[0], 'ok', JSON.stringify(cut));
    assert.equal(emulator.modes().alternateScreen, false);
    emulator.dispose();
  }
});

test('the last resort restores once, and only a terminal that was entered', (t) => {
  const folder = ownFolder(t);
  const file = join(folder, 'terminal');
  const fd = openSync(file, 'w');
  noteEntered(false);
  restoreSync(fd);
  assert.equal(readFileSync(file, 'utf8'), '');
  noteEntered(true);
  restoreSync(fd);
  restoreSync(fd);
  closeSync(fd);
  assert.equal(readFileSync(file, 'utf8'), LEAVE);
});

test('the last resort neither waits for a reader who stalls nor throws when there is none', (t) => {
  const folder = ownFolder(t);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  assert.throws(() => {
    for (;;) writeSync(fd, Buffer.alloc(4096));
  }, /EAGAIN/);
  noteEntered(true);
  // It comes back although nobody ever reads.
  restoreSync(fd, 50);
  closeSync(fd);
  noteEntered(true);
  restoreSync(fd);
});

/** What xterm makes of mode 1007: set, reset, saved (XTSAVE), restored (XTRESTORE). The emulator does not know it. */
function readByXterm(wheel: { sendsKeys: boolean; saved: boolean }, output: string): void {
  for (const [, final] of output.matchAll(/\x1b\[\?1007([hlsr])/g)) {
    if (final === 's') wheel.saved = wheel.sendsKeys;
    else wheel.sendsKeys = final === 'r' ? wheel.saved : final === 'h';
  }
}
