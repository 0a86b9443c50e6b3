// The size of the house, printed, and held to what it was: what grows says what left for it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import { ROOT, sourceFiles, targetOf, trackedFiles } from './support/source.ts';

/** The most of each. Whoever makes one smaller by more than the slack writes the new figure here. */
const MOST = {
  'files of src': 550,
  'lines of src': 86_002,
  'lines of test': 80_212,
  'files that only one neighbour in their folder reads': 42,
} as const;
const SLACK = 0.02;

test('the house is no larger than it was, and its figures are of today', (t) => {
  const src = sourceFiles('src');
  const lines = (paths: readonly string[]) =>
    paths.reduce((sum, path) => sum + readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1, 0);
  const tests = trackedFiles().filter((path) => /^test\/.*\.(?:tsx?|mjs)$/.test(path));
  const importers = new Map<string, Set<string>>();
  for (const file of src)
    for (const { specifier } of file.imports) {
      const target = targetOf(file, specifier);
      if (target !== null) importers.set(target, (importers.get(target) ?? new Set()).add(file.path));
    }
  const neighbourly = src.filter(({ path }) => {
    const readers = [...(importers.get(path) ?? [])];
    return readers.length === 1 && dirname(readers[0] ?? '') === dirname(path);
  });
  const measured: Record<keyof typeof MOST, number> = {
    'files of src': src.length,
    'lines of src': lines(src.map(({ path }) => path)),
    'lines of test': lines(tests),
    'files that only one neighbour in their folder reads': neighbourly.length,
  };
  for (const [name, most] of Object.entries(MOST)) {
    const is = measured[name as keyof typeof MOST];
    t.diagnostic(`${name}: ${is}, at most ${most}`);
    assert.ok(is <= most, `${name}: ${is}, where ${most} was the most; say what leaves for it`);
    assert.ok(is >= most * (1 - SLACK) - 1, `${name}: ${is}; write that in place of ${most}`);
  }
});
