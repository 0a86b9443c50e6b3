import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

test('while a window is read its rate is that of the traffic, or none', async (t) => {
  const { terminal } = await openSession({
    t,
    args: ['logs', ZONE, 'from:-30m', 'to:-10m'],
    columns: 120,
    simulator: { seed: 7, rate: 60 },
  });
  const heads = new Set<string>();
  await terminal.waitFor((screen) => {
    if (/READING/.test(screen[0] ?? '')) heads.add(screen[2] ?? '');
    return /COMPLETE|STOPPED/.test(screen[0] ?? '');
  });
  const rateOf = (head: string) => /([\d,.]+|-) req\/s/.exec(head)?.[1] ?? head;
  const rates = [...heads].map(rateOf);
  const all = Number(rateOf(terminal.screen()[2] ?? ''));
  assert.ok(rates.length > 3 && all > 10, `${rates}, at the end ${all}`);
  for (const rate of rates)
    assert.ok(rate === '-' || Math.abs(Number(rate) / all - 1) < 0.2, `${rate} of ${all}`);
});
