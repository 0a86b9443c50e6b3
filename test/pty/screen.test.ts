// The built program on a real terminal: modes, sizes, signals, a reader that stalls, and the job control of a shell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLive, logRows, ZONE } from '../session/log-screen.ts';
import type { Grid } from '../support/emulator.ts';
import { sessionProcesses } from '../support/processes.ts';
import { openLog, openSession } from './support.ts';

const SIZES = [
  [120, 40],
  [200, 60],
  [40, 10],
  [80, 24],
  [20, 5],
  [80, 24],
] as const;
const RESTORED = {
  alternateScreen: false,
  cursorVisible: true,
  bracketedPaste: false,
  mouse: false,
  raw: false,
  echo: true,
};

test('at every size the screen is filled to its edges and nothing of the old size is left', async (t) => {
  const { terminal } = await openLog({ t });
  for (const [columns, rows] of SIZES) {
    terminal.resize(columns, rows);
    if (columns < 40) {
      await terminal.waitFor((screen) => /edgescope needs/.test(screen.join(' ')), {
        what: 'words for a tiny window',
      });
      continue;
    }
    await terminal.waitFor(
      (screen) =>
        screen.length === rows &&
        / (LIVE|QUIET \S+)$/.test(screen[0] ?? '') &&
        (screen[0] ?? '').length === columns - 1 &&
        logRows(screen).length >= Math.min(rows - 7, 2) &&
        /complete|Enter|help/.test(screen.slice(-2).join(' ')),
      { what: `a whole screen of ${columns}×${rows}` },
    );
  }
});

test('a storm of resizes ends in a whole screen of the last size', async (t) => {
  const { terminal } = await openLog({ t });
  for (let i = 0; i < 100; i++) terminal.resize(40 + ((i * 37) % 160), 10 + ((i * 13) % 50));
  terminal.resize(100, 30);
  await terminal.waitFor(
    (screen) => isLive(screen) && (screen[0] ?? '').length === 99 && logRows(screen).length >= 20,
  );
  assert.equal(terminal.ended, null);
});

test('a full redraw with Ctrl-l gives the same picture', async (t) => {
  const { terminal } = await openSession({ t });
  await terminal.waitFor(/ Shield$/m);
  // The picture stands still once the figures are read no longer.
  await terminal.type('<:follow>');
  await terminal.waitFor(/:follow reads them/);
  await terminal.settled();
  const before = picture(terminal.grid());
  const mark = terminal.mark();
  await terminal.type('<C-l>');
  await terminal.waitFor(() => terminal.since(mark).bytes > 500, { what: 'a whole frame' });
  await terminal.settled();
  assert.deepEqual(picture(terminal.grid()), before);
});

test('q and Ctrl-c leave the terminal as they found it', async (t) => {
  for (const [keys, code] of [
    ['qq', 0],
    ['<C-c>', 0],
  ] as const) {
    const { terminal } = await openLog({ t, shell: true });
    await terminal.type(keys);
    assert.equal((await terminal.exit()).code, code, keys);
    assert.partialDeepStrictEqual(terminal.modes(), RESTORED);
    assert.deepEqual(terminal.mainScreen(), []);
  }
});

test('a death by any signal leaves the terminal usable', async (t) => {
  const signals = {
    SIGINT: 130,
    SIGTERM: 143,
    SIGHUP: 129,
    SIGQUIT: 131,
    SIGKILL: 137,
    SIGSEGV: 139,
  } as const;
  for (const [signal, code] of Object.entries(signals)) {
    const { terminal } = await openLog({ t, shell: true });
    await terminal.type('<:mouse on>');
    await terminal.waitFor(() => terminal.modes().mouse, { what: 'reports of the mouse' });
    terminal.write('\x1b[<64;20;12M');
    await terminal.waitFor(/PAUSED/);
    terminal.kill(signal as NodeJS.Signals);
    assert.equal((await terminal.exit()).code, code, signal);
    assert.partialDeepStrictEqual(terminal.modes(), RESTORED, signal);
  }
});

test('a terminal that goes away ends the program', async (t) => {
  const { terminal } = await openLog({ t });
  const { pid } = terminal;
  terminal.hangUp();
  await terminal.exit();
  assert.deepEqual(sessionProcesses(pid), []);
});

test('a reader that stalls does not keep the program from ending', async (t) => {
  const { terminal } = await openLog({ t, columns: 200, rows: 60, simulator: { rate: 400 } });
  terminal.pause();
  for (let i = 0; i < 200; i++) terminal.write(i % 2 === 0 ? 'g' : 'G');
  // What is written while nobody reads has filled the terminal: it ends although that is never taken.
  await terminal.settled();
  terminal.kill('SIGTERM', 'launcher');
  assert.equal((await terminal.exit()).code, 143);
});

test('Ctrl-z gives the shell back, and fg repaints', async (t) => {
  const { terminal, simulator } = await openSession({
    t,
    command: '/bin/bash',
    args: ['--norc', '--noprofile', '-i'],
    env: { PS1: 'prompt> ' },
  });
  await terminal.waitFor('prompt>');
  await terminal.type(`${JSON.stringify(`${import.meta.dirname}/../../dist/edgescope`)} logs ${ZONE}<Enter>`);
  await terminal.waitFor(isLive);
  await terminal.type('<C-z>');
  await terminal.waitFor(
    (screen) => /Stopped/.test(screen.join()) && /prompt>$/.test(screen.join('\n').trimEnd()),
  );
  // The shell has a line editor and paste mode of its own.
  assert.partialDeepStrictEqual(terminal.modes(), { alternateScreen: false, cursorVisible: true });
  await terminal.type('fg<Enter>');
  await terminal.waitFor(isLive, { what: 'the log again' });
  assert.partialDeepStrictEqual(terminal.modes(), { alternateScreen: true, raw: true });
  await terminal.type('qq');
  await terminal.waitFor((screen) => /prompt>$/.test(screen.join('\n').trimEnd()));
  assert.ok(simulator.stats().requests > 0);
});

test('colours go with meaning, and without colours the words stay', async (t) => {
  const coloured = await openLog({ t });
  assert.notEqual(coloured.terminal.styleAt('LIVE').fg, null);
  const plain = await openLog({ t, env: { NO_COLOR: '1' } });
  const { styles } = plain.terminal.grid();
  assert.ok(styles.flat().every((style) => style.startsWith('||')));
});

test('the terminal is asked nothing and told nothing beyond text, cursor, colour and modes', async (t) => {
  const { terminal } = await openLog({ t });
  await terminal.type('?<Esc>:<Esc>');
  await terminal.settled();
  assert.deepEqual(terminal.events, []);
});

// What a person sees: the colour of a blank's letter is not part of it.
function picture({ chars, styles }: Grid): string[] {
  return chars.flatMap((row, y) => row.map((char, x) => (char === ' ' ? char : `${char} ${styles[y]?.[x]}`)));
}
