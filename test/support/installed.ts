import { spawnSync } from 'node:child_process';

/** The `skip` of a test that needs another program: false where that can be started, else why it is skipped. */
export function unlessInstalled(program: string, args: readonly string[] = ['--version']): string | false {
  return spawnSync(program, args, { stdio: 'ignore' }).error === undefined
    ? false
    : `${program} is not installed`;
}
