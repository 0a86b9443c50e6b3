import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLive, openSession, ZONE } from './support.ts';

const names = (screen: readonly string[]) =>
  screen.flatMap((line) => /^[▌ ](\S+) +1\d{6} /.exec(line)?.[1] ?? []);

test('the picker lists the zones of the account, and Enter opens the log of the one under the cursor', async (t) => {
  const { terminal } = await openSession({ t });
  await terminal.waitFor((screen) => names(screen).length === 18, { what: 'the 18 zones' });
  await terminal.waitFor('11 with Shield');
  await terminal.type('j<Enter>');
  await terminal.waitFor((screen) => (screen[0] ?? '').includes('media-video') && isLive(screen));
});

test('a zone can be narrowed to by some of its letters, and Esc brings the others back', async (t) => {
  const { terminal } = await openSession({ t });
  await terminal.waitFor(ZONE);
  await terminal.type('/imgeu');
  await terminal.waitFor((screen) => names(screen).join() === 'images-eu', { what: 'images-eu alone' });
  await terminal.type('<Esc>');
  await terminal.waitFor((screen) => names(screen).length === 18, { what: 'all zones' });
});

test('Enter after narrowing opens the log of the zone that is left', async (t) => {
  const { terminal } = await openSession({ t });
  await terminal.waitFor(ZONE);
  await terminal.type('/newsp');
  await terminal.waitFor((screen) => names(screen).join() === 'news-portal', { what: 'news-portal alone' });
  await terminal.type('<Enter><Enter>');
  await terminal.waitFor((screen) => /zones > news-portal/.test(screen[0] ?? ''));
});

test('of thousands of zones the last is one key away', async (t) => {
  const { terminal } = await openSession({ t, simulator: { zones: 2500 } });
  await terminal.waitFor('1/2,500', { timeout: 20_000 });
  await terminal.type('G');
  await terminal.waitFor('2,500/2,500', { timeout: 20_000 });
});

test('a zone without logs says where logging is switched on', async (t) => {
  const { terminal } = await openSession({ t, args: ['logs', 'legacy-no-logs'] });
  await terminal.waitFor(/logging/i);
  await terminal.waitFor((screen) => /REFUSED/.test(screen[0] ?? ''));
});

test('a suspended zone is told from a bad key', async (t) => {
  const { terminal } = await openSession({ t, args: ['logs', 'suspended-promo'] });
  await terminal.waitFor((screen) => /suspended|disabled/i.test(screen.slice(2).join('\n')));
});

test('Esc at the root does not quit, q does', async (t) => {
  const { terminal } = await openSession({ t });
  await terminal.waitFor(ZONE);
  await terminal.type('<Esc><Esc>j');
  await terminal.waitFor('2/18');
  assert.equal(terminal.ended, null);
  await terminal.type('q');
  assert.deepEqual(await terminal.exit(), { code: 0, signal: null });
});
