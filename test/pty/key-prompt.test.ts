// The built program on a real terminal: the prompt comes before the screen, and only a terminal's own echo shows whether a key is
// hidden.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZONE } from '../session/log-screen.ts';
import { startSimulator } from '../support/simulator/server.ts';
import { credentials, openProgram, openSession } from './support.ts';

const NO_KEY = { EDGESCOPE_ACCESS_KEY: undefined };

test('without a key it asks for one, and the key that is typed is used and never shown', async (t) => {
  const { terminal, simulator } = await openSession({ t, env: NO_KEY });
  await terminal.waitFor(/Set EDGESCOPE_ACCESS_KEY or a profile/);
  await terminal.waitFor('edgescope --demo');
  terminal.write(`${simulator.accessKey}x\x7f\r`);
  await terminal.waitFor(ZONE);
  await terminal.type('<Enter>');
  await terminal.waitFor(/LIVE$/m);
  assert.equal(terminal.output().includes(simulator.accessKey), false);
  await terminal.type('<C-c>');
  assert.equal((await terminal.exit()).code, 0);
});

test('Esc goes on without a key, to the picker that says how to set one', async (t) => {
  const { terminal } = await openSession({ t, env: NO_KEY });
  await terminal.waitFor(/key:/);
  terminal.write('\x1b');
  await terminal.waitFor(/No access key for/);
  assert.equal(terminal.modes().alternateScreen, true);
  // The picker reads the keyboard as ever.
  await terminal.type('?');
  await terminal.waitFor(/WHAT CAN BE DONE in the zone picker/);
});

test('Ctrl-C at the prompt ends with 130 and leaves the terminal as it was', async (t) => {
  const { terminal } = await openSession({ t, env: NO_KEY, shell: true });
  await terminal.waitFor(/key:/);
  assert.equal(terminal.modes().echo, false);
  terminal.write('half-a-key\x03');
  assert.equal((await terminal.exit()).code, 130);
  assert.deepEqual([terminal.modes().echo, terminal.modes().raw], [true, false]);
  assert.equal(terminal.output().includes('half-a-key'), false);
});

test('a signal at the prompt leaves the terminal as it was', async (t) => {
  const { terminal } = await openSession({ t, env: NO_KEY, shell: true });
  await terminal.waitFor(/key:/);
  terminal.kill('SIGTERM');
  assert.equal((await terminal.exit()).code, 143);
  assert.deepEqual([terminal.modes().echo, terminal.modes().raw], [true, false]);
});

test('a printed command asks too where somebody sits at the terminal, with the data kept clean', async (t) => {
  const simulator = await startSimulator({ seed: 7, rate: 20 });
  t.after(() => simulator.close());
  const env = { ...credentials(simulator), ...NO_KEY };
  const script = '"$0" zones > zones.ndjson; echo "ended $?"; head -c 6 zones.ndjson';
  const program = `${import.meta.dirname}/../../dist/edgescope`;
  const terminal = await openProgram({ t, command: '/bin/sh', args: ['-c', script, program], env });
  await terminal.waitFor(/key:/);
  terminal.write(`${simulator.accessKey}\r`);
  await terminal.waitFor(/ended 0\n\{"id":/);
});

test('a command that asks nobody asks for no key', async (t) => {
  const { terminal } = await openSession({ t, env: NO_KEY, args: ['config', 'check'] });
  assert.equal((await terminal.exit()).code, 0);
  assert.match(terminal.text(), /^key +none; set EDGESCOPE_ACCESS_KEY/m);
});
