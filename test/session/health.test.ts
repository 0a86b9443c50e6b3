import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlatform } from '../support/platform.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { countedKeys, isPicker, title } from './shield-support.ts';
import { openSession } from './support.ts';

const SECOND = 1000;
const SHARED = ['checkout', 'mobile-api'];
/** The demo's. */
const RATE = 40;

const names = (screen: readonly string[]) =>
  screen.slice(3).flatMap((line) => /^[▌● ]?(\S+) +1\d{6} /.exec(line)?.[1] ?? []);

/** Seeds at which the keys are pressed as well. */
const KEYED = 4;

for (const seed of Array.from({ length: 20 }, (_, at) => at + 1)) {
  test(`two zones whose origin fails are on top within seconds: seed ${seed}`, async () => {
    let asked = 0;
    const simulator = openPlatform({
      seed,
      rate: RATE,
      onRequest: ({ host }) => {
        if (host === 'logging') asked += 1;
      },
    });
    const opened = simulator.clock.now();
    // A test holds what it is told to close, with the rows of its simulator, until the last test of the file.
    let close = async () => {};
    const t = {
      after: (closing: typeof close) => {
        close = closing;
      },
    };
    const { terminal } = await openSession({ t, platform: simulator });
    await terminal.waitFor((screen) => names(screen).slice(0, 2).sort().join() === SHARED.join(), {
      what: 'both zones on top',
      timeout: 15 * SECOND,
    });
    assert.ok(simulator.clock.now() - opened <= 3 * SECOND);
    assert.ok(asked <= 18, `${asked} requests`);
    // The log behind the keys is the same at every seed.
    if (seed <= KEYED) await opensBoth(terminal);
    await close();
  });
}

/** Three keys open the two zones on top as one log, and a fourth keeps what fails. */
async function opensBoth(terminal: VirtualSession): Promise<void> {
  const keys = countedKeys(terminal);
  await keys.press('<Space><Space><Enter>');
  await terminal.waitFor((screen) => title(screen).includes('LIVE'));
  const rows = () => terminal.screen().slice(4, 22);
  await terminal.waitFor((screen) => /; ! why, \] status:5xx, \? help, q back/.test(screen.at(-1) ?? ''));
  await keys.press(']');
  assert.equal(keys.count(), 4);
  await terminal.waitFor(() =>
    SHARED.every((name) => rows().some((line) => line.includes(name.slice(0, 6)))),
  );
  await terminal.waitFor(() => rows().filter((line) => / 50\d /.test(line)).length > 3);
}

test('zones that do not answer hold up no others, and say so in their line', async (t) => {
  const simulator = openPlatform({ seed: 7, rate: RATE });
  const hung = ['shop-frontend', 'media-video', 'api-gateway', 'news-portal'];
  await simulator.setFaults(
    hung.map((name) => ({
      match: { path: `/v2/pullzones/${simulator.zones.find((zone) => zone.name === name)?.id}` },
      fault: { kind: 'hang' },
    })),
  );
  const { terminal } = await openSession({ t, platform: simulator });
  await terminal.waitFor(isPicker);
  const opened = simulator.clock.now();
  const line = (name: string) => terminal.screen().find((each) => each.slice(1).startsWith(`${name} `)) ?? '';
  await terminal.waitFor(() =>
    ['checkout', 'live-events', 'game-patches'].every((name) => /%\/\d/.test(line(name))),
  );
  assert.ok(simulator.clock.now() - opened <= 8 * SECOND);
  await terminal.waitFor(() => hung.every((name) => line(name).includes('did not answer in time')));
  await simulator.setFaults([]);
  await terminal.waitFor(() => hung.every((name) => /%\/\d/.test(line(name))));
});

test('Esc from a log comes back to the figures as they stood, and they go on', async (t) => {
  const { terminal } = await openSession({ t, platform: openPlatform({ seed: 7, rate: RATE }) });
  await terminal.waitFor((screen) => names(screen).slice(0, 2).sort().join() === SHARED.join());
  await terminal.type('f');
  await terminal.waitFor('figures stand still');
  const before = terminal.screen().slice(3, 21);
  await terminal.type('f<Enter>');
  await terminal.waitFor((screen) => title(screen).includes('LIVE'));
  await terminal.pass(40 * SECOND);
  await terminal.type('<Esc>');
  await terminal.waitFor(isPicker);
  const figures = (lines: readonly string[]) => lines.map((each) => each.slice(0, 70)).join('\n');
  assert.equal(figures(terminal.screen().slice(3, 21)), figures(before));
  await terminal.waitFor((screen) => figures(screen.slice(3, 21)) !== figures(before));
});

test('no figure of a small account is older than 15 s, at the price that is said, and a third of no quota is taken', async (t) => {
  const sent: number[] = [];
  const simulator = openPlatform({ seed: 7, rate: RATE, onRequest: ({ at }) => sent.push(at) });
  const { terminal } = await openSession({ t, platform: simulator });
  await terminal.waitFor((screen) => names(screen).slice(0, 2).sort().join() === SHARED.join());
  // The past of all zones is read by then.
  await terminal.pass(30 * SECOND);
  const said = Number(/ (\d+) requests\/min, each 10s; f stops/.exec(terminal.screen()[1] ?? '')?.[1]);
  const from = simulator.clock.now();
  const ages = new Set<string>();
  for (let second = 0; second < 60; second++) {
    await terminal.pass(SECOND);
    for (const each of terminal.screen())
      for (const [, age = ''] of each.matchAll(/ (\d+[smh]) *$/gm)) ages.add(age);
  }
  assert.deepEqual([...ages].sort(), ['0s', '10s', '5s']);
  const asked = sent.filter((at) => at >= from);
  const most = Math.max(...Object.values(simulator.stats().maxInWindow));
  assert.ok(most <= 10, `${most} requests of one zone in 10 s`);
  assert.ok(Math.abs(asked.length - said) <= said * 0.1, `${asked.length} asked, ${said} said`);
});
