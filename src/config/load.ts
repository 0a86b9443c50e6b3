import type { Clock } from '../time/clock.ts';
import type { Configured, Environment } from './config-error.ts';
import { loadCredentials } from './credentials.ts';
import { loadProfile } from './profiles.ts';
import { type SettingFlags, type Settings, settingsOf } from './settings.ts';

/** Profile, credentials and settings in one go; runs the profile's `key_command` when it has one and a key is needed. */
export async function loadSettings(o: {
  env: Environment;
  profile: string | null;
  flags: SettingFlags;
  clock: Clock;
  /** False where nothing is asked of the platform: then no key is looked for. */
  needsKey?: boolean;
}): Promise<Configured<Settings>> {
  const profile = await loadProfile(o.env, o.profile);
  if (!profile.ok) return profile;
  // What the environment forbids is said before a password manager asks for anything.
  const none = { accessKey: null, token: null, source: null };
  const dry = settingsOf({ env: o.env, profile: profile.value, flags: o.flags, credentials: none });
  if (!dry.ok || o.needsKey === false) return dry;
  const credentials = await loadCredentials(profile.value, o.env, o.clock);
  return credentials.ok ? { ok: true, value: { ...dry.value, credentials: credentials.value } } : credentials;
}
