import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlatform } from '../support/platform.ts';
import { openSession } from './support.ts';

const SECOND = 1000;
const SHARED = ['checkout', 'mobile-api'];
/** The demo's. */
const RATE = 40;

const names = (screen: readonly string[]) =>
  screen.slice(3).flatMap((line) => /^[▌● ]?([\w-]+) +<?\d/.exec(line)?.[1] ?? []);

test('two zones whose origin fails are on top within seconds', async (t) => {
  let asked = 0;
  const simulator = openPlatform({
    seed: 7,
    rate: RATE,
    onRequest: ({ host }) => {
      if (host === 'logging') asked += 1;
    },
  });
  const opened = simulator.clock.now();
  const { terminal } = await openSession({ t, platform: simulator });
  await terminal.waitFor((screen) => names(screen).slice(0, 2).sort().join() === SHARED.join(), {
    what: 'both zones on top',
    timeout: 15 * SECOND,
  });
  assert.ok(simulator.clock.now() - opened <= 3 * SECOND);
  assert.ok(asked <= 18, `${asked} requests`);
});

test('the picker asks little: what is calm is looked at less often, and its past slowly', async (t) => {
  for (const [zones, first, minute] of [
    [18, 50, 52],
    [60, 90, 160],
  ] as const) {
    const asked: number[] = [];
    const onRequest = () => asked.push(simulator.clock.now() - opened);
    const simulator = openPlatform({ seed: 7, rate: RATE, zones, onRequest });
    const opened = simulator.clock.now();
    const { terminal } = await openSession({ t, platform: simulator });
    await terminal.pass(300 * SECOND);
    const within = (from: number, to: number) =>
      asked.filter((at) => at >= from * SECOND && at < to * SECOND).length;
    assert.ok(within(0, 20) <= first, `${zones} zones: ${within(0, 20)} requests in the first 20 s`);
    assert.ok(within(180, 300) / 2 <= minute, `${zones} zones: ${within(180, 300)} requests in two minutes`);
  }
});
