import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { NamedTest } from './faults.ts';

export type Verdicts = (test: NamedTest) => 'pass' | 'fail' | 'not found';

const ROOT = join(import.meta.dirname, '..', '..');
const HOOKS = ['--import', './test/support/register.mjs'];
const REPORTER = './test/faults/json-reporter.mjs';

/** Runs tests that stand elsewhere, each file once and in it only the tests that are named. */
export async function runNamedTests(tests: readonly NamedTest[]): Promise<Verdicts> {
  const byFile = Map.groupBy(tests, ([file]) => file);
  const seen = new Map<string, boolean>();
  for (const [file, named] of byFile) {
    for (const { name, passed } of await runFile(
      file,
      named.map(([, name]) => name),
    )) {
      seen.set(`${file} ${name}`, passed && seen.get(`${file} ${name}`) !== false);
    }
  }
  return ([file, name]) => {
    const passed = seen.get(`${file} ${name}`);
    if (passed === undefined) return 'not found';
    return passed ? 'pass' : 'fail';
  };
}

function runFile(file: string, names: readonly string[]): Promise<{ name: string; passed: boolean }[]> {
  const only = [...new Set(names)].map((name) => `--test-name-pattern=${literally(name)}`);
  const child = spawn(
    process.execPath,
    [...HOOKS, '--test', '--test-timeout=120000', `--test-reporter=${REPORTER}`, ...only, file],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    text += data;
  });
  return new Promise((resolve) => {
    child.on('close', () =>
      resolve(
        text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      ),
    );
  });
}

/** A pattern that finds the name alone; the runner holds it against names with those of their suites before them. */
function literally(name: string): string {
  return `/${name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$/`;
}
