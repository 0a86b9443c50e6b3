import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sequenceKinds } from './sequences.ts';
import { openTerminal, type TerminalOptions } from './terminal.ts';

type Owner = TerminalOptions['t'];

function sh(t: Owner, script: string, more: Partial<TerminalOptions> = {}) {
  return openTerminal({ command: '/bin/sh', args: ['-c', script], t, ...more });
}

function node(t: Owner, script: string, more: Partial<TerminalOptions> = {}) {
  return openTerminal({ command: process.execPath, args: ['-e', script], t, ...more });
}

test('a frame inside synchronised output is not looked at before it is whole', async (t) => {
  const terminal = await sh(t, 'printf "\\033[?2026hhalf"; read x; printf " and half\\033[?2026l"; read x');
  // It is there, and is not looked at.
  while (!terminal.text().includes('half')) await sleep(5);
  await assert.rejects(terminal.waitFor('half', { timeout: 100 }), /^half$/m);
  await terminal.type('<Enter>');
  await terminal.waitFor('and half');
});

test('a cell tells its character, width, colours and style', async (t) => {
  const terminal = await sh(t, 'printf "\\033[1;31mred\\033[0m \\033[7;38;2;1;2;3mrgb\\033[0m 日本"; read x');
  await terminal.waitFor('日本');
  const red = terminal.styleAt('red');
  assert.deepEqual([red.char, red.fg, red.bg, red.bold, red.inverse], ['r', 1, null, true, false]);
  const rgb = terminal.styleAt('rgb');
  assert.deepEqual([rgb.fg, rgb.inverse, rgb.bold], ['#010203', true, false]);
  assert.deepEqual(terminal.find('本'), { x: 10, y: 0 });
  assert.deepEqual([terminal.cell(8, 0).width, terminal.cell(9, 0).width], [2, 0]);
  assert.throws(() => terminal.styleAt('absent'), /"absent" is not on the screen/);
});

test('the modes tell raw input, the alternate screen, the cursor and bracketed paste', async (t) => {
  const terminal = await node(
    t,
    `process.stdin.on('data', () => { process.stdin.setRawMode(false); process.stdout.write('\\x1b[?1049l\\x1b[?25h\\x1b[?2004ldone') });
     process.stdin.setRawMode(true); process.stdout.write('\\x1b[?1049h\\x1b[?25l\\x1b[?2004hready');`,
  );
  const changed = (on: boolean) => ({
    raw: on,
    echo: !on,
    alternateScreen: on,
    bracketedPaste: on,
    cursorVisible: !on,
    mouse: false,
  });
  await terminal.waitFor('ready');
  assert.partialDeepStrictEqual(terminal.modes(), changed(true));
  terminal.write('x');
  await terminal.waitFor('done');
  assert.partialDeepStrictEqual(terminal.modes(), changed(false));
});

test('what bytes do besides text is logged: title, bell, clipboard and the reply to a query', async (t) => {
  const terminal = await sh(
    t,
    'stty raw -echo; printf "\\033]0;a title\\007\\007\\033]52;c;aGk=\\007\\033[c"; head -c 3 > /dev/null; printf done; read x',
  );
  await terminal.waitFor('done');
  assert.deepEqual(
    terminal.events.map(({ kind, text }) => [kind, text]),
    [
      ['osc', '0;a title'],
      ['title', 'a title'],
      ['bell', ''],
      ['osc', '52;c;aGk='],
      ['reply', '\x1b[?1;2c'],
    ],
  );
});

test('the kinds of sequences in an output are counted without the emulator', () => {
  const kinds = sequenceKinds(
    'a\x1b[1;31mb\x1b[?1049h\x1b]8;;x\x1b\\c\x1b]0;t\x07\x07\x1bP+q\x1b\\\x1bc\x1b(B\r\n\x9b',
  );
  assert.deepEqual(
    [...kinds],
    [
      ['CSI m', 1],
      ['CSI ?1049h', 1],
      ['OSC 8', 1],
      ['OSC 0', 1],
      ['C0 07', 1],
      ['DCS', 1],
      ['ESC c', 1],
      ['ESC (B', 1],
      ['C0 9b', 1],
    ],
  );
});

test('a reader that stalls blocks the writer until it reads again', async (t) => {
  const terminal = await sh(
    t,
    'echo ready; read x; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo finished; read x',
  );
  await terminal.waitFor('ready');
  terminal.pause();
  await terminal.type('<Enter>');
  await assert.rejects(terminal.waitFor('finished', { timeout: 200 }), /waited 200 ms/);
  terminal.resume();
  await terminal.waitFor('finished');
});
