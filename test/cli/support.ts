import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KEPT_CODE } from '../support/environment.ts';
import type { Simulator } from '../support/simulator/server.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/edgescope', import.meta.url));

/** The built program against a simulator. `stdout`: a descriptor in the place of a pipe. */
export function startProgram(
  home: string,
  simulator: Simulator,
  args: string[],
  { stdout, env }: { stdout?: number; env?: Record<string, string | undefined> } = {},
) {
  return spawn(PROGRAM, args, {
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: home,
      ...KEPT_CODE,
      EDGESCOPE_BASE_URL: simulator.baseUrl,
      EDGESCOPE_LOGGING_URL: simulator.loggingUrl,
      EDGESCOPE_ORIGIN_ERRORS_URL: simulator.originErrorsUrl,
      EDGESCOPE_STORAGE_URL: simulator.storageUrl,
      EDGESCOPE_ACCESS_KEY: simulator.accessKey,
      ...env,
    },
  });
}
