import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountFlags,
  type CommandLine,
  epochOf,
  readCommandLine,
} from '../../src/config/command/command-line.ts';
import { directoriesOf } from '../../src/config/directories.ts';

const PACKAGE = { name: 'edgescope', version: '0.0.0', description: 'test' };
const NOON = Date.UTC(2026, 10, 20, 12, 0, 30);

function lineOf(...argv: string[]): CommandLine {
  const usage = readCommandLine(argv, import.meta, PACKAGE);
  assert.ok(usage.ok, usage.ok ? '' : usage.message);
  return usage.value;
}

test('a copied command names the profile or the simulated account, and nothing of a key', () => {
  assert.deepEqual(accountFlags(lineOf('zones'), NOON), []);
  assert.deepEqual(accountFlags(lineOf('zones', '--profile', 'prod'), NOON), ['--profile', 'prod']);
  const demo = accountFlags(lineOf('zones', '--demo', '--rate', '9'), Date.UTC(2026, 10, 20, 12));
  assert.deepEqual(demo, ['--demo', '--seed', '1', '--epoch', '2026-11-20T12:00Z', '--rate', '9']);
  assert.equal(lineOf('zones', ...demo).epoch, '2026-11-20T12:00Z');
});

test('the simulated incidents are counted from the minute of the start, or from the one that is named', () => {
  assert.deepEqual(epochOf(lineOf('zones', '--demo'), NOON), { ok: true, value: NOON - 30_000 });
  const named = lineOf('zones', '--demo', '--epoch', '2026-11-19T08:15Z');
  assert.deepEqual(epochOf(named, NOON), { ok: true, value: Date.UTC(2026, 10, 19, 8, 15) });
  assert.equal(epochOf(lineOf('zones', '--demo', '--epoch', 'soon'), NOON).ok, false);
});

test('what is kept of a demo stands apart from what is real', () => {
  const stateOf = (env: Record<string, string>, ...words: string[]) =>
    directoriesOf(env, '/', lineOf('zones', ...words)).state;
  const home = { HOME: '/home/op' };
  assert.equal(stateOf(home), '/home/op/.local/state/edgescope');
  assert.equal(stateOf(home, '--demo'), '/home/op/.local/state/edgescope/demo');
  assert.equal(stateOf({ ...home, XDG_STATE_HOME: '/state' }, '--demo'), '/state/edgescope/demo');
});
