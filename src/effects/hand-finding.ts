import { spawn } from 'node:child_process';
import type { Clock } from '../time/clock.ts';

/** How long a command may take, ms. */
const LONGEST = 30_000;
/** Characters of its output that are passed on. */
const MOST_OUTPUT = 16_384;

/**
 * Runs a command line of the user's own by the shell, with a line on its standard input: what others wrote stands there, and
 * never in its arguments or its environment. `said` gets the lines that it prints. Resolves to why it failed, null where it
 * did not.
 */
export function handFinding(
  command: string,
  line: string,
  o: { clock: Clock; signal: AbortSignal; said: (line: string) => void },
): Promise<string | null> {
  const told = Promise.withResolvers<string | null>();
  // A group of its own, so that what the command starts ends with it.
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  let fault: string | null = null;
  const end = (why: string) => {
    fault ??= why;
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
    // What left the group may hold the output for ever.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const interrupted = () => end('was interrupted');
  const cancel = o.clock.after(LONGEST, () => end(`took longer than ${LONGEST / 1000} s`));
  o.signal.addEventListener('abort', interrupted, { once: true });
  let left = MOST_OUTPUT;
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8');
    let rest = '';
    output.on('data', (text: string) => {
      const lines = `${rest}${text.slice(0, left)}`.split('\n');
      left = Math.max(0, left - text.length);
      rest = lines.pop() ?? '';
      for (const each of lines) o.said(each);
    });
    output.on('close', () => {
      if (rest !== '') o.said(rest);
    });
  }
  // A command that does not read is none of our faults.
  child.stdin.on('error', () => {});
  child.stdin.end(line);
  const settle = (why: string | null) => {
    cancel();
    o.signal.removeEventListener('abort', interrupted);
    told.resolve(fault ?? why);
  };
  child.on('error', (error) => settle(`cannot be started: ${error.message}`));
  child.on('close', (code, signal) =>
    settle(signal !== null ? `was ended by ${signal}` : code === 0 ? null : `failed with exit code ${code}`),
  );
  return told.promise;
}
