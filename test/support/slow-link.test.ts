import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlowLink } from './slow-link.ts';

const RATE = { bytesPerSecond: 40_000, delayMs: 30, bufferBytes: 2000 };

test('a slow line delivers every byte in order, no sooner than its rate and its delay allow', async () => {
  const sent = Buffer.from(Array.from({ length: 4000 }, (_, i) => i % 251));
  const { link, got, whole } = lineFor(sent.length);
  const from = performance.now();
  link.down(sent.subarray(0, 1500));
  link.down(sent.subarray(1500));
  await whole;
  assert.deepEqual(Buffer.concat(got), sent);
  assert.ok(performance.now() - from >= (sent.length * 1000) / RATE.bytesPerSecond + RATE.delayMs);
});

test('a program that writes more than the line holds is stopped until half of that has left', async () => {
  const { link, told, whole } = lineFor(5000);
  link.down(Buffer.alloc(1500));
  assert.deepEqual(told, []);
  link.down(Buffer.alloc(3500));
  assert.deepEqual(told, ['hold']);
  await whole;
  assert.deepEqual(told, ['hold', 'release']);
});

test('a key reaches the program after the delay of the line', async () => {
  const { link } = lineFor(0);
  const from = performance.now();
  await new Promise<void>((resolve) => link.up(resolve));
  assert.ok(performance.now() - from >= RATE.delayMs);
});

/** A line, what came out of it, what was told to who writes, and when `bytes` have come. */
function lineFor(bytes: number) {
  const got: Buffer[] = [];
  const told: string[] = [];
  const { promise: whole, resolve } = Promise.withResolvers<void>();
  const link = new SlowLink(RATE, {
    deliver(data) {
      got.push(data);
      if (Buffer.concat(got).length >= bytes) resolve();
    },
    hold: () => void told.push('hold'),
    release: () => void told.push('release'),
  });
  return { link, got, told, whole };
}
