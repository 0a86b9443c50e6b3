import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { systemClock } from '../../src/api/clock.ts';
import { everyPage } from '../../src/print/lists.ts';

/** A standard error that somebody watches, and a wait for what it shows. */
function watchedError() {
  let text = '';
  const waiting = new Map<RegExp, () => void>();
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      for (const [pattern, resolve] of waiting) if (pattern.test(text)) resolve();
      done();
    },
  });
  return {
    o: { stderr, isWatched: true, clock: systemClock, onEnd() {} },
    text: () => text,
    shown: (pattern: RegExp) => new Promise<void>((resolve) => waiting.set(pattern, resolve)),
  };
}

test('a list that is waited for says so where somebody watches, and leaves nothing behind', async () => {
  const { o, text, shown } = watchedError();
  const list = await everyPage(o, async (page) => {
    if (page === 2) await shown(/\rreading the list, \S+, 2 read/);
    return {
      ok: true,
      value: { items: [page, page], page, total: 4, hasMore: page === 1, unread: page - 1 },
    };
  });
  assert.deepEqual(list, { ok: true, value: [1, 1, 2, 2] });
  assert.match(text(), /\r +\redgescope: 1 .*\n$/);
});

test('a list that comes in time shows nothing', async () => {
  const { o, text } = watchedError();
  await everyPage(o, async (page) => ({
    ok: true,
    value: { items: [page], page, total: 1, hasMore: false },
  }));
  assert.equal(text(), '');
});
