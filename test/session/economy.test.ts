import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPENED } from '../support/platform.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { logRows, ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

/** Longer than a cursor rests before the row in full follows beside the list, ms. */
const REST = 200;

/**
 * What a key may write, bytes, a fiftieth more than it does: lower a limit when a key becomes cheaper. `j` and `k` at 200x60 bring
 * the row in full.
 */
const LIMITS = {
  '80x24': { j: 93, k: 96, '<PgUp>': 1_378, '<PgDn>': 1_382, g: 1_488, G: 1_484, '?<Esc>': 3_892 },
  '200x60': { j: 821, k: 867, '<PgUp>': 5_446, '<PgDn>': 5_800, g: 5_836, G: 6_081, '?<Esc>': 18_022 },
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
      args: ['logs', ZONE, '--from', at(OPENED - 3_660_000), '--to', at(OPENED - 3_600_000)],
      simulator: { rate: 40 },
    });
    await terminal.waitFor((screen) => /COMPLETE$/.test(screen[0] ?? '') && logRows(screen).length > 5);
    await terminal.settled(REST);
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

async function bytesOf(terminal: VirtualSession, keys: string): Promise<number> {
  const before = terminal.output().length;
  // One by one: what is opened and closed before a frame is due writes nothing.
  for (const [press] of keys.matchAll(/<[^>]+>|./g)) {
    await terminal.type(press);
    await terminal.settled(REST);
  }
  return Buffer.byteLength(terminal.output().slice(before));
}

function at(time: number): string {
  return new Date(time).toISOString();
}
