import type { Secret } from '../../text/secret.ts';
import type { Clock } from '../../time/clock.ts';
import { type Configured, type Environment, refused } from '../config-error.ts';
import type { Profile } from './config-file.ts';
import { atHome, loadSecret } from './credentials.ts';
import { urlOf } from './settings.ts';
import type { StoreProfile } from './store-settings.ts';

/** A store to connect to; sizes and times in the units of its settings. */
export type StoreAccess = {
  name: string;
  limits: { seconds: number; memory: number };
  days: number | null;
} & (
  | {
      engine: 'clickhouse';
      url: string;
      user: string;
      password: Secret | null;
      database: string;
      cluster: string | null;
      quorum: boolean;
    }
  | { engine: 'duckdb'; file: string }
);

const EXAMPLE = '"stores": { "main": { "engine": "duckdb", "file": "~/logs.duckdb" } }';

/** Settings of one engine alone. */
const CLICKHOUSE_ONLY = [
  ...(['url', 'user', 'password_command', 'password_file', 'password_env'] as const),
  ...(['database', 'cluster', 'quorum'] as const),
];

export type Stores = NonNullable<Profile['stores']>;

/** The store meant in a profile: the one named, or the only one. */
export function chosenStore(
  stores: Stores,
  asked: string | null,
): Configured<{ name: string; store: StoreProfile; engine: StoreAccess['engine'] }> {
  const names = Object.keys(stores);
  const [only] = names;
  if (only === undefined) return refused('The profile has no stores.', `Write ${EXAMPLE} into it.`);
  if (asked === null && names.length > 1)
    return refused(`The profile has ${names.length} stores.`, `Name one: --store ${names.join(' or ')}`);
  const name = asked ?? only;
  const store = Object.hasOwn(stores, name) ? stores[name] : undefined;
  if (store === undefined)
    return refused(`The profile has no store "${name}".`, `Its stores: ${names.join(', ')}.`);
  return { ok: true, value: { name, store, engine: store.engine ?? 'clickhouse' } };
}

/** How to connect to it. Runs its `password_command`. */
export async function storeAccess(
  { stores = {} }: Profile,
  asked: string | null,
  env: Environment,
  clock: Clock,
): Promise<Configured<StoreAccess>> {
  const chosen = chosenStore(stores, asked);
  if (!chosen.ok) return chosen;
  const { name, store } = chosen.value;
  return store.engine === 'duckdb'
    ? duckdbAccess(name, store, env)
    : clickhouseAccess(name, store, env, clock);
}

function duckdbAccess(name: string, store: StoreProfile, env: Environment): Configured<StoreAccess> {
  const odd = CLICKHOUSE_ONLY.find((setting) => store[setting] !== undefined);
  if (odd !== undefined)
    return refused(`The store "${name}" is a file of DuckDB, which has no ${odd}.`, 'Remove the setting.');
  if (store.file === undefined)
    return refused(`The store "${name}" has no file.`, 'Set "file", as in "~/logs.duckdb".');
  // What the engine takes for no file at all.
  if (store.file.startsWith(':memory:'))
    return refused(
      `The store "${name}" would be in memory, and gone once the command ends.`,
      'Set "file" to a path, as in "~/logs.duckdb".',
    );
  return {
    ok: true,
    value: { name, engine: 'duckdb', file: atHome(store.file, env), ...keptOf(store) },
  };
}

async function clickhouseAccess(
  name: string,
  store: StoreProfile,
  env: Environment,
  clock: Clock,
): Promise<Configured<StoreAccess>> {
  if (store.engine === undefined)
    return refused(`The store "${name}" names no engine.`, 'Set "engine" to clickhouse or duckdb.');
  if (store.file !== undefined)
    return refused(`The store "${name}" is a server, which has no file.`, 'Remove the setting.');
  if (store.url === undefined)
    return refused(
      `The store "${name}" has no url.`,
      'Set "url", as in "https://clickhouse.example.com:8443".',
    );
  const url = urlOf(store.url, `URL of the store "${name}"`);
  if (!url.ok) return url;
  const password = await loadSecret(
    'password',
    { command: store.password_command, file: store.password_file, variable: store.password_env },
    env,
    clock,
  );
  if (!password.ok) return password;
  return {
    ok: true,
    value: {
      name,
      engine: 'clickhouse',
      url: url.value,
      user: store.user ?? 'default',
      password: password.value,
      database: store.database ?? 'edgescope',
      cluster: store.cluster ?? null,
      quorum: store.quorum ?? false,
      ...keptOf(store),
    },
  };
}

/** The settings of any engine. */
function keptOf({ seconds = 60, memory = 4096, days }: StoreProfile): Pick<StoreAccess, 'limits' | 'days'> {
  return { limits: { seconds, memory }, days: days ?? null };
}
