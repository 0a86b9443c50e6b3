import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { sanitise } from '../text/sanitise.ts';
import { type Configured, type Environment, refused } from './config-error.ts';
import { type ConfigFile, type Profile, readConfigForm } from './config-form.ts';
import { readPrivateFile } from './private-file.ts';

export const LARGEST_CONFIG = 256 * 1024;
/** The profile of a file that names none. */
export const DEFAULT_PROFILE = 'default';

/** `config.json` in the XDG config directory. */
export function configPath(env: Environment): string {
  return join(xdgDirectory(env, 'XDG_CONFIG_HOME', '.config'), 'config.json');
}

/** The program's directory below an XDG one; a relative XDG variable does not count, as its specification says. */
export function xdgDirectory(env: Environment, variable: string, otherwise: string): string {
  const named = env[variable] ?? '';
  const base = isAbsolute(named) ? named : join(env['HOME'] || homedir(), otherwise);
  return join(base, 'edgescope');
}

/** The profile to use: the named one, or the file's own choice, or `default`; empty when there is no file. */
export async function loadProfile(env: Environment, name: string | null): Promise<Configured<Profile>> {
  const path = configPath(env);
  const read = await readPrivateFile(path, 'configuration', LARGEST_CONFIG);
  if (!read.ok) return read;
  if (read.value === null) {
    if (name === null) return { ok: true, value: {} };
    return refused(`There is no profile "${name}".`, `Profiles are kept in ${path}, which does not exist.`);
  }
  const parsed = parseConfig(read.value, path);
  if (!parsed.ok) return parsed;
  const { profiles } = parsed.value;
  const wanted = name ?? parsed.value.profile ?? DEFAULT_PROFILE;
  const found = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined;
  if (found !== undefined) return { ok: true, value: found };
  if (name === null && parsed.value.profile === undefined) return { ok: true, value: {} };
  const known = Object.keys(profiles).join(', ') || 'none';
  return refused(`There is no profile "${wanted}" in ${path}.`, `Known profiles: ${known}.`);
}

/** Text of a configuration file → its content, or the first of its problems. Errors name the place, never a value. */
export function parseConfig(content: string, path: string): Configured<ConfigFile> {
  const { config, problems } = readConfigForm(content);
  const [first] = problems;
  if (config !== null && first === undefined) return { ok: true, value: config };
  const { line = 1, column = 1, reason = '', next = '' } = first ?? {};
  const more = problems.length > 1 ? ` ${problems.length - 1} more: edgescope config check.` : '';
  return refused(`${path}:${line}:${column}: ${sanitise(reason, 'text')}`, `${next}${more}`);
}
