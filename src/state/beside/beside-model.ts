import type { BookWork } from '../../domain/logs/groups/book-work.ts';
import type { BookGroups } from '../../domain/logs/groups/log-group.ts';
import type { Query } from '../../domain/query/query.ts';

/** The most frequent values of a field among the rows of a view. */
export type TopValues = {
  field: string;
  /** Most frequent first. */
  values: readonly { value: string | null; count: number }[];
  distinct: number;
  rows: number;
  /** What was counted, and when, Unix ms. */
  of: Counted;
  at: number;
};

/** The rows of a view: what a session asked and the filter over it, and a number that changes as rows come. */
export type Counted = { generation: number; query: Query; version: number };

/** What stands beside lists. */
export type BesideState = {
  /** The top values are told in a view of their own alone. */
  isHidden: boolean;
  values: readonly TopValues[];
  work: { field: string; of: Counted; work: BookWork<BookGroups> } | null;
  /** The line that is told in full: see `cursorKey`. Null = none is. */
  detail: string | null;
};

export const NOTHING_BESIDE: BesideState = { isHidden: false, values: [], work: null, detail: null };

/** The top values have the keys; `at`: which of the values that are listed. */
export type ValuesOverlay = { kind: 'topValues'; at: number };
