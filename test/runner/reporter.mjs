/**
 * Tells the runner, on descriptor 3, of each test that ended: a line of JSON with its file, its name under those of its
 * suites, and what became of it. What tests print goes to standard output, apart from this.
 */
import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import { inspect } from 'node:util';

const EVENTS = 3;

// biome-ignore lint/style/noDefaultExport: the test runner takes the default export of a reporter.
// biome-ignore lint/correctness/useYield: nothing goes to the reporter's own stream.
export default async function* report(source) {
  const suites = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') suites[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isSuite = data.details?.type === 'suite';
    // A suite fails for its tests, which are told; only a hook of its own is news.
    if (isSuite && (type === 'test:pass' || data.details.error?.failureType === 'subtestsFailed')) continue;
    const name = [...suites.slice(0, data.nesting), data.name].join(' > ');
    const skip = data.skip ?? data.todo;
    tell({
      file: relative(process.cwd(), data.file ?? ''),
      name,
      outcome: type === 'test:fail' ? 'failed' : skip === undefined ? 'passed' : 'skipped',
      why: type === 'test:fail' ? reasonOf(data.details?.error) : typeof skip === 'string' ? skip : '',
    });
  }
}

function tell(event) {
  const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(EVENTS, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

/** The error that was thrown, not the runner's own around it. */
function reasonOf(error) {
  if (error?.failureType === 'testCodeFailure' && error.cause instanceof Error) return inspect(error.cause);
  return inspect(error?.cause ?? error);
}
