import type { CommandLine } from './config/command-line.ts';
import type { Configured } from './config/config-error.ts';
import { loadProfile } from './config/config-file.ts';
import { enginesDirectory } from './config/directories.ts';
import { settingsOf } from './config/settings.ts';
import { type StoreAccess, storeAccess } from './config/stores.ts';
import type { printStored } from './headless.ts';
import { type StoreOpener, WRONG_USAGE } from './print/printer.ts';
import { say } from './text/say.ts';
import { systemClock } from './time/clock.ts';

/** A store that is configured, and how it is opened. */
export type NamedStore = { access: StoreAccess; open: StoreOpener };

/** The store that a command line names, or the only one of its profile. Opens nothing yet. */
export async function namedStore(
  { profile: name, store }: Pick<CommandLine, 'profile' | 'store'>,
  env: NodeJS.ProcessEnv,
): Promise<Configured<NamedStore>> {
  const profile = await loadProfile(env, name);
  if (!profile.ok) return profile;
  // What the environment forbids is forbidden here too.
  const settings = settingsOf(env, profile.value);
  if (!settings.ok) return settings;
  const access = await storeAccess(profile.value, store, env, systemClock);
  if (!access.ok) return access;
  const open: StoreOpener = async (isWritten) => {
    const { openStore } = await import('./store/engines/open-store.ts');
    return openStore(access.value, { clock: systemClock, folder: enginesDirectory(env), isWritten });
  };
  return { ok: true, value: { access: access.value, open } };
}

/** What `store` and `keep` do: nothing is asked of the platform. Resolves to the exit code. */
export async function aboutStore(
  o: Omit<Parameters<typeof printStored>[0], keyof NamedStore | 'inputs'>,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const named = await namedStore(o.line, env);
  if (!named.ok) {
    say(o.stderr, named.error.message, named.error.hint);
    return named.error.exit;
  }
  const { stdin } = process;
  const { openInputs } = await import('./effects/saved/saved-input.ts');
  const opened = await openInputs(o.line.command === 'keep' ? o.line.files : [], stdin.isTTY ? null : stdin);
  if (!opened.ok) {
    say(o.stderr, opened.message, opened.hint);
    return WRONG_USAGE;
  }
  const { printStored } = await import('./headless.ts');
  return printStored({ ...o, ...named.value, inputs: opened.inputs });
}

/** The store of `logs` and `keep`, which is looked for once it is needed; null: none is configured and none was asked for. */
export async function historyStore(
  line: Pick<CommandLine, 'command' | 'profile' | 'store' | 'demo' | 'replay'>,
  env: NodeJS.ProcessEnv,
): Promise<Configured<StoreOpener> | null> {
  // Rows of the simulator are in no store.
  if (line.demo || line.replay !== null) return null;
  const profile = await loadProfile(env, line.profile);
  const isWanted = line.command === 'keep' || line.store !== null;
  if (profile.ok && profile.value.stores === undefined && !isWanted) return null;
  const named = await namedStore(line, env);
  return named.ok ? { ok: true, value: named.value.open } : named;
}
