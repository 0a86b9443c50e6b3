import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startWork } from '../../src/effects/supervise.ts';
import { systemClock } from '../../src/time/clock.ts';

test('between two turns of the work a key is read and its frame is painted', async () => {
  const order: string[] = [];
  const running = startWork(systemClock, () => order.push('work'));
  // A key comes in the turn after the first work; its frame is prepared in the next, and painted in the one after that.
  while (order.length === 0) await turn();
  order.push('key');
  await turn();
  order.push('prepared');
  await turn();
  order.push('painted');
  while (order.length < 5) await turn();
  running.stop();
  assert.deepEqual(order, ['work', 'key', 'prepared', 'painted', 'work']);
});

test('work that is stopped, also by itself, has no turn more', async () => {
  let turns = 0;
  const running = startWork(systemClock, () => {
    if (++turns === 3) running.stop();
  });
  for (let i = 0; i < 40; i++) await turn();
  assert.equal(turns, 3);
});
