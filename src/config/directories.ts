import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './config-error.ts';
import { xdgDirectory } from './profiles.ts';

/** Where the user's own files are: `config` and `state` are the program's in the XDG directories. */
export type Directories = { config: string; state: string; home: string; current: string };

/** `part`: what is simulated or replayed must not stand among what is real, so that it has folders of its own. */
export function directoriesOf(env: Environment, current: string, part: string): Directories {
  return {
    config: join(xdgDirectory(env, 'XDG_CONFIG_HOME', '.config'), part),
    state: join(xdgDirectory(env, 'XDG_STATE_HOME', '.local/state'), part),
    home: env['HOME'] || homedir(),
    current,
  };
}
