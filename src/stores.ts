import type { CommandLine } from './config/command/command-line.ts';
import type { Configured } from './config/config-error.ts';
import { enginesDirectories } from './config/directories.ts';
import {
  chosenStore,
  type StoreAccess,
  type Stores,
  storeAccess,
} from './config/settings/configured-stores.ts';
import { loadProfile } from './config/settings/profile.ts';
import { settingsOf } from './config/settings/settings.ts';
import type { LogHistory } from './domain/logs/log-history.ts';
import type { PrintOptions } from './headless.ts';
import { type StoreOpener, WRONG_USAGE } from './print/printer.ts';
import { say } from './text/say.ts';
import { systemClock } from './time/clock.ts';

/** A configured store, and how to open it. */
type NamedStore = { access: StoreAccess; open: StoreOpener };

/** The store that a command line names, or the only one of its profile. Opens nothing yet. */
async function namedStore(
  { profile: name, store }: Pick<CommandLine, 'profile' | 'store'>,
  env: NodeJS.ProcessEnv,
): Promise<Configured<NamedStore>> {
  const profile = await loadProfile(env, name);
  if (!profile.ok) return profile;
  // What the environment forbids is forbidden here, too.
  const settings = settingsOf(env, profile.value);
  if (!settings.ok) return settings;
  const access = await storeAccess(profile.value, store, env, systemClock);
  if (!access.ok) return access;
  const open: StoreOpener = async (isWritten) => {
    const { openStore } = await import('./store/engines/open-store.ts');
    return openStore(access.value, {
      clock: systemClock,
      folders: enginesDirectories(import.meta.filename, env),
      isWritten,
    });
  };
  return { ok: true, value: { access: access.value, open } };
}

/** The commands `store` and `keep`, which ask the platform for nothing. Resolves to the exit code. */
export async function aboutStore(o: PrintOptions, env: NodeJS.ProcessEnv): Promise<number> {
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

/** The store of `logs` and `keep`, looked for once it is needed; null: none is configured, and none was asked for. */
export async function historyStore(
  line: SessionLine,
  env: NodeJS.ProcessEnv,
): Promise<Configured<StoreOpener> | null> {
  // Rows of the simulator are in no store.
  if (line.demo) return null;
  const isWanted = line.command === 'keep' || line.store !== null;
  if (!isWanted && (await storesOf(line, env)) === null) return null;
  const named = await namedStore(line, env);
  return named.ok ? { ok: true, value: named.value.open } : named;
}

/**
 * The store behind the logs of a session, as a source of them; null: none is configured. Its password is asked for,
 * and it is opened, with its first question.
 */
export async function sessionHistory(
  line: SessionLine,
  env: NodeJS.ProcessEnv,
): Promise<Configured<LogHistory> | null> {
  // Saved logs are all that their screen shows, and no store has rows of the simulator.
  if (line.files.length > 0 || line.demo) return null;
  const stores = await storesOf(line, env);
  if (stores === null) return null;
  const chosen = chosenStore(stores, line.store);
  if (!chosen.ok) return chosen;
  const { name, engine } = chosen.value;
  const open = async () => {
    const named = await namedStore({ profile: line.profile, store: name }, env);
    if (named.ok) return named.value.open(false);
    const { StoreFailure } = await import('./store/engines/store-failure.ts');
    throw new StoreFailure('other', { store: name, detail: `${named.error.message} ${named.error.hint}` });
  };
  const { logHistory } = await import('./store/history-log.ts');
  return { ok: true, value: logHistory({ engine, name, open, clock: systemClock }) };
}

type SessionLine = Pick<CommandLine, 'files' | 'command' | 'profile' | 'store' | 'demo'>;

/** The stores of a session's profile; null: it has none. */
async function storesOf(line: SessionLine, env: NodeJS.ProcessEnv): Promise<Stores | null> {
  const profile = await loadProfile(env, line.profile);
  return profile.ok ? (profile.value.stores ?? null) : null;
}
