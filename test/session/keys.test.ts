import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession } from './support.ts';

test('a value that cannot be recorded as shown is not shown', async (t) => {
  const { terminal, simulator } = await openSession({
    t,
    args: ['keys'],
    env: { XDG_STATE_HOME: '/dev/null' },
  });
  await terminal.waitFor(/4119 +Subuser/);
  await terminal.type('r');
  await terminal.waitFor('the key stays hidden');
  for (const secret of simulator.secrets) assert.ok(!terminal.output().includes(secret));
});
