import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writtenAtOnce } from '../support/keys.ts';
import { ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

const title = (screen: readonly string[]) => screen[0] ?? '';
const isWhole = (screen: readonly string[]) => /COMPLETE$/.test(title(screen));

/** A window that lies behind every late row: reading it twice gives the same rows. */
const CLOSED = ['from:-20m', 'to:-12m'];

test('text that came in one piece, and not as it is typed, writes nothing into the notebook', async (t) => {
  const { terminal } = await openSession({ t, args: ['logs', ZONE, ...CLOSED] });
  await terminal.waitFor(isWhole);
  await terminal.type('<:note>foo bar<Enter>');
  await terminal.waitFor(/too fast to be typed/);
  const notebooks = () =>
    readdirSync(terminal.home, { recursive: true }).filter((name) => /\.md$/.test(String(name)));
  assert.deepEqual(notebooks(), []);
  await terminal.settled();
  await terminal.type('<Enter>');
  await terminal.waitFor(/added to /);
  assert.equal(notebooks().length, 1);
});

test('a view that is saved opens again in another start, with its window relative', async (t) => {
  const { terminal, simulator } = await openSession({ t, args: ['logs', ZONE, 'status:5xx', 'last:30m'] });
  await terminal.waitFor(/last:30m status:5xx|status:5xx last:30m|last:30m/);
  await terminal.type('<:views>');
  await terminal.waitFor('no view is saved yet');
  await writtenAtOnce(terminal, '+checkout 5xx<Enter>');
  await terminal.waitFor(/saved as checkout 5xx/);
  const path = join(terminal.home, '.config', 'edgescope', 'views.json');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.match(readFileSync(path, 'utf8'), /"query": "status:5xx last:30m"/);
  const { terminal: other } = await openSession({ t, platform: simulator, home: terminal.home });
  await other.waitFor(ZONE);
  await other.type('<:views>');
  await other.waitFor(/▌checkout 5xx/);
  await other.type('<Enter>');
  await other.waitFor(
    (screen) => /> shop-frontend/.test(title(screen)) && /last:30m +status:5xx/.test(screen[1] ?? ''),
  );
});

const SMALL = { columns: 40, rows: 10 };

test('the menus keep their shape on a small screen', async (t) => {
  const { terminal } = await openSession({ t, ...SMALL, args: ['logs', ZONE, 'status:5xx', ...CLOSED] });
  await terminal.waitFor((screen) => isWhole(screen));
  for (const [keys, wanted] of [
    ['y', /command +edgescope/],
    ['<:export>', /NDJSON/],
    ['<:views>', /SAVED VIEWS/],
    ['<:note>', /INTO THE NOTEBOOK/],
  ] as const) {
    await terminal.type(keys);
    await terminal.waitFor(wanted);
    assert.ok(terminal.screen().every((line) => line.length <= SMALL.columns));
    assert.equal(terminal.screen().length, SMALL.rows);
    await terminal.type('<Esc>');
    await terminal.waitFor((screen) => !wanted.test(screen.join('\n')));
  }
});
