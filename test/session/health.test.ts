import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlatform } from '../support/platform.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { countedKeys, title } from './shield-support.ts';
import { openSession } from './support.ts';

const SECOND = 1000;
const SHARED = ['checkout', 'mobile-api'];
/** The demo's. */
const RATE = 40;

const names = (screen: readonly string[]) =>
  screen.slice(3).flatMap((line) => /^[▌● ]?([\w-]+) +<?\d/.exec(line)?.[1] ?? []);

/** At one of them the keys are pressed as well: the log behind them is the same at every seed. */
const SEEDS = [1, 2, 7];

for (const seed of SEEDS) {
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
    if (seed === SEEDS[0]) await opensBoth(terminal);
  });
}

/** Three keys open the two zones on top as one log, and the line that is offered keeps what fails. */
async function opensBoth(terminal: VirtualSession): Promise<void> {
  const keys = countedKeys(terminal);
  await keys.press('<Space><Space><Enter>');
  await terminal.waitFor((screen) => title(screen).includes('LIVE'));
  const rows = () => terminal.screen().slice(4, 22);
  await terminal.waitFor((screen) => /; ! why, :status:5xx keeps these, \? help/.test(screen.at(-1) ?? ''));
  assert.equal(keys.count(), 3);
  await terminal.type('<:status:5xx>');
  await terminal.waitFor(() =>
    SHARED.every((name) => rows().some((line) => line.includes(name.slice(0, 6)))),
  );
  await terminal.waitFor(() => rows().filter((line) => / 50\d /.test(line)).length > 3);
}
