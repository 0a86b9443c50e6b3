import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs the tests of the history store against its engines themselves, and of the program on the oldest Node; they are installed here where they are not as the lock
 * file says: `npm run test:engines [WORD …]`, a word of a file's name.
 */
const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..');

const here = platform();
if (here !== 'linux x64 glibc') {
  console.log(`skipped: the engines are locked for linux x64 glibc, and this is ${here}`);
  process.exit();
}
if (!isInstalled()) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], HERE);
/** They wait for most of their minute, for leases and tails, and so begin before the others. */
const WAITING = ['leases-check.ts', 'followed-check.ts'];
const checks = [...WAITING, ...globSync('*-check.ts', { cwd: HERE, exclude: WAITING }).sort()];
const only = process.argv.slice(2);
const chosen = checks.filter((name) => only.length === 0 || only.some((word) => name.includes(word)));
if (chosen.length === 0) {
  console.error(`no file has that in its name; there are ${checks.join(', ')}`);
  process.exit(2);
}
run(
  process.execPath,
  [
    '--import',
    './test/support/register.mjs',
    '--test',
    '--test-reporter=spec',
    // Half of the time an engine works, in another process or in threads of its own; and two files wait.
    '--test-concurrency=3',
    ...chosen.map((name) => join('test', 'engines', name)),
  ],
  ROOT,
);

function platform(): string {
  const { platform: system, arch, report } = process;
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  const libc = system === 'linux' ? [header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'] : [];
  return [system, arch, ...libc].join(' ');
}

/** What npm wrote down when it had installed is what the lock file says, but for what stands in for another platform's. */
function isInstalled(): boolean {
  const written = join(HERE, 'node_modules', '.package-lock.json');
  if (!existsSync(written)) return false;
  const [wanted, there] = [lockedIn(join(HERE, 'package-lock.json')), lockedIn(written)];
  return Object.entries(wanted).every(
    ([path, { name, integrity }]) => name !== undefined || there[path]?.integrity === integrity,
  );
}

function lockedIn(path: string): Record<string, { name?: string; integrity?: string }> {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

function run(program: string, words: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, words, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
