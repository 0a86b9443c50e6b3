// The built program on a real terminal: what counts is the bytes that reach it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logRows, ZONE } from '../session/log-screen.ts';
import type { Terminal } from '../support/terminal.ts';
import { clockShowing } from '../support/virtual-clock.ts';
import { openSession } from './support.ts';

/** A minute of a seed: the same rows whenever and wherever the test runs. */
const THEN = Date.UTC(2026, 0, 15, 12, 0, 0);

/**
 * What a key may write, bytes: what it wrote when the limit was set and a fiftieth more, by which rows of another build
 * of the simulator may differ. Lower a limit when a key becomes cheaper. Beside a list the row in full follows once the cursor
 * rests, which is in the limits of `j` and `k` there.
 */
const LIMITS = {
  '80x24': { j: 92, k: 98, '<PgUp>': 1_430, '<PgDn>': 1_400, g: 1_575, G: 1_395, '?<Esc>': 4_050 },
  '200x60': { j: 480, k: 480, '<PgUp>': 6_500, '<PgDn>': 6_500, g: 6_700, G: 6_500, '?<Esc>': 18_900 },
} as const;

/** What is answered from the rows that were read. */
const FREE = [
  '/bot<Enter>',
  'n',
  'N',
  '<Esc>',
  '<Enter>',
  '<Esc>',
  's',
  '<:columns>',
  '<Esc>',
  '<:unfold>',
  'b',
  '<Enter>',
  '<Esc>',
];

test('a key over rows that stand still writes no more than it did, and asks nothing', async (t) => {
  for (const [columns, rows] of [
    [80, 24],
    [200, 60],
  ] as const) {
    const { terminal, simulator } = await openSession({
      t,
      columns,
      rows,
      args: ['logs', ZONE, '--from', at(THEN - 60_000), '--to', at(THEN)],
      simulator: {
        clock: clockShowing(() => THEN + 3_600_000),
        epoch: THEN,
        lateness: [{ share: 1, least: 0, most: 0 }],
      },
    });
    await terminal.waitFor((screen) => /COMPLETE$/.test(screen[0] ?? '') && logRows(screen).length > 5);
    await terminal.settled();
    for (const key of ['<PgUp>', '<PgUp>', 'k', 'k']) await bytesOf(terminal, key);
    const asked = simulator.stats().requests;
    const spent: Record<string, number> = {};
    for (const key of Object.keys(LIMITS['80x24'])) spent[key] = await bytesOf(terminal, key);
    t.diagnostic(`${columns}x${rows}: ${JSON.stringify(spent)}`);
    const limits: Record<string, number> = LIMITS[`${columns}x${rows}` as keyof typeof LIMITS];
    for (const [key, bytes] of Object.entries(spent)) {
      assert.ok(bytes > 0 && bytes <= (limits[key] ?? 0), `${key}: ${bytes} bytes, at most ${limits[key]}`);
    }
    for (const keys of FREE) await bytesOf(terminal, keys);
    assert.equal(simulator.stats().requests, asked);
  }
});

async function bytesOf(terminal: Terminal, key: string): Promise<number> {
  const mark = terminal.mark();
  // One by one: what is opened and closed before a frame is due writes nothing.
  for (const [press] of key.matchAll(/<[^>]+>|./g)) {
    const before = terminal.since(mark).bytes;
    await terminal.type(press);
    await terminal.waitFor(() => terminal.since(mark).bytes > before, { what: `an answer to ${press}` });
    await terminal.settled();
  }
  return terminal.since(mark).bytes;
}

function at(time: number): string {
  return new Date(time).toISOString();
}
