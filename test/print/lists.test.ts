import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { everyPage } from '../../src/print/zones.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** A standard error that somebody watches, in time that passes when it is told to. */
function watchedError() {
  let text = '';
  const clock = new VirtualClock();
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { o: { stderr, isWatched: true, clock, onEnd() {} }, clock, text: () => text };
}

test('a list that is waited for says so where somebody watches, and leaves nothing behind', async () => {
  const { o, clock, text } = watchedError();
  const list = await everyPage(o, async (page) => {
    if (page === 2) {
      await clock.advance(999);
      assert.equal(text(), '');
      await clock.advance(1);
      assert.match(text(), /^\rreading the list, 1s, 2 read$/);
    }
    return {
      ok: true,
      value: { items: [item(page), item(page)], page, total: 4, hasMore: page === 1, unread: page - 1 },
    };
  });
  assert.deepEqual(list, { ok: true, value: [1, 1, 2, 2].map(item) });
  assert.match(text(), /\r +\redgescope: 1 .*\n$/);
  assert.equal(clock.pending, 0);
});

test('a list that comes in time shows nothing', async () => {
  const { o, text } = watchedError();
  await everyPage(o, async (page) => ({
    ok: true,
    value: { items: [item(page)], page, total: 1, hasMore: false },
  }));
  assert.equal(text(), '');
});

test('a list of 200,000 that comes as one page is read whole', async () => {
  const { o } = watchedError();
  const items = Array.from({ length: 200_000 }, (_, at) => item(at));
  const list = await everyPage(o, async (page) => ({
    ok: true,
    value: { items, page, total: items.length, hasMore: false },
  }));
  assert.ok(list.ok && list.value.length === items.length);
});

test('a list that repeats itself, or brings others for ever, ends with a failure', async () => {
  const { o } = watchedError();
  let asked = 0;
  const endless = (id: (page: number) => number) =>
    everyPage(o, async (page) => {
      asked += 1;
      return { ok: true, value: { items: [item(id(page))], page: 1, total: 1, hasMore: true } };
    });
  const repeated = await endless(() => 7);
  assert.ok(!repeated.ok);
  assert.match(repeated.failure.detail, /does not end/);
  assert.equal(asked, 2);
  assert.equal((await endless((page) => page)).ok, false);
  assert.ok(asked < 5_000, `${asked} requests`);
});

function item(id: number): { id: string } {
  return { id: String(id) };
}
