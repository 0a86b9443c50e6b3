import { closeSync, openSync, writeSync } from 'node:fs';

/** What `--debug` notes of an action: its kind and, of a request, what was asked and what came. Never data, never text typed. */
type Traced = { type: string; command?: string; event?: unknown };

/** A file of JSON lines, readable by its owner only; null = nothing is written. */
export function openTrace(path: string | null): { write: (action: Traced) => void; close: () => void } {
  if (path === null) return { write() {}, close() {} };
  const fd = openSync(path, 'a', 0o600);
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
