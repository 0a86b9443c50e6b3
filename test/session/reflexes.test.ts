import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

test('the page of the dashboard is copied and a link on the screen, until the next key', async (t) => {
  const { terminal } = await openSession({ t, args: ['logs', ZONE] });
  await terminal.waitFor(/LIVE/);
  await terminal.type('<:panel>');
  const [, url = ''] = /(https:\/\/dash\.bunny\.net\/cdn\/\d+) copied/.exec(terminal.text()) ?? [];
  assert.equal(terminal.copied, url);
  const links = () => terminal.events.filter(({ kind, text }) => kind === 'osc' && text.startsWith('8;'));
  assert.deepEqual([links()[0]?.text, links().at(-1)?.text], [`8;;${url}`, '8;;']);
  await terminal.type('j');
  await terminal.waitFor((screen) => !screen.join('\n').includes('dash.bunny.net'));
});
