import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

const bottom = (screen: readonly string[]) => screen.at(-1) ?? '';

test('a watch on screen rings the bell once, says why until Esc, and goes on', async (t) => {
  const { terminal } = await openSession({
    t,
    args: ['logs', ZONE, '--since', '4m', '--until', 'rate>1/h'],
  });
  await terminal.waitFor((screen) => /requests [\d,]+\/h, .* is above 1\/h/.test(bottom(screen)));
  await terminal.type('<Esc>');
  await terminal.waitFor((screen) => /until rate>1\/h: [\d,]+\/h/.test(bottom(screen)));
  assert.match(terminal.screen()[0] ?? '', new RegExp(ZONE));
  const bells = terminal.events.filter(({ kind }) => kind === 'bell');
  assert.equal(bells.length, 1);
});
