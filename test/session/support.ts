import type { Platform } from '../support/platform.ts';
import {
  openVirtualSession,
  type VirtualSession,
  type VirtualSessionOptions,
} from '../support/virtual-session.ts';
import { isLive, ZONE } from './log-screen.ts';

export type Session = { terminal: VirtualSession; simulator: Platform };
export type SessionOptions = VirtualSessionOptions;

/** The program in this process with a simulator of its own, see `support/virtual-session.ts`. */
export async function openSession(o: SessionOptions): Promise<Session> {
  const terminal = await openVirtualSession(o);
  return { terminal, simulator: terminal.platform };
}

/** The log pane of a zone, following. */
export async function openLog({ args = [], ...options }: SessionOptions): Promise<Session> {
  const session = await openSession({ ...options, args: ['logs', ZONE, ...args] });
  await session.terminal.waitFor(isLive);
  return session;
}

/** The UTC day before the one of the simulator. */
export function wholeDay({ clock }: Platform): string {
  return new Date(clock.now() - 86_400_000).toISOString().slice(0, 10);
}
