import { isLive, ZONE } from '../session/log-screen.ts';
import { KEPT_CODE } from '../support/environment.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../support/simulator/server.ts';
import { openTerminal, type Terminal, type TerminalOptions } from '../support/terminal.ts';

export type Session = { terminal: Terminal; simulator: Simulator };
export type SessionOptions = Omit<Partial<TerminalOptions>, 't'> & {
  t: NonNullable<TerminalOptions['t']>;
  simulator?: SimulatorOptions;
};

/** The built program on a terminal of 80×24, with the credentials of a simulator of its own. */
export async function openSession({ t, simulator: options, ...terminal }: SessionOptions): Promise<Session> {
  const simulator = await startSimulator({ seed: 7, rate: 40, incidents: false, ...options });
  t.after(() => simulator.close());
  return {
    simulator,
    terminal: await openProgram({ t, ...terminal, env: { ...credentials(simulator), ...terminal.env } }),
  };
}

/** The log pane of a zone, following. */
export async function openLog({ args = [], ...options }: SessionOptions): Promise<Session> {
  const session = await openSession({ ...options, args: ['logs', ZONE, ...args] });
  await session.terminal.waitFor(isLive);
  return session;
}

export function openProgram(options: Partial<TerminalOptions>): Promise<Terminal> {
  return openTerminal({ args: [], ...options, env: { ...KEPT_CODE, ...options.env } });
}

export function credentials(
  simulator: Pick<Simulator, 'accessKey' | 'baseUrl' | 'loggingUrl' | 'originErrorsUrl'>,
): Record<string, string> {
  return {
    EDGESCOPE_ACCESS_KEY: simulator.accessKey,
    EDGESCOPE_BASE_URL: simulator.baseUrl,
    EDGESCOPE_LOGGING_URL: simulator.loggingUrl,
    EDGESCOPE_ORIGIN_ERRORS_URL: simulator.originErrorsUrl,
  };
}
