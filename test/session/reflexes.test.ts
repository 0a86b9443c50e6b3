import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../support/own-folder.ts';
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

test('clicks open, sort, press hints and select times, the wheel scrolls, and none does before :mouse on', async (t) => {
  const { terminal } = await openSession({ t, args: [] });
  await terminal.waitFor(/checkout/);
  const at = (text: string) => terminal.find(text) ?? assert.fail(`${text}: ${terminal.text()}`);
  const under = () => terminal.screen().find((line) => line.startsWith('▌')) ?? '';
  const [first, other] = [under(), terminal.screen().find((line) => line.startsWith(' check')) ?? ''];
  await terminal.point(at('checkout'));
  await terminal.paste(`\x1b[<0;3;9M`);
  assert.equal(under(), first);
  assert.doesNotMatch(terminal.output(), /\x1b\[\?1000h/);
  await terminal.type('<:mouse on>');
  assert.match(terminal.output(), /\x1b\[\?1000h\x1b\[\?1006h/);
  await terminal.waitFor(/with Shift the terminal selects/);
  await terminal.point(at('checkout'));
  assert.equal(under().slice(1, 20), other.slice(1, 20));
  await terminal.point(at('4XX'));
  await terminal.waitFor(/4XX↓/);
  await terminal.point(at('4XX'));
  await terminal.waitFor(/4XX↑/);
  await terminal.point(at('checkout'));
  await terminal.point(at('checkout'));
  await terminal.waitFor(/zones > checkout .*LIVE/);
  await terminal.point({ x: 30, y: 12 }, 64);
  await terminal.waitFor(/PAUSED/);
  await terminal.point({ x: 20, y: 3 });
  await terminal.waitFor(/Esc/);
  await terminal.point(at('Enter window'));
  await terminal.waitFor(/from:.* to:/);
  await terminal.point(at('! wrong?'));
  await terminal.waitFor(/> wrong/);
  await terminal.type('<:mouse off>');
  assert.match(terminal.output(), /\x1b\[\?1006l\x1b\[\?1000l/);
});

test('shared views stand behind one’s own, are marked, open and stay', async (t) => {
  const home = ownFolder(t);
  const path = join(home, 'team.json');
  const view = { name: 'night shift', screen: 'logs', zone: ZONE, query: 'status:404' };
  writeFileSync(path, JSON.stringify({ version: 1, views: [view] }));
  const { terminal } = await openSession({ t, home, args: ['logs', ZONE, '--views', path] });
  await terminal.waitFor(/LIVE/);
  await terminal.type('<:views>');
  await terminal.waitFor(/night shift +logs +shop-frontend +shared status:/);
  await terminal.type('x');
  await terminal.waitFor(/night shift is shared/);
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => /status:404/.test(screen[1] ?? ''));
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
