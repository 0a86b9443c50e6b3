import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headsOf } from '../support/heads.ts';
import { openLog } from './support.ts';

/** The row of the list that the cursor is on, as the column titles say it. */
const rowUnder = (screen: readonly string[]) =>
  Number(/ ([\d,]+)\/[\d,]+/.exec(headsOf(screen))?.[1]?.replace(',', ''));

test('a count says how many rows, pages or matches, or which row, also where its first digit is a screen', async (t) => {
  const { terminal } = await openLog({ t });
  await terminal.type('g');
  await terminal.waitFor((screen) => rowUnder(screen) === 1);
  const after = async (keys: string) => {
    await terminal.type(keys);
    return rowUnder(terminal.screen());
  };
  assert.equal(await after('9j'), 10);
  assert.equal(await after('012j'), 22);
  assert.equal(await after('03k'), 19);
  assert.equal(await after('50G'), 50);
  assert.equal(await after('20g'), 20);
  assert.equal(await after('100G'), 100);
  assert.equal(await after('02<C-u>'), 100 - 2 * 15);
});

test('a count that waits stands at the end of the last line, and Esc drops it alone', async (t) => {
  const { terminal } = await openLog({ t });
  await terminal.type('g/shop<Enter>');
  await terminal.waitFor(/ \/shop \d/);
  const last = () => terminal.screen().at(-1) ?? '';
  const before = last();
  const written = terminal.output().length;
  await terminal.type('6');
  assert.match(last(), / 6$/);
  assert.ok(terminal.output().length - written < 60);
  await terminal.type('5');
  assert.match(last(), / 65$/);
  await terminal.type('<Esc>');
  assert.equal(last(), before);
});

test('a log that was left by a digit and taken back goes on where it was: nothing is asked twice', async (t) => {
  const { terminal, simulator } = await openLog({ t });
  const seen = () => Number(/seen ([\d,]+)/.exec(terminal.text())?.[1]?.replace(',', ''));
  const before = seen();
  await terminal.type('1');
  await terminal.waitFor(/WORST FIRST/);
  await terminal.type('0k');
  await terminal.waitFor(/PAUSED/);
  assert.ok(seen() >= before);
  const asked = simulator.stats().requests;
  await terminal.pass(1_500);
  assert.ok(simulator.stats().requests - asked <= 4, 'only the newest rows are asked for');
});
