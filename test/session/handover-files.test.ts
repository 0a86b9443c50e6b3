import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
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
