import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsEvery, START } from '../effects/support/harness.ts';
import { follow } from './followed-support.ts';

type ToldGap = { from: number; to: number; reason: string };

const MINUTE = 60_000;

/** `logs <zone> -f` over a log with a row each so many ms. */
function followOne({
  rowEvery,
  minutes,
  limit = 10_000,
}: {
  rowEvery: number;
  minutes: number;
  limit?: number;
}) {
  const log = follow([{ rows: rowsEvery(rowEvery, -MINUTE, minutes * MINUTE), limit }]);
  return { ...log, rows: () => log.rows.map(({ time }) => time), currentGaps: () => log.gaps };
}

/** Times of rows up to `to` that were neither printed nor lie in a gap, and gaps that were told twice. */
function unsaid(all: readonly number[], rows: readonly number[], gaps: readonly ToldGap[]): number[] {
  const printed = new Set(rows);
  for (const [i, gap] of gaps.entries()) {
    for (const other of gaps.slice(i + 1)) assert.ok(other.to <= gap.from || other.from >= gap.to);
  }
  return all.filter((time) => !printed.has(time) && !gaps.some(({ from, to }) => time >= from && time < to));
}

test('each row is printed or lies in a gap that was told once, however a gap grew and whenever the end comes', async () => {
  for (const seconds of [20, 65, 180]) {
    const log = followOne({ rowEvery: 20, minutes: 4, limit: 10 });
    await log.pass(seconds * 1_000);
    await log.interrupt();
    assert.equal(log.code(), 130);
    const newest = Math.max(...log.rows());
    const all = Array.from({ length: 4 * 3_000 }, (_, i) => START - 9_000 + i * 20).filter(
      (t) => t < newest - 500,
    );
    assert.deepEqual(unsaid(all, log.rows(), log.currentGaps()).slice(0, 3), [], `after ${seconds} s`);
    assert.ok(log.currentGaps().length > 0);
    assert.equal(new Set(log.rows()).size, log.rows().length);
  }
});

test('a machine that sleeps or whose clock is set under a followed log leaves nothing unsaid and says nothing twice', async () => {
  const log = followOne({ rowEvery: 200, minutes: 180 });
  await log.pass(MINUTE);
  log.clock.step(10 * MINUTE);
  await log.pass(MINUTE);
  log.clock.suspend(40 * MINUTE, false);
  await log.pass(2 * MINUTE);
  log.clock.step(-3 * 60 * MINUTE);
  await log.pass(MINUTE);
  log.clock.suspend(30 * MINUTE, true);
  await log.pass(30 * MINUTE);
  await log.interrupt();
  assert.equal(log.code(), 130);
  const newest = Math.max(...log.rows());
  assert.ok(log.clock.real - newest < 3_000, `${log.clock.real - newest} ms behind`);
  const all = Array.from({ length: 180 * 300 }, (_, i) => START - 9_000 + i * 200).filter((t) => t < newest);
  assert.deepEqual(unsaid(all, log.rows(), log.currentGaps()).slice(0, 3), []);
  assert.deepEqual([...new Set(log.currentGaps().map(({ reason }) => reason))], ['slept']);
  assert.ok(log.currentGaps().every(({ to }) => to <= log.clock.real));
  assert.equal(new Set(log.rows()).size, log.rows().length);
});
