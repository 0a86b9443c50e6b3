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
