import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlatform, type PlatformOptions } from '../support/platform.ts';
import { logRows } from './log-screen.ts';
import { openSession } from './support.ts';

const ZONES = 'shop-frontend,api-gateway';

const isLive = (screen: readonly string[]) => /LIVE/.test(screen[0] ?? '') && logRows(screen).length > 3;
const zonesOf = (screen: readonly string[]) => new Set(logRows(screen).map((row) => row.split(/\s+/)[2]));
const foot = (screen: readonly string[]) => screen.at(-2) ?? '';

/** Two busy zones, and where the logs of the second are asked for. */
function platformOf(onRequest: NonNullable<PlatformOptions['onRequest']> = () => {}) {
  const platform = openPlatform({ seed: 7, rate: 10, incidents: false, onRequest });
  const api = platform.zones.find(({ name }) => name === 'api-gateway');
  assert.ok(api);
  return { platform, logsOfApi: `/v2/pullzones/${api.id}/` };
}

test('a slow zone holds no other up: its rows come in late, and the status line says how far it is behind', async (t) => {
  const { platform, logsOfApi } = platformOf();
  const { terminal } = await openSession({ t, platform, columns: 120, rows: 30, args: ['logs', ZONES] });
  await terminal.waitFor((screen) => isLive(screen) && zonesOf(screen).size === 2, { what: 'both zones' });
  await platform.setFaults([{ match: { path: logsOfApi }, fault: { kind: 'slow', ms: 25_000 } }]);
  await terminal.waitFor((screen) => /api-gateway \d+s behind/.test(foot(screen)), { what: 'who is behind' });
  assert.match(terminal.screen()[0] ?? '', /LIVE, 1 of 2 in trouble/);
  assert.match(terminal.screen()[2] ?? '', /1 of 2 zones/);
  const before = logRows(terminal.screen()).at(-1);
  await terminal.waitFor((screen) => logRows(screen).at(-1) !== before, { what: 'rows of the other zone' });
  await platform.setFaults([]);
  await terminal.waitFor((screen) => !/behind/.test(foot(screen)), { what: 'it to catch up' });
  await terminal.waitFor((screen) => /LIVE$/.test((screen[0] ?? '').trim()), { what: 'no trouble' });
  assert.match(foot(terminal.screen()), /[1-9] late \(~\)/);
});

test('Enter on a gap of one zone has it read there, and the gap goes', async (t) => {
  const { platform, logsOfApi } = platformOf();
  const { terminal } = await openSession({ t, platform, columns: 120, rows: 40, args: ['logs', ZONES] });
  await terminal.waitFor((screen) => isLive(screen) && zonesOf(screen).size === 2, { what: 'both zones' });
  const under = (screen: readonly string[]) => screen.find((line) => line.startsWith('▌')) ?? '';
  await terminal.type('g');
  await terminal.waitFor((screen) => /gap of \S+ .*Enter reads it/.test(under(screen)), { what: 'a gap' });
  if (!/api-gateway/.test(under(terminal.screen()))) await terminal.type('j');
  assert.match(under(terminal.screen()), /gap of api-gateway/);
  await platform.setFaults([{ match: { path: logsOfApi }, fault: { kind: 'slow', ms: 3000 } }]);
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => /gap of api-gateway .*being read/.test(under(screen)));
  assert.doesNotMatch(terminal.screen().join('\n'), /gap of shop-frontend .*being read/);
  await platform.setFaults([]);
  await terminal.waitFor((screen) => !/gap of api-gateway/.test(screen.join('\n')), {
    what: 'it to be read',
  });
  assert.match(terminal.screen().join('\n'), /gap of shop-frontend/);
});
