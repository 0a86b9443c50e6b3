import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLive, logRows } from '../session/log-screen.ts';
import type { Terminal } from '../support/terminal.ts';
import { checkTerminal } from './checks.ts';
import { type Scene, ZONE } from './scene.ts';

/** A loaded machine may take long to start a program; a defect never ends by itself. */
const PATIENT = { timeout: 60_000 };

async function openLog(scene: Scene, o: Parameters<Scene['screen']>[0] = {}, rate = 40): Promise<Terminal> {
  const simulator = await scene.simulate({ rate });
  const terminal = await scene.screen({ simulator, args: ['logs', ZONE], shell: true, ...o });
  await terminal.waitFor(isLive, PATIENT);
  return terminal;
}

async function quit(terminal: Terminal, code = 0): Promise<void> {
  await terminal.type('<C-c>');
  assert.equal((await terminal.exit(20_000)).code, code);
  checkTerminal(terminal);
}

export async function deaths(scene: Scene): Promise<void> {
  const signals = {
    SIGINT: 130,
    SIGTERM: 143,
    SIGHUP: 129,
    SIGQUIT: 131,
    SIGKILL: 137,
    SIGSEGV: 139,
    SIGABRT: 134,
  } as const;
  for (const [signal, code] of Object.entries(signals)) {
    const terminal = await openLog(scene);
    terminal.kill(signal as NodeJS.Signals);
    assert.equal((await terminal.exit(20_000)).code, code, signal);
    checkTerminal(terminal);
    await terminal.close();
  }
  await quit(await openLog(scene));
  const simulator = await scene.simulate({ rate: 4_000 });
  const env = { NODE_OPTIONS: '--max-old-space-size=18' };
  const small = await scene.screen({ simulator, args: ['logs', ZONE], shell: true, env });
  assert.equal((await small.exit(60_000)).code, 134, 'out of memory');
  checkTerminal(small);
}

/** Eight resizes for each of forty sizes, none of them waited for. */
export async function resizes(scene: Scene): Promise<void> {
  const terminal = await openLog(scene);
  for (let i = 0; i < 300; i++) terminal.resize(2 + ((i * 37) % 198), 1 + ((i * 13) % 59));
  terminal.resize(0, 0);
  terminal.resize(40, 10);
  terminal.resize(100, 30);
  await terminal.waitFor(
    (screen) => isLive(screen) && (screen[0] ?? '').length === 99 && logRows(screen).length >= 20,
    PATIENT,
  );
  await quit(terminal);
}

/** A minute in which nothing is read: asking goes on, and then there is a whole frame of the present. */
export async function stalledReader(scene: Scene): Promise<void> {
  const terminal = await openLog(scene, { columns: 200, rows: 60 }, 200);
  const [simulator] = scene.simulators;
  terminal.pause();
  for (let i = 0; i < 100; i++) terminal.write(i % 2 === 0 ? 'g' : 'G');
  await sleep(2_000);
  const [before, memory] = [simulator?.stats().requests ?? 0, terminal.usage().rssMb];
  await sleep(60_000);
  const asked = (simulator?.stats().requests ?? 0) - before;
  assert.ok(asked > 20, `${asked} requests in a minute`);
  const grown = terminal.usage().rssMb - memory;
  assert.ok(grown < 120, `${grown} MB`);
  const mark = terminal.mark();
  terminal.resume();
  await terminal.type('G');
  await terminal.waitFor(
    (screen) =>
      isLive(screen) &&
      logRows(screen).some((row) => row.slice(1, 6) >= new Date().toISOString().slice(11, 16)),
    PATIENT,
  );
  scene.note(`${asked} requests in the minute, ${Math.round(terminal.since(mark).bytes / 1000)} kB after it`);
  terminal.pause();
  const told = performance.now();
  terminal.kill('SIGTERM', 'launcher');
  await sleep(50);
  terminal.resume();
  assert.equal((await terminal.exit(20_000)).code, 143);
  scene.note(`gone ${Math.round(performance.now() - told)} ms after SIGTERM`);
  checkTerminal(terminal);
}

/** A thousand bytes a second are all that the link takes: a key is still answered, and the end still comes. */
export async function slowReader(scene: Scene): Promise<void> {
  const terminal = await openLog(scene, {}, 200);
  const end = Date.now() + 15_000;
  while (Date.now() < end) {
    terminal.pause();
    await sleep(950);
    terminal.resume();
    await sleep(20);
  }
  await terminal.type('?');
  await terminal.waitFor((screen) => /help/i.test(screen.join(' ')), PATIENT);
  await terminal.type('<Esc>');
  await quit(terminal);
}

export async function oddTerminals(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  for (const TERM of ['vt100', 'linux', 'screen', 'tmux-256color', 'unknown-terminal', undefined]) {
    const terminal = await scene.screen({ simulator, args: ['logs', ZONE], shell: true, env: { TERM } });
    await terminal.waitFor(isLive, PATIENT);
    await quit(terminal);
  }
  for (const env of [{ LANG: 'C' }, { NO_COLOR: '1' }, { LANG: undefined }]) {
    const terminal = await scene.screen({ simulator, args: ['logs', ZONE], shell: true, env });
    await terminal.waitFor(isLive, PATIENT);
    if (env.LANG === 'C') assert.match(terminal.text(), /^[\n -~]*$/, 'ASCII alone');
    await quit(terminal);
  }
  const dumb = await scene.screen({ simulator, args: [], shell: true, env: { TERM: 'dumb' } });
  assert.equal((await dumb.exit(30_000)).code, 2);
  assert.match(dumb.mainScreen().join(' '), /TERM=dumb/);
  checkTerminal(dumb);
}

/** Pasted and split input is text or nothing: no command of it runs. */
export async function pastes(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  const terminal = await scene.screen({
    simulator,
    args: ['storage', 'video-masters', '--write'],
    shell: true,
  });
  await terminal.waitFor(/WRITE/, PATIENT);
  for (let i = 0; i < 50; i++) terminal.paste('Eg \rP\rvideo-masters\r\x1b[A\x1b]0;owned\x07'.repeat(40));
  for (const part of [
    '\x1b',
    '[',
    'A',
    '\x1b[',
    'B',
    '\x1b[20',
    '0~',
    'q\rvideo',
    '\x1b[201',
    '~',
    '\x1bO',
    'P',
  ]) {
    terminal.write(part);
    await sleep(20);
  }
  for (let i = 0; i < 2_000; i++) terminal.write('\x1b[A\x1b[<0;1;1M\x1b[I');
  await terminal.settled();
  assert.deepEqual(simulator.stats().posts, {});
  assert.equal(terminal.ended, null);
  await quit(terminal);
}

/** Nothing that a session notes down may end it: the file of --debug is on a full disk. */
export async function fullTrace(scene: Scene): Promise<void> {
  const terminal = await openLog(scene, { args: ['logs', ZONE, '--debug', '/dev/full'] });
  await terminal.type('?<Esc>');
  await sleep(500);
  assert.equal(terminal.ended, null);
  await quit(terminal);
}

export async function badConfigOnScreen(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  for (const text of ['{', '[]', '{"profiles":7}', '\u0000', '{"theme":"nope"}']) {
    const home = scene.home();
    mkdirSync(join(home, '.config/edgescope'), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, '.config/edgescope/config.json'), text, { mode: 0o600 });
    const terminal = await scene.screen({ simulator, args: [], shell: true, home });
    const { code } = await terminal.exit(30_000);
    assert.ok(code === 2, `${JSON.stringify(text)}: ${code}`);
    checkTerminal(terminal);
  }
}
