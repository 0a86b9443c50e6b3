import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../text/secret.ts';
import type { Clock } from '../time/clock.ts';
import { type Configured, type Environment, refused } from './config-error.ts';
import type { Profile } from './config-file.ts';
import { readPrivateFile } from './private-file.ts';

export type Credentials = { accessKey: Secret | null; token: Secret | null };

export const NO_CREDENTIALS: Credentials = { accessKey: null, token: null };

export const KEY_VARIABLES = ['EDGESCOPE_ACCESS_KEY', 'BUNNYNET_API_KEY'] as const;
const TOKEN_VARIABLE = 'EDGESCOPE_TOKEN';
/** JWTs are the longest; more is a wrong file. */
export const LONGEST_KEY = 8_192;
/** A password manager may ask for a passphrase first, ms. */
const COMMAND_TIMEOUT = 60_000;
const MOST_OUTPUT = 64 * 1024;
/** How long what a program printed may be on its way when it has ended, ms. */
const LAST_OUTPUT = 1_000;
/** What an HTTP header can carry without surprises. */
const ALPHABET = /^[\x21-\x7e]+$/;

type SystemFault = { code?: string };

/** In this order: `key_command`, `key_file`, environment. A configured source that fails is an error, not skipped. */
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

/** Text typed or read as a key → the key. One line end behind it is not part of it. Errors never quote it. */
export function keyOf(text: string, where: string): Configured<Secret> {
  const key = text.replace(/\r?\n$/, '');
  if (key === '') return refused(`The key from ${where} is empty.`, 'Set it, or remove the setting.', 3);
  if (key.length > LONGEST_KEY)
    return refused(`The key from ${where} is too long.`, 'It is not an access key.', 3);
  if (ALPHABET.test(key)) return { ok: true, value: new Secret(key) };
  const at = [...key].findIndex((character) => !ALPHABET.test(character)) + 1;
  return refused(
    `The key from ${where} has a character that no key has, at position ${at} of ${key.length}.`,
    'Keys are printable ASCII without spaces; look for quotes, blanks or a line break that were copied along.',
    3,
  );
}

async function loadKey(profile: Profile, env: Environment, clock: Clock): Promise<Configured<Secret | null>> {
  if (profile.key_command !== undefined) return fromCommand(profile.key_command, env, clock);
  if (profile.key_file !== undefined) return readKeyFile(profile.key_file, env);
  if (profile.key_env !== undefined) {
    const named = fromVariable(env, profile.key_env);
    if (named.ok && named.value === null) {
      return refused(
        `The variable ${profile.key_env} named by key_env is not set.`,
        'Set it, or change the profile.',
        3,
      );
    }
    return named;
  }
  for (const name of KEY_VARIABLES) {
    const found = fromVariable(env, name);
    if (!found.ok || found.value !== null) return found;
  }
  return { ok: true, value: null };
}

function fromVariable(env: Environment, name: string): Configured<Secret | null> {
  const value = env[name];
  return value === undefined || value === '' ? { ok: true, value: null } : keyOf(value, name);
}

/** The key in a private file; `~/` is the home directory. */
export async function readKeyFile(path: string, env: Environment): Promise<Configured<Secret>> {
  const whole = path.startsWith('~/') ? join(env['HOME'] || homedir(), path.slice(2)) : path;
  const read = await readPrivateFile(whole, 'key file', LONGEST_KEY + 2, 3);
  if (!read.ok) return read;
  if (read.value === null)
    return refused(`The key file ${whole} does not exist.`, 'Make it, with mode 0600.', 3);
  return keyOf(read.value, 'key_file');
}

/** Runs without a shell; stdin and stderr stay the terminal's, for a passphrase. Its output is never quoted. */
function fromCommand(
  command: readonly string[],
  env: Environment,
  clock: Clock,
): Promise<Configured<Secret>> {
  const [program = '', ...args] = command;
  const failed = (how: string) =>
    refused(`key_command (${program}) ${how}.`, 'Run it by hand to see why.', 3);
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: { ...env }, stdio: ['inherit', 'pipe', 'inherit'] });
    let output = '';
    let stopWaiting = () => {};
    let isSettled = false;
    // Its end alone does not close the pipe: what it started in turn may hold and fill that for ever.
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
      settle(keyOf(output.split(/\r?\n/, 1)[0] ?? '', 'key_command'));
    };
    // Not the option of spawn: its timer outlives a program that could not be started.
    const cancel = clock.after(COMMAND_TIMEOUT, () => settle(failed('took longer than 60 s')));
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      output += chunk;
      if (output.length > MOST_OUTPUT) settle(failed('printed far more than a key'));
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
