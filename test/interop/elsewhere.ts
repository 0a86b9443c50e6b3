import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { VARIABLES } from '../../src/config/settings/variables.ts';
import { filesNamed, filesWith, testFiles } from '../runner/jobs.ts';
import { ROOT } from '../support/source.ts';

type Check = {
  /** The commands it is for. */
  line: RegExp;
  /** Why they are not run. */
  why: string;
  check: (line: string) => void;
};

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Commands of the documents that no test runs, why, and what is looked at instead. */
export const ELSEWHERE: readonly Check[] = [
  {
    line: /^npm (?:ci|test|run)\b/,
    why: 'installs, builds, or runs the tests in a test',
    check: (line) => line.split(' && ').forEach(checkNpm),
  },
  {
    line: /^export \w+=/,
    why: 'would set a key of nobody',
    check: (line) => {
      const name = /^export (\w+)=/.exec(line)?.[1] ?? '';
      const known = Object.keys(VARIABLES).flatMap((names) => names.split(', '));
      assert.ok(known.includes(name), line);
    },
  },
  { line: /^edgescope(?: --resume| --demo)?$/, why: 'opens a screen', check: checkUsage },
  {
    line: /^edgescope (?:store|keep|logs) .*--store local\b/,
    why: 'needs an engine; npm run test:engines has those, and does the same with them',
    check: checkUsage,
  },
];

function checkUsage(line: string): void {
  const [, ...words] = line.split(/\s+/);
  const usage = readCommandLine(words, import.meta, { name: 'edgescope', version: '', description: '' });
  assert.ok(usage.ok, usage.ok ? '' : `${line}: ${usage.message}`);
}

/** The row for a line, after its check; null where the line is to be run. */
export function checkedElsewhere(line: string): Check | null {
  const command = line.replace(/\s+# .*$/, '').trim();
  const found = ELSEWHERE.find((each) => each.line.test(command)) ?? null;
  found?.check(command);
  return found;
}

function checkNpm(command: string): void {
  if (command === 'npm ci') return;
  const { script = 'test', rest = '' } =
    /^npm (?:run (?<script>\S+)|test)(?: -- (?<rest>.*))?$/.exec(command)?.groups ?? {};
  assert.ok(Object.hasOwn(scripts, script), command);
  if (rest === '') return;
  const name = /^--name '(.*)'$/.exec(rest)?.[1];
  const files = testFiles();
  assert.ok(
    name === undefined
      ? filesNamed(rest, files, ROOT).length > 0
      : filesWith(name, files).length < files.length,
    command,
  );
}
