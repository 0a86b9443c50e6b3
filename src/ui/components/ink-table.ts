import inkTable from 'ink-table';
import type { ComponentType, PropsWithChildren, ReactElement } from 'react';

type Scalar = string | number | boolean | null | undefined;

type TableProps<T extends Record<string, Scalar>> = {
  data: T[];
  /** Order and choice of the columns; all keys of the data where absent. */
  columns?: (keyof T & string)[];
  /** Spaces on either side of a cell; 1 where absent. */
  padding?: number;
  header?: ComponentType<PropsWithChildren>;
  cell?: ComponentType<PropsWithChildren<{ column: number }>>;
  skeleton?: ComponentType<PropsWithChildren>;
};

/**
 * The table of ink-table, with types that React 19 knows. It measures with `String.length` and draws every row at once:
 * only for small, bounded tables of sanitised text in one-cell letters.
 */
export const Table = inkTable.default as unknown as <T extends Record<string, Scalar>>(
  props: TableProps<T>,
) => ReactElement;
