import { test } from 'node:test';
import { openSession } from './support.ts';

test('a live log says up to when it is complete, and marks that in the axis', async (t) => {
  const { terminal } = await openSession({
    t,
    args: ['logs', 'shop-frontend', 'last:15m'],
    simulator: { rate: 5 },
    columns: 120,
    rows: 40,
  });
  await terminal.waitFor(/complete until \d\d:/);
  // Time goes on until it stands beside a time of the axis.
  await terminal.waitFor((screen) => (screen[8] ?? '').includes('┊'));
});
