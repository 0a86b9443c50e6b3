import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Environment } from './config-error.ts';

/** The user's own files: `config` and `state` are the program's XDG directories. */
export type Directories = { config: string; state: string; home: string; current: string };

/** The directories of a session; the demo has folders of its own in them. */
export function directoriesOf(env: Environment, current: string, { demo }: { demo: boolean }): Directories {
  const part = demo ? 'demo' : '';
  return {
    config: join(xdgDirectory(env, 'XDG_CONFIG_HOME', '.config'), part),
    state: join(xdgDirectory(env, 'XDG_STATE_HOME', '.local/state'), part),
    home: homeOf(env),
    current,
  };
}

/**
 * The user's home. A container may have neither HOME nor an entry for its user: no file of the user's exists then,
 * and the root, where only its owner can put anything, is no place for others to fill.
 */
export function homeOf(env: Environment, ofUser: () => string = homedir): string {
  if (env['HOME']) return env['HOME'];
  try {
    return ofUser();
  } catch {
    return '/';
  }
}

/** `config.json` in the XDG config directory. */
export function configPath(env: Environment): string {
  return join(xdgDirectory(env, 'XDG_CONFIG_HOME', '.config'), 'config.json');
}

/**
 * Where optional engines are looked for: beside the program, for all users, and in the user's data. `npm install
 * --prefix` makes them.
 */
export function enginesDirectories(program: string, env: Environment): string[] {
  const folders = [dirname(realpathSync(program)), xdgDirectory(env, 'XDG_DATA_HOME', '.local/share')];
  return folders.map((folder) => join(folder, 'engines'));
}

/** The program's directory below an XDG one; a relative XDG variable does not count, as its specification says. */
function xdgDirectory(env: Environment, variable: string, otherwise: string): string {
  const named = env[variable] ?? '';
  const base = isAbsolute(named) ? named : join(homeOf(env), otherwise);
  return join(base, 'edgescope');
}
