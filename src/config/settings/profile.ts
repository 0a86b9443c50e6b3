import { type Configured, type Environment, refused } from '../config-error.ts';
import { configPath } from '../directories.ts';
import { readPrivateFile } from '../private-file.ts';
import type { ConfigFile, Profile } from './config-file.ts';

export const LARGEST_CONFIG = 256 * 1024;

/** The profile to use; empty when there is no file. */
export async function loadProfile(env: Environment, name: string | null): Promise<Configured<Profile>> {
  const path = configPath(env);
  const read = await readPrivateFile(path, 'configuration', LARGEST_CONFIG);
  if (!read.ok) return read;
  if (read.value === null && name === null) return { ok: true, value: {} };
  // What reads its form is loaded where there is a file, or a profile of the platform's own CLI is asked for.
  const { chosenProfile, parseConfig } = await import('./config-file.ts');
  const parsed: Configured<ConfigFile> =
    read.value === null ? { ok: true, value: { profiles: {} } } : parseConfig(read.value, path);
  if (!parsed.ok) return parsed;
  const chosen = chosenProfile(parsed.value, name);
  if (typeof chosen === 'object') return { ok: true, value: chosen.profile };
  if (read.value === null)
    return refused(`There is no profile "${name}".`, `Profiles are kept in ${path}, which does not exist.`);
  const known = Object.keys(parsed.value.profiles).join(', ') || 'none';
  return refused(`There is no profile "${chosen}" in ${path}.`, `Known profiles: ${known}.`);
}
