import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headsOf } from '../support/heads.ts';
import { openPlatform } from '../support/platform.ts';
import { countedKeys, type Incident, isPicker, leftStill, placeOf, title } from './shield-support.ts';
import { openSession } from './support.ts';

const MINUTE = 60_000;
const MOST_KEYS = 6;

/** How far back the first samples reach that a session waits for: at the pace of the quota some twenty seconds. */
const NEAR = 3 * 60 * MINUTE;
/** Before that, the rows of what has just begun may not show yet. */
const SHOWN_AFTER = 6 * MINUTE;

/** The keys that ask about each zone of the demo in which something happens, and what names each kind of incident on a line. */
const ZONES = ['Ij<Enter>', 'jIj<Enter>', 'jjIj<Enter>', 'jjjIj<Enter>', '/dl<Enter>I<Enter>'];
const NAMED = {
  layer7Attack: ({ cause }) => `asn:${cause['asn']?.[0]}`,
  scanner: ({ cause }) => `asn:${cause['asn']?.[0]}`,
  credentialStuffing: ({ cause }) => `page:${cause['path']?.[0]}`,
  missStorm: ({ cause }) => `page:${cause['path']?.[0]}`,
  originFailure: () => 'origin fails',
  wafMisfire: ({ cause }) => `page:${cause['path']?.[0]}`,
} as const satisfies Record<Incident['kind'], (incident: Incident) => string>;

test('from the picker the incidents of the last hours are named within seconds, in six keys, whatever log sees them', async (t) => {
  const simulator = openPlatform({ seed: 7, rate: 40 });
  const seen: string[] = [];
  for (const zone of ZONES) {
    const { terminal } = await openSession({ t, platform: simulator, columns: 160, rows: 40 });
    await leftStill(terminal);
    await terminal.waitFor(isPicker);
    const keys = countedKeys(terminal);
    await keys.press(zone);
    await terminal.waitFor((screen) => /last day +ASKING \d+ of <=36\d requests/.test(title(screen)));
    assert.ok(keys.count() <= MOST_KEYS, `${keys.count()} keys`);
    const name = /> incidents (\S+), last day/.exec(title(terminal.screen()))?.[1];
    const incidents = simulator
      .incidents()
      .filter((each) => simulator.zones[placeOf(simulator, each)]?.name === name)
      .filter(
        ({ from }) => from > simulator.clock.now() - NEAR && from < simulator.clock.now() - SHOWN_AFTER,
      );
    assert.ok(incidents.length > 0, name);
    for (const incident of incidents) {
      const named = NAMED[incident.kind](incident);
      await terminal.waitFor(
        (screen) => screen.some((line) => isOf(line, incident) && line.includes(named)),
        {
          what: `${incident.id}: ${named} at ${clock(incident.from)}`,
          timeout: 50_000,
        },
      );
    }
    // An Esc at once would leave the answer, as one that is there.
    await terminal.pass(1_000);
    await terminal.type('<Esc>');
    await terminal.waitFor((screen) =>
      /CANCELLED \d+ of <=36\d requests, Ctrl-r goes on/.test(title(screen)),
    );
    seen.push(...incidents.map(({ kind }) => kind));
  }
  assert.deepEqual([...new Set(seen)].sort(), Object.keys(NAMED).sort());
  assert.ok(Math.max(...Object.values(simulator.stats().maxInWindow)) <= 30);
});

test('from the picker one plan names both zones whose origin fails, since when, and Enter opens their failing requests', async (t) => {
  const simulator = openPlatform({ seed: 7, rate: 40 });
  const { terminal } = await openSession({ t, platform: simulator, columns: 120, rows: 40 });
  await terminal.waitFor(isPicker);
  const failing = simulator.incidents().filter(({ kind, from, to }) => {
    const now = simulator.clock.now();
    return kind === 'originFailure' && from < now && to > now + 20 * MINUTE;
  });
  const names = failing.map((each) => simulator.zones[placeOf(simulator, each)]?.name ?? '');
  assert.deepEqual(names.toSorted(), ['checkout', 'mobile-api']);
  const keys = countedKeys(terminal);
  await keys.press('I');
  await terminal.waitFor((screen) =>
    screen.some((line) =>
      /all zones, 3 hours +<=\d+ requests +\d+ of each, \d+ zones, about \d+s/.test(line),
    ),
  );
  await keys.press('<Enter>');
  assert.equal(keys.count(), 2);
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
    (screen) => /^ from:\S+ to:\S+ status:5xx *$/.test(screen[2] ?? '') && /ZONE/.test(headsOf(screen)),
  );
  const isOfBoth = (screen: readonly string[]) =>
    ['checkout', 'mobile-api'].every((name) =>
      screen.some((line) => / 5\d\d /.test(line) && line.includes(name)),
    );
  await terminal.waitFor(isOfBoth);
  await terminal.type('<Esc>');
  await terminal.waitFor((screen) => title(screen).includes('incidents all zones, 3 hours'));
});

/** Whether a line `11:10-11:14  11:18-11:22  …` is about times of the incident; where it goes on the latter is `on`. */
function isOf(line: string, { from, to }: Incident): boolean {
  const times = /^[▌ ](?:before )?(?:(\d\d:\d\d)-)?(\d\d:\d\d) +(?:on|(?:\d\d:\d\d-)?(\d\d:\d\d)) /.exec(
    line,
  );
  if (times === null) return false;
  const [, earliest = '', start = '', end] = times;
  const at = (text: string) => Date.parse(`${new Date(from).toISOString().slice(0, 10)}T${text}:00Z`);
  const until = end === undefined ? Number.POSITIVE_INFINITY : at(end);
  return at(earliest || start) < to && until + MINUTE > from;
}

function clock(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}
