import { fstatSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { writeWhole } from '../files/durable-files.ts';
import type { Clock } from '../time/clock.ts';

type SystemFault = Error & { code?: string };

/** The reader went away, which is no error of ours: `| head` ends so. */
const GONE: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

/**
 * Text to a stream whose reader may be slow or go away. `ended` is called once: with null when the reader went away,
 * else with what the system said, as for a full disk.
 */
export function createOutput(stdout: Writable, clock: Clock, ended: (fault: string | null) => void) {
  let isOver = false;
  const fail = (error: SystemFault) => {
    if (isOver) return;
    isOver = true;
    ended(GONE.has(error.code ?? '') ? null : (error.code ?? error.message));
  };
  stdout.on('error', fail);
  const file = fileBehind(stdout);
  const send = (text: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (isOver) return promise;
    try {
      if (file !== null) {
        writeWhole(file, text);
        resolve();
      } else {
        stdout.write(text, (error) => {
          if (error) fail(error);
          else resolve();
        });
      }
    } catch (error) {
      fail(error as SystemFault);
    }
    return promise;
  };
  return {
    /** Resolves when the system took the text, and never if it does not. */
    write: (text: string): Promise<void> => (text === '' ? Promise.resolve() : send(text)),
    /** Whether everything was taken within `ms`. */
    async flushed(ms: number): Promise<boolean> {
      const nap = Promise.withResolvers<boolean>();
      const cancel = clock.after(ms, () => nap.resolve(false));
      const isTaken = await Promise.race([send('').then(() => true), nap.promise]);
      cancel();
      return isTaken;
    },
  };
}

/** What to say of an output that the system does not take. */
export function unwritten(fault: string): string {
  return `standard output cannot be written (${fault}): it is not whole, and its last line may be cut`;
}

/**
 * The descriptor of an output that is a file or a device; null for pipes, sockets and terminals. Node's own stream for
 * files takes a short write for a whole one, and its stream for block devices drops all.
 */
function fileBehind(stdout: Writable): number | null {
  const { fd, isTTY } = stdout as { fd?: number; isTTY?: boolean };
  if (fd === undefined || isTTY) return null;
  const found = fstatSync(fd);
  return found.isFIFO() || found.isSocket() ? null : fd;
}
