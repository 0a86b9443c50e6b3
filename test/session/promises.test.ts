// What README.md tells to press must show what it says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../support/documents.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { isLive, logRows, ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

const title = (screen: readonly string[]) => screen[0] ?? '';
const isAnswered = (screen: readonly string[]) => / (?:READ|PARTIAL.*)$/.test(title(screen));

/** The account of the demo. */
const DEMO = { seed: 7, rate: 40, incidents: true };

/** The documents tell just these keys, so that a sentence that changes is looked at here, too. */
function promised(document: string, ...sentences: readonly string[]): void {
  const text = textOf(document).replaceAll(/\s+/g, ' ');
  for (const sentence of sentences) assert.ok(text.includes(sentence), `${document}: ${sentence}`);
}

test('5xx is up: Enter opens the worst zone, and ! says what is wrong there, since when, and why', async (t) => {
  promised(
    'README.md',
    'Enter opens the worst zone, `!` says what is wrong there, since when, and why.',
    'On screen: Enter, then `!`; Enter on the cause shows its requests.',
  );
  const { terminal } = await openSession({ t, simulator: DEMO });
  // Each zone was read once: the order is that of what was read.
  await terminal.waitFor((screen) => screen.some((line) => /^ > 5xx \d/.test(line)));
  const [worst = ''] = /^▌(\S+)/.exec(terminal.screen()[3] ?? '')?.slice(1) ?? [];
  await terminal.type('<Enter>');
  await terminal.waitFor(isLive);
  await terminal.type('!');
  await terminal.waitFor(isAnswered);
  const answer = terminal.screen().join(' ').replaceAll(/\s+/g, ' ');
  const told = new RegExp(
    `${worst}: [\\d.]+% of requests answered 50\\d by the origin since \\d\\d:\\d\\d \\(\\w+\\)`,
  );
  assert.match(answer, told);
  await terminal.type('<Enter>');
  await terminal.waitFor(
    (screen) => / (?:COMPLETE|READING.*|LIVE)$/.test(title(screen)) && logRows(screen).length > 0,
  );
  const statuses = logRows(terminal.screen()).map((row) => /^.\S+\s+\S \S+\s+(\d{3})/.exec(row)?.[1]);
  assert.ok(
    statuses.some((status) => status?.startsWith('5')),
    terminal.text(),
  );
});

test('somebody is trying passwords: 3, Enter on the rule, :through on a network and on an address say how they were answered, and of how much', async (t) => {
  promised(
    'README.md',
    'On screen: `3`, Enter on the rule, `:through` on a network, or on an address of it after one more Enter',
  );
  // A zone that logs addresses.
  const { terminal } = await openSession({ t, simulator: DEMO, args: ['logs', ZONE] });
  await terminal.waitFor(isLive);
  await terminal.type('3');
  await terminal.waitFor(listOf('RULE'));
  await terminal.type('<Enter>');
  await terminal.waitFor(listOf('AS NUMBER'));
  await asksThrough(terminal);
  await terminal.type('<Esc>');
  await terminal.waitFor(listOf('AS NUMBER'));
  await terminal.type('<Enter>');
  await terminal.waitFor(listOf('CLIENT ADDRESS'));
  await asksThrough(terminal);
});

/** Groups that were read, or the largest of them, by the heading of their first column. */
const listOf = (heading: string) => (screen: readonly string[]) =>
  / (?:COMPLETE|PARTIAL.*)$/.test(title(screen)) && screen.some((line) => line.startsWith(` ${heading} `));

async function asksThrough(terminal: VirtualSession): Promise<void> {
  await terminal.type('<:through>');
  const headline = /[\d,]+ of [\d,]+ requests were answered|nothing got through: [\d,]+ requests/;
  await terminal.waitFor((screen) => isAnswered(screen) && headline.test(screen[2] ?? ''));
  assert.match(terminal.text(), /of the window read/);
}
