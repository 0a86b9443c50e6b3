import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlatform } from '../support/platform.ts';
import type { FaultRule } from '../support/simulator/fault-plan.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { title } from './shield-support.ts';
import { openSession } from './support.ts';

const HOUR = 3_600_000;

/** What either may do wrong, both at once, and what is said of it instead of an answer. */
const TROUBLES: readonly { fault: FaultRule['fault']; said: RegExp }[] = [
  { fault: { kind: 'forbidden', text: 'Not for this plan.' }, said: /forbids this \(HTTP 403\)/ },
  {
    fault: { kind: 'literal', text: '{"Items":[]}' },
    said: /is not what its documentation says/,
  },
  { fault: { kind: 'hang' }, said: /did not answer in time|is left alone/ },
];
const ASKED = [/^\/\d+\/\d\d-\d\d-\d{4}$/, /^\/user\/audit\//] as const;

const isAnswered = (screen: readonly string[]): boolean =>
  /(READ|PARTIAL.*|FAILED.*)$/.test(title(screen).trim());

/** The answer to a key over the log, which Esc leaves again. */
async function answerTo(session: VirtualSession, key: string, said: RegExp): Promise<string> {
  await session.type(key);
  await session.waitFor((screen) => isAnswered(screen) && said.test(screen.join('\n')));
  const text = session.text();
  await session.type('<Esc>');
  await session.waitFor((screen) => screen.some((line) => /^.?\d\d:\d\d:\d\d |^ TIME /.test(line)));
  return text;
}

test('why and changes are told over a log; what is refused, missing, of another shape or late costs its own lines', async (t) => {
  const platform = openPlatform({ seed: 7, rate: 5 });
  const now = platform.clock.now();
  const shop = platform.zones[0];
  const failure = platform
    .incidents()
    .findLast(
      ({ kind, pullZoneId, to }) =>
        kind === 'originFailure' && pullZoneId === String(shop?.id) && to < now - HOUR / 4,
    );
  assert.ok(failure);
  const window = `from:${new Date(failure.from - 120_000).toISOString()} to:${new Date(failure.to).toISOString()}`;
  const { terminal: session } = await openSession({
    t,
    platform,
    columns: 160,
    rows: 50,
    args: ['logs', 'shop-frontend', ...window.split(' ')],
  });
  await session.waitFor((screen) => screen.some((line) => /^.\d\d:\d\d:\d\d /.test(line)));

  const why = await answerTo(session, '<:causes>', /by page/);
  assert.match(why, /origin fail(?:s|ed): dns_lookup \d+ of \d+ /);
  assert.match(why, /changed \d+m\d*s? before: OriginUrl of PullZone shop-frontend/);
  const changes = await answerTo(session, '<:changes>', /of the rest of the account/);
  assert.match(changes, /OriginUrl: https:\/\/origin\.shop-frontend\.example/);
  assert.match(changes, /\[masked\]/);
  for (const text of [why, changes]) assert.doesNotMatch(text, /canary-/);
  // The same causes row by row: the groups say how, and of what part of the days.
  await session.type(':by cause<Enter>');
  await session.waitFor((screen) => /^.?dns_lookup +\d/m.test(screen.join('\n')));
  assert.match(session.text(), /by time and path, 1 of 1 day read until \d\d:\d\d/);
  // A row without one may have had one that nobody told.
  assert.match(session.text(), /^.?\(not known\) +\d/m);
  await session.close();

  for (const { fault, said } of TROUBLES) {
    const broken = openPlatform({
      seed: 7,
      rate: 5,
      faults: ASKED.map((path) => ({ match: { path }, fault })),
    });
    const { terminal: other } = await openSession({
      t,
      platform: broken,
      columns: 160,
      rows: 50,
      args: ['logs', 'checkout'],
    });
    await other.waitFor((screen) => screen.some((line) => /^.\d\d:\d\d:\d\d /.test(line)));
    for (const key of ['<:causes>', '<:changes>']) await answerTo(other, key, said);
    await other.close();
  }
});
