import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLive, logRows } from './log-screen.ts';
import { openLog } from './support.ts';

const times = (screen: readonly string[], words: RegExp) =>
  (screen.join(' ').replaceAll(/\s+/g, ' ').match(new RegExp(words, 'g')) ?? []).length;

test('a mistake in the query is told once and whole at 80 columns, with its mark in the right column', async (t) => {
  const { terminal } = await openLog({ t, columns: 80, rows: 24 });
  await terminal.waitFor(isLive);
  await terminal.type('i<C-u>status:5xx statos:404<Enter>');
  await terminal.waitFor(/no field 'statos'/);
  const screen = terminal.screen();
  assert.equal(times(screen, /no field 'statos' in CDN logs; did you mean status\?/), 1, terminal.text());
  const mark = screen.findIndex((line) => /^ *v+ *$/.test(line));
  const at = (screen.at(-1) ?? '').indexOf('statos');
  assert.equal((screen[mark] ?? '').indexOf('v'), at, terminal.text());
  await terminal.type('<Esc>');
  await terminal.waitFor(isLive);
});

test('addresses group by network, and Enter goes into one by its range', async (t) => {
  const { terminal } = await openLog({ t, columns: 100, rows: 30 });
  await terminal.waitFor(isLive);
  await terminal.type(':by net<Enter>');
  await terminal.waitFor((screen) => screen.some((line) => /\d\.0\/24 /.test(line)));
  const [network = ''] = /[\d.]+\.0\/24/.exec(terminal.text()) ?? [];
  const row = terminal.screen().findIndex((line) => line.includes(network));
  const cursor = terminal.screen().findIndex((line) => line.startsWith('▌'));
  await terminal.type('j'.repeat(Math.max(0, row - cursor)));
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => screen.join(' ').includes(`ip:${network}`));
  const prefix = network.replace(/0\/24$/, '');
  await terminal.waitFor((screen) => logRows(screen).length > 0);
  assert.ok(
    logRows(terminal.screen()).every((line) => line.includes(` ${prefix}`)),
    terminal.text(),
  );
});

test('letters narrow the choice of groups', async (t) => {
  const { terminal } = await openLog({ t, columns: 80, rows: 24 });
  await terminal.waitFor(isLive);
  await terminal.type('b');
  await terminal.waitFor('GROUP BY');
  await terminal.type('cou');
  await terminal.waitFor((screen) => screen.filter((line) => /\[.\]/.test(line)).length === 1);
  await terminal.type('<Enter><Enter>');
  await terminal.waitFor(/^ COUNTRY/m);
});
