import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './config-error.ts';

/** Where the user's own files are: `config` and `state` are the program's in the XDG directories. */
export type Directories = { config: string; state: string; home: string; current: string };

/** A relative XDG variable does not count, as its specification says. */
export function directoriesOf(env: Environment, current: string): Directories {
  const home = env['HOME'] || homedir();
  const under = (name: string, ...usual: string[]) => {
    const named = env[name] ?? '';
    return join(isAbsolute(named) ? named : join(home, ...usual), 'edgescope');
  };
  return {
    config: under('XDG_CONFIG_HOME', '.config'),
    state: under('XDG_STATE_HOME', '.local', 'state'),
    home,
    current,
  };
}
