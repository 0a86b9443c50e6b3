// A real program on a real terminal: only that can be killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentials, openProgram, openSession } from './support.ts';

const NAME = 'video-masters';
/** Longer than the time in which Enter does not count yet, ms. */
const LOOK = 700;
/** Letters further apart are typed and not pasted, ms. */
const STROKE = 30;

const badge = (word: string) => (screen: readonly string[]) =>
  new RegExp(`${word}( \\d+s)?$`).test(screen[0] ?? '');

test('a change whose program was killed is told at the next start, and gets its verdict', async (t) => {
  const { terminal, simulator } = await openSession({ t, args: ['storage', NAME, '--write'] });
  // A search of Shield is a POST, too, and may be asked ahead.
  const posts = () =>
    Object.entries(simulator.stats().posts)
      .filter(([path]) => path.startsWith('/storagezone/'))
      .reduce((sum, [, n]) => sum + n, 0);
  await terminal.waitFor(badge('WRITE'));
  await terminal.type('E');
  await terminal.waitFor(badge('EDITING'));
  await terminal.type('gg<Space>');
  await terminal.waitFor(/Rewrite404To200 +false -> true/);
  await terminal.type('P');
  await terminal.waitFor(badge('PREVIEW'));
  await terminal.type('<Enter>');
  await terminal.waitFor(badge('CONFIRM'));
  await simulator.setFaults([{ match: { method: 'POST' }, fault: { kind: 'hangAfter' } }]);
  for (let length = 1; length <= NAME.length; length++) {
    await terminal.type(NAME.slice(length - 1, length));
    await terminal.waitFor(`name of the zone: ${NAME.slice(0, length)}`);
    await sleep(STROKE);
  }
  await sleep(LOOK);
  await terminal.type('<Enter>');
  await terminal.waitFor(badge('POSTING'));
  await terminal.waitFor(() => posts() === 1, { what: 'the request' });
  terminal.kill('SIGKILL');
  await terminal.exit();
  await simulator.setFaults([]);
  const next = await openProgram({ t, home: terminal.home, env: credentials(simulator) });
  await next.waitFor(/UNKNOWN: a change of video-masters was cut short; :storage, Enter there tells/);
  await next.type('<:storage>');
  await next.waitFor(/▌video-masters +605220/);
  await next.type('<Enter>');
  await next.waitFor(/APPLIED by the zone as it is now: the change cut short on 20/);
  assert.equal(posts(), 1);
});
