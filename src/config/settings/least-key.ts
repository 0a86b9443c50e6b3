import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { sanitise } from '../../text/sanitise.ts';
import { type Configured, type Environment, refused } from '../config-error.ts';
import { homeOf } from '../directories.ts';
import { parsedJson, readPrivateFile } from '../private-file.ts';

/** What each credential opens. */
export const OF_TOKEN = "logs by a zone's id, and questions about them";
export const OF_KEY = 'zones by name, Shield, changes, storage zones, keys';

/** How to set each, the least first. */
export const LEAST_FIRST = `for ${OF_TOKEN}, set EDGESCOPE_TOKEN, a logging token; for the rest EDGESCOPE_ACCESS_KEY, or a profile`;

/** What a start with these can show, and what it cannot. */
export function opens({ accessKey, token }: Readonly<Record<'accessKey' | 'token', unknown>>): string {
  if (accessKey !== null) return 'every screen; for logs alone a logging token (EDGESCOPE_TOKEN) is enough';
  return token === null ? `nothing; ${LEAST_FIRST}` : `${OF_TOKEN}; not ${OF_KEY}`;
}

/** Of the platform's own CLI: its profiles, and what else it keeps. */
const LARGEST_CLI_FILE = 256 * 1024;
const CLI_FILE = "file of the platform's CLI";

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
  const path = cliFile(env) ?? join(homeOf(env), '.config', 'bunnynet.json');
  const read = await readPrivateFile(path, CLI_FILE, LARGEST_CLI_FILE, 3);
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
