import { closeSync, openSync, writeSync } from 'node:fs';

/** What `--debug` notes of an action: its kind and, of a request, what was asked and what came. Never data, never text typed. */
type Traced = { type: string; command?: string; event?: unknown };

export type Trace = { write: (action: Traced) => void; close: () => void };

/** A file of JSON lines, readable by its owner only; without a path nothing is written. Null: it cannot be opened. */
export function openTrace(path: string | null): Trace | null {
  if (path === null) return { write() {}, close() {} };
  const fd = opened(path);
  if (fd === null) return null;
  return {
    write(action) {
      const { type, command } = action;
      const request = type === 'requestSeen' ? { request: action.event } : {};
      writeSync(
        fd,
        `${JSON.stringify({ at: new Date().toISOString(), type, ...(command ? { command } : {}), ...request })}\n`,
      );
    },
    close: () => closeSync(fd),
  };
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'a', 0o600);
  } catch {
    return null;
  }
}
