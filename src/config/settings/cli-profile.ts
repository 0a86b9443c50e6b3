import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { sanitise } from '../../text/sanitise.ts';
import { type Configured, type Environment, refused } from '../config-error.ts';
import { homeOf } from '../directories.ts';
import { parsedJson, readPrivateFile } from '../private-file.ts';

const LARGEST = 256 * 1024;
const WHAT = "file of the platform's CLI";

/** The file of the platform's own CLI, where that looks for it; null where there is none. It is not opened. */
export function cliFile(env: Environment): string | null {
  const named = env['XDG_CONFIG_HOME'] ?? '';
  const folders = [...(isAbsolute(named) ? [named] : []), join(homeOf(env), '.config')];
  const places = [
    ...folders.map((folder) => join(folder, 'bunnynet.json')),
    join(homeOf(env), '.bunnynet.json'),
  ];
  return places.find((path) => existsSync(path)) ?? null;
}

/** The text of the key in a profile of the platform's own CLI. `baseUrl`: of the API that is asked with it; undefined: the usual one. */
export async function readCliKey(
  name: string,
  baseUrl: string | undefined,
  env: Environment,
): Promise<Configured<string>> {
  const path = cliFile(env);
  if (path === null)
    return refused(`There is no ${WHAT}.`, 'Log in with that CLI, or use another profile.', 3);
  const read = await readPrivateFile(path, WHAT, LARGEST, 3);
  if (!read.ok) return read;
  const { profiles } = Object(parsedJson(read.value ?? '')) as { profiles?: unknown };
  const all = new Map(Object.entries(Object(profiles) as Record<string, unknown>));
  const found = Object(all.get(name)) as { api_key?: unknown; api_url?: unknown };
  if (typeof found.api_key !== 'string') {
    const known = [...all.keys()].map((each) => sanitise(each, 'text', 40)).join(', ') || 'none';
    return refused(`There is no key of a profile "${name}" in ${path}.`, `Profiles there: ${known}.`, 3);
  }
  if (found.api_url !== undefined && baseUrl === undefined)
    return refused(
      `The profile "${name}" in ${path} is for another API than the usual one.`,
      'Set EDGESCOPE_BASE_URL, or base_url in a profile with this key_cli.',
      3,
    );
  return { ok: true, value: found.api_key };
}
