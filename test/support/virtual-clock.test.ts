import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '../../src/time/clock.ts';
import { VirtualClock } from './virtual-clock.ts';

/** What both clocks promise; `pass` lets a little time pass. */
const CLOCKS = {
  system: () => ({ clock: systemClock, pass: () => systemClock.sleep(1) }),
  virtual: () => {
    const clock = new VirtualClock();
    return { clock, pass: () => clock.advance(1) };
  },
} as const;

for (const [name, made] of Object.entries(CLOCKS)) {
  describe(`the ${name} clock`, () => {
    test('ends a sleep when its signal fires, however long it would be', async () => {
      const { clock } = made();
      const waker = new AbortController();
      const sleeping = clock.sleep(3_600_000, waker.signal);
      waker.abort();
      await sleeping;
      await clock.sleep(3_600_000, waker.signal);
    });

    test('calls back once, each time, or never after it was cancelled', async () => {
      const { clock, pass } = made();
      const calls: string[] = [];
      clock.after(1, () => calls.push('once'));
      clock.after(1, () => calls.push('never'))();
      const stop = clock.every(1, () => {
        calls.push('each');
        if (calls.filter((each) => each === 'each').length === 3) stop();
      });
      while (calls.length < 4) await pass();
      for (let i = 0; i < 5; i += 1) await pass();
      assert.deepEqual(calls.toSorted(), ['each', 'each', 'each', 'once']);
    });

    test('tells a time that grows with the one that only grows', async () => {
      const { clock, pass } = made();
      const before = [clock.now(), clock.monotonic()] as const;
      await pass();
      const grown = [clock.now() - before[0], clock.monotonic() - before[1]] as const;
      assert.ok(grown[0] > 0 && Math.abs(grown[0] - grown[1]) < 1, String(grown));
    });
  });
}

test('a sleep of nothing lets what is on its way go first', async () => {
  const order: string[] = [];
  const woken = systemClock.sleep(0).then(() => order.push('woken'));
  void Promise.resolve().then(() => order.push('a promise'));
  process.nextTick(() => order.push('a tick'));
  await woken;
  assert.deepEqual([order.length, order.at(-1)], [3, 'woken']);
});

test('a virtual machine that is suspended has timers later, and a clock behind by what it does not count', async () => {
  for (const isCounted of [true, false]) {
    const clock = new VirtualClock({ real: 1_000, offset: 50 });
    let firedAt = 0;
    clock.after(10, () => {
      firedAt = clock.real;
    });
    clock.suspend(100, isCounted);
    clock.pass(isCounted ? 0 : 10);
    await turn();
    assert.deepEqual(
      [firedAt, clock.now(), clock.monotonic()],
      isCounted ? [1_100, 1_150, 100] : [1_110, 1_060, 10],
    );
  }
});
