// The built program on a real terminal: what a start looks at before there is a screen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLive, ZONE } from '../session/log-screen.ts';
import { openProgram, openSession } from './support.ts';

test('without a key it says how to set one and offers the demo', async (t) => {
  const terminal = await openProgram({ t });
  await terminal.waitFor(
    (screen) => /EDGESCOPE_ACCESS_KEY/.test(screen.join()) && /--demo/.test(screen.join()),
  );
});

test('the demo needs neither key nor network', async (t) => {
  const terminal = await openProgram({ t, args: ['--demo'] });
  await terminal.waitFor(ZONE);
  await terminal.type('<Enter>');
  await terminal.waitFor(isLive);
  assert.match(terminal.screen()[0] ?? '', /demo/);
});

test('a flag that does not exist is wrong usage', async (t) => {
  const terminal = await openProgram({ t, args: ['--no-such-flag'] });
  assert.equal((await terminal.exit()).code, 2);
  assert.match(terminal.text(), /no-such-flag/);
});

test('a query that cannot be read is wrong usage, with a mark under the mistake', async (t) => {
  const terminal = await openProgram({ t, args: ['logs', ZONE, 'nofield:1'] });
  assert.equal((await terminal.exit()).code, 2);
  assert.match(terminal.text(), /nofield:1\n +\^+/);
});

test('a key that is refused says so, and a printed command ends with 3', async (t) => {
  const env = { EDGESCOPE_ACCESS_KEY: 'a-key-nobody-gave' };
  const { terminal } = await openSession({ t, env });
  await terminal.waitFor(/key/i);
  const printed = await openSession({ t, env, args: ['zones', '--format', 'ndjson'] });
  assert.equal((await printed.terminal.exit()).code, 3);
  assert.match(printed.terminal.text(), /key/i);
});

test('a terminal that cannot place text gets a sentence, not a broken screen', async (t) => {
  const { terminal } = await openSession({ t, env: { TERM: 'dumb' } });
  assert.equal((await terminal.exit()).code, 2);
  assert.match(terminal.text(), /TERM=dumb/);
  assert.equal(terminal.output().includes('\x1b'), false);
});

test('an ASCII locale is drawn in ASCII', async (t) => {
  const { terminal } = await openSession({ t, args: ['logs', ZONE], env: { LANG: 'C' } });
  await terminal.waitFor(
    (screen) =>
      /LIVE$/.test(screen[0] ?? '') && screen.filter((line) => /\d\d:\d\d:\d\d/.test(line)).length > 5,
  );
  assert.match(terminal.output(), /^[\x00-\x7f]*$/);
});
