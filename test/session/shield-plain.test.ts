import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { headsOf } from '../support/heads.ts';
import { openPlatform, type Platform } from '../support/platform.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { ZONE } from './log-screen.ts';
import { isPicker, isRead, leftStill, title } from './shield-support.ts';
import { openSession } from './support.ts';

type Stop = { name: string; keys: string; until: RegExp };

/** A way through every view and overlay of the explorer; each stop is known by words that only it shows. */
const WAY: readonly Stop[] = [
  { name: 'groups', keys: '3', until: /^RULE/ },
  { name: 'groups unfolded', keys: '<:unfold>', until: /^RULE.*AS/ },
  { name: 'groups folded', keys: '<:unfold>', until: /^RULE( \d|$|.*then)/ },
  { name: 'columns', keys: '<:columns>', until: /^COLUMNS/ },
  { name: 'groups after columns', keys: '<Esc>', until: /^RULE/ },
  { name: 'the choice of dimensions', keys: 'b', until: /^GROUP BY/ },
  { name: 'groups after the choice', keys: '<Esc>', until: /^RULE/ },
  { name: 'the form', keys: '<:form>', until: /^QUERY/ },
  { name: 'groups after the form', keys: '<Esc>', until: /^RULE/ },
  { name: 'networks', keys: '<Enter>', until: /^AS NUM/ },
  { name: 'addresses', keys: '<Enter>', until: /^CLIENT/ },
  { name: 'rows', keys: '<Enter>', until: /^TIME +ACTION/ },
  { name: 'an event', keys: '<Enter>', until: /^FIELD/ },
  { name: 'the end of an event', keys: 'G', until: /^FIELD.* (\d+)\/\1$/ },
  { name: 'help', keys: '?', until: /^WHAT CAN/ },
];

describe('the explorer without letters or colours of its own', () => {
  const simulator = openPlatform({ seed: 7, rate: 20 });

  test('draws nothing but ASCII with --ascii, in every view', async (t) => {
    const terminal = await open(t, simulator, { columns: 120, rows: 30 }, ['--ascii']);
    for (const stop of WAY) {
      await at(terminal, stop);
      isWhole(terminal, stop.name);
    }
    assert.match(terminal.output(), /^[\x00-\x7f]*$/);
  });

  test('tells blocked, challenged and logged apart without a colour', async (t) => {
    const env = { NO_COLOR: '1' };
    const args = ['shield', ZONE, 'last:6h'];
    const terminal = await open(t, simulator, { columns: 120, rows: 60 }, args, env);
    await terminal.type('bG<Enter>');
    await terminal.waitFor((screen) => isRead(screen) && /^ TIME/.test(headsOf(screen)));
    const looks = ['blocked', 'challenged', 'logged'].map((word) => {
      const at = terminal.find(` ${word} `);
      assert.ok(at, `${word}\n${terminal.text()}`);
      const { bold, dim, italic, underline, inverse, fg, bg } = terminal.cell(at.x + 1, at.y);
      assert.deepEqual([fg, bg], [null, null], word);
      return JSON.stringify([bold, dim, italic, underline, inverse]);
    });
    assert.equal(new Set(looks).size, 3, looks.join('\n'));
    for (const line of terminal.grid().styles) {
      for (const style of line) assert.match(style, /^\|\|/, 'no colour anywhere');
    }
  });
});

async function open(
  t: TestContext,
  platform: Platform,
  size: { columns: number; rows: number },
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<VirtualSession> {
  const { terminal } = await openSession({ t, ...size, platform, args, env });
  await leftStill(terminal);
  await terminal.waitFor(args.includes('shield') ? isRead : isPicker);
  return terminal;
}

async function at(terminal: VirtualSession, { name, keys, until }: Stop): Promise<void> {
  await terminal.type(keys);
  const heads = (screen: readonly string[]) =>
    [headsOf(screen), ...screen.filter((line) => / WHAT CAN/.test(line))].map((line) => line.slice(1));
  await terminal.waitFor(
    (screen) => !/SEARCHING|STALE/.test(title(screen)) && heads(screen).some((line) => until.test(line)),
    { what: name },
  );
}

/** Signs of ASCII alone, and the chrome there and readable. */
function isWhole(terminal: VirtualSession, name: string): void {
  const screen = terminal.screen();
  for (const line of screen) assert.match(line, /^[ -~]*$/, `${name}\n${terminal.text()}`);
  assert.match(title(screen), /^ edgescope.*(COMPLETE|PARTIAL [\d,]+ of [\d,]+|SHIELD)$/, name);
  assert.match(screen.at(-1) ?? '', /Esc|help|q back|any key|Enter/, `${name}\n${terminal.text()}`);
}
