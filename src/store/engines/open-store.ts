import type { StoreAccess } from '../../config/settings/configured-stores.ts';
import type { Clock } from '../../time/clock.ts';
import type { Place } from '../sql/schema.ts';
import { openClickhouse } from './clickhouse.ts';
import { openDuckdb } from './duckdb.ts';
import { duckdbModule } from './duckdb-module.ts';
import type { Engine } from './engine.ts';
import { StoreFailure } from './store-failure.ts';

/** A file is another program's for as long as that writes a batch: it is waited for, and looked at so often, ms. */
const LOCKED_MOST = 5_000;
const LOCKED_STEP = 50;

/** Where the tables of a store are. */
export function placeOf(access: StoreAccess): Place {
  const { days } = access;
  if (access.engine === 'duckdb') return { dialect: 'duckdb', database: '', cluster: null, days };
  const { database, cluster } = access;
  return { dialect: 'clickhouse', database, cluster, days };
}

/** Opens a store. Throws a StoreFailure. `folders`: where DuckDB is looked for; it is to be installed in the last of them. */
export async function openStore(
  access: StoreAccess,
  { clock, folders, isWritten }: { clock: Clock; folders: readonly string[]; isWritten: boolean },
): Promise<Engine> {
  const { name: store, limits } = access;
  const place = placeOf(access);
  if (access.engine === 'clickhouse') return openClickhouse(store, place, access, { limits, clock });
  const module = duckdbModule(folders, store);
  if (module === null) throw new StoreFailure('absent', { store, folder: folders.at(-1) ?? '' });
  const began = clock.monotonic();
  for (;;) {
    try {
      return await openDuckdb({ module, store, place, file: access.file, isWritten, limits, clock });
    } catch (error) {
      const isLocked = error instanceof StoreFailure && error.kind === 'locked';
      if (!isLocked || clock.monotonic() - began > LOCKED_MOST) throw error;
      await clock.sleep(LOCKED_STEP);
    }
  }
}
