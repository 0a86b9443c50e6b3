import type { ReadStream, WriteStream } from 'node:tty';
import { createQuota, type Quota } from './api/quota/quota.ts';
import { SharedSlots } from './api/quota/shared-slots.ts';
import type { CommandLine } from './config/command/command-line.ts';
import { trafficOf } from './config/command/command-line.ts';
import type { ConfigError } from './config/config-error.ts';
import type { Credentials } from './config/settings/credentials.ts';
import { hostOf, loadSettings, type Settings, settingsOf } from './config/settings/settings.ts';
import type { Journal } from './domain/storage/storage-change.ts';
import { Secret } from './text/secret.ts';
import { systemClock } from './time/clock.ts';

/** Where to ask and with what, from the environment and a profile or from the embedded simulator. */
export type Connection = { settings: Settings; quota: Quota; close: () => Promise<void> };

type ConnectOptions = {
  line: CommandLine;
  /** When the demo's history begins, Unix ms. */
  epoch: number;
  env: NodeJS.ProcessEnv;
  /** The terminal where a key may be typed; opened only where one is asked for. */
  keyboard: () => { stdin: ReadStream; stderr: WriteStream };
};

type Connected = { ok: true; value: Connection } | { ok: false; error: ConfigError | 'interrupted' };

/** The embedded simulator of `--demo`, else what the environment and the profile say. */
export function connect(o: ConnectOptions): Promise<Connected> {
  return o.line.demo ? toDemo(o) : toPlatform(o);
}

async function toDemo({ line, env, epoch }: ConnectOptions): Promise<Connected> {
  const { startSimulator } = await import('./simulator/server.ts');
  const { accessKey, close: stop, ...urls } = await startSimulator(trafficOf(line, epoch));
  const known = settingsOf(env, {}, { accessKey: new Secret(accessKey), token: null });
  if (!known.ok) return known;
  const quota = createQuota();
  const close = async () => {
    quota.close();
    await stop();
  };
  const settings = { ...known.value, ...urls, proxy: null };
  return { ok: true, value: { settings, quota, close } };
}

async function toPlatform(o: ConnectOptions): Promise<Connected> {
  const { line, env } = o;
  const isOffline = line.command === 'open';
  const { profile } = line;
  const settings = await loadSettings({ env, profile, clock: systemClock, needsKey: !isOffline });
  if (!settings.ok) return settings;
  const { credentials: known } = settings.value;
  const credentials = isOffline ? known : await withTypedKey(known, o);
  if (credentials === null) return { ok: false, error: 'interrupted' };
  const quota = createQuota({ store: new SharedSlots() });
  return {
    ok: true,
    value: { settings: { ...settings.value, credentials }, quota, close: async () => quota.close() },
  };
}

/** The credentials, with one asked for where there are none and somebody sits at a terminal; null: interrupted. */
async function withTypedKey(
  credentials: Credentials,
  { keyboard, env }: ConnectOptions,
): Promise<Credentials | null> {
  const isSet = credentials.accessKey !== null || credentials.token !== null;
  if (isSet) return credentials;
  const { stdin, stderr } = keyboard();
  if (!stdin.isTTY || !stderr.isTTY) return credentials;
  const { promptForKey } = await import('./config/settings/hidden-prompt.ts');
  const prompted = await promptForKey(stdin, stderr, systemClock, env);
  return prompted === 'interrupted' ? null : prompted;
}

/** Loaded only here: most sessions record nothing, but each may. */
export async function journalOf(directory: string, settings: Settings): Promise<Journal> {
  const { openJournal } = await import('./effects/journal.ts');
  return openJournal({ directory, host: hostOf(settings) });
}
