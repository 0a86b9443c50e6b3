import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openVirtualSession } from './virtual-session.ts';

/** Screens of a walk through a log that goes on, and what it has asked. */
async function walk(t: TestContext): Promise<unknown[]> {
  const session = await openVirtualSession({ t, args: ['logs', 'shop-frontend'], simulator: { rate: 5 } });
  const seen: unknown[] = [];
  for (const keys of ['jj<Enter>', '<Esc>', 'G', 'b', 'j<Enter>', '<Esc>', '@', '<Esc>', '?', '<Esc>']) {
    await session.pass(3_000);
    await session.type(keys);
    seen.push(session.screen());
  }
  return [...seen, session.simulator.stats()];
}

test('the same keys at the same times show the same screens and ask the same, however fast the machine is', async (t) => {
  assert.deepEqual(await walk(t), await walk(t));
});

test('seven minutes of a followed log pass, live to the end and within the quota of the server', async (t) => {
  const session = await openVirtualSession({ t, args: ['logs', 'shop-frontend'], simulator: { rate: 2 } });
  await session.waitFor(/LIVE$/m);
  await session.pass(420_000);
  assert.match(session.screen()[0] ?? '', /LIVE$/);
  // Six minutes are waited for late rows.
  assert.match(session.text(), /complete until 12:00:[45]\d.* no gaps/);
  const { maxInWindow, byStatus } = session.simulator.stats();
  assert.deepEqual(Object.keys(byStatus), ['200']);
  for (const most of Object.values(maxInWindow)) assert.ok(most > 5 && most <= 30, `${most} in 10 s`);
});

test('a session ends by its keys, with the code of the program and the terminal given back', async (t) => {
  const session = await openVirtualSession({ t, simulator: { rate: 1 } });
  assert.equal(session.ended, null);
  await session.type('<C-c>');
  assert.deepEqual(await session.exit(), { code: 0 });
  assert.match(session.output(), /\x1b\[\?1049l/);
});
