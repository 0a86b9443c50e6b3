import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkScene } from '../faults/checks.ts';
import type { NthFigures } from '../faults/nth/figures.ts';
import { failNthFileWrites } from '../faults/nth/files.ts';
import { failNthParses } from '../faults/nth/parses.ts';
import { failNthPrints, failNthTerminalWrites } from '../faults/nth/terminal.ts';
import { failNthTimers } from '../faults/nth/timers.ts';
import { Scene } from '../faults/scene.ts';

// A part of the loops; the whole runs with `npm run test:faults -- --only parse,write,timer`.

function assertAllHeld({ places, failures }: NthFigures, least: number): void {
  assert.deepEqual(failures, []);
  assert.ok(places >= least, `${places} places`);
}

test('whichever write to a file falls short or fails, nothing torn is left and nothing is said to be there that is not', async () => {
  assertAllHeld(await failNthFileWrites(3), 60);
});

test('whichever write to the terminal fails ends it once; one that stalls costs nothing but frames', async () => {
  assertAllHeld(await failNthTerminalWrites(21), 5);
});

test('whichever write to a pipe fails is told once, and no line counts as printed that was not', async () => {
  assertAllHeld(await failNthPrints(), 30);
});

test('whichever sleep of the tail is late, ends at once or loses its request: nothing lost, nothing twice', async () => {
  assertAllHeld(await failNthTimers(25), 6);
});

test('whichever answer cannot be read, what is printed is whole or said not to be', async (t) => {
  const scene = new Scene(7);
  t.after(() => scene.close());
  assertAllHeld(await failNthParses(scene, { kinds: ['another shape'], screens: ['zones', 'storage'] }), 3);
  checkScene(scene);
});
