import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

test(':tell rings, notifies the desktop and says why, once, and goes on until it is told to end', async (t) => {
  const { terminal } = await openSession({ t, args: ['logs', ZONE], env: { TERM: 'xterm-kitty' } });
  await terminal.waitFor(/LIVE/);
  await terminal.type(':tell rate>1/h<Enter>');
  await terminal.waitFor(/waits for rate>1\/h of/);
  await terminal.waitFor((screen) => /requests [\d,]+\/h, .* is above 1\/h/.test(screen.at(-1) ?? ''), {
    timeout: 240_000,
  });
  const rung = terminal.events.filter(({ kind, text }) => kind === 'bell' || text.startsWith('99;'));
  assert.deepEqual(
    rung.map(({ kind, text }) => [kind, text.replace(/[\d,]+\/h.*/, '')]),
    [
      ['bell', ''],
      ['osc', '99;i=edgescope:d=0;edgescope'],
      ['osc', `99;i=edgescope:p=body;${ZONE}: requests `],
    ],
  );
  await terminal.type('<Esc><:tell>');
  await terminal.waitFor(/no longer waits for rate>1\/h/);
});

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
