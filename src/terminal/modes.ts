import { writeSync } from 'node:fs';
import { sayDefect } from '../text/say.ts';

/** Presses and the wheel, not what moves between them, in numbers of any size (SGR). */
export const MOUSE = { on: '\x1b[?1000h\x1b[?1006h', off: '\x1b[?1006l\x1b[?1000l' } as const;

/**
 * What the program changes in a terminal, in the order of entering; leaving goes through it backwards. Whether the wheel sends
 * arrow keys on the alternate screen is xterm's mode 1007, which is off there and on in most others: leaving gives back what was
 * (XTSAVE, XTRESTORE), because to switch it off would take the wheel from the next `less`. A terminal that cannot save it is
 * left as it is.
 */
const MODES = [
  // A terminal without this mode keeps the last frame: what comes next begins below it, in place of the hints.
  { enter: '\x1b[?1049h', leave: '\x1b[999H\x1b[K\x1b[?1049l', what: 'alternate screen' },
  { enter: '\x1b[m', leave: '\x1b[m', what: 'plain style' },
  { enter: '\x1b[r', leave: '\x1b[r', what: 'all rows scroll' },
  { enter: '\x1b[?7l', leave: '\x1b[?7h', what: 'no automatic wrap' },
  { enter: '\x1b[?25l', leave: '\x1b[?25h', what: 'hidden cursor' },
  { enter: '\x1b[?2004h', leave: '\x1b[?2004l', what: 'bracketed paste' },
  { enter: '\x1b[?1007s\x1b[?1007h', leave: '\x1b[?1007r', what: 'arrow keys from the wheel' },
  { enter: '', leave: MOUSE.off, what: 'no reports of the mouse' },
  { enter: '', leave: '\x1b]8;;\x1b\\', what: 'no link' },
  { enter: '', leave: '\x1b[?2026l', what: 'synchronised output' },
] as const;

export const ENTER: string = MODES.map(({ enter }) => enter).join('');

/** Ends any sequence that a cut write left open, because it starts with an escape, and undoes every mode. */
export const LEAVE: string = MODES.map(({ leave }) => leave)
  .reverse()
  .join('');

export const SYNCHRONISED = { begin: '\x1b[?2026h', end: '\x1b[?2026l' } as const;

const RETRY_MS = 5;

let isEntered = false;

/** The screen reports mode changes, so that a terminal is never restored twice. */
export function noteEntered(entered: boolean): void {
  isEntered = entered;
}

/**
 * Last resort when the process is about to end: restores the terminal on `fd` without the event loop, within about
 * `limitMs` even when nobody reads. Writes nothing when the modes are not set. Never throws.
 */
export function restoreSync(fd: number, limitMs = 200): void {
  if (!isEntered) return;
  isEntered = false;
  const rest = Buffer.from(LEAVE);
  const end = performance.now() + limitMs;
  for (let at = 0; at < rest.length; ) {
    try {
      at += writeSync(fd, rest, at);
    } catch (error) {
      if (!isFull(error) || performance.now() >= end) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EINTR');
}

const STDOUT = 1;

/** Exit code as if by SIGHUP: the terminal went away. */
export const GONE = 129;

/** Signals end the program with its terminal restored; a defect is reported after that. */
export function watchProcess(leave: (code: number) => void): () => void {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const;
  const handlers = Object.entries(codes).map(([signal, code]) => {
    const handler = () => leave(code);
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  const crashed = (error: unknown) => {
    if (isGone(error)) return leave(GONE);
    restoreSync(STDOUT);
    sayDefect(process.stderr, error);
    leave(1);
  };
  process.on('uncaughtException', crashed);
  process.on('unhandledRejection', crashed);
  return () => {
    for (const off of handlers) off();
    process.off('uncaughtException', crashed);
    process.off('unhandledRejection', crashed);
  };
}

/** The errors of a terminal that went away. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'EIO' || code === 'ENXIO' || code === 'EPIPE';
}
