import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs the tests of the history store against its engines themselves, which are installed here when the lock file is newer
 * than what is: `npm run test:engines`.
 */
const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..');
const lock = join(HERE, 'package-lock.json');
const installed = join(HERE, 'node_modules', '.package-lock.json');

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs)
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], HERE);
const checks = globSync('*-check.ts', { cwd: HERE }).sort();
const only = process.argv.slice(2);
const chosen = checks.filter((name) => only.length === 0 || only.some((word) => name.includes(word)));
run(
  process.execPath,
  [
    '--import',
    './test/support/register.mjs',
    '--test',
    '--test-reporter=spec',
    ...chosen.map((name) => join('test', 'engines', name)),
  ],
  ROOT,
);

function run(program: string, words: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, words, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
