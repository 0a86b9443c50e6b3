import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

const last = (screen: readonly string[]) => (screen.at(-1) ?? '').trim();

test('a zone, a term, a grouping and a window are gone to by what is typed, on a small screen', async (t) => {
  const { terminal } = await openSession({ t, columns: 40, rows: 10 });
  await terminal.waitFor(ZONE.slice(0, 8));
  await terminal.type(':logs shop-f<Tab>');
  await terminal.waitFor((screen) => last(screen) === `:logs ${ZONE}`);
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => /LIVE$/.test(screen[0] ?? ''));
  await terminal.type(':5xx<Enter>');
  await terminal.waitFor(/status:5xx/);
  await terminal.type(':by country<Enter>');
  await terminal.waitFor(/^ COU.* ROWS/m);
  await terminal.type('q:time last:1h<Enter>');
  await terminal.waitFor((screen) => /last:1h/.test(screen.join('\n')) && !/ ROWS/.test(screen.join('\n')));
  await terminal.type(':shield<Enter>');
  await terminal.waitFor(/EVENTS/);
  await terminal.type(':q<Enter>');
  assert.deepEqual(await terminal.exit(), { code: 0 });
});
