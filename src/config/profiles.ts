import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { type Configured, type Environment, refused } from './config-error.ts';
import { readPrivateFile } from './private-file.ts';

/** One way to reach an account. A key itself is never in here: only where it comes from. */
export type Profile = {
  /** Program and arguments, run without a shell; its first line of output is the key. */
  key_command?: string[];
  key_file?: string;
  /** Name of an environment variable. */
  key_env?: string;
  base_url?: string;
  logging_url?: string;
  theme?: string;
  /** Zone to open when none is named. */
  zone?: string;
};

/** `profile` names the one that is used when the command line names none. */
export type ConfigFile = { profile?: string; profiles: Record<string, Profile> };

const LARGEST = 256 * 1024;
const DEFAULT_NAME = 'default';
/** Looks like a key put where only the way to one belongs. */
const KEY_ITSELF = /^(?:access_?key|api_?key|key|token|secret|password)$/i;

/** Most machines have no file, and making a schema costs the start more than reading one. */
const text = z.lazy(() => z.string().min(1));
const profile = z.lazy(() =>
  z.strictObject({
    key_command: z.array(text).min(1).optional(),
    key_file: text.optional(),
    key_env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
      .optional(),
    base_url: text.optional(),
    logging_url: text.optional(),
    theme: text.optional(),
    zone: text.optional(),
  }),
);
const file = z.lazy(() =>
  z.strictObject({ profile: text.optional(), profiles: z.record(z.string(), profile) }),
);

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
  const read = await readPrivateFile(path, 'configuration', LARGEST);
  if (!read.ok) return read;
  if (read.value === null) {
    if (name === null) return { ok: true, value: {} };
    return refused(`There is no profile "${name}".`, `Profiles are kept in ${path}, which does not exist.`);
  }
  const parsed = parseConfig(read.value, path);
  if (!parsed.ok) return parsed;
  const { profiles } = parsed.value;
  const wanted = name ?? parsed.value.profile ?? DEFAULT_NAME;
  const found = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined;
  if (found !== undefined) return { ok: true, value: found };
  if (name === null && parsed.value.profile === undefined) return { ok: true, value: {} };
  const known = Object.keys(profiles).join(', ') || 'none';
  return refused(`There is no profile "${wanted}" in ${path}.`, `Known profiles: ${known}.`);
}

/** Text of a configuration file → its content. Errors name the place, never a value. */
export function parseConfig(content: string, path: string): Configured<ConfigFile> {
  let json: unknown;
  try {
    json = JSON.parse(content.replace(/^\ufeff/, ''));
  } catch {
    return refused(`${path} is not valid JSON.`, 'Check commas and quotes, or move the file away.');
  }
  const parsed = file.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  const place = [...(issue?.path ?? []), ...unknown.slice(0, 1)].map(String).join('.') || 'the top level';
  if (unknown.some((name) => KEY_ITSELF.test(name))) {
    return refused(
      `${path}: "${place}" looks like a key in the open.`,
      'Remove it, and set key_command, key_file or key_env instead.',
    );
  }
  return unknown.length > 0
    ? refused(
        `${path}: "${place}" is not a setting.`,
        `Settings of a profile: ${Object.keys(profile.unwrap().shape).join(', ')}.`,
      )
    : refused(`${path}: "${place}" has the wrong form.`, 'See "Profiles" in the README.');
}
