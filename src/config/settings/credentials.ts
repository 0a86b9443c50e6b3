import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Secret } from '../../text/secret.ts';
import type { Clock } from '../../time/clock.ts';
import { type Configured, type Environment, refused } from '../config-error.ts';
import { homeOf } from '../directories.ts';
import { readPrivateFile } from '../private-file.ts';
import type { Profile } from './config-file.ts';

export type Credentials = { accessKey: Secret | null; token: Secret | null };

export const NO_CREDENTIALS: Credentials = { accessKey: null, token: null };

export const KEY_VARIABLES = ['EDGESCOPE_ACCESS_KEY', 'BUNNYNET_API_KEY'] as const;
const TOKEN_VARIABLE = 'EDGESCOPE_TOKEN';
/** JWTs are the longest; anything longer is a wrong file. */
export const LONGEST_SECRET = 8_192;
/** A password manager may ask for a passphrase first, ms. */
const COMMAND_TIMEOUT = 60_000;
const MOST_OUTPUT = 64 * 1024;
/** How long a program's output may still be on its way after its end, ms. */
const LAST_OUTPUT = 1_000;
/** Characters that an HTTP header cannot carry without surprises. */
const NOT_IN_HEADERS = /[^\x21-\x7e]/;

type SystemFault = { code?: string };

/** In this order: `key_command`, `key_file`, `key_env`, `key_cli`, environment. A configured source that fails is an error, not skipped. */
export async function loadCredentials(
  profile: Profile,
  env: Environment,
  clock: Clock,
): Promise<Configured<Credentials>> {
  const token = fromVariable(env, TOKEN_VARIABLE);
  if (!token.ok) return token;
  const loaded = await loadKey(profile, env, clock);
  if (!loaded.ok) return loaded;
  return { ok: true, value: { accessKey: loaded.value, token: token.value } };
}

/** Where a secret comes from, the first of these that is set. */
type SecretSource = {
  command?: string[] | undefined;
  file?: string | undefined;
  variable?: string | undefined;
};

/**
 * The kinds of secrets: their names, what they may not hold, and how a longer text is searched for them;
 * `key_command` and so on begin with the name.
 */
const SECRETS = {
  key: {
    title: 'an access key',
    strange: NOT_IN_HEADERS,
    has: (at: number, length: number) => `a character that no key has, at position ${at} of ${length}`,
    next: 'Keys are printable ASCII without spaces; look for quotes, blanks or a line break that were copied along.',
  },
  password: {
    title: 'a password',
    strange: /\p{Cc}/u,
    has: () => 'a control character',
    next: 'Look for a line break that was copied along.',
  },
} as const;

type SecretKind = keyof typeof SECRETS;

/** Text typed, read or printed as a secret → the secret, without one line end behind it. Errors never quote it. */
export function secretOf(kind: SecretKind, text: string, where: string): Configured<Secret> {
  const secret = text.replace(/\r?\n$/, '');
  const refusedFor = (what: string, next: string) => refused(`The ${kind} from ${where} ${what}.`, next, 3);
  const { title, strange, has, next } = SECRETS[kind];
  if (secret === '') return refusedFor('is empty', 'Set it, or remove the setting.');
  if (secret.length > LONGEST_SECRET) return refusedFor('is too long', `It is not ${title}.`);
  const at = [...secret].findIndex((character) => strange.test(character)) + 1;
  return at === 0
    ? { ok: true, value: new Secret(secret) }
    : refusedFor(`has ${has(at, secret.length)}`, next);
}

async function loadKey(profile: Profile, env: Environment, clock: Clock): Promise<Configured<Secret | null>> {
  const { key_command: command, key_file: file, key_env: variable } = profile;
  const set = await loadSecret('key', { command, file, variable }, env, clock);
  if (!set.ok || set.value !== null) return set;
  if (profile.key_cli !== undefined) {
    const { readCliKey } = await import('./least-key.ts');
    const found = await readCliKey(profile.key_cli, env['EDGESCOPE_BASE_URL'] || profile.base_url, env);
    return found.ok ? secretOf('key', found.value, 'key_cli') : found;
  }
  for (const name of KEY_VARIABLES) {
    const found = fromVariable(env, name);
    if (!found.ok || found.value !== null) return found;
  }
  return { ok: true, value: null };
}

/** The secret from the source in the settings; null where they name none. */
export async function loadSecret(
  what: SecretKind,
  { command, file, variable }: SecretSource,
  env: Environment,
  clock: Clock,
): Promise<Configured<Secret | null>> {
  if (command !== undefined) return fromCommand(command, what, env, clock);
  if (file !== undefined) return readSecretFile(file, what, env);
  if (variable === undefined) return { ok: true, value: null };
  const value = env[variable] ?? '';
  if (value !== '') return secretOf(what, value, variable);
  return refused(
    `The variable ${variable} named by ${what}_env is not set.`,
    'Set it, or change the profile.',
    3,
  );
}

function fromVariable(env: Environment, name: string): Configured<Secret | null> {
  const value = env[name];
  return value === undefined || value === '' ? { ok: true, value: null } : secretOf('key', value, name);
}

/** The secret in a private file; `~/` is the home directory. */
export async function readSecretFile(
  path: string,
  what: SecretKind,
  env: Environment,
): Promise<Configured<Secret>> {
  const whole = atHome(path, env);
  const found = await readPrivateFile(whole, `${what} file`, LONGEST_SECRET + 2, 3);
  if (!found.ok) return found;
  if (found.value === null)
    return refused(`The ${what} file ${whole} does not exist.`, 'Make it, with mode 0600.', 3);
  return secretOf(what, found.value, `${what}_file`);
}

/** A path in the configuration; `~/` is the home directory. */
export function atHome(path: string, env: Environment): string {
  return path.startsWith('~/') ? join(homeOf(env), path.slice(2)) : path;
}

/** Runs without a shell; stdin and stderr stay the terminal's, for a passphrase. Its output is never quoted. */
function fromCommand(
  command: readonly string[],
  what: SecretKind,
  env: Environment,
  clock: Clock,
): Promise<Configured<Secret>> {
  const [program = '', ...args] = command;
  const failed = (how: string) =>
    refused(`${what}_command (${program}) ${how}.`, 'Run it by hand to see why.', 3);
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: { ...env }, stdio: ['inherit', 'pipe', 'inherit'] });
    let output = '';
    let stopWaiting = () => {};
    let isSettled = false;
    // Its end alone does not close the pipe, which a child of it may hold and fill for ever.
    const settle = (key: Configured<Secret>) => {
      isSettled = true;
      cancel();
      stopWaiting();
      child.stdout.destroy();
      child.kill('SIGKILL');
      resolve(key);
    };
    const ended = (code: number | null, signal: string | null) => {
      if (signal !== null) return settle(failed(`was ended by ${signal}`));
      if (code !== 0) return settle(failed(`failed with exit code ${code}`));
      settle(secretOf(what, output.split(/\r?\n/, 1)[0] ?? '', `${what}_command`));
    };
    // Without spawn's own option, whose timer outlives a program that could not be started.
    const cancel = clock.after(COMMAND_TIMEOUT, () => settle(failed('took longer than 60 s')));
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      output += chunk;
      if (output.length > MOST_OUTPUT) settle(failed(`printed far more than a ${what}`));
    });
    child.on('error', (error) => settle(failed(startFault(error as SystemFault))));
    child.on('exit', (code, signal) => {
      if (!isSettled) stopWaiting = clock.after(LAST_OUTPUT, () => ended(code, signal));
    });
    child.on('close', ended);
  });
}

function startFault({ code }: SystemFault): string {
  if (code === 'ENOENT') return 'does not exist';
  return code === 'EACCES' ? 'may not be run' : 'cannot be started';
}
