import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bench, linesOfText, settledWindow, ZONE } from './support.ts';

test('a read that was killed while it wrote the head of a table prints it when it goes on', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-resumed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'place');
  const { printed } = bench();
  const args = ['logs', ZONE, ...settledWindow(1).args, '--format', 'csv', '--resume', file];
  const whole = await printed(args);
  assert.equal(whole.code, 0, whole.err);
  const state = JSON.parse(readFileSync(file, 'utf8'));
  const [head = ''] = linesOfText(whole.out);
  const pending = { to: state.from, bytes: head.length + 1 };
  const killed = { ...state, doneTo: state.from, rows: 0, bytes: 0, pending, isFinished: false };
  writeFileSync(file, JSON.stringify(killed));
  assert.equal((await printed(args)).out, whole.out);
});
