import { execFile } from 'node:child_process';
import type { Environment } from '../../config/config-error.ts';
import { createSequence } from '../../time/turns.ts';

/** What started this program as a service and wants to hear of it. */
export type ServiceManager = {
  /** How long it waits for a sign of life, ms; null: for ever. */
  watchdog: number | null;
  /** Tells it assignments as sd_notify(3) has them, a line each. Resolves to why it was not told, null where it was. */
  tell(...assignments: readonly string[]): Promise<string | null>;
};

/** At fixed places: what stands in PATH may be anybody's. */
const PROGRAM = '/usr/bin/systemd-notify';
/** It waits until systemd has read the message, so that this knows by its process whose message it is. */
const LONGEST = 10_000;

/**
 * systemd, where it is named in the environment. It listens on a socket of datagrams, which Node cannot send to, so that
 * `systemd-notify` sends them; its process sees the name of the socket and nothing else of the environment, which may hold a key.
 */
export function serviceManagerOf(env: Environment, program = PROGRAM): ServiceManager | null {
  const { NOTIFY_SOCKET: socket = '', WATCHDOG_USEC: wait = '', WATCHDOG_PID: meant = '' } = env;
  if (socket === '') return null;
  const isMeant = meant === '' || meant === String(process.pid);
  const turns = createSequence();
  return {
    watchdog: isMeant && Number(wait) > 0 ? Number(wait) / 1_000 : null,
    tell: (...assignments) =>
      turns(() => {
        const told = Promise.withResolvers<string | null>();
        const how = { env: { NOTIFY_SOCKET: socket }, timeout: LONGEST };
        execFile(program, assignments.map(inLine), how, (error) =>
          told.resolve(error === null ? null : `${program}: ${error.code ?? error.message}`),
        );
        return told.promise;
      }),
  };
}

/** A line more would be an assignment more. */
function inLine(assignment: string): string {
  return assignment.replaceAll('\n', ' ');
}
