import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { type Job, ROOT } from './jobs.ts';

/** One test that ended. `name`: under the names of its suites; `why`: the error, or why it was skipped. */
export type TestEnd = {
  file: string;
  name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  why: string;
};

/** `trouble`: what the process itself died of; null = it ended well. */
export type JobEnd = { tests: readonly TestEnd[]; trouble: string | null; output: string };

export type Worker = { pid: number; ended: Promise<JobEnd>; kill: () => void };

/** As it stands in the line of a test. */
const FAILED = '"outcome":"failed"';
const HOOKS = ['--import', './test/support/register.mjs', '--import', './test/runner/with-parent.mjs'];
/**
 * `heap`, MB: so that what many files leave behind for the collector does not pile up, since some processes run at once.
 * `mostMs`: a job that computes for ever hears no timer of its own; the longest takes a tenth of it on a slow machine beside
 * other work.
 */
const USUAL = { cwd: ROOT, heap: 400, mostMs: 1_200_000, endsWithFirst: false };
/** Each core has a job of its own: threads that collect beside it take more time than they save. */
const ALONE = ['--no-parallel-scavenge', '--v8-pool-size=1'];

/** `endsWithFirst`: the first test that fails is all that somebody wants to know. */
export function startWorker(job: Job, namePattern: string | null, more: Partial<typeof USUAL> = {}): Worker {
  const { cwd, heap, mostMs, endsWithFirst } = { ...USUAL, ...more };
  const child = spawn(
    process.execPath,
    [
      ...HOOKS,
      `--max-old-space-size=${heap}`,
      '--max-semi-space-size=16',
      ...ALONE,
      './test/runner/job.ts',
      ...(namePattern === null ? [] : [`--name=${namePattern}`]),
      ...job.files,
    ],
    // A group of its own, so that it and what it started can be ended together.
    { cwd, stdio: ['pipe', 'pipe', 'pipe', 'pipe'], detached: true },
  );
  const pid = child.pid ?? 0;
  const kill = () => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All of the group have ended.
    }
  };
  const ending = setTimeout(kill, mostMs);
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => output.push(data));
  const events: Buffer[] = [];
  let isFailed = false;
  (child.stdio[3] as Readable).on('data', (data: Buffer) => {
    events.push(data);
    isFailed ||= data.includes(FAILED);
    // What it says of the test may be longer than what came at once.
    if (endsWithFirst && isFailed && data.includes('\n')) kill();
  });
  const ended = new Promise<JobEnd>((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(ending);
      const tests = testsOf(Buffer.concat(events).toString('utf8'));
      const isTold = tests.some(({ outcome }) => outcome === 'failed');
      resolve({
        tests,
        trouble: code === 0 || isTold ? null : signal === null ? `ended with ${code}` : `ended by ${signal}`,
        output: Buffer.concat(output).toString('utf8'),
      });
    });
  });
  return { pid, ended, kill };
}

/** Of whole lines: a job that was killed may have begun another. */
function testsOf(lines: string): TestEnd[] {
  return lines
    .slice(0, lines.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TestEnd);
}
