import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSession } from './support.ts';

test('keys are listed by id, roles and fingerprint; a value is shown for ten seconds, and the showing recorded', async (t) => {
  const { terminal, simulator } = await openSession({ t, args: ['keys'] });
  await terminal.waitFor(/4119 +Subuser/);
  // The account's key and token come first, then the keys of the list.
  const value = simulator.secrets[4] ?? '';
  const shows = (screen: readonly string[]) => screen.join('').replace(/\s/g, '').includes(value);
  for (const secret of simulator.secrets) assert.ok(!terminal.output().includes(secret));
  await terminal.type('jjr');
  await terminal.waitFor(shows, { what: 'the value' });
  assert.match(terminal.text(), /value of 4107, hidden again in \d+ s/);
  const audit = readFileSync(join(terminal.home, '.local/state/edgescope/audit.ndjson'), 'utf8');
  assert.match(audit, /"kind":"reveal".*"id":"4107"/);
  assert.ok(!audit.includes(value));
  await terminal.pass(9_000);
  assert.ok(shows(terminal.screen()));
  await terminal.pass(1_000);
  assert.ok(!shows(terminal.screen()));
});

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

test('a thousand keys are read page by page', async (t) => {
  const { terminal } = await openSession({ t, args: ['keys'], simulator: { keys: 1_100 } });
  await terminal.waitFor('1 of 1,100 keys');
  for (const row of ['500', '1,000', '1,100']) {
    await terminal.type('G');
    await terminal.waitFor(`${row} of 1,100 keys`);
    await terminal.settled();
  }
});
