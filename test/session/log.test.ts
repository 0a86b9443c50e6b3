import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlatform } from '../support/platform.ts';
import { ZONE } from './log-screen.ts';
import { openLog, openSession } from './support.ts';

const title = (screen: readonly string[]) => screen[0] ?? '';
test('a window with an end never pauses: it is read to its end, and what is counted says of how much until then', async (t) => {
  const platform = openPlatform({ seed: 7, rate: 50, incidents: false });
  const end = Math.floor(platform.clock.now() / 60_000) * 60_000 - 7_200_000;
  const [from, to] = [end - 1_200_000, end].map((time) => new Date(time).toISOString());
  const { terminal } = await openSession({ t, platform, args: ['logs', ZONE, `from:${from}`, `to:${to}`] });
  const share = (screen: readonly string[]) => Number(/READING ([\d.]+)%/.exec(title(screen))?.[1] ?? 100);
  const counted = (screen: readonly string[]) =>
    /over ([\d,]+) rows(?:, ([\d.]+)% read)?/.exec(screen[1] ?? '');
  const rows = (screen: readonly string[]) => Number(counted(screen)?.[1]?.replaceAll(',', '') ?? 0);
  await terminal.waitFor((screen) => share(screen) > 0 && share(screen) < 50, { what: 'the first rows' });
  assert.match(terminal.screen()[2] ?? '', /^ over [\d.]+% of 20m/);
  assert.match(terminal.screen().at(-2) ?? '', /requests · [\d.]+% read · no gaps/);
  await terminal.type('<C-u><C-u>');
  await terminal.type('b/path<Enter><Enter>');
  await terminal.waitFor((screen) => counted(screen)?.[2] !== undefined, { what: 'groups of a part' });
  const first = rows(terminal.screen());
  assert.ok(share(terminal.screen()) < 100);
  await terminal.waitFor((screen) => rows(screen) > first && share(screen) < 100, { what: 'more rows' });
  await terminal.waitFor((screen) => title(screen).includes('COMPLETE'), { what: 'the end' });
  assert.doesNotMatch(terminal.output(), /PAUSED/);
  const truth = platform.truth(String(platform.zones[0]?.id), end - 1_200_000, end);
  await terminal.waitFor((screen) => rows(screen) === truth.length && counted(screen)?.[2] === undefined, {
    what: `groups over all ${truth.length} rows`,
  });
  await terminal.type('q');
  await terminal.waitFor(/^ over 20m/m);
});

test('a search opens empty: Up brings the last text back, and Enter on nothing goes to the next match', async (t) => {
  const { terminal } = await openLog({ t });
  const bottom = () => (terminal.screen().at(-1) ?? '').trimEnd();
  await terminal.type('<Space>/HIT<Enter>');
  await terminal.waitFor(() => /\/HIT \d+\/\d+/.test(bottom()));
  const place = () => Number(/\/HIT (\d+)/.exec(bottom())?.[1]);
  await terminal.type('gn');
  await terminal.waitFor(() => place() > 0);
  const first = place();
  await terminal.type('/');
  assert.equal(bottom(), ' /Up: HIT');
  await terminal.type('<Enter>');
  assert.equal(place(), first + 1);
  await terminal.type('/<Up>');
  assert.equal(bottom(), ' /HIT');
  await terminal.type('<C-u>MISS<Enter>');
  await terminal.waitFor(() => /\/MISS \d+\/\d+/.test(bottom()));
});

test('rows that nobody asked for leave a gap that says so, and are told among the requests', async (t) => {
  const { terminal, simulator } = await openLog({ t, columns: 120 });
  await simulator.setFaults([{ match: { host: 'logging' }, fault: { kind: 'strayRows' } }]);
  await terminal.waitFor(/1 gap/);
  const isOnGap = () => /^▌.*the API sent other rows than those asked for/m.test(terminal.text());
  for (let row = 0; row < 1_000 && !isOnGap(); row += 1) await terminal.type('k');
  assert.ok(isOnGap(), terminal.text());
  await terminal.type('<:requests>');
  await terminal.waitFor(/\/v2\/pullzones\/\d+\/logs\S+ +200 \d+ strays/);
  // Read again without them it is none.
  await simulator.setFaults([]);
  await terminal.type('<Esc><Enter>');
  await terminal.waitFor((screen) => !/sent other rows/.test(screen.join('')), {
    what: 'the gap to be read',
  });
});

test('while a window is read from its beginning the rates are of the newest minute, or say of when they are', async (t) => {
  const { terminal, simulator } = await openSession({
    t,
    simulator: { seed: 7, rate: 40, incidents: true },
    args: ['logs', 'mobile-api', 'status:5xx', 'last:1h'],
  });
  await terminal.waitFor(/5\d\d /);
  await simulator.clock.advance(10_000);
  // Its origin fails since a few minutes, and the hour before was well.
  await terminal.type('x');
  let seen = 0;
  for (let second = 0; second < 10; second += 1) {
    await simulator.clock.advance(1_000);
    await terminal.idle();
    const rates = terminal.screen()[2] ?? '';
    if (/5xx -/.test(rates)) continue;
    seen += 1;
    const share = Number(/5xx ([\d.]+)%/.exec(rates)?.[1] ?? 0);
    assert.ok(share > 10 || /^ at \d\d:\d\d/.test(rates), rates);
  }
  assert.ok(seen > 5);
});
