import { sayDefect } from '../text/say.ts';
import { restoreSync } from './modes.ts';

const STDOUT = 1;

/** Exit code as if by SIGHUP: the terminal went away. */
export const GONE = 129;

/** Signals end the program with its terminal restored; a defect says where it is, after the restoring. */
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

/** What reading or writing a terminal says once it went away. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'EIO' || code === 'ENXIO' || code === 'EPIPE';
}
