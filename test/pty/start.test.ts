// The built program on a real terminal: what a start looks at before there is a screen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLive, ZONE } from '../session/log-screen.ts';
import { openProgram, openSession } from './support.ts';

test('the demo needs neither key nor network', async (t) => {
  const terminal = await openProgram({ t, args: ['--demo'] });
  await terminal.waitFor(ZONE);
  await terminal.type('<Enter>');
  await terminal.waitFor(isLive);
  assert.match(terminal.screen()[0] ?? '', /demo/);
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
