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

for (const seed of [1, 2, 7]) {
  test(`two zones whose origin fails are on top within seconds: seed ${seed}`, async (t) => {
    let asked = 0;
    const simulator = openPlatform({
      seed,
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
}
