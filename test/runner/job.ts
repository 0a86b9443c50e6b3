/**
 * The process of a job: runs the tests of the files that are named, one after the other, and tells the runner on descriptor
 * 3 of each one that ended: a line of JSON (`TestEnd`). What tests print goes to standard output, apart from this.
 */
import hooks from 'node:async_hooks';
import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import type { TestContext } from 'node:test';
import { inspect, parseArgs } from 'node:util';
import type { TestEnd } from './worker.ts';

const EVENTS = 3;
/**
 * A guard against what never ends, not a wait: on a machine four times slower and beside other work the longest test
 * takes a fifth of it.
 */
const MOST_TEST_MS = 300_000;
/** Node's runner waits for what tests left open, with no limit of its own. */
const MOST_SILENT_MS = Number(process.env['EDGESCOPE_TEST_SILENT_MS'] ?? MOST_TEST_MS + 60_000);

const { values, positionals } = parseArgs({ options: { name: { type: 'string' } }, allowPositionals: true });

// Node's test runner follows every promise, to know whose test an error belongs to that nobody caught: ten times what an
// `await` costs without. Timers and handles tell it as well; an error that it cannot place ends the job as a failure all the same.
const { createHook } = hooks;
Object.assign(hooks, {
  createHook: (callbacks: Parameters<typeof createHook>[0]) =>
    createHook({ ...callbacks, trackPromises: false }),
});
const { beforeEach, run } = await import('node:test');
Object.assign(hooks, { createHook });

// They fail the job, and not always a test of it.
process.on('uncaughtExceptionMonitor', (error) => console.log(inspect(error)));
process.on('unhandledRejection', (error) => console.log(inspect(error)));

const suites: string[] = [];
const events = run({
  files: positionals,
  isolation: 'none',
  timeout: MOST_TEST_MS,
  ...(values.name === undefined ? {} : { testNamePatterns: values.name }),
});

// Node keeps the hooks of tests that have ended, and what they closed with them: of thirty files whole simulators, 250 MB.
// Not before `run`, which would then run nothing.
let isReleasing = false;
beforeEach((context) => {
  if (isReleasing || !('after' in context)) return;
  isReleasing = true;
  const contexts = Object.getPrototypeOf(context) as Pick<TestContext, 'after'>;
  const { after } = contexts;
  contexts.after = function (this: TestContext, hook, options) {
    let held = hook;
    const once = (...given: readonly unknown[]) => {
      const called = held as ((...given: readonly unknown[]) => unknown) | undefined;
      held = undefined;
      return called?.(...given);
    };
    after.call(this, once as typeof hook, options);
  };
});
const silence = setTimeout(() => {
  console.log(`the job outlives its tests by ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}, MOST_SILENT_MS).unref();
for await (const { type, data } of events) {
  silence.refresh();
  if (type === 'test:start') suites[data.nesting] = data.name;
  else if (type === 'test:pass' || type === 'test:fail') ended(type, data);
  else if (type === 'test:summary' && !data.success) process.exitCode = 1;
  // An error after the end of a test, with the name of that.
  else if (type === 'test:diagnostic' && data.message.startsWith('Error: Test ')) console.log(data.message);
}
// Where no test of a file runs, neither do the hooks that would close what the file opened.
if (values.name !== undefined) process.exit();

type Ended = {
  name: string;
  nesting: number;
  file?: string;
  skip?: string | boolean;
  todo?: string | boolean;
  details: { type?: string; error?: Error & { failureType?: string } };
};

function ended(type: 'test:pass' | 'test:fail', { name, nesting, file, skip, todo, details }: Ended): void {
  // A suite fails for its tests, which are told; only a hook of its own is news.
  const isTold = type === 'test:pass' || details.error?.failureType === 'subtestsFailed';
  if (details.type === 'suite' && isTold) return;
  const why = skip ?? todo;
  tell({
    file: relative(process.cwd(), file ?? ''),
    name: [...suites.slice(0, nesting), name].join(' > '),
    outcome: type === 'test:fail' ? 'failed' : why === undefined ? 'passed' : 'skipped',
    why: type === 'test:fail' ? reasonOf(details.error) : typeof why === 'string' ? why : '',
  });
  // What hangs is still there, and the next test would wait for it as long.
  if (details.error?.failureType === 'testTimeoutFailure') process.exit(1);
}

function tell(event: TestEnd): void {
  const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(EVENTS, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

/** The error that was thrown, not the runner's own around it. */
function reasonOf(error: Ended['details']['error']): string {
  if (error?.failureType === 'testCodeFailure' && error.cause instanceof Error) return inspect(error.cause);
  return inspect(error?.cause ?? error);
}
