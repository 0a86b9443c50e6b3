import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TailEvent } from '../../src/domain/logs/log-rows.ts';
import { createTurns } from '../../src/effects/run.ts';
import { reportOf } from '../support/state.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** Tails of one log by their names, and when each of their numbered events was told. */
function turnsOf(...names: string[]) {
  const clock = new VirtualClock();
  const begun = clock.now();
  const turns = createTurns(clock);
  const told: string[] = [];
  const event = (seen: number): TailEvent => ({ rows: [], report: reportOf({ seen }) });
  const places = new Map(
    names.map((name) => [
      name,
      turns.join(({ report }) => void told.push(`${name}${report.seen} at ${clock.now() - begun}`)),
    ]),
  );
  const add = (name: string, seen: number) => places.get(name)?.add(event(seen));
  return { clock, told, turns, places, add };
}

test('the only tail of a log is handed on at once, however often it tells', async () => {
  const { clock, told, add } = turnsOf('a');
  add('a', 1);
  add('a', 2);
  await clock.advance(100);
  add('a', 3);
  assert.deepEqual(told, ['a1 at 0', 'a2 at 0', 'a3 at 100']);
  assert.equal(clock.pending, 0);
});

test('first answers go on at once, later ones of other tails together with the next turn', async () => {
  const { clock, told, add } = turnsOf('a', 'b', 'c');
  for (const name of ['a', 'b', 'c']) add(name, 1);
  assert.equal(told.length, 3);
  await clock.advance(200);
  add('a', 2);
  add('b', 2);
  add('c', 2);
  add('c', 3);
  assert.equal(told.length, 3, 'all of them wait');
  await clock.advance(900);
  assert.deepEqual(told.slice(3), ['a2 at 1100', 'b2 at 1100', 'c2 at 1100', 'c3 at 1100']);
});

test('a tail that tells when no other has just told anything waits for nothing', async () => {
  const { clock, told, add } = turnsOf('a', 'b');
  add('a', 1);
  add('b', 1);
  await clock.advance(5000);
  add('a', 2);
  assert.equal(told.at(-1), 'a2 at 5000');
});

test('what an ended tail told is dropped, and nothing is left when all have ended', async () => {
  const { clock, told, turns, places, add } = turnsOf('a', 'b', 'c');
  for (const name of ['a', 'b', 'c']) add(name, 1);
  add('a', 2);
  add('b', 2);
  places.get('a')?.leave();
  await clock.advance(1100);
  assert.deepEqual(told.slice(3), ['b2 at 1100']);
  add('c', 2);
  for (const name of ['b', 'c']) places.get(name)?.leave();
  assert.equal(turns.isEmpty, true);
  assert.equal(clock.pending, 0);
  await clock.advance(1100);
  assert.equal(told.length, 4);
});

test('a tail that ends by what is told in a turn is not handed on in it', async () => {
  const clock = new VirtualClock();
  const turns = createTurns(clock);
  const told: string[] = [];
  const first = turns.join(({ report }) => {
    told.push(`a${report.seen}`);
    if (report.seen === 2) second.leave();
  });
  const second = turns.join(({ report }) => void told.push(`b${report.seen}`));
  for (const seen of [1, 2]) {
    for (const place of [first, second]) place.add({ rows: [], report: reportOf({ seen }) });
  }
  await clock.advance(2000);
  assert.deepEqual(told, ['a1', 'b1', 'a2']);
});
