import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { openTerminal } from '../support/terminal.ts';

const PROGRAM = join(import.meta.dirname, 'programs', 'suspend.ts');

test('a suspended program gives the terminal back as it was, and paints everything when it goes on', async (t) => {
  const script = 'echo shell; "$0" "$1"; echo stopped; read -r line; fg %1 >/dev/null; echo left';
  const terminal = await openTerminal({
    command: '/bin/sh',
    args: ['-mc', script, process.execPath, PROGRAM],
    columns: 40,
    rows: 8,
    t,
  });
  await terminal.waitFor(/on screen, returned 0/);
  assert.equal(terminal.modes().alternateScreen, true);
  terminal.type('z');
  await terminal.waitFor(/stopped/);
  const away = terminal.modes();
  assert.deepEqual(
    [away.alternateScreen, away.cursorVisible, away.wraparound, away.bracketedPaste, away.raw],
    [false, true, true, false, false],
  );
  terminal.type('\r');
  await terminal.waitFor(/on screen, returned 1/);
  const back = terminal.modes();
  assert.deepEqual(
    [back.alternateScreen, back.wraparound, back.bracketedPaste, back.raw],
    [true, false, true, true],
  );
  terminal.type('q');
  await terminal.waitFor(/left/);
  assert.equal(terminal.modes().alternateScreen, false);
});

test('where nobody could continue it a program goes on by itself', async (t) => {
  const terminal = await openTerminal({
    command: process.execPath,
    args: [PROGRAM],
    columns: 40,
    rows: 8,
    t,
  });
  await terminal.waitFor(/on screen, returned 0/);
  terminal.type('z');
  await terminal.waitFor(/on screen, returned 1/);
});
