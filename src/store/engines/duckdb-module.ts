import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { changeableTree } from '../../files/changeable.ts';
import { StoreFailure } from './store-failure.ts';

/** What is used of `@duckdb/node-api`, which is not installed with the program: it is tens of megabytes for one platform. */
export type DuckdbModule = {
  DuckDBInstance: {
    create(path: string, options: Readonly<Record<string, string>>): Promise<DuckdbInstance>;
  };
  DuckDBDataChunk: { create(types: readonly DuckdbType[], rows: number): DuckdbChunk };
  ENUM32(members: readonly string[]): DuckdbType;
} & Readonly<Record<'DOUBLE' | 'TIMESTAMP_MS' | 'UUID' | 'VARCHAR', DuckdbType>>;

/** What a column of a chunk holds. */
export type DuckdbType = { readonly typeId: number };

type DuckdbAppender = { appendDataChunk(chunk: DuckdbChunk): void; clear(): void; closeSync(): void };

type DuckdbChunk = { rowCount: number; getColumnVector(column: number): DuckdbVector };

/** A column of a chunk: `items` or `dataView` are what it holds once it was flushed, or what was set of it. */
export type DuckdbVector = {
  items: (number | bigint)[];
  dataView: DataView;
  setItem(at: number, value: string): void;
  flush(): void;
};

export type DuckdbInstance = { connect(): Promise<DuckdbConnection>; closeSync(): void };

export type DuckdbConnection = {
  run(sql: string, values?: DuckdbValue[]): Promise<DuckdbResult>;
  /** Its rows are part of the transaction that is under way. */
  createAppender(table: string): Promise<DuckdbAppender>;
  interrupt(): void;
  closeSync(): void;
};

/** Rows that the engine still has in its own memory, a few at a time. */
export type DuckdbResult = AsyncIterable<{ getRows(): DuckdbCell[][] }>;

export type DuckdbCell = string | number | bigint | null;

export type DuckdbValue = string | bigint;

const PACKAGE = ['@duckdb', 'node-api'] as const;

/** The first release whose appenders can give up what they hold. */
const SINCE = [1, 5] as const;

/**
 * The package of the first of these folders that has it; null where none has, or it is too old. It runs with all that this program knows, so that no other
 * folder is looked in, not even those above, and nothing is loaded that others could have put there: throws a StoreFailure then.
 */
export function duckdbModule(
  folders: readonly string[],
  store: string,
  user = process.getuid?.(),
): DuckdbModule | null {
  const folder = folders.find((each) => existsSync(join(each, 'node_modules', ...PACKAGE, 'package.json')));
  if (folder === undefined) return null;
  const packages = realpathSync(join(folder, 'node_modules'));
  const path = join(packages, ...PACKAGE);
  if (isOlder(path)) return null;
  const detail = changeableTree(packages, user);
  if (detail !== null) throw new StoreFailure('untrusted', { store, detail, folder });
  return createRequire(path)(path) as DuckdbModule;
}

function isOlder(path: string): boolean {
  const text = readFileSync(join(path, 'package.json'), 'utf8');
  // Not parsed: nothing says yet that others could not have put it there.
  const [, major = 0, minor = 0] = (/"version":\s*"(\d+)\.(\d+)/.exec(text) ?? []).map(Number);
  return major < SINCE[0] || (major === SINCE[0] && minor < SINCE[1]);
}
