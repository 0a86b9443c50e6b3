import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualSession } from '../support/virtual-session.ts';
import { openLog, openSession } from './support.ts';

/** As the line of the query has it. */
const inQuery = (time: string) => `T${time.replace(/:00$/, '')}Z`;

/** The times under the title. */
function chosen(terminal: VirtualSession): { from: string; to: string } {
  const [, from = '', to = ''] =
    /^ (\d\d:\d\d:\d\d) ┄ (\d\d:\d\d:\d\d) /.exec(terminal.screen()[2] ?? '') ?? [];
  assert.ok(from && to, terminal.text());
  return { from, to };
}

/** A live log with some seconds on its timeline. */
async function drawnLog(t: Parameters<typeof openLog>[0]['t'], more = {}) {
  const opened = await openLog({ t, ...more });
  await opened.terminal.waitFor((screen) => /\d+(?: in \ds)? [▁▂▃▄▅▆▇█╱]{20}/.test(screen[3] ?? ''));
  return opened;
}

test('times selected on the timeline become the window, with the keys that a terminal sends', async (t) => {
  const { terminal } = await drawnLog(t);
  await terminal.type('<Tab>');
  await terminal.waitFor(/Enter window {2}Esc leave/);
  const newest = chosen(terminal);
  await terminal.type('<Left><Left><S-Left><S-Left>');
  const { from, to } = chosen(terminal);
  assert.ok(from < to && to < newest.to);
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => (screen[1] ?? '').includes(`${inQuery(from)} to:`));
  assert.ok((terminal.screen()[1] ?? '').includes(inQuery(to)));
  await terminal.waitFor(/┄ [^\n]* rows|over \d+s/);
  const rows = terminal.screen().filter((line) => /^.\d\d:\d\d:\d\d [HMEBSRU-] /.test(line));
  assert.ok(rows.length > 0 && rows.every((row) => row.slice(1, 9) >= from && row.slice(1, 9) < to));
});

test('a live log says up to when it is complete, and marks that in the axis', async (t) => {
  const { terminal } = await openSession({
    t,
    args: ['logs', 'shop-frontend', 'last:15m'],
    simulator: { rate: 5 },
    columns: 120,
    rows: 40,
  });
  await terminal.waitFor(/complete until \d\d:/);
  // Time goes on until it stands beside a time of the axis.
  await terminal.waitFor((screen) => (screen[8] ?? '').includes('┊'));
});
