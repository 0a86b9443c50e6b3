import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { writeWhole } from '../files/durable-files.ts';
import { strangeFile } from '../files/file-trouble.ts';
import { say } from '../text/say.ts';
import { type Clock, systemClock } from '../time/clock.ts';

/**
 * What `--debug` notes of an action: its kind and, for a request, what was asked and what came. Never data or typed
 * text.
 */
type Traced = { type: string; command?: string; event?: unknown };

/** `close` returns the number of lines that the file did not take. */
export type Trace = { write: (action: Traced) => void; close: () => number };

const WRONG_USAGE = 2;

/** Work whose actions `--debug` writes; resolves to its exit code, or to that of a refused file. */
export async function traced(
  path: string | null,
  stderr: Writable,
  work: (trace: Trace['write']) => Promise<number>,
): Promise<number> {
  const trace = openTrace(path, systemClock);
  if (trace === null) {
    const which = 'it must be new, or a plain file of yours, no link and closed to others (mode 0600)';
    say(stderr, `cannot write to '${path}', the file of --debug`, which);
    return WRONG_USAGE;
  }
  const code = await work(trace.write);
  const lost = trace.close();
  if (lost > 0) say(stderr, `'${path}' lacks ${lost} lines, which it did not take`);
  return code;
}

/**
 * A file of JSON lines, readable by its owner only; without a path nothing is written. Null: it cannot be opened, or
 * is another's.
 */
export function openTrace(path: string | null, clock: Clock): Trace | null {
  if (path === null) return { write() {}, close: () => 0 };
  const fd = opened(path);
  if (fd === null) return null;
  let lost = 0;
  let isTorn = false;
  return {
    write(action) {
      const { type, command } = action;
      const request = type === 'requestSeen' ? { request: action.event } : {};
      const line = {
        at: new Date(clock.now()).toISOString(),
        type,
        ...(command ? { command } : {}),
        ...request,
      };
      try {
        writeWhole(fd, `${isTorn ? '\n' : ''}${JSON.stringify(line)}\n`);
        isTorn = false;
      } catch {
        // A full disk must not end the traced session; its end says how much is missing.
        lost += 1;
        isTorn = true;
      }
    },
    close() {
      closeSync(fd);
      return lost;
    },
  };
}

/** The rule of key files: no link, but a plain file of the user that is closed to others. A device is nobody's. */
function opened(path: string): number | null {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  let fd: number;
  try {
    fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch {
    return null;
  }
  const found = fstatSync(fd);
  const isOwn = strangeFile(found, process.getuid?.()) === null && (found.mode & 0o077) === 0;
  if (isOwn || found.isCharacterDevice()) return fd;
  closeSync(fd);
  return null;
}
