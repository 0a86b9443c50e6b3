// The built program on a real terminal: the prompt comes before the screen, and only a terminal's own echo shows whether a key is
// hidden.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZONE } from '../session/log-screen.ts';
import { openSession } from './support.ts';

const NO_KEY = { EDGESCOPE_ACCESS_KEY: undefined };

test('without a key it asks for one, and the key that is typed is used and never shown', async (t) => {
  const { terminal, simulator } = await openSession({ t, env: NO_KEY });
  await terminal.waitFor(/Enough for logs by a zone's id.*EDGESCOPE_TOKEN/s);
  await terminal.waitFor('edgescope --demo');
  terminal.write(`${simulator.accessKey}x\x7f\r`);
  await terminal.waitFor(ZONE);
  await terminal.type('<Enter>');
  await terminal.waitFor(/LIVE$/m);
  assert.equal(terminal.output().includes(simulator.accessKey), false);
  await terminal.type('<C-c>');
  assert.equal((await terminal.exit()).code, 0);
});

test('a signal at the prompt leaves the terminal as it was', async (t) => {
  const { terminal } = await openSession({ t, env: NO_KEY, shell: true });
  await terminal.waitFor(/key:/);
  terminal.kill('SIGTERM');
  assert.equal((await terminal.exit()).code, 143);
  assert.deepEqual([terminal.modes().echo, terminal.modes().raw], [true, false]);
});
