import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlaces } from '../../src/time/turns.ts';

test('as many work at once as there are places, and a place that is given back twice is one', async () => {
  const places = createPlaces(2);
  const begun: number[] = [];
  const takes = [0, 1, 2, 3].map((at) =>
    places.take().then((give) => {
      begun.push(at);
      return give;
    }),
  );
  const [first, second] = await Promise.all(takes.slice(0, 2));
  assert.deepEqual(begun, [0, 1]);
  first?.();
  first?.();
  await takes[2];
  await Promise.resolve();
  assert.deepEqual(begun, [0, 1, 2]);
  second?.();
  await takes[3];
  assert.deepEqual(begun, [0, 1, 2, 3]);
});
