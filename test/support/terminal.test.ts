import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyPresses } from './keys.ts';
import { sessionProcesses } from './processes.ts';
import { sequenceKinds } from './sequences.ts';
import { openTerminal, type TerminalOptions } from './terminal.ts';

type Owner = TerminalOptions['t'];

function sh(t: Owner, script: string, more: Partial<TerminalOptions> = {}) {
  return openTerminal({ command: '/bin/sh', args: ['-c', script], t, ...more });
}

function node(t: Owner, script: string, more: Partial<TerminalOptions> = {}) {
  return openTerminal({ command: process.execPath, args: ['-e', script], t, ...more });
}

test('named keys become the bytes a terminal sends, text stays text, and an unknown name is refused', () => {
  assert.deepEqual(keyPresses('a<Enter><C-d><PgDn><<é'), ['a', '\r', '\x04', '\x1b[6~', '<', 'é']);
  assert.throws(() => keyPresses('<Entr>'), /no key is called <Entr>/);
});

test('the screen shows what the program wrote, and the exit status follows', async (t) => {
  const terminal = await sh(t, 'printf "one\\n  two"; exit 3');
  assert.deepEqual(await terminal.exit(), { code: 3, signal: null });
  assert.deepEqual(terminal.screen().slice(0, 3), ['one', '  two', '']);
  assert.equal(terminal.bytes, 10);
  assert.equal(terminal.output(), 'one\r\n  two');
});

test('typed keys reach the program, and Esc before the start of a sequence is a key of its own', async (t) => {
  const terminal = await node(
    t,
    `process.stdin.setRawMode(true); console.log('ready');
     process.stdin.on('data', (d) => process.stdout.write(JSON.stringify(d.toString('latin1')) + ' '))`,
  );
  await terminal.waitFor('ready');
  await terminal.type('j<Up><Esc>[');
  await terminal.waitFor(/"j\\u001b\[A\\u001b" "\["/);
});

test('waiting ends in an error that holds the screen when the time is over', async (t) => {
  const terminal = await sh(t, 'echo on the screen; read x');
  await terminal.waitFor('on the screen');
  await assert.rejects(terminal.waitFor('never', { timeout: 20, what: 'a miracle' }), (error: Error) => {
    assert.match(error.message, /waited 20 ms for a miracle/);
    assert.match(error.message, /^on the screen$/m);
    return true;
  });
});

test('waiting ends at once when the program ends without it', async (t) => {
  const terminal = await sh(t, 'echo last words; exit 1');
  await assert.rejects(terminal.waitFor('never', { timeout: 60_000 }), /ended before never[\s\S]*last words/);
});

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

test('a paste is bracketed only when the program asked for it', async (t) => {
  const terminal = await node(
    t,
    `process.stdin.setRawMode(true); process.stdout.write('\\x1b[?2004hready ');
     process.stdin.on('data', (d) => process.stdout.write(JSON.stringify(d.toString()) + '\\x1b[?2004l next '))`,
  );
  await terminal.waitFor('ready');
  terminal.paste('a');
  await terminal.waitFor('"\\u001b[200~a\\u001b[201~" next');
  terminal.paste('b');
  await terminal.waitFor('"b" next');
});

test('a resize reaches the program and the screen', async (t) => {
  const terminal = await sh(t, 'trap "stty size" WINCH; echo ready; while :; do read x; done');
  await terminal.waitFor('ready');
  terminal.resize(120, 40);
  await terminal.waitFor('40 120');
  assert.equal(terminal.screen().length, 40);
  terminal.resize(0, 0);
  await terminal.waitFor('0 0');
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

test('bytes and times count from a mark', async (t) => {
  const terminal = await sh(t, 'stty -echo; printf ready; read x; printf 12345; read x');
  await terminal.waitFor('ready');
  const mark = terminal.mark();
  assert.deepEqual(terminal.since(mark), { bytes: 0, chunks: 0, firstMs: null, lastMs: null });
  await terminal.type('<Enter>');
  await terminal.waitFor('12345');
  const since = terminal.since(mark);
  assert.equal(since.bytes, 5);
  assert.ok((since.firstMs ?? -1) > 0);
  assert.equal(terminal.output(mark), '12345');
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

test('a shell that outlives the program shows the terminal as it was left', async (t) => {
  const script = `process.stdin.setRawMode(true); process.stdout.write('\\x1b[?1049h\\x1b[?25lready'); setInterval(() => {}, 1e6)`;
  const terminal = await node(t, script, { shell: true });
  await terminal.waitFor('ready');
  terminal.kill('SIGKILL');
  assert.deepEqual(await terminal.exit(), { code: 137, signal: 9 });
  assert.partialDeepStrictEqual(terminal.modes(), { raw: true, alternateScreen: true, cursorVisible: false });
});

test('a hang-up ends what does not mind it', async (t) => {
  // A program that reads may end because its input does, before it is told to.
  const terminal = await sh(t, 'echo ready; exec sleep 1000');
  await terminal.waitFor('ready');
  terminal.hangUp();
  assert.equal((await terminal.exit()).signal, 1);
});

test('the main screen can be read below the alternate one', async (t) => {
  const terminal = await sh(t, 'echo below; printf "\\033[?1049habove"; read x');
  await terminal.waitFor('above');
  assert.deepEqual(terminal.mainScreen(), ['below']);
});

test('the environment is clean: a home of its own, Node 24 first, no CI', async (t) => {
  process.env['CI'] = 'true';
  t.after(() => delete process.env['CI']);
  const terminal = await sh(t, 'echo "ci=[$CI] home=$HOME"; node --version; echo $TERM $LANG $MORE; read x', {
    env: { MORE: 'more' },
    columns: 120,
  });
  await terminal.waitFor(/^xterm-256color C\.UTF-8 more$/m);
  assert.deepEqual(terminal.screen().slice(0, 2), [`ci=[] home=${terminal.home}`, process.version]);
});

test('closing kills every process of the session and removes its home', async () => {
  const terminal = await sh(
    undefined,
    'trap "" HUP TERM INT; sleep 1000 & echo started; while :; do read x; done',
  );
  await terminal.waitFor('started');
  assert.ok(sessionProcesses(terminal.pid).length >= 2);
  await terminal.close();
  while (sessionProcesses(terminal.pid).length > 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(existsSync(terminal.home), false);
});

test('usage sums the CPU and the memory of the session', async (t) => {
  const terminal = await node(
    t,
    'while (process.cpuUsage().user < 60_000); console.log("done"); setInterval(() => {}, 1e6)',
  );
  await terminal.waitFor('done');
  const { cpuMs, rssMb, processes } = terminal.usage();
  assert.equal(processes, 1);
  assert.ok(cpuMs >= 50, `${cpuMs} ms of CPU`);
  assert.ok(rssMb > 10, `${rssMb} MB`);
});
