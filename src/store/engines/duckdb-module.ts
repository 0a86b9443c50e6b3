import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What is used of `@duckdb/node-api`, which is not installed with the program: it is tens of megabytes for one platform. */
export type DuckdbModule = {
  DuckDBInstance: {
    create(path: string, options: Readonly<Record<string, string>>): Promise<DuckdbInstance>;
  };
};

export type DuckdbInstance = { connect(): Promise<DuckdbConnection>; closeSync(): void };

export type DuckdbConnection = {
  run(sql: string, values?: DuckdbValue[]): Promise<unknown>;
  runAndReadAll(
    sql: string,
    values?: DuckdbValue[],
  ): Promise<{ getRows(): (string | number | bigint | null)[][] }>;
  createAppender(table: string): Promise<DuckdbAppender>;
  interrupt(): void;
  closeSync(): void;
};

export type DuckdbAppender = {
  appendVarchar(value: string): void;
  appendBigInt(value: bigint): void;
  appendUSmallInt(value: number): void;
  appendUTinyInt(value: number): void;
  endRow(): void;
  closeSync(): void;
};

export type DuckdbValue = string | bigint;

const PACKAGE = '@duckdb/node-api';

/** The package beside the program, or in one of these folders; null where there is none. */
export function duckdbModule(folders: readonly string[]): DuckdbModule | null {
  for (const from of [import.meta.url, ...folders.map((folder) => join(folder, 'any.js'))]) {
    const require = createRequire(from);
    const path = resolved(require);
    if (path !== null) return require(path) as DuckdbModule;
  }
  return null;
}

function resolved(require: NodeJS.Require): string | null {
  try {
    return require.resolve(PACKAGE);
  } catch {
    return null;
  }
}
