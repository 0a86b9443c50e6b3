import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headsOf } from '../support/heads.ts';
import { openPlatform } from '../support/platform.ts';
import { countedKeys, isPicker, placeOf, title } from './shield-support.ts';
import { openSession } from './support.ts';

const MINUTE = 60_000;

test('from the picker one plan names both zones whose origin fails, since when, and Enter opens their failing requests', async (t) => {
  const simulator = openPlatform({ seed: 7, rate: 10 });
  const { terminal } = await openSession({ t, platform: simulator, columns: 120, rows: 40 });
  await terminal.waitFor(isPicker);
  const failing = simulator.incidents().filter(({ kind, from, to }) => {
    const now = simulator.clock.now();
    return kind === 'originFailure' && from < now && to > now + 20 * MINUTE;
  });
  const names = failing.map((each) => simulator.zones[placeOf(simulator, each)]?.name ?? '');
  assert.deepEqual(names.toSorted(), ['checkout', 'mobile-api']);
  const keys = countedKeys(terminal);
  await keys.press('<:incidents>');
  await terminal.waitFor((screen) =>
    screen.some((line) =>
      /all zones, 3 hours +<=\d+ requests +\d+ of each, \d+ zones, about \d+s/.test(line),
    ),
  );
  await keys.press('<Enter>');
  assert.equal(keys.count(), 12);
  await terminal.waitFor((screen) => / (?:READ|PARTIAL.*)$/.test(title(screen)), { timeout: 120_000 });
  const rows = terminal.screen().filter((line) => /^[▌ ] {2}(?:checkout|mobile-api) +\d/.test(line));
  assert.equal(rows.length, 2, terminal.screen().join('\n'));
  for (const line of rows) {
    const [, from = '', to = from, until] = /(\d\d:\d\d)(?:-(\d\d:\d\d))? +(on) /.exec(line) ?? [];
    const began = clock(failing[0]?.from ?? 0);
    assert.ok(from <= began && began <= to && until === 'on', `${line}, ${began}`);
  }
  await terminal.type('<Enter>');
  await terminal.waitFor(
    (screen) => /^ from:\S+ to:\S+ status:5xx *$/.test(screen[1] ?? '') && /ZONE/.test(headsOf(screen)),
  );
  const isOfBoth = (screen: readonly string[]) =>
    ['checkout', 'mobile-api'].every((name) =>
      screen.some((line) => / 5\d\d /.test(line) && line.includes(name)),
    );
  await terminal.waitFor(isOfBoth);
  await terminal.type('<Esc>');
  await terminal.waitFor((screen) => title(screen).includes('incidents all zones, 3 hours'));
});

function clock(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}
